"""Copies of the embedded database, while it serves, and back again."""
