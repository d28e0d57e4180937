-- name: insert_run
-- The tenant's row, before its first run.
INSERT INTO runs (tenant_id) VALUES (%(tenant_id)s) ON CONFLICT (tenant_id) DO NOTHING;

-- name: lock_run
-- One worker at a time decides what a run does next.
SELECT run, began_at, active_at, ended_at FROM runs WHERE tenant_id = %(tenant_id)s FOR UPDATE;

-- name: read_run
-- The last run as it stands.
SELECT run, began_at, active_at, ended_at FROM runs WHERE tenant_id = %(tenant_id)s;

-- name: jobs_under_way
-- How many groups of this run somebody refreshes now.
SELECT count(*) AS jobs FROM groups
WHERE tenant_id = %(tenant_id)s AND run = %(run)s AND lease_until > %(now)s;

-- name: claim_for_run
-- Lease the group that was due longest when the run began, unless its user and project had their share of the run.
-- A view's partition of several users is nobody's share. The list is walked in its order, as by groups.claim_stalest.
WITH used_up AS MATERIALIZED (
    SELECT user_id, project_id FROM groups WHERE tenant_id = %(tenant_id)s AND run = %(run)s
      AND NOT (view_id IS NOT NULL AND user_id = '')
    GROUP BY user_id, project_id HAVING count(*) >= %(jobs)s
)
UPDATE groups SET lease_token = %(token)s, lease_until = %(until)s, run = %(run)s
WHERE tenant_id = %(tenant_id)s AND group_id = (
    SELECT g.group_id FROM groups g
    WHERE g.tenant_id = %(tenant_id)s AND g.due_at <= %(began_at)s AND g.run IS DISTINCT FROM %(run)s
      AND (g.lease_until IS NULL OR g.lease_until <= %(now)s) AND (%(policies)s::text[] IS NULL OR g.policy || '' = ANY(%(policies)s))
      AND NOT EXISTS (SELECT 1 FROM groups p WHERE p.tenant_id = %(tenant_id)s AND p.part_of = g.group_id
                      AND p.due_at <= %(began_at)s AND (%(policies)s::text[] IS NULL OR p.policy = ANY(%(policies)s)))
      AND NOT EXISTS (SELECT 1 FROM used_up u WHERE u.user_id = g.user_id AND u.project_id = g.project_id)
    ORDER BY g.due_at LIMIT 1 FOR UPDATE OF g SKIP LOCKED
)
RETURNING group_id, user_id, policy, attempts, lost, true AS due;

-- name: go_on
-- The run has taken up a group; for a new run this is its beginning.
UPDATE runs SET run = %(run)s, began_at = %(began_at)s, active_at = %(now)s, ended_at = NULL
WHERE tenant_id = %(tenant_id)s;

-- name: end_run
-- Nothing is left of it.
UPDATE runs SET ended_at = %(ended_at)s WHERE tenant_id = %(tenant_id)s AND run = %(run)s AND ended_at IS NULL;
