-- What rows can be filtered by without opening them, and second ids of one memory.

-- Keyed hashes of the case-folded topics and entities and of everything each begins with; their words are in
-- attributes_ciphertext. No index: under row-level security only leakproof operators reach one, and && is none.
ALTER TABLE memories ADD COLUMN topic_hashes bigint[];
ALTER TABLE memories ADD COLUMN entity_hashes bigint[];
-- How whoever wrote the row came by it, in the words of the wire; null is "discrete".
ALTER TABLE memories ADD COLUMN extraction_strategy text;
-- Keyed hash of the exact text, to find the same text again; null once the text is gone.
ALTER TABLE memories ADD COLUMN text_hash bigint;
CREATE INDEX memories_by_text ON memories (tenant_id, text_hash) WHERE text_hash IS NOT NULL;

-- Other ids under which a memory was written: the same text came again. They go with the row.
CREATE TABLE aliases (
    tenant_id text NOT NULL,
    alias_id text NOT NULL,
    memory_id text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, alias_id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX aliases_by_memory ON aliases (tenant_id, memory_id);
ALTER TABLE aliases ENABLE ROW LEVEL SECURITY;
ALTER TABLE aliases FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON aliases
    USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
