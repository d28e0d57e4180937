-- name: embedded
-- How many rows each embedder has read, also those of which it could make no vector.
SELECT embedding_version AS version, count(*) AS rows FROM memories
WHERE tenant_id = %(tenant_id)s AND embedding_version IS NOT NULL GROUP BY embedding_version;

-- name: outdated
-- Rows that another embedder read, by id, with what their text is sealed in. Mostly there is none, and the index tells:
-- it has a way to what is below and above a version, and none to what is not that version.
SELECT memory_id, user_id, is_summary, text_ciphertext, summary_ciphertext, fingerprint, updated_at FROM memories
WHERE tenant_id = %(tenant_id)s AND (embedding_version < %(version)s OR embedding_version > %(version)s)
  AND memory_id > %(after)s AND retention_state <> 'expired'
ORDER BY memory_id LIMIT %(limit)s;

-- name: renew
-- The new vector of a row, or that there is none, unless it was forgotten, edited or made anew meanwhile.
UPDATE memories SET embedding = %(vector)s, embedding_version = %(version)s
WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s AND fingerprint = %(fingerprint)s
  AND updated_at = %(updated_at)s AND embedding_version <> %(version)s AND retention_state <> 'expired';

-- name: hold_clusters
-- The clusters that hold these rows, locked in the order of their ids as by a write: who joins one meanwhile has joined
-- it before its centroid is made anew, or waits for that.
SELECT group_id FROM groups
WHERE tenant_id = %(tenant_id)s AND place IS NULL AND group_id IN (
    SELECT group_id FROM members WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s))
ORDER BY group_id FOR UPDATE;

-- name: recenter
-- The centroids of these clusters, over the members of which the new embedder has made a vector.
UPDATE groups g SET centroid = c.centroid, centroid_version = %(version)s
FROM (SELECT b.group_id, avg(m.embedding::vector) AS centroid
      FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
      WHERE b.tenant_id = %(tenant_id)s AND b.group_id = ANY(%(groups)s)
        AND m.embedding_version = %(version)s AND m.embedding IS NOT NULL
      GROUP BY b.group_id) c
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = c.group_id;
