-- name: list_clusters
-- Clusters with the figures that tuning acts upon, the largest first; by subject where any member is about it.
SELECT g.group_id, g.user_id, g.project_id, g.environment, g.extracted_type, g.members, g.summary_id,
       g.version > g.refreshed_version OR g.rejected IS NOT NULL AS behind, k.memory_id AS key_memory_id,
       k.attributes_ciphertext, n.title_ciphertext, coalesce(c.refreshes, 0) AS refreshes,
       n.created_at AS refreshed_at
FROM groups g
LEFT JOIN memories k ON k.tenant_id = %(tenant_id)s AND k.memory_id = g.key_memory_id
LEFT JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = g.summary_id
LEFT JOIN (
    SELECT r.group_id, count(*) AS refreshes FROM refreshes r
    WHERE r.tenant_id = %(tenant_id)s AND r.committed_at > %(since)s GROUP BY r.group_id
) c ON c.group_id = g.group_id
WHERE g.tenant_id = %(tenant_id)s AND g.policy = 'clusters'
  AND (%(user_id)s::text IS NULL OR g.user_id = %(user_id)s)
  AND (%(project_id)s::text IS NULL OR g.project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR g.environment = %(environment)s)
  AND (%(extracted_type)s::text IS NULL OR g.extracted_type = %(extracted_type)s)
  AND (%(key_hash)s::bigint IS NULL OR EXISTS (
      SELECT 1 FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
      WHERE b.tenant_id = %(tenant_id)s AND b.group_id = g.group_id AND m.key_hash = %(key_hash)s))
  AND (%(sparse)s::boolean IS NULL OR (g.members < %(min_members)s) = %(sparse)s)
  AND (%(after_members)s::integer IS NULL OR g.members < %(after_members)s
       OR g.members = %(after_members)s AND g.group_id > %(after_id)s)
ORDER BY g.members DESC, g.group_id
LIMIT %(limit)s;

-- name: titles_beside
-- Titles of the newest other groups of the same policy and scope, two hundred at most, by which a new one is told apart.
SELECT n.node_id, n.title_ciphertext, o.user_id
FROM (
    SELECT b.summary_id, b.user_id FROM groups g
    JOIN groups b ON b.tenant_id = %(tenant_id)s AND b.policy = g.policy AND b.user_id = g.user_id
        AND b.project_id = g.project_id AND b.environment = g.environment
    WHERE g.tenant_id = %(tenant_id)s AND g.group_id = %(group_id)s AND b.group_id <> g.group_id
      AND b.summary_id IS NOT NULL
    ORDER BY b.created_at DESC LIMIT 200
) o
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = o.summary_id
WHERE n.title_ciphertext IS NOT NULL;
