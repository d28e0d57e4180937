-- name: backlog
-- Live raw memories from before a moment that are in no batch, oldest first.
SELECT m.memory_id AS id, m.created_at, m.user_id, m.project_id, m.environment, m.namespace, m.agent_id, m.run_id,
       m.tokens,
       m.pinned OR EXISTS (
           SELECT 1 FROM members c JOIN groups h ON h.tenant_id = %(tenant_id)s AND h.group_id = c.group_id
           WHERE c.tenant_id = %(tenant_id)s AND c.memory_id = m.memory_id AND h.place IS NOT NULL
             AND h.summary_id IS NULL AND (h.due_at IS NOT NULL OR h.failed_at IS NOT NULL) AND NOT EXISTS (
                 SELECT 1 FROM members d JOIN groups p ON p.tenant_id = %(tenant_id)s AND p.group_id = d.group_id
                 WHERE d.tenant_id = %(tenant_id)s AND d.memory_id = m.memory_id AND p.part_of = h.group_id
                   AND p.summary_id IS NOT NULL)) AS stays
FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND NOT m.is_summary AND m.retention_state = 'live'
  AND NOT m.replaced AND m.created_at < %(before)s
  AND (m.kind IS NULL OR m.kind <> ALL(%(without_kinds)s::text[]))
  AND (%(user_id)s::text IS NULL OR m.user_id = %(user_id)s)
  AND NOT EXISTS (
      SELECT 1 FROM members b JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
      WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = m.memory_id AND g.policy = 'archive')
ORDER BY m.created_at, m.memory_id COLLATE "C";

-- name: lower_counts
-- Where fewer memories are left than were counted: what comes now is new.
UPDATE archive_counts c SET counted = t.total FROM (
    SELECT o.user_id, count(m.memory_id) AS total FROM archive_counts o
    LEFT JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.user_id = o.user_id AND NOT m.is_summary
        AND (m.kind IS NULL OR m.kind <> ALL(%(without_kinds)s::text[]))
    WHERE o.tenant_id = %(tenant_id)s AND o.pool = '' GROUP BY o.user_id
) t
WHERE c.tenant_id = %(tenant_id)s AND c.pool = '' AND c.user_id = t.user_id AND c.counted > t.total;

-- name: grown
-- Users with so many memories more than were counted, and how many they have.
SELECT t.user_id, t.total FROM (
    SELECT m.user_id, count(*)::integer AS total FROM memories m
    WHERE m.tenant_id = %(tenant_id)s AND NOT m.is_summary
      AND (m.kind IS NULL OR m.kind <> ALL(%(without_kinds)s::text[]))
    GROUP BY m.user_id
) t
LEFT JOIN archive_counts c ON c.tenant_id = %(tenant_id)s AND c.pool = '' AND c.user_id = t.user_id
WHERE t.total - coalesce(c.counted, 0) >= %(by)s ORDER BY t.user_id;

-- name: counts
-- What was counted of a pool, by user.
SELECT user_id, counted FROM archive_counts WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s;

-- name: put_count
-- So many memories were there when the archive was begun for this user.
INSERT INTO archive_counts (tenant_id, pool, user_id, counted)
VALUES (%(tenant_id)s, %(pool)s, %(user_id)s, %(counted)s)
ON CONFLICT (tenant_id, pool, user_id) DO UPDATE SET counted = excluded.counted;

-- name: overdue_by_user
-- Originals from before a moment whose batch has a current summary that is no stand-in.
SELECT m.user_id, count(*) AS originals FROM groups g
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = g.summary_id
JOIN members b ON b.tenant_id = %(tenant_id)s AND b.group_id = g.group_id
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
WHERE g.tenant_id = %(tenant_id)s AND g.policy = 'archive' AND g.version = g.refreshed_version AND g.rejected IS NULL
  AND NOT n.fallback AND m.retention_state = 'live' AND NOT m.pinned AND m.created_at < %(before)s
  AND (%(user_id)s::text IS NULL OR m.user_id = %(user_id)s)
  AND NOT EXISTS (
      SELECT 1 FROM members c JOIN groups h ON h.tenant_id = %(tenant_id)s AND h.group_id = c.group_id
      WHERE c.tenant_id = %(tenant_id)s AND c.memory_id = m.memory_id AND h.place IS NOT NULL AND h.summary_id IS NULL
        AND (h.due_at IS NOT NULL OR h.failed_at IS NOT NULL) AND NOT EXISTS (
            SELECT 1 FROM members d JOIN groups p ON p.tenant_id = %(tenant_id)s AND p.group_id = d.group_id
            WHERE d.tenant_id = %(tenant_id)s AND d.memory_id = m.memory_id AND p.part_of = h.group_id
              AND p.summary_id IS NOT NULL))
GROUP BY m.user_id ORDER BY m.user_id;
