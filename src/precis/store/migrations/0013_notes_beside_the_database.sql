-- What lies outside the database follows a commit: the forgotten-log and the key files. Each row here is written by the
-- transaction that decides, and deleted once the file says the same, so that no crash between the two is lost.

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

-- Versions of the tenant's key since which every data key is wrapped anew, until the older ones are erased.
CREATE TABLE key_erasures (
    tenant_id text NOT NULL,
    -- The first version that stays.
    key_version integer NOT NULL,
    PRIMARY KEY (tenant_id, key_version)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['revivals', 'key_erasures'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
