-- name: waiting_jobs
-- Groups whose time has come and that nobody works on, and since when the first of them waits.
SELECT count(*) AS waiting, min(due_at) AS oldest FROM groups
WHERE tenant_id = %(tenant_id)s AND due_at <= %(now)s AND failed_at IS NULL AND rejected IS NULL
  AND (lease_until IS NULL OR lease_until <= %(now)s);

-- name: failed_jobs
-- Groups that wait until somebody tries them again.
SELECT count(*) AS failed FROM groups WHERE tenant_id = %(tenant_id)s AND failed_at IS NOT NULL;

-- name: stale_summaries
-- Summaries whose sources changed since they were made, or whose new draft was rejected.
SELECT count(*) AS stale FROM groups
WHERE tenant_id = %(tenant_id)s AND summary_id IS NOT NULL AND (version > refreshed_version OR rejected IS NOT NULL);

-- name: spent_by_policy
-- What the calls of this month took; a call under way counts with what it may take at most.
SELECT policy, count(*) AS calls, sum(tokens_in)::bigint AS tokens_in, sum(tokens_out)::bigint AS tokens_out,
       sum(tokens_cached)::bigint AS tokens_cached,
       sum(CASE WHEN state = 'reserved' THEN reserved_cost ELSE cost END)::double precision AS cost
FROM model_calls WHERE tenant_id = %(tenant_id)s AND created_at >= %(since)s GROUP BY policy;

-- name: worker_beat
-- When the last sign of life of any worker was; nothing where none ever ran.
SELECT max(last_heartbeat) AS beat FROM procrastinate_workers;

-- name: vector_extension
-- Which pgvector the database has; nothing where it has none.
SELECT extversion AS version FROM pg_extension WHERE extname = 'vector';

-- name: unforced_tables
-- Tables with rows of tenants that row-level security does not guard in every case.
SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE a.attname = 'tenant_id' AND c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
  AND c.relname <> 'tenants' AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY c.relname;
