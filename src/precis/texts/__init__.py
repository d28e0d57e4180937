"""Summarize and check texts that are stored nowhere."""
