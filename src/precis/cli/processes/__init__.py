"""Processes that stay: the server, an MCP host's, the worker."""
