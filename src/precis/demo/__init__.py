"""What `precis demo` shows: a packaged conversation, read by ``story``."""
