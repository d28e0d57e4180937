"""PostgreSQL: one file a resource, SQL in sql/*.sql."""
