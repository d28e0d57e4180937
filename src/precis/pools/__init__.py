"""Stores of other people as sources."""
