-- The schema of precis after migration 0029_summaries_of_a_user.additive.sql, for readers.
-- Written by scripts/write_schema.py (make schema); nothing runs it.
-- The tables of procrastinate, which wakes the workers, are not shown.

-- The directory of tenants: ids and names only, readable without a tenant so that a worker finds its work.
CREATE TABLE tenants (
    tenant_id text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    -- Which keys a tenant's rows are sealed with, as a keyed hash: a start with others, or without any, is refused.
    keys_mark bytea,
    PRIMARY KEY (tenant_id),
    CHECK ((tenant_id <> ''::text))
);

-- Who may speak for a tenant. Of a secret only the hash is kept.
CREATE TABLE api_keys (
    tenant_id text NOT NULL,
    key_id text NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    -- The key that it was made with, on the page: it is revoked with it. None for those made on the command line.
    made_with text,
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
    -- Keyed hashes of the case-folded topics and entities and of everything each begins with; their words are in
    -- attributes_ciphertext. No index: under row-level security only leakproof operators reach one, and && is none.
    topic_hashes bigint[],
    entity_hashes bigint[],
    -- How whoever wrote the row came by it, in the words of the wire; null is "discrete".
    extraction_strategy text,
    -- Keyed hash of the exact text, to find the same text again; null once the text is gone.
    text_hash bigint,
    -- Keyed hashes of the words of the speaker's name, so that a question that names somebody finds what they said.
    speaker_hashes bigint[],
    superseded_at timestamp with time zone,
    replaces boolean NOT NULL DEFAULT false,
    replaced boolean NOT NULL DEFAULT false,
    passages smallint[],
    -- From whom a memory is: user, agent, imported, document or tool; of a summary the least trusted of what it has
    -- read. What stood before this migration is the user's: nobody wrote down whose it was.
    source_class text NOT NULL,
    PRIMARY KEY (tenant_id, memory_id),
    CHECK ((source_class = ANY (ARRAY['user'::text, 'agent'::text, 'imported'::text, 'document'::text, 'tool'::text])))
);
CREATE INDEX memories_newest ON memories (tenant_id, created_at DESC, memory_id DESC);
CREATE INDEX memories_by_text ON memories (tenant_id, text_hash) WHERE (text_hash IS NOT NULL);
CREATE INDEX memories_by_session ON memories (tenant_id, session_id, created_at, memory_id) WHERE (session_id IS NOT NULL);
CREATE INDEX memories_by_embedder ON memories (tenant_id, embedding_version, memory_id) WHERE (embedding_version IS NOT NULL);
CREATE INDEX memories_by_user ON memories (tenant_id, user_id, created_at DESC, memory_id DESC) INCLUDE (tier, memory_type, retention_state);
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
    -- Where the group stands within its policy and scope ("2026-02-17", a batch, a partition); null for clusters.
    place text,
    -- Of a period: its first and last local day.
    starts_on date,
    ends_on date,
    -- Of a view's partition: the view, and the values that name it.
    view_id text,
    labels jsonb,
    -- The group that reads this one's summary as one of its nodes: the month of a week.
    part_of text,
    -- Which embedder made the vectors that the centroid is the mean of: those of two are never mixed.
    centroid_version text,
    -- How often the draft that groups.rejected names was rejected: it is tried again after 1, 10 and 60 minutes.
    rejections integer NOT NULL DEFAULT 0,
    -- Which write made a group stale, as traces name it, so that the refresh that follows is linked to it. Null where
    -- nobody traces. A name of W3C Trace Context: random, and nothing of a memory.
    cause text,
    PRIMARY KEY (tenant_id, group_id),
    CHECK (((centroid IS NULL) = (centroid_version IS NULL)))
);
CREATE INDEX groups_by_scope ON groups (tenant_id, policy, user_id, project_id, environment, extracted_type);
CREATE INDEX groups_by_summary ON groups (tenant_id, summary_id) WHERE (summary_id IS NOT NULL);
CREATE INDEX groups_by_run ON groups (tenant_id, run, user_id, project_id) WHERE (run IS NOT NULL);
CREATE INDEX groups_by_period ON groups (tenant_id, policy, starts_on, user_id) WHERE (place IS NOT NULL);
CREATE INDEX groups_by_view ON groups (tenant_id, view_id) WHERE (view_id IS NOT NULL);
CREATE INDEX groups_by_whole ON groups (tenant_id, part_of) WHERE (part_of IS NOT NULL);
CREATE INDEX groups_due ON groups (tenant_id, due_at, group_id) WHERE (due_at IS NOT NULL);
CREATE INDEX groups_stale_of_view ON groups (tenant_id, view_id) WHERE ((view_id IS NOT NULL) AND ((version > refreshed_version) OR (attempts > 0) OR (rejected IS NOT NULL)));
CREATE INDEX groups_of_summaries ON groups (tenant_id, user_id) WHERE (summary_id IS NOT NULL);
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
    -- When the memory leaves the group by itself: the end of a rolling window.
    leaves_at timestamp with time zone,
    PRIMARY KEY (tenant_id, group_id, memory_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES groups(tenant_id, group_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX members_by_memory ON members (tenant_id, memory_id);
CREATE INDEX members_leaving ON members (tenant_id, leaves_at) WHERE (leaves_at IS NOT NULL);
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
    -- Statements less important than this are kept and not served.
    served_from double precision NOT NULL DEFAULT 0,
    -- Keyed hash of what the node says: a node that reads this one is re-made when it changes.
    content bytea,
    -- Of a root: free prose in place of its statements, and a title. Both rest on all that the node read.
    prose_ciphertext bytea,
    title_ciphertext bytea,
    small_talk_count integer NOT NULL DEFAULT 0,
    question_count integer NOT NULL DEFAULT 0,
    repetition_count integer NOT NULL DEFAULT 0,
    overruled_count integer NOT NULL DEFAULT 0,
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
    -- What became of each source in what a node says (law 7, DECISIONS 43): said, small_talk, question, repetition or
    -- overruled; null: it may be left out, and an original stays for it.
    fate text,
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
    -- Whether whoever has the id may write it again without saying that it is to be revived.
    renewable boolean NOT NULL DEFAULT false,
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
    -- Receipts become a chain: each is signed, has a number and names the one before. Rows from before have no number
    -- until the next start signs them.
    number bigint,
    PRIMARY KEY (tenant_id, receipt_id)
);
CREATE UNIQUE INDEX receipts_in_order ON receipts (tenant_id, number);
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

-- The time zone of a user; of everybody else under the empty name.
CREATE TABLE zones (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    zone text NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);
ALTER TABLE zones ENABLE ROW LEVEL SECURITY;
ALTER TABLE zones FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON zones
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The passes of a policy over a tenant: one at a time, on any machine, and made up once after downtime.
CREATE TABLE schedules (
    tenant_id text NOT NULL,
    policy text NOT NULL,
    last_run timestamp with time zone,
    next_run timestamp with time zone,
    lease_token text,
    lease_until timestamp with time zone,
    PRIMARY KEY (tenant_id, policy)
);
ALTER TABLE schedules ENABLE ROW LEVEL SECURITY;
ALTER TABLE schedules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON schedules
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

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
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, view_id)
);
ALTER TABLE views ENABLE ROW LEVEL SECURITY;
ALTER TABLE views FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON views
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

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
    summarized_until timestamp with time zone NOT NULL,
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
    created_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, batch_id)
);
CREATE INDEX pool_batches_by_state ON pool_batches (tenant_id, pool, state);
CREATE INDEX pool_batches_pending ON pool_batches (tenant_id, pool) WHERE (pending OR (old_summary_id IS NOT NULL));
ALTER TABLE pool_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_batches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pool_batches
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The originals of a batch; none is in two.
CREATE TABLE pool_sources (
    tenant_id text NOT NULL,
    pool text NOT NULL,
    memory_id text NOT NULL,
    batch_id text NOT NULL,
    position integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    -- Keyed hash of its text as it was read: one that was changed since is not covered any more.
    digest bytea NOT NULL,
    -- live; capped: read in part, so it stays; deleting; deleted; forgotten.
    state text NOT NULL,
    PRIMARY KEY (tenant_id, pool, memory_id),
    FOREIGN KEY (tenant_id, batch_id) REFERENCES pool_batches(tenant_id, batch_id) ON DELETE CASCADE
);
CREATE INDEX pool_sources_by_batch ON pool_sources (tenant_id, batch_id, "position");
CREATE INDEX pool_sources_by_age ON pool_sources (tenant_id, pool, created_at) WHERE (state = ANY (ARRAY['live'::text, 'deleting'::text]));
ALTER TABLE pool_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pool_sources
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Which stretch of a summary's text is a statement, and on which originals (by position) it rests.
CREATE TABLE pool_statements (
    tenant_id text NOT NULL,
    batch_id text NOT NULL,
    position integer NOT NULL,
    starts_at integer NOT NULL,
    ends_at integer NOT NULL,
    sources integer[] NOT NULL,
    PRIMARY KEY (tenant_id, batch_id, "position"),
    FOREIGN KEY (tenant_id, batch_id) REFERENCES pool_batches(tenant_id, batch_id) ON DELETE CASCADE
);
ALTER TABLE pool_statements ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_statements FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pool_statements
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- What was forgotten in a pool: filtered out of every read. The id itself stays only until the pool has deleted it.
CREATE TABLE pool_tombstones (
    tenant_id text NOT NULL,
    pool text NOT NULL,
    memory_hash bytea NOT NULL,
    memory_id text,
    forgotten_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    PRIMARY KEY (tenant_id, pool, memory_hash)
);
CREATE INDEX pool_tombstones_waiting ON pool_tombstones (tenant_id, pool) WHERE (memory_id IS NOT NULL);
ALTER TABLE pool_tombstones ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_tombstones FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pool_tombstones
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Other ids under which a memory was written: the same text came again. They go with the row.
CREATE TABLE aliases (
    tenant_id text NOT NULL,
    alias_id text NOT NULL,
    memory_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, alias_id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX aliases_by_memory ON aliases (tenant_id, memory_id);
ALTER TABLE aliases ENABLE ROW LEVEL SECURITY;
ALTER TABLE aliases FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON aliases
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Which rows hold a term: the words of recall in scopes too large to read whole. A GIN index over memories.terms would
-- not be used: under row-level security only leakproof operators reach an index, and && is none. Term 0 counts the rows
-- of a scope and their lengths. Everything a search needs is in the key's index.
CREATE TABLE postings (
    tenant_id text NOT NULL,
    term bigint NOT NULL,
    user_id text NOT NULL,
    memory_id text NOT NULL,
    frequency integer NOT NULL,
    -- Terms of the row, repeats counted.
    length integer NOT NULL,
    is_summary boolean NOT NULL,
    PRIMARY KEY (tenant_id, term, user_id, memory_id) INCLUDE (frequency, length, is_summary)
);
CREATE INDEX postings_of_summaries ON postings (tenant_id, term, user_id) INCLUDE (memory_id, frequency, length) WHERE is_summary;
ALTER TABLE postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE postings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON postings
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

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
    lease_until timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    what text,
    result jsonb,
    PRIMARY KEY (tenant_id, task_id)
);
CREATE INDEX tasks_by_run ON tasks (tenant_id, run_id);
CREATE INDEX tasks_open ON tasks (tenant_id, view_id) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
CREATE INDEX tasks_ended ON tasks (tenant_id, completed_at) WHERE (completed_at IS NOT NULL);
ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE tasks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tasks
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The name of a conversation, whose it is, and what a caller keeps beside its messages.
CREATE TABLE conversations (
    tenant_id text NOT NULL,
    -- Hash of the scope and the name below.
    conversation_id text NOT NULL,
    -- What the caller calls it; unique within user, project, environment and namespace.
    session_id text NOT NULL,
    namespace text,
    user_id text NOT NULL,
    project_id text NOT NULL,
    environment text NOT NULL,
    -- The group whose members are the messages that its summary speaks for, or is to speak for.
    group_id text NOT NULL,
    -- Raised by each write; the next message gets the next place.
    version bigint NOT NULL DEFAULT 0,
    last_seq bigint NOT NULL DEFAULT 0,
    -- JSON that a caller keeps beside the messages, sealed by the user's key.
    properties_ciphertext bytea,
    -- When the conversation ends by itself.
    ttl_seconds integer,
    expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    remembering_ciphertext bytea,
    facts_due_at timestamp with time zone,
    facts_attempts smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, conversation_id)
);
CREATE INDEX conversations_by_session ON conversations (tenant_id, session_id);
CREATE INDEX conversations_newest ON conversations (tenant_id, updated_at DESC, conversation_id);
CREATE INDEX conversations_by_user ON conversations (tenant_id, user_id);
CREATE INDEX conversations_ending ON conversations (tenant_id, expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX conversations_by_facts ON conversations (tenant_id, facts_due_at) WHERE (facts_due_at IS NOT NULL);
ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
ALTER TABLE conversations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON conversations
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The text of a message is its memory's. Here is what a memory has no field for.
CREATE TABLE messages (
    tenant_id text NOT NULL,
    conversation_id text NOT NULL,
    -- The order, whoever wrote at the same time.
    seq bigint NOT NULL,
    memory_id text NOT NULL,
    -- What the caller calls it; the id of the memory is made of this and the conversation.
    message_id text NOT NULL,
    role text NOT NULL,
    -- Ids of the calls and approvals it asks for, and of those it settles.
    opens text[] NOT NULL,
    closes text[] NOT NULL,
    -- JSON: the message as the caller's library knows it, sealed by the user's key.
    payload_ciphertext bytea,
    facts text,
    wording bigint,
    PRIMARY KEY (tenant_id, conversation_id, seq),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations(tenant_id, conversation_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX messages_by_memory ON messages (tenant_id, memory_id);
CREATE INDEX messages_by_wording ON messages (tenant_id, wording) WHERE (wording IS NOT NULL);
CREATE INDEX messages_waiting ON messages (tenant_id, conversation_id, seq) WHERE (facts = 'waiting'::text);
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON messages
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Forgotten ids that were written again, until the forgotten-log has the note. Without it a database restored from an
-- older copy forgets them again.
CREATE TABLE revivals (
    tenant_id text NOT NULL,
    -- Keyed hash of the id, as in the tombstone that was taken away.
    memory_hash bytea NOT NULL,
    -- Keyed hash of what was written: an older copy may say this under the id, and nothing else.
    content_hash bytea NOT NULL,
    PRIMARY KEY (tenant_id, memory_hash)
);
ALTER TABLE revivals ENABLE ROW LEVEL SECURITY;
ALTER TABLE revivals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON revivals
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Versions of the tenant's key since which every data key is wrapped anew, until the older ones are erased.
CREATE TABLE key_erasures (
    tenant_id text NOT NULL,
    -- The first version that stays.
    key_version integer NOT NULL,
    PRIMARY KEY (tenant_id, key_version)
);
ALTER TABLE key_erasures ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_erasures FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON key_erasures
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

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
    created_at timestamp with time zone NOT NULL,
    PRIMARY KEY (tenant_id, feedback_id)
);
CREATE INDEX feedback_newest ON feedback (tenant_id, created_at DESC, feedback_id DESC);
ALTER TABLE feedback ENABLE ROW LEVEL SECURITY;
ALTER TABLE feedback FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON feedback
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

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
    PRIMARY KEY (tenant_id, feedback_id, "position"),
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback(tenant_id, feedback_id) ON DELETE CASCADE
);
ALTER TABLE feedback_marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE feedback_marks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON feedback_marks
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The memories a marked statement rested on.
CREATE TABLE feedback_sources (
    tenant_id text NOT NULL,
    feedback_id text NOT NULL,
    position integer NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, feedback_id, "position", memory_id),
    FOREIGN KEY (tenant_id, feedback_id, "position") REFERENCES feedback_marks(tenant_id, feedback_id, "position") ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX feedback_sources_by_memory ON feedback_sources (tenant_id, memory_id);
ALTER TABLE feedback_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE feedback_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON feedback_sources
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The memories its summary had read when it was marked: what comes later may say the same, and mean it.
CREATE TABLE feedback_inputs (
    tenant_id text NOT NULL,
    feedback_id text NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, feedback_id, memory_id),
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback(tenant_id, feedback_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX feedback_inputs_by_memory ON feedback_inputs (tenant_id, memory_id);
ALTER TABLE feedback_inputs ENABLE ROW LEVEL SECURITY;
ALTER TABLE feedback_inputs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON feedback_inputs
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- How many memories each user had when the archive was last begun by their number, in precis or in a pool.
CREATE TABLE archive_counts (
    tenant_id text NOT NULL,
    -- Empty: precis's own store.
    pool text NOT NULL,
    user_id text NOT NULL,
    counted integer NOT NULL,
    PRIMARY KEY (tenant_id, pool, user_id)
);
ALTER TABLE archive_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE archive_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON archive_counts
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Which memory replaces which. A row is there while both memories are.
CREATE TABLE supersessions (
    tenant_id text NOT NULL,
    older_id text NOT NULL,
    newer_id text NOT NULL,
    -- From when on the newer one holds.
    since timestamp with time zone NOT NULL,
    -- said: its writer named the older one; rule: both give one attribute of one subject a value.
    basis text NOT NULL,
    PRIMARY KEY (tenant_id, older_id, newer_id),
    FOREIGN KEY (tenant_id, older_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, newer_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX supersessions_by_newer ON supersessions (tenant_id, newer_id);
ALTER TABLE supersessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE supersessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON supersessions
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Keyed hashes of the subjects and attributes of which a memory asserts something: what a newer one is compared with.
CREATE TABLE asserted (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    key bigint NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, user_id, key, memory_id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX asserted_by_memory ON asserted (tenant_id, memory_id);
ALTER TABLE asserted ENABLE ROW LEVEL SECURITY;
ALTER TABLE asserted FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON asserted
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The last refreshes of each summary that stands: its history. It goes with the summary.
CREATE TABLE summary_refreshes (
    tenant_id text NOT NULL,
    summary_id text NOT NULL,
    -- Counts from 1.
    number integer NOT NULL,
    refreshed_at timestamp with time zone NOT NULL,
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
    FOREIGN KEY (tenant_id, summary_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
ALTER TABLE summary_refreshes ENABLE ROW LEVEL SECURITY;
ALTER TABLE summary_refreshes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON summary_refreshes
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

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
    FOREIGN KEY (tenant_id, summary_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX past_statements_by_summary ON past_statements (tenant_id, summary_id, came);
ALTER TABLE past_statements ENABLE ROW LEVEL SECURITY;
ALTER TABLE past_statements FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON past_statements
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The memories that it rests on.
CREATE TABLE past_sources (
    tenant_id text NOT NULL,
    statement_id text NOT NULL,
    memory_id text NOT NULL,
    PRIMARY KEY (tenant_id, statement_id, memory_id),
    FOREIGN KEY (tenant_id, statement_id) REFERENCES past_statements(tenant_id, statement_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX past_sources_by_memory ON past_sources (tenant_id, memory_id);
ALTER TABLE past_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE past_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON past_sources
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- What a request in words would forget, until it is confirmed: ids and places, no text.
CREATE TABLE forget_previews (
    tenant_id text NOT NULL,
    preview_id text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    -- How many memories it listed: fewer rows than that were forgotten since.
    listed integer NOT NULL,
    PRIMARY KEY (tenant_id, preview_id)
);
CREATE INDEX forget_previews_of_user ON forget_previews (tenant_id, user_id);
CREATE INDEX forget_previews_by_end ON forget_previews (tenant_id, expires_at);
ALTER TABLE forget_previews ENABLE ROW LEVEL SECURITY;
ALTER TABLE forget_previews FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON forget_previews
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The memories that it listed; a row goes with its memory.
CREATE TABLE forget_preview_rows (
    tenant_id text NOT NULL,
    preview_id text NOT NULL,
    memory_id text NOT NULL,
    -- What it said then: one that was edited since is not forgotten.
    fingerprint bytea NOT NULL,
    -- Whether it is surely meant, or in doubt.
    sure boolean NOT NULL,
    -- What stays of its text, as pairs of places of characters; empty where it goes whole.
    kept integer[] NOT NULL,
    PRIMARY KEY (tenant_id, preview_id, memory_id),
    FOREIGN KEY (tenant_id, preview_id) REFERENCES forget_previews(tenant_id, preview_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX forget_preview_rows_by_memory ON forget_preview_rows (tenant_id, memory_id);
ALTER TABLE forget_preview_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE forget_preview_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON forget_preview_rows
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Where each tenant's chain ends. Whoever adds to it holds this row.
CREATE TABLE receipt_heads (
    tenant_id text NOT NULL,
    -- Of the last receipt; 0 before the first.
    number bigint NOT NULL,
    -- The number, the hash of the last receipt and the time, signed.
    body jsonb,
    -- Up to which receipt the forgotten-log has them.
    logged bigint NOT NULL,
    PRIMARY KEY (tenant_id)
);
ALTER TABLE receipt_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipt_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receipt_heads
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Forgets that a pool has not confirmed yet, with the ids to ask it for; the row goes when it has.
CREATE TABLE pending_receipts (
    tenant_id text NOT NULL,
    receipt_id text NOT NULL,
    pool text NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (tenant_id, receipt_id)
);
ALTER TABLE pending_receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_receipts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pending_receipts
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- Receipts of another store, which came with a user who was imported from there: they are of that store's chain.
CREATE TABLE imported_receipts (
    tenant_id text NOT NULL,
    -- Whose they are, as a keyed hash.
    user_hash text NOT NULL,
    position integer NOT NULL,
    -- The receipt as it was signed, and the public key that verifies it.
    body jsonb NOT NULL,
    PRIMARY KEY (tenant_id, user_hash, "position")
);
ALTER TABLE imported_receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE imported_receipts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON imported_receipts
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- A fact rests on each of these messages: it is forgotten with any of them.
CREATE TABLE fact_sources (
    tenant_id text NOT NULL,
    memory_id text NOT NULL,
    message_id text NOT NULL,
    PRIMARY KEY (tenant_id, memory_id, message_id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, message_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX fact_sources_by_message ON fact_sources (tenant_id, message_id);
ALTER TABLE fact_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE fact_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON fact_sources
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The vectors of large scopes in lists of those that are near each other, in place of one index for each large user. A
-- scope that is searched by lists: the rows of one user, or of the whole tenant (scope ''), read by one embedder.
CREATE TABLE vector_scopes (
    tenant_id text NOT NULL,
    scope text NOT NULL,
    embedding_version text NOT NULL,
    -- The list that new rows join; every search reads it.
    entry bigint NOT NULL,
    -- Whether every row of the scope is in a list.
    ready boolean NOT NULL DEFAULT false,
    -- Which lists were made last.
    generation integer NOT NULL DEFAULT 0,
    -- How many lists of each generation a search reads.
    probes integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope)
);
ALTER TABLE vector_scopes ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_scopes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON vector_scopes
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- The lists of a scope. What is forgotten is taken out of the sum it is in, so that no list tells of it.
CREATE TABLE vector_lists (
    tenant_id text NOT NULL,
    scope text NOT NULL,
    list bigint NOT NULL,
    generation integer NOT NULL,
    -- The sum of the vectors of the members that count, by which a list is found; null where there is none: every
    -- search reads the list.
    total vector,
    counted integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope, list)
);
ALTER TABLE vector_lists ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_lists FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON vector_lists
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));

-- In which list each raw row of such a scope is, with what a search compares: the vector, or one bit for each of its
-- dimensions where they are too many for an index.
CREATE TABLE listed_vectors (
    tenant_id text NOT NULL,
    memory_id text NOT NULL,
    scope text NOT NULL,
    list bigint NOT NULL,
    -- Whether its vector is in the sum of the list.
    counted boolean NOT NULL DEFAULT false,
    code halfvec,
    bits bit varying,
    PRIMARY KEY (tenant_id, memory_id, scope),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories(tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX listed_vectors_by_list ON listed_vectors (tenant_id, scope, list, memory_id) INCLUDE (code, bits);
ALTER TABLE listed_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE listed_vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON listed_vectors
    USING (tenant_id = current_setting('precis.tenant_id'::text, true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id'::text, true));
