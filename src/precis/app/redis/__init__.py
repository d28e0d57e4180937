"""Verbs that only the wire of the Redis Agent Memory Server has."""
