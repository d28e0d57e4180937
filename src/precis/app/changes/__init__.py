"""What changed: which memory a new one replaces."""
