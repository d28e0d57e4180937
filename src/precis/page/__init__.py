"""A page to look at what is remembered, why, and to make it go. It reads through the verbs of the app alone."""
