-- name: newest
-- Ids of rows with a text, by their place from the newest on.
SELECT m.memory_id FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired'
  AND {{filter}}
ORDER BY m.created_at DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: oldest
-- The same from the oldest on.
SELECT m.memory_id FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired'
  AND {{filter}}
ORDER BY m.created_at, m.memory_id
LIMIT %(limit)s OFFSET %(offset)s;

-- name: count_rows
-- How many rows with a text there are.
SELECT count(*) AS rows FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired'
  AND {{filter}};

-- name: count_matches
-- How many rows a search ranks: those within a distance of a vector, and those with one of the words.
SELECT count(*) AS rows FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired'
  AND ((%(vector)s::halfvec IS NOT NULL AND m.embedding IS NOT NULL AND m.embedding_version = %(version)s
        AND (%(distance)s::float8 IS NULL OR 1 - (1 - (m.embedding <=> %(vector)s::halfvec)) <= %(distance)s))
       OR m.terms && %(terms)s::bigint[])
  AND {{filter}};

-- name: accessed
-- Rows were read: counted once in a while. A row that somebody else holds is left out: the count is a rough one.
UPDATE memories m SET last_accessed = %(now)s, access_count = m.access_count + 1
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id IN (
    SELECT s.memory_id FROM memories s
    WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = ANY(%(ids)s)
      AND (s.last_accessed IS NULL OR s.last_accessed <= %(before)s)
    FOR NO KEY UPDATE SKIP LOCKED
);

-- name: accessed_at
-- When rows that come from elsewhere were last read there.
UPDATE memories m SET last_accessed = g.moment
FROM unnest(%(ids)s::text[], %(moments)s::timestamptz[]) AS g (memory_id, moment)
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = g.memory_id
  AND (m.last_accessed IS NULL OR m.last_accessed < g.moment);

-- name: same_text
-- Rows whose text may be one of these; the oldest first. What was said in a conversation is found there, a fact that
-- rests on it goes with it, and what was replaced does not stand: who writes it again says that it holds again.
SELECT memory_id FROM memories
WHERE tenant_id = %(tenant_id)s AND text_hash = ANY(%(hashes)s) AND NOT is_summary AND retention_state <> 'expired'
  AND coalesce(kind, '') NOT IN ('turn', 'extracted') AND superseded_at IS NULL
ORDER BY created_at, memory_id;

-- name: repeated_texts
-- Texts that stand more than once with the same labels, of one day: what happens on two days happens twice.
SELECT array_agg(m.memory_id ORDER BY m.created_at, m.memory_id) AS ids FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.text_hash IS NOT NULL AND NOT m.is_summary AND m.retention_state <> 'expired'
  AND m.superseded_at IS NULL AND m.kind IS DISTINCT FROM 'extracted' AND {{filter}}
GROUP BY m.text_hash, m.user_id, m.project_id, m.environment, m.namespace, m.session_id, m.memory_type, m.kind, m.source_class,
    m.event_date
HAVING count(*) > 1
ORDER BY min(m.created_at), min(m.memory_id);

-- name: insert_alias
-- One more id of a memory, if it is still there.
INSERT INTO aliases (tenant_id, alias_id, memory_id, created_at)
SELECT m.tenant_id, %(alias_id)s, m.memory_id, %(now)s FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = %(memory_id)s FOR KEY SHARE
ON CONFLICT (tenant_id, alias_id) DO UPDATE SET memory_id = excluded.memory_id;

-- name: move_aliases
-- The aliases of a memory that becomes one itself.
UPDATE aliases SET memory_id = %(memory_id)s WHERE tenant_id = %(tenant_id)s AND memory_id = %(alias_id)s;

-- name: delete_aliases
-- Ids that stand for themselves from now on.
DELETE FROM aliases WHERE tenant_id = %(tenant_id)s AND alias_id = ANY(%(ids)s);

-- name: resolve
-- Which memories these aliases name.
SELECT alias_id, memory_id FROM aliases WHERE tenant_id = %(tenant_id)s AND alias_id = ANY(%(ids)s);
