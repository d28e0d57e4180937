-- name: list_jobs
-- Groups that wait, run or failed, those that need a person first.
SELECT group_id, policy, user_id, members, summary_id, attempts, error, due_at, failed_at, lease_until,
       CASE WHEN failed_at IS NOT NULL THEN 'failed'
            WHEN lease_until > %(now)s THEN 'running'
            WHEN rejected IS NOT NULL THEN 'rejected'
            WHEN due_at > %(now)s AND attempts = 0 THEN 'scheduled'
            WHEN due_at > %(now)s THEN 'retrying'
            ELSE 'waiting' END AS state
FROM groups
WHERE tenant_id = %(tenant_id)s AND (due_at IS NOT NULL OR failed_at IS NOT NULL OR rejected IS NOT NULL
                                     OR lease_until > %(now)s)
  AND (%(state)s::text IS NULL OR %(state)s = CASE WHEN failed_at IS NOT NULL THEN 'failed'
            WHEN lease_until > %(now)s THEN 'running'
            WHEN rejected IS NOT NULL THEN 'rejected'
            WHEN due_at > %(now)s AND attempts = 0 THEN 'scheduled'
            WHEN due_at > %(now)s THEN 'retrying'
            ELSE 'waiting' END)
ORDER BY failed_at IS NULL, rejected IS NULL, due_at NULLS FIRST, group_id
LIMIT %(limit)s;

-- name: count_jobs
-- How many there are of each.
SELECT count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed,
       count(*) FILTER (WHERE failed_at IS NULL AND leased) AS running,
       count(*) FILTER (WHERE failed_at IS NULL AND NOT leased AND rejected IS NOT NULL) AS rejected,
       count(*) FILTER (WHERE idle AND due_at > %(now)s AND attempts = 0) AS scheduled,
       count(*) FILTER (WHERE idle AND due_at > %(now)s AND attempts > 0) AS retrying,
       count(*) FILTER (WHERE idle AND due_at <= %(now)s) AS waiting
FROM (SELECT failed_at, rejected, due_at, attempts, coalesce(lease_until > %(now)s, false) AS leased,
             failed_at IS NULL AND rejected IS NULL AND (lease_until IS NULL OR lease_until <= %(now)s) AS idle
      FROM groups WHERE tenant_id = %(tenant_id)s) g;

-- name: retry_jobs
-- Groups that failed, or whose draft was rejected, are due again; without an id, all of them.
UPDATE groups SET failed_at = NULL, attempts = 0, error = NULL, rejected = NULL, rejections = 0, due_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND (failed_at IS NOT NULL OR rejected IS NOT NULL)
  AND (%(group_id)s::text IS NULL OR group_id = %(group_id)s)
RETURNING group_id;

-- name: tick_waits
-- Whether this tick of the tenant waits in the queue.
SELECT true AS waits FROM procrastinate_jobs
WHERE queueing_lock = %(lock)s AND status = 'todo' AND starts_with(queueing_lock, %(tenant_id)s::text || ':');

-- name: note_cause
-- Which write made these groups stale, as traces name it.
UPDATE groups SET cause = %(cause)s WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s);

-- name: take_cause
-- The same for the refresh that follows, which alone is linked to it.
WITH noted AS (SELECT cause FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s)
UPDATE groups SET cause = NULL WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s
RETURNING (SELECT cause FROM noted) AS cause;
