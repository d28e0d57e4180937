-- name: list_periods
-- Periods with a summary, newest first.
SELECT group_id, user_id, project_id, environment, starts_on, ends_on, summary_id FROM groups
WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND place IS NOT NULL AND summary_id IS NOT NULL
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND (%(before)s::date IS NULL OR (starts_on, group_id) < (%(before)s, %(before_id)s))
ORDER BY starts_on DESC, group_id DESC LIMIT %(limit)s;

-- name: find_periods
-- A user's periods that end within these days, oldest first; the open ones hold a note that is there or is news.
SELECT group_id, user_id, project_id, environment, starts_on, ends_on, summary_id FROM groups
WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND place IS NOT NULL AND user_id = %(user_id)s
  AND ends_on BETWEEN %(first)s AND %(last)s AND (NOT %(open)s OR version > refreshed_version OR EXISTS (
      SELECT 1 FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
      WHERE b.tenant_id = %(tenant_id)s AND b.group_id = groups.group_id AND m.retention_state <> 'expired'))
ORDER BY starts_on, group_id;

-- name: schedule_periods
-- Periods that changed since they were made, whose run is the next one or before, and that do not wait for it: a setting
-- was changed, or rollups were off. Who failed, was rejected or was deleted by request waits for what it waits for.
UPDATE groups SET due_at = %(next_run)s
WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND place IS NOT NULL AND ends_on <= %(last)s
  AND version > refreshed_version AND (due_at IS NULL OR due_at > %(next_run)s)
  AND attempts = 0 AND failed_at IS NULL AND rejected IS NULL AND suppressed IS NULL
RETURNING group_id;

-- name: made_since
-- Whether a period of these policies was made or refreshed since.
SELECT EXISTS (
    SELECT 1 FROM refreshes r JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = r.group_id
    WHERE r.tenant_id = %(tenant_id)s AND r.committed_at >= %(since)s AND g.policy = ANY(%(policies)s)) AS made;

-- name: rest_periods
-- While rollups are off nothing is due by its date, and nothing keeps a memory waiting.
UPDATE groups SET due_at = NULL
WHERE tenant_id = %(tenant_id)s AND policy = ANY(%(policies)s) AND place IS NOT NULL AND due_at IS NOT NULL
RETURNING group_id;

-- name: memberships_of
-- Which groups of these policies hold which of these memories.
SELECT b.group_id, b.memory_id FROM members b
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = ANY(%(ids)s) AND g.policy = ANY(%(policies)s);

-- name: unread_messages
-- What users said in conversations that is in no group of this policy, and not kept out of recall; oldest first.
SELECT m.memory_id FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND (%(user_id)s::text IS NULL OR m.user_id = %(user_id)s)
  AND m.memory_type = 'message' AND m.kind = 'turn' AND m.source_class = 'user' AND m.embedding_version IS NOT NULL
  AND m.retention_state <> 'expired' AND NOT EXISTS (
      SELECT 1 FROM members b JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
      WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = m.memory_id AND g.policy = %(policy)s)
ORDER BY m.created_at, m.memory_id;
