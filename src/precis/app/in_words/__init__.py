"""Requests to forget in words: ``app.memories.find_to_forget`` and ``forget`` call these two files."""
