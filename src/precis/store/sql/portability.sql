-- name: carry_memories
-- Raw rows of a user, and the rows of the summaries of their groups.
SELECT m.* FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s
  AND (NOT m.is_summary OR EXISTS (
      SELECT 1 FROM groups g WHERE g.tenant_id = %(tenant_id)s AND g.summary_id = m.memory_id AND g.view_id IS NULL))
ORDER BY m.memory_id COLLATE "C";

-- name: carry_aliases
-- Other ids of them.
SELECT a.* FROM aliases a JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = a.memory_id
WHERE a.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s ORDER BY a.alias_id COLLATE "C";

-- name: carry_zones
-- Where the user lives.
SELECT * FROM zones WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: carry_conversations
-- Names and properties.
SELECT * FROM conversations WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
ORDER BY conversation_id COLLATE "C";

-- name: carry_messages
-- Which memory is which message.
SELECT x.* FROM messages x
JOIN conversations c ON c.tenant_id = %(tenant_id)s AND c.conversation_id = x.conversation_id
WHERE x.tenant_id = %(tenant_id)s AND c.user_id = %(user_id)s ORDER BY x.conversation_id COLLATE "C", x.seq;

-- name: carry_fact_sources
-- On which messages facts rest.
SELECT s.* FROM fact_sources s JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = s.memory_id
WHERE s.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s
ORDER BY s.memory_id COLLATE "C", s.message_id COLLATE "C";

-- name: carry_facts_due
-- Messages that waited to be read for facts wait here.
UPDATE conversations c SET facts_due_at = %(now)s
WHERE c.tenant_id = %(tenant_id)s AND c.user_id = %(user_id)s AND EXISTS (
    SELECT 1 FROM messages m
    WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = c.conversation_id AND m.facts = 'waiting');

-- name: carry_groups
-- What is summarized together; partitions of views are the view's.
SELECT * FROM groups WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND view_id IS NULL
ORDER BY group_id COLLATE "C";

-- name: carry_members
-- Which memories.
SELECT b.* FROM members b JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL
ORDER BY b.group_id COLLATE "C", b.memory_id COLLATE "C";

-- name: carry_nodes
-- Summaries, and what speaks for expired originals; nodes in between are made anew when they are needed.
SELECT n.* FROM nodes n JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE n.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL AND n.kind IN ('root', 'frozen')
ORDER BY n.node_id COLLATE "C";

-- name: carry_node_sources
-- What each of them read.
SELECT s.* FROM node_sources s JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE s.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL AND n.kind IN ('root', 'frozen')
ORDER BY s.node_id COLLATE "C", s.memory_id COLLATE "C";

-- name: carry_statements
-- What each of them says.
SELECT s.* FROM statements s JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE s.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL AND n.kind IN ('root', 'frozen')
ORDER BY s.node_id COLLATE "C", s.position;

-- name: carry_statement_sources
-- On which memories.
SELECT l.* FROM statement_sources l
JOIN statements s ON s.tenant_id = %(tenant_id)s AND s.statement_id = l.statement_id
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE l.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL AND n.kind IN ('root', 'frozen')
ORDER BY l.statement_id COLLATE "C", l.position, l.memory_id COLLATE "C";

-- name: carry_feedback
-- What was said of their summaries.
SELECT * FROM feedback WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s ORDER BY feedback_id COLLATE "C";

-- name: carry_feedback_marks
-- The statements it is about.
SELECT k.* FROM feedback_marks k JOIN feedback f ON f.tenant_id = %(tenant_id)s AND f.feedback_id = k.feedback_id
WHERE k.tenant_id = %(tenant_id)s AND f.user_id = %(user_id)s ORDER BY k.feedback_id COLLATE "C", k.position;

-- name: carry_feedback_sources
-- What they rested on.
SELECT k.* FROM feedback_sources k JOIN feedback f ON f.tenant_id = %(tenant_id)s AND f.feedback_id = k.feedback_id
WHERE k.tenant_id = %(tenant_id)s AND f.user_id = %(user_id)s
ORDER BY k.feedback_id COLLATE "C", k.position, k.memory_id COLLATE "C";

-- name: carry_feedback_inputs
-- What their summaries had read.
SELECT k.* FROM feedback_inputs k JOIN feedback f ON f.tenant_id = %(tenant_id)s AND f.feedback_id = k.feedback_id
WHERE k.tenant_id = %(tenant_id)s AND f.user_id = %(user_id)s ORDER BY k.feedback_id COLLATE "C", k.memory_id COLLATE "C";

-- name: carry_supersessions
-- Which memory replaces which.
SELECT s.* FROM supersessions s JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = s.newer_id
WHERE s.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s
ORDER BY s.older_id COLLATE "C", s.newer_id COLLATE "C";

-- name: carry_summary_refreshes
-- The history of their summaries.
SELECT r.* FROM summary_refreshes r JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = r.summary_id
WHERE r.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL
ORDER BY r.summary_id COLLATE "C", r.number;

-- name: carry_past_statements
-- What they said, from when to when.
SELECT p.* FROM past_statements p JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = p.summary_id
WHERE p.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL
ORDER BY p.statement_id COLLATE "C";

-- name: carry_past_sources
-- On which memories that rested.
SELECT l.* FROM past_sources l
JOIN past_statements p ON p.tenant_id = %(tenant_id)s AND p.statement_id = l.statement_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = p.summary_id
WHERE l.tenant_id = %(tenant_id)s AND g.user_id = %(user_id)s AND g.view_id IS NULL
ORDER BY l.statement_id COLLATE "C", l.memory_id COLLATE "C";

-- name: carry_receipts
-- Receipts that name a user: of this store's own chain, and those that came with the user from another one.
SELECT body FROM receipts WHERE tenant_id = %(tenant_id)s AND number IS NOT NULL AND body -> 'users' ? %(user)s
ORDER BY number;

-- name: carry_imported_receipts
-- The same of those that came along.
SELECT body FROM imported_receipts WHERE tenant_id = %(tenant_id)s AND user_hash = %(user)s ORDER BY position;

-- name: insert_imported_receipt
-- One that came along.
INSERT INTO imported_receipts (tenant_id, user_hash, position, body)
VALUES (%(tenant_id)s, %(user)s, %(position)s, %(body)s);

-- name: columns_of
-- The columns of a table but the tenant's, in their order.
SELECT attname AS name FROM pg_attribute
WHERE attrelid = %(table)s::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'tenant_id' ORDER BY attnum;

-- name: carry_in
-- Rows as they were exported; the columns that are not exported are given with them. The user's key is there by now.
INSERT INTO {table} (tenant_id, {columns})
SELECT k.tenant_id, {columns} FROM user_keys k CROSS JOIN jsonb_populate_recordset(NULL::{table}, %(rows)s::jsonb) r
WHERE k.tenant_id = %(tenant_id)s AND k.user_ref = %(user_ref)s;

-- name: carry_centroids
-- The mean of the vectors of the members, which all come from one embedder.
UPDATE groups g SET centroid = l.centroid, centroid_version = l.version
FROM (
    SELECT b.group_id, max(m.embedding_version) AS version, avg(m.embedding::vector) AS centroid
    FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
    WHERE b.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s AND m.embedding IS NOT NULL GROUP BY b.group_id
) l
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = l.group_id AND g.place IS NULL;

-- name: carry_due
-- What was stale is still to be made.
UPDATE groups SET due_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND version > refreshed_version AND view_id IS NULL;

-- name: delete_silent_conversations
-- Of a user: those without a message.
DELETE FROM conversations c WHERE c.tenant_id = %(tenant_id)s AND c.user_id = %(user_id)s AND NOT EXISTS (
    SELECT 1 FROM messages m WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = c.conversation_id);

-- name: carry_vector
-- Of a summary.
UPDATE memories SET embedding = %(vector)s, embedding_version = %(version)s
WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;

-- name: carry_summary_terms
-- Of summaries: the words of what they serve, and of free prose.
UPDATE memories s SET terms = ARRAY(
    SELECT t.term FROM statements st CROSS JOIN LATERAL unnest(st.terms) AS t (term)
    WHERE st.tenant_id = %(tenant_id)s AND st.node_id = s.memory_id
      AND st.superseded_by IS NULL AND st.importance >= n.served_from
    UNION ALL SELECT t.term FROM unnest(s.terms) AS t (term) WHERE n.prose_ciphertext IS NOT NULL ORDER BY 1)
FROM nodes n
WHERE s.tenant_id = %(tenant_id)s AND s.user_id = %(user_id)s AND s.is_summary
  AND n.tenant_id = %(tenant_id)s AND n.node_id = s.memory_id;
