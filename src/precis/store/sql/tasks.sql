-- name: lock_runs
-- One request at a time decides which run of a view it follows, and a run ends for all who follow it.
SELECT pg_advisory_xact_lock(hashtextextended('precis.view' || %(tenant_id)s || %(view_id)s, 7));

-- name: end_dead
-- A task whose worker gave no sign of life has failed.
UPDATE tasks SET status = 'failed', completed_at = lease_until,
    error_message = CASE WHEN type = %(type)s THEN %(reason)s ELSE %(work)s END
WHERE tenant_id = %(tenant_id)s AND status IN ('pending', 'running') AND lease_until <= %(now)s;

-- name: forget_old
-- Tasks that ended long ago are nobody's any more.
DELETE FROM tasks WHERE tenant_id = %(tenant_id)s AND completed_at < %(before)s;

-- name: open_run
-- The run of the view that goes on; one that re-makes everything comes first.
SELECT run_id, status, forced, done, total, what, ungrouped_count, lease_until, started_at FROM tasks
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s AND status IN ('pending', 'running') AND task_id = run_id
ORDER BY forced DESC, created_at, task_id LIMIT 1;

-- name: force_run
-- A run that has not begun yet re-makes everything after all.
UPDATE tasks SET forced = true WHERE tenant_id = %(tenant_id)s AND run_id = %(run_id)s AND status = 'pending';

-- name: insert_task
-- A request to run a view; no row when its id is in use.
INSERT INTO tasks (tenant_id, task_id, run_id, type, view_id, status, forced, done, total, what, ungrouped_count,
                   lease_until, created_at, started_at)
VALUES (%(tenant_id)s, %(task_id)s, %(run_id)s, %(type)s, %(view_id)s, %(status)s, %(forced)s, %(done)s, %(total)s,
        %(what)s, %(ungrouped_count)s, %(lease_until)s, %(now)s, %(started_at)s)
ON CONFLICT (tenant_id, task_id) DO NOTHING
RETURNING task_id, run_id, type, view_id, status, forced, done, total, what, result, ungrouped_count, error_message, created_at,
          started_at, completed_at;

-- name: get_task
-- One task.
SELECT task_id, run_id, type, view_id, status, forced, done, total, what, result, ungrouped_count, error_message, created_at,
       started_at, completed_at
FROM tasks WHERE tenant_id = %(tenant_id)s AND task_id = %(task_id)s;

-- name: start_run
-- pending → running, for everybody who follows it.
UPDATE tasks SET status = 'running', started_at = %(now)s, ungrouped_count = %(ungrouped_count)s,
    lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND run_id = %(run_id)s AND status = 'pending'
RETURNING task_id, forced;

-- name: note_progress
-- How far it is; whoever works is alive.
UPDATE tasks SET done = %(done)s, total = %(total)s, what = %(what)s, lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND run_id = %(run_id)s AND status = 'running' RETURNING task_id;

-- name: followers
-- Who waits for this run.
SELECT task_id FROM tasks
WHERE tenant_id = %(tenant_id)s AND run_id = %(run_id)s AND status IN ('pending', 'running');

-- name: end_run_of_task
-- running → success, or pending or running → failed, for everybody who follows it; what has ended stays as it is.
UPDATE tasks SET status = %(status)s, error_message = %(error_message)s, completed_at = %(now)s,
    result = %(result)s, started_at = coalesce(started_at, %(now)s)
WHERE tenant_id = %(tenant_id)s AND run_id = %(run_id)s AND status = ANY(%(before)s) RETURNING task_id;

-- name: end_tasks_of_view
-- A view that is gone ends its tasks.
UPDATE tasks SET status = 'failed', error_message = %(error_message)s, completed_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s AND status IN ('pending', 'running');
