"""Verbs that take a request in words."""
