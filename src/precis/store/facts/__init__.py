"""Facts that rest on messages: which are to be read, and what was found."""
