"""Connections, transactions, named queries and migrations. ``store/`` is built on it; it knows no resource."""
