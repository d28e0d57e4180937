"""Keys and forgotten-log where several machines reach them: in S3, or in a PostgreSQL; ``keys.opening`` opens them."""
