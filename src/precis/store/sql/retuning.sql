-- name: scopes_of
-- Every scope that has a cluster; where asked, those only of which one began since, and that are not too large.
SELECT user_id, project_id, environment FROM groups WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s
GROUP BY user_id, project_id, environment
HAVING (%(since)s::timestamptz IS NULL OR max(created_at) > %(since)s)
   AND (%(most)s::integer IS NULL OR sum(members) <= %(most)s) ORDER BY user_id, project_id, environment;

-- name: hold_clustered
-- The members of a scope's clusters stay what they are until this transaction ends: a forget or an edit waits.
SELECT m.memory_id FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id IN (
    SELECT c.memory_id FROM groups g JOIN members c ON c.tenant_id = %(tenant_id)s AND c.group_id = g.group_id
    WHERE g.tenant_id = %(tenant_id)s AND g.policy = %(policy)s AND g.user_id = %(user_id)s
      AND g.project_id = %(project_id)s AND g.environment = %(environment)s)
ORDER BY m.memory_id FOR KEY SHARE OF m;

-- name: clustered
-- Members of a scope's clusters as grouping saw them when they came, in the order of their dates.
SELECT c.memory_id, c.group_id, g.extracted_type, m.attributes_ciphertext, m.text_ciphertext, m.retention_state <> 'expired' AS live,
       m.embedding::vector AS embedding, vector_dims(m.embedding) AS width, m.embedding_version AS version, m.namespace
FROM groups g
JOIN members c ON c.tenant_id = %(tenant_id)s AND c.group_id = g.group_id
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = c.memory_id
WHERE g.tenant_id = %(tenant_id)s AND g.policy = %(policy)s AND g.user_id = %(user_id)s
  AND g.project_id = %(project_id)s AND g.environment = %(environment)s
ORDER BY m.created_at, m.memory_id;

-- name: join_clusters
-- Members of other clusters from now on.
INSERT INTO members (tenant_id, group_id, memory_id)
SELECT g.tenant_id, g.group_id, w.memory_id
FROM unnest(%(groups)s::text[], %(memories)s::text[]) AS w (group_id, memory_id)
JOIN groups g ON g.group_id = w.group_id
WHERE g.tenant_id = %(tenant_id)s;

-- name: take_types
-- Whoever joined another cluster is of its type from now on.
UPDATE memories m SET extracted_type = g.extracted_type
FROM unnest(%(groups)s::text[], %(memories)s::text[]) AS w (group_id, memory_id)
JOIN groups g ON g.group_id = w.group_id
WHERE m.tenant_id = %(tenant_id)s AND g.tenant_id = %(tenant_id)s AND m.memory_id = w.memory_id
  AND m.extracted_type <> g.extracted_type;

-- name: settle_clusters
-- Figures, centroid, subject and person from who is a member now; due where there is or may be a summary.
UPDATE groups g SET
    members = l.members, centroid = l.centroid, centroid_version = l.centroid_version,
    key_memory_id = l.key_memory_id, person_memory_id = l.person_memory_id, added = g.added + l.joined, version = g.version + 1,
    rejected = NULL, rejections = 0, suppressed = NULL, failed_at = NULL, attempts = 0,
    due_at = CASE WHEN g.summary_id IS NOT NULL OR l.members >= %(min_members)s
                  THEN least(g.due_at, %(now)s::timestamptz) END
FROM (
    SELECT m.group_id, count(*)::integer AS members,
           (count(*) FILTER (WHERE m.memory_id = ANY(%(memories)s::text[])))::integer AS joined,
           -- While an embedder is replaced, vectors of two stand side by side: that of the newest member counts.
           avg(m.embedding::vector) FILTER (WHERE m.embedding_version = m.version) AS centroid,
           max(m.version) FILTER (WHERE m.embedding IS NOT NULL) AS centroid_version,
           (array_agg(m.memory_id ORDER BY m.created_at, m.memory_id) FILTER (WHERE m.key_hash IS NOT NULL))[1]
               AS key_memory_id,
           (array_agg(m.memory_id ORDER BY m.created_at, m.memory_id) FILTER (WHERE m.person_hash IS NOT NULL))[1]
               AS person_memory_id
    FROM (
        SELECT b.group_id, o.memory_id, o.created_at, o.key_hash, o.person_hash, o.embedding,
               o.embedding_version,
               first_value(o.embedding_version) OVER (
                   PARTITION BY b.group_id ORDER BY o.embedding IS NULL, o.created_at DESC, o.memory_id) AS version
        FROM members b JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = b.memory_id
        WHERE b.tenant_id = %(tenant_id)s AND b.group_id = ANY(%(groups)s)
    ) m GROUP BY m.group_id
) l
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = l.group_id
RETURNING g.group_id, g.due_at;
