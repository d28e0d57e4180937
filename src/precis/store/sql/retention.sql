-- name: overdue
-- Originals of this policy's groups that are old enough to go, oldest first: their group has a current summary that is
-- no stand-in, and, where it must, counts fewer tokens than what it replaces, or a frozen node of it speaks for them
-- already; and no other group with a place, like their week, is still to be made of them for the first time, unless a
-- part that was made speaks for them there.
SELECT m.memory_id FROM groups g
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = g.summary_id
JOIN members b ON b.tenant_id = %(tenant_id)s AND b.group_id = g.group_id
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
WHERE g.tenant_id = %(tenant_id)s AND g.policy = %(policy)s AND g.version = g.refreshed_version AND g.rejected IS NULL
  AND NOT m.memory_id = ANY(%(besides)s::text[]) AND NOT n.fallback AND m.retention_state <> 'expired' AND NOT m.pinned
  AND NOT m.replaced AND (%(before)s::timestamptz IS NULL OR m.created_at < %(before)s)
  AND (%(ends_before)s::date IS NULL OR g.ends_on < %(ends_before)s)
  AND (%(user_id)s::text IS NULL OR g.user_id = %(user_id)s)
  AND (NOT %(saving)s OR n.tokens < (
      SELECT sum(o.tokens - %(rendered)s::integer) FROM members a
      JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = a.memory_id
      WHERE a.tenant_id = %(tenant_id)s AND a.group_id = g.group_id)
    OR EXISTS (
      SELECT 1 FROM nodes f JOIN node_sources s ON s.tenant_id = %(tenant_id)s AND s.node_id = f.node_id
      WHERE f.tenant_id = %(tenant_id)s AND f.group_id = g.group_id AND f.kind = 'frozen' AND s.memory_id = m.memory_id))
  AND NOT EXISTS (
      SELECT 1 FROM members c JOIN groups h ON h.tenant_id = %(tenant_id)s AND h.group_id = c.group_id
      WHERE c.tenant_id = %(tenant_id)s AND c.memory_id = m.memory_id AND h.place IS NOT NULL AND h.summary_id IS NULL
        AND (h.due_at IS NOT NULL OR h.failed_at IS NOT NULL) AND NOT EXISTS (
            SELECT 1 FROM members d JOIN groups p ON p.tenant_id = %(tenant_id)s AND p.group_id = d.group_id
            WHERE d.tenant_id = %(tenant_id)s AND d.memory_id = m.memory_id AND p.part_of = h.group_id
              AND p.summary_id IS NOT NULL))
ORDER BY m.created_at, m.memory_id LIMIT %(limit)s;

-- name: not_saving
-- Groups whose summary would count no fewer tokens than its originals: those stay.
SELECT g.group_id, g.place, g.user_id FROM groups g
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = g.summary_id
WHERE g.tenant_id = %(tenant_id)s AND g.policy = %(policy)s AND (%(user_id)s::text IS NULL OR g.user_id = %(user_id)s)
  AND (%(ends_before)s::date IS NULL OR g.ends_on < %(ends_before)s)
  AND EXISTS (SELECT 1 FROM members a JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = a.memory_id
              WHERE a.tenant_id = %(tenant_id)s AND a.group_id = g.group_id AND o.retention_state <> 'expired')
  AND n.tokens >= (
      SELECT sum(o.tokens - %(rendered)s::integer) FROM members a
      JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = a.memory_id
      WHERE a.tenant_id = %(tenant_id)s AND a.group_id = g.group_id)
ORDER BY g.place;

-- name: said
-- Those of these originals that a current summary of the policy, which is no stand-in, says in full or has set aside for
-- a reason.
SELECT DISTINCT f.memory_id FROM members b
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
JOIN nodes r ON r.tenant_id = %(tenant_id)s AND r.node_id = g.summary_id
JOIN node_sources f ON f.tenant_id = %(tenant_id)s AND f.node_id = r.node_id AND f.memory_id = b.memory_id
WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = ANY(%(ids)s) AND g.policy = %(policy)s
  AND g.version = g.refreshed_version AND g.rejected IS NULL AND NOT r.fallback AND f.fate IS NOT NULL
ORDER BY f.memory_id;

-- name: holders
-- Groups with a summary that hold these originals without a frozen node, their own or a part's, speaking for them;
-- parts before what reads them.
SELECT g.group_id, g.policy, array_agg(b.memory_id ORDER BY b.memory_id) AS ids
FROM members b JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = ANY(%(ids)s) AND g.summary_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM node_sources s
    JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
    JOIN groups o ON o.tenant_id = %(tenant_id)s AND o.group_id = n.group_id
    WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = b.memory_id AND n.kind = 'frozen'
      AND (o.group_id = g.group_id OR o.part_of = g.group_id))
GROUP BY g.group_id, g.policy, g.part_of ORDER BY g.part_of IS NULL, g.group_id;

-- name: behind
-- Groups with a summary that hold these originals and are not current: a refresh must come first. Parts first.
SELECT DISTINCT g.group_id, g.part_of IS NULL AS whole FROM members b
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = ANY(%(ids)s) AND g.summary_id IS NOT NULL
  AND g.version > g.refreshed_version
ORDER BY whole, g.group_id;
