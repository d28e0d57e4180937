-- Receipts become a chain: each is signed, has a number and names the one before. Rows from before have no number until
-- the next start signs them.
ALTER TABLE receipts ADD COLUMN number bigint;
CREATE UNIQUE INDEX receipts_in_order ON receipts (tenant_id, number);

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

-- Forgets that a pool has not confirmed yet, with the ids to ask it for; the row goes when it has.
CREATE TABLE pending_receipts (
    tenant_id text NOT NULL,
    receipt_id text NOT NULL,
    pool text NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (tenant_id, receipt_id)
);

-- Receipts of another store, which came with a user who was imported from there: they are of that store's chain.
CREATE TABLE imported_receipts (
    tenant_id text NOT NULL,
    -- Whose they are, as a keyed hash.
    user_hash text NOT NULL,
    position integer NOT NULL,
    -- The receipt as it was signed, and the public key that verifies it.
    body jsonb NOT NULL,
    PRIMARY KEY (tenant_id, user_hash, position)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['receipt_heads', 'pending_receipts', 'imported_receipts'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
