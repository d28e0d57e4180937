"""Seeing it work: figures, what is wrong, and what to do about it."""
