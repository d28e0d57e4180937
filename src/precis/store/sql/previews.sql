-- name: rows_to_find
-- The memories of a scope that a request in words may mean, each with its cosine to each phrase of the request (0 where
-- nothing can be read of one, as of a smiley); not those whose text has expired.
SELECT m.memory_id, m.user_id, m.session_id, m.namespace, m.agent_id, m.run_id, m.source_class, m.text_ciphertext,
       m.attributes_ciphertext, m.created_at, m.event_date, m.fingerprint,
       EXISTS (SELECT 1 FROM messages g WHERE g.tenant_id = %(tenant_id)s AND g.memory_id = m.memory_id
               AND g.payload_ciphertext IS NOT NULL) AS sealed,
       CASE WHEN m.embedding_version = %(version)s THEN ARRAY(
           SELECT coalesce(nullif(1 - (m.embedding <=> p.phrase), 'NaN'), 0)
           FROM unnest(%(phrases)s::halfvec[]) WITH ORDINALITY AS p (phrase, n) ORDER BY p.n) END AS likeness
FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND NOT m.is_summary AND m.text_ciphertext IS NOT NULL AND {{filter}}
ORDER BY m.created_at, m.memory_id;

-- name: expired_to_find
-- Of those whose text has expired, what stored nodes say that rests on them: first what rests on nothing else.
SELECT m.memory_id, m.user_id, m.session_id, m.namespace, m.agent_id, m.run_id, m.source_class,
       m.attributes_ciphertext, m.created_at, m.event_date, m.fingerprint, s.statement_id, s.text_ciphertext, g.user_id AS user_of_group, NOT EXISTS (
           SELECT 1 FROM statement_sources o
           WHERE o.tenant_id = %(tenant_id)s AND o.statement_id = s.statement_id AND o.memory_id <> m.memory_id) AS alone
FROM memories m
JOIN statement_sources l ON l.tenant_id = %(tenant_id)s AND l.memory_id = m.memory_id
JOIN statements s ON s.tenant_id = %(tenant_id)s AND s.statement_id = l.statement_id
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE m.tenant_id = %(tenant_id)s AND NOT m.is_summary AND m.retention_state = 'expired' AND {{filter}}
ORDER BY m.created_at, m.memory_id, n.kind = 'frozen' DESC, s.node_id, s.position;

-- name: summaries_resting_on
-- The standing summaries with a statement that rests on one of these memories.
SELECT DISTINCT s.node_id AS summary_id FROM statement_sources l
JOIN statements s ON s.tenant_id = %(tenant_id)s AND s.statement_id = l.statement_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = s.node_id
WHERE l.tenant_id = %(tenant_id)s AND l.memory_id = ANY(%(ids)s) ORDER BY s.node_id;

-- name: delete_old_previews
-- Those nobody may confirm any more.
DELETE FROM forget_previews WHERE tenant_id = %(tenant_id)s AND expires_at <= %(now)s;

-- name: insert_preview
-- What was shown, without a text.
INSERT INTO forget_previews (tenant_id, preview_id, user_id, created_at, expires_at, listed)
VALUES (%(tenant_id)s, %(preview_id)s, %(user_id)s, %(now)s, %(expires_at)s, %(listed)s);

-- name: insert_preview_rows
-- The memories of it; one that was forgotten meanwhile is not noted. The places that stay of each as a text, since lists
-- of lists are of one length.
INSERT INTO forget_preview_rows (tenant_id, preview_id, memory_id, fingerprint, sure, kept)
SELECT m.tenant_id, %(preview_id)s, m.memory_id, r.fingerprint, r.sure, r.kept::integer[]
FROM unnest(%(ids)s::text[], %(fingerprints)s::bytea[], %(sure)s::boolean[], %(kept)s::text[])
     AS r (memory_id, fingerprint, sure, kept)
JOIN memories m ON m.memory_id = r.memory_id
WHERE {{by_ids}};

-- name: get_preview
-- A preview that may still be confirmed.
SELECT user_id, expires_at, listed FROM forget_previews
WHERE tenant_id = %(tenant_id)s AND preview_id = %(preview_id)s AND expires_at > %(now)s FOR UPDATE;

-- name: preview_rows
-- What it listed, and whether that says today what it said then.
SELECT r.memory_id, r.sure, r.kept, r.fingerprint = m.fingerprint AND m.user_id = p.user_id AS unchanged
FROM forget_preview_rows r
JOIN forget_previews p ON p.tenant_id = %(tenant_id)s AND p.preview_id = r.preview_id
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = r.memory_id
WHERE r.tenant_id = %(tenant_id)s AND r.preview_id = %(preview_id)s ORDER BY r.memory_id FOR UPDATE OF m;

-- name: doubt_preview_rows
-- Of what was shown as sure somebody keeps these: they go only where they are chosen.
UPDATE forget_preview_rows SET sure = false
WHERE tenant_id = %(tenant_id)s AND preview_id = %(preview_id)s AND memory_id = ANY(%(ids)s) AND sure;

-- name: delete_preview
-- It was confirmed.
DELETE FROM forget_previews WHERE tenant_id = %(tenant_id)s AND preview_id = %(preview_id)s;

-- name: delete_previews_of_user
-- Everything else of a user goes as well.
DELETE FROM forget_previews WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;
