-- name: lock
-- Two processes that start at once migrate once.
SELECT pg_advisory_lock(727974001);

-- name: unlock
-- The others may look now.
SELECT pg_advisory_unlock(727974001);

-- name: create_table
-- Which migrations were applied, with the checksum of their text.
CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL
);

-- name: applied
-- In the order they were applied.
SELECT name, checksum, applied_at FROM schema_migrations ORDER BY name;

-- name: has_migrations
-- Whether any was.
SELECT to_regclass('schema_migrations') IS NOT NULL AS there;

-- name: record
-- One more.
INSERT INTO schema_migrations (name, checksum, applied_at) VALUES (%(name)s, %(checksum)s, %(now)s);

-- name: has_jobs
-- Whether procrastinate's tables are there.
SELECT to_regclass('procrastinate_jobs') IS NOT NULL AS there;

-- name: grant_tables
-- What the role that serves may do: rows, never the schema. The role's name is put in as an identifier.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};

-- name: grant_sequences
-- The same role, for the job tables.
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};

-- name: old_indexes
-- Vector indexes over single users, from before migration 0024.
SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass('memories') AND c.relname LIKE 'memories\_near\_%' ORDER BY c.relname;

-- name: drop_old_index
-- One of them. The name is put in as an identifier.
DROP INDEX IF EXISTS {name};
