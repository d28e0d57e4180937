"""How good summaries are, measured on anybody's memories: what they keep, how they read, and what a forget leaves."""
