-- Runs of summary views, as the tasks that callers poll; and what finds a view's stale partitions.

-- Requests to run a view; several may follow one piece of work.
CREATE TABLE tasks (
    tenant_id text NOT NULL,
    task_id text NOT NULL,
    -- The piece of work it follows, named after the task that began it: simultaneous requests share one.
    run_id text NOT NULL,
    type text NOT NULL,
    view_id text NOT NULL,
    -- pending, running, success or failed; the last two are final.
    status text NOT NULL,
    forced boolean NOT NULL,
    -- Partitions: how many were looked at, of how many there are to look at.
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    -- Memories the view takes that lack a field it groups by; null before the run has begun.
    ungrouped_count integer,
    -- Why it failed; never a text of a memory.
    error_message text,
    -- Whoever works is alive until then; a task whose lease ran out has failed.
    lease_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (tenant_id, task_id)
);
CREATE INDEX tasks_by_run ON tasks (tenant_id, run_id);
CREATE INDEX tasks_open ON tasks (tenant_id, view_id) WHERE status IN ('pending', 'running');
CREATE INDEX tasks_ended ON tasks (tenant_id, completed_at) WHERE completed_at IS NOT NULL;

-- What a run has to look at, however many partitions there are.
CREATE INDEX groups_stale_of_view ON groups (tenant_id, view_id)
    WHERE view_id IS NOT NULL AND (version > refreshed_version OR attempts > 0);

ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE tasks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tasks USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
