"""Verbs for whoever looks after a database: migrate, backup, restore."""
