-- Which memory replaces which. A row is there while both memories are.
CREATE TABLE supersessions (
    tenant_id text NOT NULL,
    older_id text NOT NULL,
    newer_id text NOT NULL,
    -- From when on the newer one holds.
    since timestamptz NOT NULL,
    -- said: its writer named the older one; rule: both give one attribute of one subject a value.
    basis text NOT NULL,
    PRIMARY KEY (tenant_id, older_id, newer_id),
    FOREIGN KEY (tenant_id, older_id) REFERENCES memories ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, newer_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX supersessions_by_newer ON supersessions (tenant_id, newer_id);

-- What the table above says of a memory, where recall and refreshes read it.
ALTER TABLE memories
    -- From when on the first of the memories that replace it holds.
    ADD COLUMN superseded_at timestamptz,
    -- Whether it replaces another one, or did.
    ADD COLUMN replaces boolean NOT NULL DEFAULT false,
    -- Whether a writer named it as replaced: no summary is made of it then.
    ADD COLUMN replaced boolean NOT NULL DEFAULT false;

-- Keyed hashes of the subjects and attributes of which a memory asserts something: what a newer one is compared with.
CREATE TABLE asserted (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    key bigint NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, user_id, key, memory_id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX asserted_by_memory ON asserted (tenant_id, memory_id);

-- The last refreshes of each summary that stands: its history. It goes with the summary.
CREATE TABLE summary_refreshes (
    tenant_id text NOT NULL,
    summary_id text NOT NULL,
    -- Counts from 1.
    number integer NOT NULL,
    refreshed_at timestamptz NOT NULL,
    -- In the words of the plan.
    reason text NOT NULL,
    made_by text NOT NULL,
    fallback boolean NOT NULL,
    -- Ids of the memories that it read and the one before did not, and the other way round.
    came text[] NOT NULL,
    went text[] NOT NULL,
    -- Numbers: what became of its sources (law 7).
    counts jsonb NOT NULL,
    calls integer NOT NULL,
    tokens integer NOT NULL,
    -- US dollars.
    cost double precision NOT NULL,
    PRIMARY KEY (tenant_id, summary_id, number),
    FOREIGN KEY (tenant_id, summary_id) REFERENCES memories ON DELETE CASCADE
);

-- What a summary served, and from which refresh to which.
CREATE TABLE past_statements (
    tenant_id text NOT NULL,
    statement_id text NOT NULL,
    summary_id text NOT NULL,
    position integer NOT NULL,
    text_ciphertext bytea NOT NULL,
    importance double precision NOT NULL,
    -- Keyed hashes of its stemmed words, as of any statement.
    terms bigint[] NOT NULL,
    -- Keyed hash of its text: a refresh that says the same keeps the row.
    wording bytea NOT NULL,
    -- Numbers of the refresh that brought it, and of the one that no longer has it; null while it is said.
    came integer NOT NULL,
    went integer,
    PRIMARY KEY (tenant_id, statement_id),
    FOREIGN KEY (tenant_id, summary_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX past_statements_by_summary ON past_statements (tenant_id, summary_id, came);

-- The memories that it rests on.
CREATE TABLE past_sources (
    tenant_id text NOT NULL,
    statement_id text NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, statement_id, memory_id),
    FOREIGN KEY (tenant_id, statement_id) REFERENCES past_statements ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX past_sources_by_memory ON past_sources (tenant_id, memory_id);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['supersessions', 'asserted', 'summary_refreshes', 'past_statements', 'past_sources'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
