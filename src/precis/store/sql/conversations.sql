-- name: open_conversation
-- The first message makes it.
INSERT INTO conversations (
    tenant_id, conversation_id, session_id, namespace, user_id, project_id, environment, group_id, created_at, updated_at
) VALUES (
    %(tenant_id)s, %(conversation_id)s, %(session_id)s, %(namespace)s, %(user_id)s, %(project_id)s, %(environment)s,
    %(group_id)s, %(now)s, %(now)s
) ON CONFLICT (tenant_id, conversation_id) DO NOTHING;

-- name: lock_conversation
-- Writers of one conversation take turns: the order of its messages is the order in which they hold this row.
SELECT conversation_id, version, last_seq FROM conversations
WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s FOR NO KEY UPDATE;

-- name: find_conversation
-- By name; within a namespace and a user where they are given. More than one row is an ambiguity.
SELECT c.conversation_id, c.session_id, c.namespace, c.user_id, c.project_id, c.environment, c.group_id, c.version,
       c.last_seq, c.properties_ciphertext, c.remembering_ciphertext, c.ttl_seconds, c.expires_at, c.created_at, c.updated_at,
       g.summary_id, g.version > g.refreshed_version OR g.rejected IS NOT NULL AS behind
FROM conversations c
LEFT JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = c.group_id
WHERE c.tenant_id = %(tenant_id)s AND c.session_id = %(session_id)s
  AND (%(user_id)s::text IS NULL OR c.user_id = %(user_id)s)
  AND (%(namespace)s::text IS NULL OR coalesce(c.namespace, '') = %(namespace)s)
  AND (%(project_id)s::text IS NULL OR c.project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR c.environment = %(environment)s)
  AND (c.expires_at IS NULL OR c.expires_at > %(now)s)
ORDER BY c.conversation_id LIMIT 2;

-- name: last_covered
-- The place of the newest message that the standing summary has read, found from the end.
SELECT m.seq FROM messages m
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s AND EXISTS (
    SELECT 1 FROM node_sources s
    WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(summary_id)s AND s.memory_id = m.memory_id OFFSET 0)
ORDER BY m.seq DESC LIMIT 1;

-- name: tail
-- What stands behind a place, and in any case the last few; no text. Each row is looked up by itself, so that no other
-- is read whatever the planner thinks of their number; and it takes a range with two ends for a short one.
SELECT m.seq, m.memory_id, m.message_id, m.role, m.opens, m.closes, r.tokens, r.created_at, r.retention_state
FROM messages m CROSS JOIN LATERAL (
    SELECT o.tokens, o.created_at, o.retention_state FROM memories o
    WHERE o.tenant_id = %(tenant_id)s AND o.memory_id = m.memory_id OFFSET 0) r
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s AND m.seq > least(
    %(after)s, (SELECT l.seq FROM messages l
                WHERE l.tenant_id = %(tenant_id)s AND l.conversation_id = %(conversation_id)s
                ORDER BY l.seq DESC OFFSET %(at_least)s LIMIT 1))
  AND m.seq < 9223372036854775807
ORDER BY m.seq;

-- name: gaps
-- Messages before that place that the standing summary has not read: edited since, or waiting to be.
SELECT m.seq, m.memory_id, m.message_id, m.role, m.opens, m.closes, r.tokens, r.created_at, r.retention_state
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s AND m.seq <= %(after)s AND NOT EXISTS (
    SELECT 1 FROM node_sources s
    WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(summary_id)s AND s.memory_id = m.memory_id)
ORDER BY m.seq;

-- name: message_stubs
-- A page of a conversation, newest first; no text.
SELECT m.seq, m.memory_id, m.message_id, m.role, m.opens, m.closes, r.tokens, r.created_at, r.retention_state
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s
  AND (%(before)s::bigint IS NULL OR m.seq < %(before)s)
ORDER BY m.seq DESC LIMIT %(limit)s;

-- name: read_messages
-- The text and the payload of these.
SELECT m.seq, m.memory_id, m.message_id, m.role, m.opens, m.closes, m.payload_ciphertext, m.facts, r.user_id, r.text_ciphertext,
       r.attributes_ciphertext, r.tokens, r.created_at
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND r.retention_state <> 'expired'
ORDER BY m.seq;

-- name: insert_message
-- One message at its place.
INSERT INTO messages (
    tenant_id, conversation_id, seq, memory_id, message_id, role, opens, closes, payload_ciphertext, facts, wording
) VALUES (
    %(tenant_id)s, %(conversation_id)s, %(seq)s, %(memory_id)s, %(message_id)s, %(role)s, %(opens)s, %(closes)s,
    %(payload_ciphertext)s, %(facts)s, %(wording)s);

-- name: advance_conversation
-- A turn was written.
UPDATE conversations SET
    version = version + 1, last_seq = %(last_seq)s, updated_at = %(now)s,
    facts_due_at = least(facts_due_at, %(facts_due_at)s::timestamptz),
    remembering_ciphertext = coalesce(%(remembering_ciphertext)s, remembering_ciphertext),
    properties_ciphertext = CASE WHEN %(keeps)s THEN properties_ciphertext ELSE %(properties_ciphertext)s END,
    ttl_seconds = CASE WHEN %(keeps)s THEN ttl_seconds ELSE %(ttl_seconds)s END,
    -- In seconds: the sum of a time and an interval depends on the session.
    expires_at = to_timestamp(%(now_seconds)s::float8 + CASE WHEN %(keeps)s THEN ttl_seconds ELSE %(ttl_seconds)s END)
WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s
RETURNING version;

-- name: foreign_messages
-- Ids of messages that belong to another conversation, or to none.
SELECT r.memory_id FROM memories r
LEFT JOIN messages m ON m.tenant_id = %(tenant_id)s AND m.memory_id = r.memory_id
WHERE r.tenant_id = %(tenant_id)s AND r.memory_id = ANY(%(ids)s)
  AND m.conversation_id IS DISTINCT FROM %(conversation_id)s;

-- name: hold_covered
-- The messages a summary is to speak for: no forget takes them until this transaction ends. Rows before groups.
SELECT m.memory_id, m.seq FROM memories r JOIN messages m ON m.tenant_id = %(tenant_id)s AND m.memory_id = r.memory_id
WHERE r.tenant_id = %(tenant_id)s AND r.memory_id = ANY(%(ids)s) AND m.conversation_id = %(conversation_id)s
ORDER BY r.memory_id FOR KEY SHARE OF r;

-- name: passed_over
-- Whether somebody wrote a message between what the summary covered when it was planned and the last of these.
SELECT EXISTS (
    SELECT 1 FROM messages m
    WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s AND m.seq < %(last)s
      AND m.seq > %(after)s AND NOT m.memory_id = ANY(%(ids)s)
      AND NOT EXISTS (SELECT 1 FROM members b WHERE b.tenant_id = %(tenant_id)s AND b.group_id = %(group_id)s
                      AND b.memory_id = m.memory_id)) AS passed_over;

-- name: lease_for_turn
-- The turn that made the summary commits it, unless somebody refreshes the group now.
UPDATE groups SET lease_token = %(token)s, lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND (lease_until IS NULL OR lease_until <= %(now)s)
RETURNING user_id, attempts, lost, version;

-- name: list_conversations
-- Sessions, the latest first, with the number of all of them.
SELECT session_id, user_id, namespace, project_id, environment, count(*) OVER () AS total FROM conversations
WHERE tenant_id = %(tenant_id)s
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND (%(namespace)s::text IS NULL OR namespace = %(namespace)s)
  AND (expires_at IS NULL OR expires_at > %(now)s)
ORDER BY updated_at DESC, conversation_id LIMIT %(limit)s OFFSET %(offset)s;

-- name: count_conversations
-- The same number where the page is past the end.
SELECT count(*) AS total FROM conversations
WHERE tenant_id = %(tenant_id)s
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND (%(namespace)s::text IS NULL OR namespace = %(namespace)s)
  AND (expires_at IS NULL OR expires_at > %(now)s);

-- name: ended_conversations
-- Those whose time is over; the one that is about to be used comes first.
SELECT conversation_id, session_id FROM conversations
WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s
ORDER BY conversation_id = %(first)s DESC, expires_at LIMIT %(limit)s;

-- name: ids_of_conversation
-- Every message of it.
SELECT memory_id FROM messages
WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s ORDER BY seq;

-- name: delete_conversation
-- The row, once its messages are forgotten.
DELETE FROM conversations WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s;

-- name: spoken
-- What the standing summary is, besides its statements, and what had become of the messages it read when it was made.
SELECT title_ciphertext, made_by, fallback, read_count, read_count AS read, represented_count AS represented,
       small_talk_count AS small_talk, question_count AS question, repetition_count AS repetition,
       overruled_count AS overruled, left_out_count AS unread, capped_count
FROM nodes WHERE tenant_id = %(tenant_id)s AND node_id = %(summary_id)s;

-- name: lines_of_conversation
-- Every message of it as far as it takes to recognize it; no text.
SELECT m.seq, m.memory_id, m.message_id, m.role, m.opens, m.closes, r.tokens, r.created_at, r.text_hash, r.fingerprint,
       octet_length(m.payload_ciphertext) AS payload_bytes
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s ORDER BY m.seq;

-- name: lines_by_memory
-- The same of these messages.
SELECT m.seq, m.memory_id, m.message_id, m.role, m.opens, m.closes, r.tokens, r.created_at, r.text_hash, r.fingerprint,
       octet_length(m.payload_ciphertext) AS payload_bytes
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND m.conversation_id = %(conversation_id)s
ORDER BY m.seq;

-- name: words_of_messages
-- In which conversation these messages say which words, by their keyed hashes, and who. Nothing is known of deleted ones.
SELECT m.conversation_id, m.role, r.text_hash
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND r.text_hash IS NOT NULL
ORDER BY m.memory_id;

-- name: strip_message
-- What was kept beside the text of a message that an edit gives another text: it says the old one.
UPDATE messages SET payload_ciphertext = NULL, opens = '{}', closes = '{}' FROM memories m
WHERE messages.tenant_id = %(tenant_id)s AND messages.memory_id = %(memory_id)s
  AND m.tenant_id = %(tenant_id)s AND m.memory_id = messages.memory_id
  AND m.text_hash IS DISTINCT FROM %(text_hash)s::bigint;

-- name: rewrite_message
-- The same of its new text.
UPDATE messages SET payload_ciphertext = %(payload_ciphertext)s, opens = %(opens)s, closes = %(closes)s,
    facts = coalesce(facts, CASE WHEN %(is_read)s THEN 'waiting' END)
WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;

-- name: move_message
-- Another place in the order.
UPDATE messages SET seq = %(seq)s
WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s AND memory_id = %(memory_id)s;
