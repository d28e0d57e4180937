"""Keys and the forgotten-log where several machines reach them: object storage, a second database, a key service."""
