"""The wire format of the Redis Agent Memory Server, one file a resource: its clients work with a base URL alone."""
