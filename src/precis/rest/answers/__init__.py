"""What callers are answered, one file a resource."""
