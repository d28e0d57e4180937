-- name: large_scopes
-- Users with more rows than this.
SELECT user_id, count(*) AS rows FROM postings
WHERE tenant_id = %(tenant_id)s AND term = 0 GROUP BY user_id HAVING count(*) > %(than)s ORDER BY rows DESC, user_id;

-- name: take_turn
-- Lists are made by one process at a time, until this transaction ends.
SELECT pg_try_advisory_xact_lock(hashtextextended('precis vector lists', 0)) AS mine;

-- name: enlist
-- Raw rows that have a vector of the embedder of a scope join its entry. A row of this scope is in one list alone.
INSERT INTO listed_vectors (tenant_id, memory_id, scope, list, code, bits)
SELECT m.tenant_id, m.memory_id, s.scope, s.entry,
       CASE WHEN vector_dims(m.embedding) <= 1000 THEN m.embedding END,
       CASE WHEN vector_dims(m.embedding) > 1000 THEN binary_quantize(m.embedding)::bit varying END
FROM memories m CROSS JOIN LATERAL (
    SELECT DISTINCT v.scope, v.entry FROM vector_scopes v
    WHERE v.tenant_id = %(tenant_id)s AND v.scope IN (m.user_id, '') AND v.embedding_version = m.embedding_version) s
WHERE {{by_ids}} AND NOT m.is_summary AND m.embedding IS NOT NULL
ON CONFLICT (tenant_id, memory_id, scope) DO NOTHING;

-- name: unlist
-- Rows leave their lists, and the sums of those, while they still have the vectors that are in them.
WITH gone AS (
    DELETE FROM listed_vectors WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
    RETURNING scope, list, memory_id, counted
)
UPDATE vector_lists l SET counted = l.counted - f.rows, total = CASE WHEN l.counted > f.rows THEN l.total - f.total END
FROM (
    SELECT g.scope, g.list, sum(m.embedding::vector) AS total, count(*)::integer AS rows
    FROM gone g JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = g.memory_id
    WHERE g.counted GROUP BY g.scope, g.list
) f
WHERE l.tenant_id = %(tenant_id)s AND l.scope = f.scope AND l.list = f.list;

-- name: nearest_listed
-- The nearest rows of a scope by its lists that a filter lets through, if all its rows are in lists: those of the entry,
-- of lists without a sum, and of the lists that are nearest, as many of each generation as were measured to be enough.
SELECT v.memory_id FROM (
    SELECT o.memory_id FROM listed_vectors o
    WHERE o.tenant_id = %(tenant_id)s AND o.scope = %(scope)s AND o.list = ANY(ARRAY(
        SELECT s.entry FROM vector_scopes s
        WHERE s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s AND s.embedding_version = %(version)s AND s.ready
        UNION ALL
        SELECT l.list FROM vector_scopes s JOIN (
            SELECT list, total, row_number() OVER (
                PARTITION BY generation ORDER BY total <=> %(vector)s::halfvec::vector) AS place
            FROM vector_lists WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s
        ) l ON l.place <= s.probes OR l.total IS NULL
        WHERE s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s AND s.embedding_version = %(version)s AND s.ready))
    ORDER BY coalesce(o.code <=> %(vector)s::halfvec, o.bits <~> %(bits)s::bit varying) LIMIT %(within)s
) v
WHERE (SELECT true FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = v.memory_id
       AND m.embedding_version = %(version)s AND {{filter}})
LIMIT %(enough)s;

-- name: vector_scopes
-- The scopes of a tenant that have lists.
SELECT scope, embedding_version, entry, ready, generation, probes FROM vector_scopes
WHERE tenant_id = %(tenant_id)s ORDER BY scope;

-- name: vector_scope
-- One of them.
SELECT scope, embedding_version, entry, ready, generation, probes FROM vector_scopes
WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s;

-- name: open_vector_scope
-- From here on whoever writes a row of the scope puts it into its entry.
INSERT INTO vector_scopes (tenant_id, scope, embedding_version, entry)
VALUES (%(tenant_id)s, %(scope)s, %(version)s, %(entry)s) ON CONFLICT (tenant_id, scope) DO NOTHING;

-- name: own_transaction
-- Whoever began to write before has a lower number.
SELECT pg_current_xact_id()::text::bigint AS number;

-- name: oldest_transaction
-- All transactions with a lower number have ended.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS number;

-- name: rows_to_enlist
-- A page of the raw rows of a user, or of a tenant.
SELECT user_id, memory_id FROM postings
WHERE tenant_id = %(tenant_id)s AND term = 0 AND (user_id, memory_id) > (%(after_user)s, %(after)s)
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s) AND NOT is_summary
ORDER BY user_id, memory_id LIMIT %(limit)s;

-- name: enlist_in
-- Raw rows that are in no list of a scope join those that are nearest to them.
INSERT INTO listed_vectors (tenant_id, memory_id, scope, list, code, bits)
SELECT m.tenant_id, m.memory_id, s.scope, p.list,
       CASE WHEN vector_dims(m.embedding) <= 1000 THEN m.embedding END,
       CASE WHEN vector_dims(m.embedding) > 1000 THEN binary_quantize(m.embedding)::bit varying END
FROM memories m JOIN vector_scopes s ON s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s
  AND s.embedding_version = m.embedding_version
JOIN unnest(%(ids)s::text[], %(lists)s::bigint[]) AS p (memory_id, list) ON p.memory_id = m.memory_id
WHERE {{by_ids}} AND NOT m.is_summary AND m.embedding IS NOT NULL
ON CONFLICT (tenant_id, memory_id, scope) DO NOTHING;

-- name: hold_vectors
-- The vectors of these rows: nobody edits or forgets the rows before this transaction ends.
SELECT memory_id, embedding_version, embedding FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) ORDER BY memory_id FOR NO KEY UPDATE;

-- name: set_ready
-- Every row of the scope is in a list.
UPDATE vector_scopes SET ready = true WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s;

-- name: count_listed
-- How many rows of a scope are in lists, and how many of them count in the sums.
SELECT count(*) AS rows, count(*) FILTER (WHERE counted) AS counted FROM listed_vectors WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s;

-- name: count_raw_rows
-- How many raw rows a user has, or a tenant.
SELECT count(*) AS rows FROM postings
WHERE tenant_id = %(tenant_id)s AND term = 0 AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s) AND NOT is_summary;

-- name: sample_rows
-- Raw rows of theirs by chance: in the mean every so manieth.
SELECT memory_id FROM postings
WHERE tenant_id = %(tenant_id)s AND term = 0 AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s) AND NOT is_summary
  AND mod(hashtextextended(memory_id, 17), %(every)s) = 0 ORDER BY memory_id;

-- name: vectors_of
-- The vectors of these rows, without holding them.
SELECT memory_id, embedding FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) AND embedding_version = %(version)s
  AND embedding IS NOT NULL;

-- name: insert_vector_list
-- An empty list.
INSERT INTO vector_lists (tenant_id, scope, list, generation)
VALUES (%(tenant_id)s, %(scope)s, %(list)s, %(generation)s);

-- name: next_generation
-- New lists take the place of those of before, row by row.
UPDATE vector_scopes SET generation = %(generation)s, probes = %(probes)s
WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s;

-- name: totals
-- The lists of the last generation, with their sums.
SELECT l.list, l.total::halfvec AS total FROM vector_lists l JOIN vector_scopes s ON s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s
WHERE l.tenant_id = %(tenant_id)s AND l.scope = %(scope)s AND l.generation = s.generation AND l.total IS NOT NULL
ORDER BY l.list;

-- name: lists_to_empty
-- The entry, lists of before, and those that no longer have a sum.
SELECT entry AS list FROM vector_scopes WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s
UNION ALL
SELECT l.list FROM vector_lists l JOIN vector_scopes s ON s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s
WHERE l.tenant_id = %(tenant_id)s AND l.scope = %(scope)s AND (l.generation < s.generation OR l.total IS NULL);

-- name: page_of_list
-- Rows of a list, by id. What moved away before is not looked at again: its dead entries lie below.
SELECT memory_id FROM listed_vectors
WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s AND list = %(list)s AND memory_id > %(after)s
ORDER BY memory_id LIMIT %(limit)s;

-- name: discount
-- These rows no longer count in the sums of their lists.
WITH gone AS (
    UPDATE listed_vectors SET counted = false
    WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s AND memory_id = ANY(%(ids)s) AND counted
    RETURNING list, memory_id
)
UPDATE vector_lists l SET counted = l.counted - f.rows, total = CASE WHEN l.counted > f.rows THEN l.total - f.total END
FROM (
    SELECT g.list, sum(m.embedding::vector) AS total, count(*)::integer AS rows
    FROM gone g JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = g.memory_id GROUP BY g.list
) f
WHERE l.tenant_id = %(tenant_id)s AND l.scope = %(scope)s AND l.list = f.list;

-- name: place
-- Each row moves to its list.
UPDATE listed_vectors o SET list = p.list, counted = %(counted)s
FROM unnest(%(ids)s::text[], %(lists)s::bigint[]) AS p (memory_id, list)
WHERE o.tenant_id = %(tenant_id)s AND o.scope = %(scope)s AND o.memory_id = p.memory_id;

-- name: add_to_totals
-- The vectors of rows that count from now on.
UPDATE vector_lists l SET counted = l.counted + f.rows, total = coalesce(l.total + f.total, f.total)
FROM (
    SELECT o.list, sum(m.embedding::vector) AS total, count(*)::integer AS rows
    FROM listed_vectors o JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = o.memory_id
    WHERE o.tenant_id = %(tenant_id)s AND o.scope = %(scope)s AND o.memory_id = ANY(%(ids)s) AND o.counted
    GROUP BY o.list
) f
WHERE l.tenant_id = %(tenant_id)s AND l.scope = %(scope)s AND l.list = f.list;

-- name: drop_empty_lists
-- Lists of before that nobody is left in, and those without a sum.
DELETE FROM vector_lists l USING vector_scopes s
WHERE l.tenant_id = %(tenant_id)s AND l.scope = %(scope)s AND s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s
  AND (l.generation < s.generation OR l.total IS NULL) AND NOT EXISTS (
    SELECT 1 FROM listed_vectors o WHERE o.tenant_id = %(tenant_id)s AND o.scope = %(scope)s AND o.list = l.list);

-- name: close_vector_scope
-- Nobody searches or fills these lists any more.
WITH lists AS (
    DELETE FROM vector_lists WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s
)
DELETE FROM vector_scopes WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s;

-- name: listed_of_none
-- Rows of a scope that are in lists of before, by id.
SELECT o.memory_id FROM listed_vectors o WHERE o.tenant_id = %(tenant_id)s AND o.scope = %(scope)s
  AND NOT EXISTS (SELECT 1 FROM vector_scopes s
                  WHERE s.tenant_id = %(tenant_id)s AND s.scope = %(scope)s AND s.entry = o.list)
  AND NOT EXISTS (SELECT 1 FROM vector_lists l
                  WHERE l.tenant_id = %(tenant_id)s AND l.scope = %(scope)s AND l.list = o.list) LIMIT %(limit)s;

-- name: delete_vector_lists_of_user
-- Lists of their own rows; of those of the tenant they were taken out.
WITH lists AS (
    DELETE FROM vector_lists WHERE tenant_id = %(tenant_id)s AND scope = %(user_id)s
)
DELETE FROM vector_scopes WHERE tenant_id = %(tenant_id)s AND scope = %(user_id)s;

-- name: delete_listed
-- These rows leave the lists of a scope.
DELETE FROM listed_vectors
WHERE tenant_id = %(tenant_id)s AND scope = %(scope)s AND memory_id = ANY(%(ids)s);
