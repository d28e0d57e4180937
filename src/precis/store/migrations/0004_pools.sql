-- Other people's stores of memories: which of their memories a summary covers. Ids, dates and places in a text; no text.

-- Memories of a pool that become one summary.
CREATE TABLE pool_batches (
    tenant_id text NOT NULL,
    batch_id text NOT NULL,
    -- Which store, e.g. "chroma:" and the id of its collection.
    pool text NOT NULL,
    user_id text NOT NULL,
    agent_id text,
    run_id text,
    -- planned: being drafted and added; stored: the summary is in the pool; deleting: originals go; done: all are gone;
    -- rejected: no draft of it passed the checks.
    state text NOT NULL,
    -- Created_at of the newest original.
    summarized_until timestamptz NOT NULL,
    -- Prompts, limits and model of the draft: a rejected one is tried again under others.
    definition text NOT NULL,
    -- Keyed hash of the summary's text: finds it in the pool after a crash, and tells when somebody changed it.
    digest bytea,
    -- The same of the text that is about to take its place.
    next_digest bytea,
    -- Where the summary is, and the one it took the place of, until that is gone.
    summary_id text,
    old_summary_id text,
    -- Kept in precis, because the pool could not embed it.
    kept boolean NOT NULL,
    -- How often statements were taken out.
    revision integer NOT NULL DEFAULT 0,
    -- An original was forgotten and the summary still has to be rewritten: until then nobody is shown it.
    pending boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, batch_id)
);
CREATE INDEX pool_batches_by_state ON pool_batches (tenant_id, pool, state);
CREATE INDEX pool_batches_pending ON pool_batches (tenant_id, pool) WHERE pending OR old_summary_id IS NOT NULL;

-- The originals of a batch; none is in two.
CREATE TABLE pool_sources (
    tenant_id text NOT NULL,
    pool text NOT NULL,
    memory_id text NOT NULL,
    batch_id text NOT NULL,
    position integer NOT NULL,
    created_at timestamptz NOT NULL,
    -- Keyed hash of its text as it was read: one that was changed since is not covered any more.
    digest bytea NOT NULL,
    -- live; capped: read in part, so it stays; deleting; deleted; forgotten.
    state text NOT NULL,
    PRIMARY KEY (tenant_id, pool, memory_id),
    FOREIGN KEY (tenant_id, batch_id) REFERENCES pool_batches ON DELETE CASCADE
);
CREATE INDEX pool_sources_by_batch ON pool_sources (tenant_id, batch_id, position);
CREATE INDEX pool_sources_by_age ON pool_sources (tenant_id, pool, created_at) WHERE state IN ('live', 'deleting');

-- Which stretch of a summary's text is a statement, and on which originals (by position) it rests.
CREATE TABLE pool_statements (
    tenant_id text NOT NULL,
    batch_id text NOT NULL,
    position integer NOT NULL,
    starts_at integer NOT NULL,
    ends_at integer NOT NULL,
    sources integer[] NOT NULL,
    PRIMARY KEY (tenant_id, batch_id, position),
    FOREIGN KEY (tenant_id, batch_id) REFERENCES pool_batches ON DELETE CASCADE
);

-- What was forgotten in a pool: filtered out of every read. The id itself stays only until the pool has deleted it.
CREATE TABLE pool_tombstones (
    tenant_id text NOT NULL,
    pool text NOT NULL,
    memory_hash bytea NOT NULL,
    memory_id text,
    forgotten_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    PRIMARY KEY (tenant_id, pool, memory_hash)
);
CREATE INDEX pool_tombstones_waiting ON pool_tombstones (tenant_id, pool) WHERE memory_id IS NOT NULL;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['pool_batches', 'pool_sources', 'pool_statements', 'pool_tombstones'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
