"""Requests read by what the memories say."""
