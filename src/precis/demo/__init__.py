"""A conversation of a studio over seven months, and what the demo asks and forgets of it."""
