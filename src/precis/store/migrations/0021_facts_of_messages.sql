-- What is said becomes memory: which messages are still to be read for facts, and on which messages a fact rests.
ALTER TABLE conversations
    -- JSON: what a turn said of recall and of facts, sealed by the user's key; null: as the settings have it.
    ADD COLUMN remembering_ciphertext bytea,
    -- When its messages are to be read for facts; null: none waits. While somebody reads them, when the next one may.
    ADD COLUMN facts_due_at timestamptz,
    -- How often reading them has failed since it last succeeded.
    ADD COLUMN facts_attempts smallint NOT NULL DEFAULT 0;
CREATE INDEX conversations_by_facts ON conversations (tenant_id, facts_due_at) WHERE facts_due_at IS NOT NULL;

-- 'waiting', 'read', or 'repeated' where it says what was read before; null: it is not read for facts.
ALTER TABLE messages
    ADD COLUMN facts text,
    -- Keyed hash of its speaker and its words, whatever their case and marks: who says it again is not read again.
    ADD COLUMN wording bigint;
CREATE INDEX messages_by_wording ON messages (tenant_id, wording) WHERE wording IS NOT NULL;
CREATE INDEX messages_waiting ON messages (tenant_id, conversation_id, seq) WHERE facts = 'waiting';

-- A fact rests on each of these messages: it is forgotten with any of them.
CREATE TABLE fact_sources (
    tenant_id text NOT NULL,
    memory_id text NOT NULL,
    message_id text NOT NULL,
    PRIMARY KEY (tenant_id, memory_id, message_id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, memory_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, message_id) REFERENCES memories (tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX fact_sources_by_message ON fact_sources (tenant_id, message_id);
ALTER TABLE fact_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE fact_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON fact_sources
    USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
