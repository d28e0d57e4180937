-- name: facts_due
-- Conversations whose messages are to be read for facts now.
SELECT conversation_id FROM conversations
WHERE tenant_id = %(tenant_id)s AND facts_due_at <= %(now)s ORDER BY facts_due_at, conversation_id LIMIT %(limit)s;

-- name: claim_facts
-- Whoever moves the time on reads the messages; where that process dies, another one does once the time has come.
UPDATE conversations SET facts_due_at = %(until)s
WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s AND facts_due_at <= %(now)s
RETURNING conversation_id, session_id, namespace, user_id, project_id, environment, properties_ciphertext,
          remembering_ciphertext, facts_attempts;

-- name: waiting_messages
-- The messages to read, in order, and whether one of the same user that was read has the same words.
SELECT m.memory_id, m.message_id, m.role, EXISTS (
    SELECT 1 FROM messages x JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = x.memory_id
    WHERE x.tenant_id = %(tenant_id)s AND x.wording = m.wording AND x.memory_id <> m.memory_id AND x.facts = 'read'
      AND (o.user_id, o.project_id, o.environment) = (r.user_id, r.project_id, r.environment)
      AND o.retention_state <> 'expired') AS repeated
FROM messages m JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s AND m.facts = 'waiting'
ORDER BY m.seq LIMIT %(limit)s;

-- name: read_before
-- The messages that were read right before those that wait, the last first: what waits may put them right.
SELECT m.memory_id, m.message_id, m.role, true AS repeated FROM messages m
WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = %(conversation_id)s AND m.facts = 'read' AND m.seq < (
    SELECT min(w.seq) FROM messages w
    WHERE w.tenant_id = %(tenant_id)s AND w.conversation_id = %(conversation_id)s AND w.facts = 'waiting')
ORDER BY m.seq DESC LIMIT %(limit)s;

-- name: hold_waiting
-- Of these messages those that still wait, or were read ``before``, and what they say now; no forget and no edit takes
-- them meanwhile.
SELECT r.memory_id, r.fingerprint FROM memories r
JOIN messages m ON m.tenant_id = %(tenant_id)s AND m.memory_id = r.memory_id
WHERE r.tenant_id = %(tenant_id)s AND r.memory_id = ANY(%(ids)s) AND m.conversation_id = %(conversation_id)s
  AND (m.facts = 'waiting' OR m.memory_id = ANY(%(before)s)) ORDER BY r.memory_id FOR KEY SHARE OF r;

-- name: messages_read
-- They were read for facts, or said what was read before.
UPDATE messages SET facts = CASE WHEN memory_id = ANY(%(repeated)s) THEN 'repeated' ELSE 'read' END
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) AND facts = 'waiting';

-- name: facts_were_read
-- What is left waits for the next batch.
UPDATE conversations c SET facts_attempts = 0, facts_due_at = CASE WHEN EXISTS (
    SELECT 1 FROM messages m
    WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = c.conversation_id AND m.facts = 'waiting')
    THEN %(now)s::timestamptz END
WHERE c.tenant_id = %(tenant_id)s AND c.conversation_id = %(conversation_id)s;

-- name: facts_failed
-- They are read again later.
UPDATE conversations SET facts_attempts = least(facts_attempts + %(counted)s, 1000), facts_due_at = %(retry_at)s
WHERE tenant_id = %(tenant_id)s AND conversation_id = %(conversation_id)s;

-- name: insert_fact_source
-- A fact rests on a message.
INSERT INTO fact_sources (tenant_id, memory_id, message_id) VALUES (%(tenant_id)s, %(memory_id)s, %(message_id)s)
ON CONFLICT DO NOTHING;

-- name: facts_resting_on
-- Facts that go with these messages.
SELECT DISTINCT memory_id FROM fact_sources
WHERE tenant_id = %(tenant_id)s AND message_id = ANY(%(ids)s) ORDER BY memory_id;

-- name: read_again
-- A message says something else now: it is read again, unless it is not read at all.
WITH again AS (
    UPDATE messages SET wording = %(wording)s, facts = CASE WHEN facts IS NOT NULL THEN 'waiting' END
    WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s RETURNING conversation_id, facts IS NOT NULL AS waits
)
UPDATE conversations c SET facts_attempts = 0, facts_due_at = least(c.facts_due_at, %(now)s::timestamptz)
FROM again a WHERE a.waits AND c.tenant_id = %(tenant_id)s AND c.conversation_id = a.conversation_id;

-- name: read_repeated
-- What was read leaves: who said the same is read in its place.
WITH again AS (
    UPDATE messages x SET facts = 'waiting' FROM messages gone, memories r, memories o
    WHERE x.tenant_id = %(tenant_id)s AND x.facts = 'repeated' AND NOT x.memory_id = ANY(%(ids)s)
      AND gone.tenant_id = %(tenant_id)s AND gone.memory_id = ANY(%(ids)s) AND gone.wording = x.wording
      AND r.tenant_id = %(tenant_id)s AND r.memory_id = x.memory_id
      AND o.tenant_id = %(tenant_id)s AND o.memory_id = gone.memory_id
      AND (o.user_id, o.project_id, o.environment) = (r.user_id, r.project_id, r.environment)
    RETURNING x.conversation_id
)
UPDATE conversations c SET facts_due_at = least(c.facts_due_at, %(now)s::timestamptz)
FROM again a WHERE c.tenant_id = %(tenant_id)s AND c.conversation_id = a.conversation_id;

-- name: carry_wordings
-- Made anew of another tenant's keys.
UPDATE messages SET wording = %(wording)s WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;

-- name: facts_waiting
-- What is to be read, and what it holds, by conversation.
SELECT c.conversation_id, c.user_id, c.facts_due_at, c.facts_attempts, c.properties_ciphertext, c.remembering_ciphertext,
       count(*) AS messages, sum(r.tokens) AS tokens
FROM conversations c
JOIN messages m ON m.tenant_id = %(tenant_id)s AND m.conversation_id = c.conversation_id AND m.facts = 'waiting'
JOIN memories r ON r.tenant_id = %(tenant_id)s AND r.memory_id = m.memory_id
WHERE c.tenant_id = %(tenant_id)s AND c.facts_due_at IS NOT NULL
  AND (%(user_id)s::text IS NULL OR c.user_id = %(user_id)s)
GROUP BY c.tenant_id, c.conversation_id ORDER BY c.facts_due_at, c.conversation_id;

-- name: facts_hurried
-- Nobody has to wait for more messages. What somebody reads now is left to them.
UPDATE conversations SET facts_due_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND facts_due_at > %(now)s AND facts_due_at <= %(soon)s AND facts_attempts = 0;
