-- What people say of summaries: which statements are wrong or good. A wrong one is not said again.
CREATE TABLE feedback (
    tenant_id text NOT NULL,
    feedback_id text NOT NULL,
    summary_id text NOT NULL,
    group_id text NOT NULL,
    policy text NOT NULL,
    -- Under whose key its texts are sealed.
    user_id text NOT NULL,
    -- wrong or good.
    verdict text NOT NULL,
    -- Of the summary as a whole.
    whole boolean NOT NULL,
    note_ciphertext bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, feedback_id)
);
CREATE INDEX feedback_newest ON feedback (tenant_id, created_at DESC, feedback_id DESC);

-- The statements that were marked.
CREATE TABLE feedback_marks (
    tenant_id text NOT NULL,
    feedback_id text NOT NULL,
    position integer NOT NULL,
    -- Keyed hash of its wording: a draft that says the same is told by it.
    wording bytea NOT NULL,
    -- Keyed hashes of its stemmed words, as of any statement.
    terms bigint[] NOT NULL,
    -- What it said; null once a memory it rested on was forgotten.
    text_ciphertext bytea,
    PRIMARY KEY (tenant_id, feedback_id, position),
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback ON DELETE CASCADE
);

-- The memories a marked statement rested on.
CREATE TABLE feedback_sources (
    tenant_id text NOT NULL,
    feedback_id text NOT NULL,
    position integer NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, feedback_id, position, memory_id),
    FOREIGN KEY (tenant_id, feedback_id, position) REFERENCES feedback_marks ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX feedback_sources_by_memory ON feedback_sources (tenant_id, memory_id);

-- The memories its summary had read when it was marked: what comes later may say the same, and mean it.
CREATE TABLE feedback_inputs (
    tenant_id text NOT NULL,
    feedback_id text NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, feedback_id, memory_id),
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX feedback_inputs_by_memory ON feedback_inputs (tenant_id, memory_id);

-- How many memories each user had when the archive was last begun by their number, in precis or in a pool.
CREATE TABLE archive_counts (
    tenant_id text NOT NULL,
    -- Empty: precis's own store.
    pool text NOT NULL,
    user_id text NOT NULL,
    counted integer NOT NULL,
    PRIMARY KEY (tenant_id, pool, user_id)
);

-- A task may be another long run than that of a view: view_id then names what is run.
ALTER TABLE tasks
    -- What it is at now, in a word.
    ADD COLUMN what text,
    -- What it did: ids and counts, never a text.
    ADD COLUMN result jsonb;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['feedback', 'feedback_marks', 'feedback_sources', 'feedback_inputs', 'archive_counts'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
