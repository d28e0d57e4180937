"""Ranking and assembly, pure."""
