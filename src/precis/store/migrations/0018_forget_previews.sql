-- What a request in words would forget, until it is confirmed: ids and places, no text.
CREATE TABLE forget_previews (
    tenant_id text NOT NULL,
    preview_id text NOT NULL,
    user_id text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- How many memories it listed: fewer rows than that were forgotten since.
    listed integer NOT NULL,
    PRIMARY KEY (tenant_id, preview_id)
);
CREATE INDEX forget_previews_of_user ON forget_previews (tenant_id, user_id);
CREATE INDEX forget_previews_by_end ON forget_previews (tenant_id, expires_at);

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
    FOREIGN KEY (tenant_id, preview_id) REFERENCES forget_previews ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX forget_preview_rows_by_memory ON forget_preview_rows (tenant_id, memory_id);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['forget_previews', 'forget_preview_rows'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
