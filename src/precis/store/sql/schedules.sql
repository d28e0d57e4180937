-- name: ensure_schedule
-- A policy's first next run; one that is known stays.
INSERT INTO schedules (tenant_id, policy, next_run) VALUES (%(tenant_id)s, %(policy)s, %(next_run)s)
ON CONFLICT (tenant_id, policy) DO NOTHING;

-- name: list_schedules
-- Last and next run of every policy.
SELECT policy, last_run, next_run FROM schedules WHERE tenant_id = %(tenant_id)s ORDER BY policy;

-- name: claim_schedule
-- The right to make this run, unless somebody makes it or it is not due; a missed one is due until it is made.
UPDATE schedules SET lease_token = %(token)s, lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND (lease_until IS NULL OR lease_until <= %(now)s)
  AND (%(asked)s OR next_run <= %(now)s)
RETURNING last_run, next_run;

-- name: renew_schedule
-- Whoever makes it is alive.
UPDATE schedules SET lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND lease_token = %(token)s RETURNING policy;

-- name: finish_schedule
-- The run is made; the next one is known. Without the lease nothing changes.
UPDATE schedules SET last_run = coalesce(%(last_run)s, last_run), next_run = coalesce(%(next_run)s, next_run),
    lease_token = NULL, lease_until = NULL
WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND lease_token = %(token)s RETURNING policy;

-- name: move_schedule
-- Another timetable: the next run is at another time.
UPDATE schedules SET next_run = %(next_run)s WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s;
