-- The schema of precis after migration 0002_guards.sql, for readers.
-- Written by scripts/write_schema.py (make schema); nothing runs it.
-- The tables of procrastinate, which wakes the workers, are not shown.

-- The directory of tenants: ids and names only, readable without a tenant so that a worker finds its work.
CREATE TABLE tenants (
    tenant_id text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id)
);

-- Who may speak for a tenant. Of a secret only the hash is kept.
CREATE TABLE api_keys (
    tenant_id text NOT NULL,
    key_id text NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    PRIMARY KEY (tenant_id, key_id)
);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_keys
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- One data key a user, wrapped by a version of the tenant key; user_ref is a keyed hash of the user id.
CREATE TABLE user_keys (
    tenant_id text NOT NULL,
    user_ref bytea NOT NULL,
    key_version integer NOT NULL,
    wrapped bytea NOT NULL,
    PRIMARY KEY (tenant_id, user_ref)
);
ALTER TABLE user_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_keys
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Every row of memory, raw or derived: a summary is a row like any other.
CREATE TABLE memories (
    tenant_id text NOT NULL,
    memory_id text NOT NULL,
    user_id text NOT NULL,
    project_id text NOT NULL,
    environment text NOT NULL,
    namespace text,
    session_id text,
    agent_id text,
    run_id text,
    memory_type text NOT NULL,
    -- metadata.kind in the clear ("note"), so that policies can select by it.
    kind text,
    extracted_type text NOT NULL,
    -- Keyed hashes of the normalized subject and of the person it is about; the words are in attributes_ciphertext.
    key_hash bigint,
    person_hash bigint,
    tier text NOT NULL,
    retention_state text NOT NULL,
    is_summary boolean NOT NULL,
    -- Direct sources of a summary, oldest first.
    parent_id text[],
    -- Of a raw row; null once expired.
    text_ciphertext bytea,
    -- The assembled statements of a summary; null while it is redacted and waits for its refresh.
    summary_ciphertext bytea,
    -- JSON: key, person, speaker, topics, entities, metadata.
    attributes_ciphertext bytea,
    embedding halfvec,
    embedding_version text,
    -- Keyed hashes of the stemmed words, repeats kept: what keyword search and rare-word forgetting read.
    terms bigint[] NOT NULL,
    importance double precision NOT NULL,
    pinned boolean NOT NULL DEFAULT false,
    access_count integer NOT NULL DEFAULT 0,
    last_accessed timestamp with time zone,
    event_date timestamp with time zone,
    -- Keyed hash of the id and every rendered field.
    fingerprint bytea NOT NULL,
    tokens integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, memory_id)
);
CREATE INDEX memories_by_user ON memories (tenant_id, user_id, created_at DESC, memory_id DESC);
CREATE INDEX memories_by_session ON memories (tenant_id, session_id, created_at) WHERE (session_id IS NOT NULL);
CREATE INDEX memories_newest ON memories (tenant_id, created_at DESC, memory_id DESC);
ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON memories
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- A group of memories under one policy. The truth about work: version against refreshed_version, due_at, the lease.
CREATE TABLE groups (
    tenant_id text NOT NULL,
    group_id text NOT NULL,
    policy text NOT NULL,
    user_id text NOT NULL,
    project_id text NOT NULL,
    environment text NOT NULL,
    extracted_type text NOT NULL,
    -- The members whose attributes name the subject and the person; their words are nowhere else.
    key_memory_id text,
    person_memory_id text,
    -- Mean of the vectors of the living members.
    centroid vector,
    members integer NOT NULL DEFAULT 0,
    -- Members added, and whether one was edited or forgotten, since the last commit.
    added integer NOT NULL DEFAULT 0,
    lost boolean NOT NULL DEFAULT false,
    version bigint NOT NULL DEFAULT 0,
    refreshed_version bigint NOT NULL DEFAULT 0,
    due_at timestamp with time zone,
    lease_token text,
    lease_until timestamp with time zone,
    attempts integer NOT NULL DEFAULT 0,
    failed_at timestamp with time zone,
    error text,
    rejected text,
    suppressed bytea,
    summary_id text,
    created_at timestamp with time zone NOT NULL,
    run bigint,
    PRIMARY KEY (tenant_id, group_id)
);
CREATE INDEX groups_by_scope ON groups (tenant_id, policy, user_id, project_id, environment, extracted_type);
CREATE INDEX groups_due ON groups (tenant_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX groups_by_summary ON groups (tenant_id, summary_id) WHERE (summary_id IS NOT NULL);
CREATE INDEX groups_by_run ON groups (tenant_id, run, user_id, project_id) WHERE (run IS NOT NULL);
ALTER TABLE groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE groups FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON groups
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Which memory is in which group. Stored input: a refresh never moves anybody.
CREATE TABLE members (
    tenant_id text NOT NULL,
    group_id text NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, group_id, memory_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES groups(tenant_id, group_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX members_by_memory ON members (tenant_id, memory_id);
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON members
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- A summarized node: a segment, a fold of nodes, a prefix, a frozen node, or the summary itself (kind root).
CREATE TABLE nodes (
    tenant_id text NOT NULL,
    -- Of the root: the id of the summary's row in memories.
    node_id text NOT NULL,
    group_id text NOT NULL,
    node_key bytea NOT NULL,
    kind text NOT NULL,
    definition text NOT NULL,
    made_by text NOT NULL,
    fallback boolean NOT NULL,
    quality double precision NOT NULL,
    tokens integer NOT NULL,
    redactions integer NOT NULL DEFAULT 0,
    -- Law 7, of a root: how many sources were read, represented, set aside, left out, capped.
    read_count integer NOT NULL DEFAULT 0,
    represented_count integer NOT NULL DEFAULT 0,
    set_aside_count integer NOT NULL DEFAULT 0,
    left_out_count integer NOT NULL DEFAULT 0,
    capped_count integer NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES groups(tenant_id, group_id) ON DELETE CASCADE
);
CREATE INDEX nodes_by_group ON nodes (tenant_id, group_id);
ALTER TABLE nodes ENABLE ROW LEVEL SECURITY;
ALTER TABLE nodes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON nodes
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Every memory a node read, through all levels; of a frozen node: its members.
CREATE TABLE node_sources (
    tenant_id text NOT NULL,
    node_id text NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, node_id, memory_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES nodes(tenant_id, node_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX node_sources_by_memory ON node_sources (tenant_id, memory_id);
ALTER TABLE node_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE node_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON node_sources
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- What a node says, one sentence-sized claim a row.
CREATE TABLE statements (
    tenant_id text NOT NULL,
    statement_id text NOT NULL,
    node_id text NOT NULL,
    position integer NOT NULL,
    text_ciphertext bytea NOT NULL,
    importance double precision NOT NULL,
    terms bigint[] NOT NULL,
    -- Position of the newer statement that displaced this one.
    superseded_by integer,
    PRIMARY KEY (tenant_id, statement_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES nodes(tenant_id, node_id) ON DELETE CASCADE
);
CREATE INDEX statements_by_node ON statements (tenant_id, node_id, "position");
ALTER TABLE statements ENABLE ROW LEVEL SECURITY;
ALTER TABLE statements FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON statements
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Lineage, flattened to base memories.
CREATE TABLE statement_sources (
    tenant_id text NOT NULL,
    statement_id text NOT NULL,
    memory_id text NOT NULL,
    position integer NOT NULL,
    PRIMARY KEY (tenant_id, statement_id, memory_id),
    FOREIGN KEY (tenant_id, statement_id) REFERENCES statements(tenant_id, statement_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX statement_sources_by_memory ON statement_sources (tenant_id, memory_id);
ALTER TABLE statement_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE statement_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON statement_sources
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Keyed hashes of forgotten ids: a later write of one is refused.
CREATE TABLE tombstones (
    tenant_id text NOT NULL,
    memory_hash bytea NOT NULL,
    forgotten_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, memory_hash)
);
ALTER TABLE tombstones ENABLE ROW LEVEL SECURITY;
ALTER TABLE tombstones FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tombstones
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- What each forget did: ids and counts, never a text.
CREATE TABLE receipts (
    tenant_id text NOT NULL,
    receipt_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (tenant_id, receipt_id)
);
ALTER TABLE receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receipts
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Each committed refresh, for churn; ids only.
CREATE TABLE refreshes (
    tenant_id text NOT NULL,
    group_id text NOT NULL,
    committed_at timestamp with time zone NOT NULL,
    calls integer NOT NULL,
    tokens integer NOT NULL
);
CREATE INDEX refreshes_by_time ON refreshes (tenant_id, committed_at);
ALTER TABLE refreshes ENABLE ROW LEVEL SECURITY;
ALTER TABLE refreshes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON refreshes
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- A row for each model call: reserved before, settled after.
CREATE TABLE model_calls (
    tenant_id text NOT NULL,
    call_id text NOT NULL,
    policy text NOT NULL,
    group_id text NOT NULL,
    model text NOT NULL,
    -- reserved, settled or lost
    state text NOT NULL,
    outcome text,
    reserved_cost double precision NOT NULL,
    cost double precision NOT NULL DEFAULT 0,
    tokens_in integer NOT NULL DEFAULT 0,
    tokens_out integer NOT NULL DEFAULT 0,
    tokens_cached integer NOT NULL DEFAULT 0,
    latency_ms integer,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    -- What kind of node the call was for, and how long its answer could be: what was read or the stated limit,
    -- whichever is less. Estimates rest on them.
    kind text,
    asked_tokens integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, call_id)
);
CREATE INDEX model_calls_under_way ON model_calls (tenant_id, created_at) WHERE (state = 'reserved'::text);
CREATE INDEX model_calls_by_time ON model_calls (tenant_id, created_at) INCLUDE (state, reserved_cost, cost);
ALTER TABLE model_calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_calls FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON model_calls
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The scheduler's last run of a tenant: what was due when it began is its work, each group at most once.
CREATE TABLE runs (
    tenant_id text NOT NULL,
    -- 0 before the first run; groups.run names the run that worked a group last.
    run bigint NOT NULL DEFAULT 0,
    began_at timestamp with time zone,
    -- When it took up its last group, and when nothing was left; null while it goes on.
    active_at timestamp with time zone,
    ended_at timestamp with time zone,
    PRIMARY KEY (tenant_id)
);
ALTER TABLE runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE runs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON runs
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));
