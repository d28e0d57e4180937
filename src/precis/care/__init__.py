"""Copies of the embedded database, made while it serves, and restored from."""
