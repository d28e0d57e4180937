"""Doors for agents: precis in the place of another library's memory. Each is a thin file over the app."""
