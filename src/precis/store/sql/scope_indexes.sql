-- name: large_scopes
-- Users with more rows than this.
SELECT user_id, count(*) AS rows FROM postings
WHERE tenant_id = %(tenant_id)s AND term = 0 GROUP BY user_id HAVING count(*) > %(than)s ORDER BY rows DESC, user_id;

-- name: standing
-- The vector indexes over single scopes; one whose making was broken off, or is under way, is not whole.
SELECT c.relname AS name, i.indisvalid AS whole FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = 'memories'::regclass AND c.relname LIKE 'memories\_near\_%%' ORDER BY c.relname;

-- name: take_turn
-- Indexes are made by one at a time. Nobody waits inside a statement: the making of an index would wait for it.
SELECT pg_try_advisory_lock(hashtextextended('precis scope indexes', 0)) AS mine;

-- name: end_turn
-- The turn ends with the connection at the latest.
SELECT pg_advisory_unlock(hashtextextended('precis scope indexes', 0));

-- name: for_making
-- The graph of a scope is made in memory where it fits, since beyond it that takes many times as long; and by one
-- process, so that others have the processors meanwhile.
SELECT set_config('maintenance_work_mem', '1GB', false), set_config('max_parallel_maintenance_workers', '0', false);

-- name: index_user
-- A vector index over the rows of one user alone, while others write. Its own writes pay for it, and nobody else's.
CREATE INDEX CONCURRENTLY {name} ON memories
USING hnsw ((embedding::halfvec({dimensions})) halfvec_cosine_ops) WITH (m = 32, ef_construction = 128)
WHERE md5({salt} || tenant_id || ' ' || user_id) = {digest} AND embedding_version = {version} AND embedding IS NOT NULL;

-- name: index_tenant
-- The same over a whole tenant.
CREATE INDEX CONCURRENTLY {name} ON memories
USING hnsw ((embedding::halfvec({dimensions})) halfvec_cosine_ops) WITH (m = 32, ef_construction = 128)
WHERE md5({salt} || tenant_id) = {digest} AND embedding_version = {version} AND embedding IS NOT NULL;

-- name: drop_index
-- One that no scope needs any more.
DROP INDEX CONCURRENTLY IF EXISTS {name};
