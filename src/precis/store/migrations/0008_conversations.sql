-- Conversations: which memories are messages of which one, in which order.

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
    expires_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id)
);
CREATE INDEX conversations_by_session ON conversations (tenant_id, session_id);
CREATE INDEX conversations_newest ON conversations (tenant_id, updated_at DESC, conversation_id);
CREATE INDEX conversations_by_user ON conversations (tenant_id, user_id);
CREATE INDEX conversations_ending ON conversations (tenant_id, expires_at) WHERE expires_at IS NOT NULL;

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
    PRIMARY KEY (tenant_id, conversation_id, seq),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories ON DELETE CASCADE
);
CREATE UNIQUE INDEX messages_by_memory ON messages (tenant_id, memory_id);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['conversations', 'messages'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = current_setting(''precis.tenant_id'', true)) '
            'WITH CHECK (tenant_id = current_setting(''precis.tenant_id'', true))', name);
    END LOOP;
END
$$;
