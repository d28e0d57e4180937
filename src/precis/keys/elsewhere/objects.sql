-- A second database has only these. Its rows are of no tenant: a name tells whose they are.

-- name: make_objects
-- The table, where it is not there yet; what is acknowledged is on the disk.
SET synchronous_commit = on;
CREATE TABLE IF NOT EXISTS precis_objects (name text COLLATE "C" PRIMARY KEY, body bytea NOT NULL);

-- name: is_ours
-- One row where this is the database of the memories.
SELECT true FROM pg_catalog.pg_class WHERE relname = 'schema_migrations' AND pg_catalog.pg_table_is_visible(oid);

-- name: read_object
-- What lies under a name.
SELECT body FROM precis_objects WHERE name = %(name)s;

-- name: add_object
-- No row where something lies there.
INSERT INTO precis_objects (name, body) VALUES (%(name)s, %(body)s) ON CONFLICT DO NOTHING RETURNING name;

-- name: replace_object
-- No row where another version lies there.
UPDATE precis_objects SET body = %(body)s
WHERE name = %(name)s AND encode(sha256(body), 'hex') = %(version)s RETURNING name;

-- name: object_names
-- Those that begin so.
SELECT name FROM precis_objects WHERE starts_with(name, %(prefix)s) ORDER BY name LIMIT %(limit)s::bigint;
