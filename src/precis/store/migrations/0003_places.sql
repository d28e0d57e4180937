-- Groups that follow a rule: a day, a week, a batch, a partition, a conversation; and when their passes run.

-- Where the group stands within its policy and scope ("2026-02-17", a batch, a partition); null for clusters.
ALTER TABLE groups ADD COLUMN place text;
-- Of a period: its first and last local day.
ALTER TABLE groups ADD COLUMN starts_on date;
ALTER TABLE groups ADD COLUMN ends_on date;
-- Of a view's partition: the view, and the values that name it.
ALTER TABLE groups ADD COLUMN view_id text;
ALTER TABLE groups ADD COLUMN labels jsonb;
-- The group that reads this one's summary as one of its nodes: the month of a week.
ALTER TABLE groups ADD COLUMN part_of text;
CREATE INDEX groups_by_period ON groups (tenant_id, policy, starts_on, user_id) WHERE place IS NOT NULL;
CREATE INDEX groups_by_view ON groups (tenant_id, view_id) WHERE view_id IS NOT NULL;
CREATE INDEX groups_by_whole ON groups (tenant_id, part_of) WHERE part_of IS NOT NULL;

-- The work list in its order: the next group to claim is the first entry, however long the list is.
DROP INDEX groups_due;
CREATE INDEX groups_due ON groups (tenant_id, due_at, group_id) WHERE due_at IS NOT NULL;

-- When the memory leaves the group by itself: the end of a rolling window.
ALTER TABLE members ADD COLUMN leaves_at timestamptz;
CREATE INDEX members_leaving ON members (tenant_id, leaves_at) WHERE leaves_at IS NOT NULL;

-- Statements less important than this are kept and not served.
ALTER TABLE nodes ADD COLUMN served_from double precision NOT NULL DEFAULT 0;
-- Keyed hash of what the node says: a node that reads this one is re-made when it changes.
ALTER TABLE nodes ADD COLUMN content bytea;
-- Of a root: free prose in place of its statements, and a title. Both rest on all that the node read.
ALTER TABLE nodes ADD COLUMN prose_ciphertext bytea;
ALTER TABLE nodes ADD COLUMN title_ciphertext bytea;

-- The time zone of a user; of everybody else under the empty name.
CREATE TABLE zones (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    zone text NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

-- The passes of a policy over a tenant: one at a time, on any machine, and made up once after downtime.
CREATE TABLE schedules (
    tenant_id text NOT NULL,
    policy text NOT NULL,
    last_run timestamptz,
    next_run timestamptz,
    lease_token text,
    lease_until timestamptz,
    PRIMARY KEY (tenant_id, policy)
);

-- A declared GROUP BY over memories; what it says of them is in groups and nodes.
CREATE TABLE views (
    tenant_id text NOT NULL,
    view_id text NOT NULL,
    name text,
    source text NOT NULL,
    group_by text[] NOT NULL,
    filters jsonb NOT NULL,
    window_days integer,
    continuous boolean NOT NULL,
    prompt text,
    model text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, view_id)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['zones', 'schedules', 'views'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
