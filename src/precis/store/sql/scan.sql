-- name: sealed_memories
-- The encrypted columns of memories, a page at a time.
SELECT memory_id AS row_id, user_id, text_ciphertext AS text, summary_ciphertext AS summary,
       attributes_ciphertext AS attributes
FROM memories WHERE tenant_id = %(tenant_id)s AND memory_id > %(after)s ORDER BY memory_id LIMIT %(limit)s;

-- name: sealed_statements
-- The same of statements, under the key of the user whose cluster said them.
SELECT s.statement_id AS row_id, g.user_id, s.text_ciphertext AS statement
FROM statements s
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE s.tenant_id = %(tenant_id)s AND s.statement_id > %(after)s ORDER BY s.statement_id LIMIT %(limit)s;

-- name: sealed_nodes
-- Prose and titles of summaries.
SELECT n.node_id AS row_id, g.user_id, n.prose_ciphertext AS prose, n.title_ciphertext AS title
FROM nodes n JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE n.tenant_id = %(tenant_id)s AND n.node_id > %(after)s ORDER BY n.node_id LIMIT %(limit)s;

-- name: sealed_messages
-- What callers' libraries know of messages, under the key of the user whose conversation it is.
SELECT m.memory_id AS row_id, c.user_id, m.payload_ciphertext AS payload
FROM messages m JOIN conversations c ON c.tenant_id = %(tenant_id)s AND c.conversation_id = m.conversation_id
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id > %(after)s ORDER BY m.memory_id LIMIT %(limit)s;

-- name: sealed_conversations
-- What callers keep beside the messages, and what they said of recall and of facts.
SELECT conversation_id AS row_id, user_id, properties_ciphertext AS properties, remembering_ciphertext AS remembering
FROM conversations WHERE tenant_id = %(tenant_id)s AND conversation_id > %(after)s
ORDER BY conversation_id LIMIT %(limit)s;

-- name: sealed_feedback
-- What people noted beside their feedback.
SELECT feedback_id AS row_id, user_id, note_ciphertext AS note FROM feedback
WHERE tenant_id = %(tenant_id)s AND feedback_id > %(after)s ORDER BY feedback_id LIMIT %(limit)s;

-- name: sealed_feedback_marks
-- The statements it is about.
SELECT m.feedback_id || '.' || m.position AS row_id, f.user_id, m.text_ciphertext AS text
FROM feedback_marks m JOIN feedback f ON f.tenant_id = %(tenant_id)s AND f.feedback_id = m.feedback_id
WHERE m.tenant_id = %(tenant_id)s AND m.feedback_id || '.' || m.position > %(after)s
ORDER BY 1 LIMIT %(limit)s;

-- name: sealed_past_statements
-- What summaries said before.
SELECT p.statement_id AS row_id, m.user_id, p.text_ciphertext AS text
FROM past_statements p JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = p.summary_id
WHERE p.tenant_id = %(tenant_id)s AND p.statement_id > %(after)s ORDER BY p.statement_id LIMIT %(limit)s;

-- name: sealed_columns
-- Every column that is encrypted, by the name all of them bear.
SELECT table_name || '.' || column_name AS name FROM information_schema.columns
WHERE table_schema = current_schema() AND column_name LIKE '%%\_ciphertext' ORDER BY 1;

-- name: memories_with_terms
-- Rows whose keyed words hold all of these.
SELECT memory_id AS row_id FROM memories WHERE tenant_id = %(tenant_id)s AND terms @> %(terms)s ORDER BY memory_id;

-- name: statements_with_terms
-- The same of statements.
SELECT statement_id AS row_id FROM statements WHERE tenant_id = %(tenant_id)s AND terms @> %(terms)s
ORDER BY statement_id;

-- name: marks_with_terms
-- The same of statements that were marked.
SELECT feedback_id || '.' || position AS row_id FROM feedback_marks
WHERE tenant_id = %(tenant_id)s AND terms @> %(terms)s ORDER BY 1;

-- name: past_with_terms
-- The same of what summaries said before.
SELECT statement_id AS row_id FROM past_statements WHERE tenant_id = %(tenant_id)s AND terms @> %(terms)s ORDER BY 1;

-- name: term_rows
-- How many rows have keyed words.
SELECT (SELECT count(*) FROM memories WHERE tenant_id = %(tenant_id)s) AS memories,
       (SELECT count(*) FROM statements WHERE tenant_id = %(tenant_id)s) AS statements,
       (SELECT count(*) FROM feedback_marks WHERE tenant_id = %(tenant_id)s) AS marks,
       (SELECT count(*) FROM past_statements WHERE tenant_id = %(tenant_id)s) AS past;

-- name: tables
-- Every table there is, from the catalog, so that a new one is looked into as well; and which of its columns hold bytes,
-- and which numbers, times and vectors: there is no text in these.
SELECT n.nspname AS schema, c.relname AS name, has_table_privilege(c.oid, 'SELECT') AS readable,
       c.relrowsecurity AS of_tenants, k.bytes, k.numbers
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(a.attname::text) FILTER (WHERE t.typname IN ('bytea', '_bytea')), '{}') AS bytes,
           coalesce(array_agg(a.attname::text) FILTER (
               WHERE t.typname IN ('vector', 'halfvec') OR coalesce(e.typcategory, t.typcategory) IN ('N', 'D', 'T', 'B')
           ), '{}') AS numbers
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = nullif(t.typelem, 0)
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
) k
WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_%%'
ORDER BY 1, 2;

-- name: count_rows_in_scan
-- How many rows of a table this tenant sees. The table's name is put in as an identifier.
SELECT count(*) AS rows FROM {table};

-- name: columns_with
-- Columns of a table whose text form holds one of the needles. The table's name is put in as an identifier. Bytes are
-- shown in hexadecimal, so that only what is spelled so stands there; what may be a figure is looked for, as a pattern,
-- outside of long ids, and not in numbers, times and vectors: it would stand there by chance.
SELECT c.key AS name, count(*) AS hits
FROM {table} t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) c
WHERE EXISTS (
    SELECT 1 FROM unnest(%(spelled)s::text[] || CASE WHEN c.key = ANY(%(bytes)s) THEN '{{}}' ELSE %(words)s::text[] END)
      AS needle
    WHERE position(needle IN lower(c.value)) > 0)
  OR NOT c.key = ANY(%(bytes)s::text[] || %(numbers)s::text[]) AND EXISTS (
    SELECT 1 FROM unnest(%(figures)s::text[]) AS needle
    WHERE regexp_replace(lower(c.value), '[0-9a-f-]{{24,}}', ' ', 'g') ~ needle)
GROUP BY c.key ORDER BY c.key;

-- name: evidence
-- The bytes that stand for these memories, and for the statements and summaries that rest on them: ciphertexts,
-- vectors that no other row has too, and the keyed words of the memories themselves.
SELECT m.text_ciphertext AS sealed, m.attributes_ciphertext AS attributes, m.terms,
       CASE WHEN NOT EXISTS (SELECT 1 FROM memories o WHERE o.tenant_id = %(tenant_id)s AND o.embedding = m.embedding
                             AND NOT o.memory_id = ANY(%(ids)s)) THEN halfvec_send(m.embedding) END AS vector
FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND NOT m.is_summary
UNION ALL
SELECT s.text_ciphertext, NULL, ARRAY[]::bigint[], NULL FROM statements s
WHERE s.tenant_id = %(tenant_id)s AND EXISTS (
    SELECT 1 FROM statement_sources l WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id
      AND l.memory_id = ANY(%(ids)s))
UNION ALL
SELECT p.text_ciphertext, NULL, ARRAY[]::bigint[], NULL FROM past_statements p
WHERE p.tenant_id = %(tenant_id)s AND EXISTS (
    SELECT 1 FROM past_sources l WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id
      AND l.memory_id = ANY(%(ids)s))
UNION ALL
SELECT m.summary_ciphertext, NULL, ARRAY[]::bigint[], halfvec_send(m.embedding) FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.is_summary AND EXISTS (
    SELECT 1 FROM statements s
    JOIN statement_sources l ON l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id
    WHERE s.tenant_id = %(tenant_id)s AND s.node_id = m.memory_id AND l.memory_id = ANY(%(ids)s));

-- name: terms_elsewhere
-- Keyed words that raw memories other than these hold too.
SELECT DISTINCT t.term FROM memories m CROSS JOIN LATERAL unnest(m.terms) AS t(term)
WHERE m.tenant_id = %(tenant_id)s AND NOT m.is_summary AND NOT m.memory_id = ANY(%(ids)s) AND t.term = ANY(%(terms)s);

-- name: terms_of_statements
-- Which of these keyed words statements hold, with the memories that they rest on.
SELECT DISTINCT t.term, l.memory_id FROM statements s CROSS JOIN LATERAL unnest(s.terms) AS t(term)
JOIN statement_sources l ON l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id
WHERE s.tenant_id = %(tenant_id)s AND s.terms && %(terms)s::bigint[] AND t.term = ANY(%(terms)s::bigint[]);

-- name: ids_of_user_in_scan
-- The raw memories of a user.
SELECT memory_id FROM memories WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND NOT is_summary
ORDER BY memory_id;

-- name: user_key
-- A user's data key as it is stored.
SELECT wrapped FROM user_keys WHERE tenant_id = %(tenant_id)s AND user_ref = %(user_ref)s;

-- name: checkpoint
-- What is in memory goes to the files. As the owner.
CHECKPOINT;
