"""Where no rule is sure of a request: its words are looked up among those that the memories have."""
