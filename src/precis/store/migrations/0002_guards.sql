-- Guards of a tenant: the runs of its scheduler, and what its calls were asked for.

-- The scheduler's last run of a tenant: what was due when it began is its work, each group at most once.
CREATE TABLE runs (
    tenant_id text PRIMARY KEY,
    -- 0 before the first run; groups.run names the run that worked a group last.
    run bigint NOT NULL DEFAULT 0,
    began_at timestamptz,
    -- When it took up its last group, and when nothing was left; null while it goes on.
    active_at timestamptz,
    ended_at timestamptz
);

ALTER TABLE groups ADD COLUMN run bigint;
CREATE INDEX groups_by_run ON groups (tenant_id, run, user_id, project_id) WHERE run IS NOT NULL;

-- What kind of node the call was for, and how long its answer could be: what was read or the stated limit, whichever
-- is less. Estimates rest on them.
ALTER TABLE model_calls ADD COLUMN kind text;
ALTER TABLE model_calls ADD COLUMN asked_tokens integer NOT NULL DEFAULT 0;
-- Reservations are the slots, so these rows are counted before each call; and a month is summed from its index alone.
CREATE INDEX model_calls_under_way ON model_calls (tenant_id, created_at) WHERE state = 'reserved';
DROP INDEX model_calls_by_time;
CREATE INDEX model_calls_by_time ON model_calls (tenant_id, created_at) INCLUDE (state, reserved_cost, cost);

ALTER TABLE runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE runs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON runs USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
