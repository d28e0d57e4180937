"""Facts that people tell of themselves: sentences of a message that stand alone, found by rules, without a model."""
