"""A PostgreSQL of precis's own: its folder, its account, its process."""
