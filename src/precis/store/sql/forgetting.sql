-- name: lock_memories
-- The rows to forget or edit; no draft that cites them commits until this transaction ends.
SELECT memory_id, user_id, is_summary, terms, updated_at FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) ORDER BY memory_id FOR UPDATE;

-- name: traces_of_user
-- Whether anything is of this user: a key, or a row of any kind that names whose it is.
SELECT 1 AS trace
WHERE EXISTS (SELECT 1 FROM user_keys WHERE tenant_id = %(tenant_id)s AND user_ref = %(user_ref)s)
   OR EXISTS (SELECT 1 FROM memories WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
   OR EXISTS (SELECT 1 FROM groups WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
   OR EXISTS (SELECT 1 FROM conversations WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
   OR EXISTS (SELECT 1 FROM zones WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
   OR EXISTS (SELECT 1 FROM pool_batches WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s);

-- name: ids_of_user
-- Every raw row of a user.
SELECT memory_id FROM memories WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND NOT is_summary;

-- name: last_written
-- When somebody last wrote anything of a user: a raw row, a turn of a conversation, feedback. Null where there is none.
SELECT greatest(
    (SELECT max(updated_at) FROM memories WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND NOT is_summary),
    (SELECT max(updated_at) FROM conversations WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s),
    (SELECT max(created_at) FROM feedback WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)) AS last_written;

-- name: last_turns
-- When the conversations of these messages were last written; their writers end first, or wait.
SELECT m.memory_id, c.updated_at FROM messages m
JOIN conversations c ON c.tenant_id = %(tenant_id)s AND c.conversation_id = m.conversation_id
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) ORDER BY c.conversation_id FOR SHARE OF c;

-- name: ids_of_user_until
-- Every raw row of a user that was written up to a moment, and not later. Not by created_at, which its writer names.
SELECT memory_id FROM memories
WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND NOT is_summary AND updated_at <= %(until)s;

-- name: delete_conversations_until
-- Those of a user in which nothing was written later, and of which no message stayed.
DELETE FROM conversations c WHERE c.tenant_id = %(tenant_id)s AND c.user_id = %(user_id)s AND c.updated_at <= %(until)s
  AND NOT EXISTS (
      SELECT 1 FROM messages m WHERE m.tenant_id = %(tenant_id)s AND m.conversation_id = c.conversation_id);

-- name: delete_feedback_until
-- What was said up to a moment of a user's summaries, where it rests on no memory that stayed.
DELETE FROM feedback f WHERE f.tenant_id = %(tenant_id)s AND f.user_id = %(user_id)s AND f.created_at <= %(until)s
  AND NOT EXISTS (
      SELECT 1 FROM feedback_sources s WHERE s.tenant_id = %(tenant_id)s AND s.feedback_id = f.feedback_id);

-- name: pools_of_user
-- Other people's stores in which a user's memories were summarized.
SELECT DISTINCT pool FROM pool_batches
WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s ORDER BY pool;

-- name: lock_groups_of
-- The groups that hold these memories, and those they left in which something still rests on them.
SELECT group_id, summary_id FROM groups
WHERE tenant_id = %(tenant_id)s AND group_id IN (
    SELECT group_id FROM members WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
    UNION
    SELECT n.group_id FROM node_sources s JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
    WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = ANY(%(ids)s))
ORDER BY group_id FOR UPDATE;

-- name: delete_live_nodes
-- Nodes below a summary that read one of these memories, and their ancestors, which read it too.
DELETE FROM nodes WHERE tenant_id = %(tenant_id)s AND kind NOT IN ('root', 'frozen') AND node_id IN (
    SELECT node_id FROM node_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s))
RETURNING node_id;

-- name: delete_statements
-- Statements that rest on these memories, and those with a term of theirs that no remaining source of the node holds.
WITH touched AS MATERIALIZED (
    SELECT DISTINCT node_id FROM node_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
), rare AS MATERIALIZED (
    SELECT t.node_id, w.term FROM touched t CROSS JOIN unnest(%(terms)s::bigint[]) AS w (term)
    WHERE NOT EXISTS (
        SELECT 1 FROM node_sources o
        JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = o.memory_id
        WHERE o.tenant_id = %(tenant_id)s AND o.node_id = t.node_id AND NOT o.memory_id = ANY(%(ids)s)
          AND w.term = ANY(m.terms))
), gone AS (
    SELECT statement_id FROM statement_sources
    WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
    UNION
    SELECT s.statement_id FROM statements s JOIN rare r ON r.node_id = s.node_id
    WHERE s.tenant_id = %(tenant_id)s AND r.term = ANY(s.terms)
)
DELETE FROM statements WHERE tenant_id = %(tenant_id)s AND statement_id IN (SELECT statement_id FROM gone)
RETURNING node_id, position, superseded_by;

-- name: restore_displaced
-- A statement comes back when the newer one that displaced it is gone, unless that one was displaced by one that stands.
UPDATE statements s SET superseded_by = g.newer
FROM unnest(%(nodes)s::text[], %(positions)s::integer[], %(newer)s::integer[]) AS g (node_id, position, newer)
WHERE s.tenant_id = %(tenant_id)s AND s.node_id = g.node_id AND s.superseded_by = g.position;

-- name: forget_past
-- What summaries said before that rests on these memories; and what a summary of these groups said with a term of theirs
-- that no memory it rested on holds.
DELETE FROM past_statements p WHERE p.tenant_id = %(tenant_id)s AND (
    p.statement_id IN (SELECT statement_id FROM past_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s))
    OR p.summary_id IN (SELECT summary_id FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s))
       AND EXISTS (
        SELECT 1 FROM unnest(p.terms) AS w (term) WHERE w.term = ANY(%(terms)s::bigint[]) AND NOT EXISTS (
            SELECT 1 FROM past_sources l JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = l.memory_id
            WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id AND w.term = ANY(m.terms))));

-- name: forget_past_ids
-- Which refreshes of the summaries of these groups read them.
UPDATE summary_refreshes r SET
    came = ARRAY(SELECT i FROM unnest(r.came) AS i WHERE NOT i = ANY(%(ids)s)),
    went = ARRAY(SELECT i FROM unnest(r.went) AS i WHERE NOT i = ANY(%(ids)s))
WHERE r.tenant_id = %(tenant_id)s AND (r.came && %(ids)s::text[] OR r.went && %(ids)s::text[])
  AND r.summary_id IN (SELECT summary_id FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s));

-- name: redact_nodes
-- A redaction re-keys a frozen node and so its parents; a redacted root no longer says what its key says. Prose and
-- title rest on all that was read.
UPDATE nodes SET redactions = redactions + 1, content = NULL, prose_ciphertext = NULL, title_ciphertext = NULL
WHERE tenant_id = %(tenant_id)s AND kind IN ('frozen', 'root') AND node_id IN (
    SELECT node_id FROM node_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s))
RETURNING node_id;

-- name: detach_sources
-- What is left of the nodes no longer rests on these memories.
DELETE FROM node_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: detach_members
-- The memories leave their groups, or only their clusters: what follows a rule is placed anew by it.
DELETE FROM members b WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = ANY(%(ids)s) AND NOT (%(clusters)s AND EXISTS (
    SELECT 1 FROM groups g
    WHERE g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id AND g.place IS NOT NULL));

-- name: delete_empty_frozen
-- A frozen node without members has nothing left to speak for.
DELETE FROM nodes n WHERE n.tenant_id = %(tenant_id)s AND n.group_id = ANY(%(groups)s) AND n.kind = 'frozen'
  AND NOT EXISTS (SELECT 1 FROM node_sources s WHERE s.tenant_id = %(tenant_id)s AND s.node_id = n.node_id);

-- name: redact_summaries
-- Text and vector of the touched summaries go; terms, sources and importance are those of what is left.
UPDATE memories s SET
    summary_ciphertext = NULL, embedding = NULL, embedding_version = NULL,
    parent_id = ARRAY(SELECT p.id FROM unnest(s.parent_id) WITH ORDINALITY AS p (id, n)
                      WHERE NOT p.id = ANY(%(ids)s) ORDER BY p.n),
    terms = coalesce((SELECT array_agg(t.term) FROM statements st CROSS JOIN unnest(st.terms) AS t (term)
                      JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = st.node_id
                      WHERE st.tenant_id = %(tenant_id)s AND st.node_id = s.memory_id
                        AND st.superseded_by IS NULL AND st.importance >= n.served_from), '{}'),
    importance = coalesce((SELECT avg(m.importance) FROM members g
                           JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = g.memory_id
                           JOIN groups o ON o.tenant_id = %(tenant_id)s AND o.group_id = g.group_id
                           WHERE g.tenant_id = %(tenant_id)s AND o.tenant_id = %(tenant_id)s AND o.summary_id = s.memory_id
                             AND m.retention_state <> 'expired' AND NOT m.replaced), s.importance),
    key_hash = NULL, person_hash = NULL, attributes_ciphertext = NULL, updated_at = %(now)s
WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = ANY(%(summaries)s);

-- name: summaries_left
-- Which of these summaries still say something, and how much.
SELECT s.node_id AS summary_id, count(*) AS statements, count(*) FILTER (WHERE s.superseded_by IS NULL) AS served
FROM statements s WHERE s.tenant_id = %(tenant_id)s AND s.node_id = ANY(%(summaries)s) GROUP BY s.node_id;

-- name: drop_summary
-- The node and the statements of a summary go, and its place in the group.
WITH node AS (
    DELETE FROM nodes WHERE tenant_id = %(tenant_id)s AND node_id = %(summary_id)s
)
UPDATE groups SET summary_id = NULL WHERE tenant_id = %(tenant_id)s AND summary_id = %(summary_id)s;

-- name: delete_memories
-- The rows themselves; their postings went before.
DELETE FROM memories WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: aliases_of
-- The other ids of these memories.
SELECT alias_id FROM aliases WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: insert_tombstone
-- Remember the keyed hash of a forgotten id.
INSERT INTO tombstones (tenant_id, memory_hash, forgotten_at, renewable)
VALUES (%(tenant_id)s, %(hash)s, %(now)s, %(renewable)s)
ON CONFLICT (tenant_id, memory_hash) DO UPDATE SET
    forgotten_at = excluded.forgotten_at, renewable = tombstones.renewable AND excluded.renewable;

-- name: delete_tombstones
-- Revived ids.
DELETE FROM tombstones WHERE tenant_id = %(tenant_id)s AND memory_hash = ANY(%(hashes)s);

-- name: insert_revival
-- A forgotten id is written again: the forgotten-log is told so after the commit.
INSERT INTO revivals (tenant_id, memory_hash, content_hash) VALUES (%(tenant_id)s, %(hash)s, %(content)s)
ON CONFLICT (tenant_id, memory_hash) DO UPDATE SET content_hash = excluded.content_hash;

-- name: hold_revivals
-- What the forgotten-log is still to be told; a forget of the same id waits, or takes the row away first.
SELECT memory_hash, content_hash FROM revivals WHERE tenant_id = %(tenant_id)s ORDER BY memory_hash FOR UPDATE;

-- name: delete_revivals
-- It was told, or the id was forgotten again.
DELETE FROM revivals WHERE tenant_id = %(tenant_id)s AND memory_hash = ANY(%(hashes)s);

-- name: regroup
-- After members left: figures and centroid from the living, subject and person from who is left, and stale. While an
-- embedder is replaced members have vectors of two: the centroid stays that of the one it was of as long as there is any.
UPDATE groups g SET
    members = l.members, centroid = l.centroid, centroid_version = l.centroid_version, lost = true,
    version = g.version + 1,
    rejected = NULL, rejections = 0, suppressed = NULL, failed_at = NULL, attempts = 0,
    summary_id = CASE WHEN g.summary_id = ANY(%(dropped)s) THEN NULL ELSE g.summary_id END,
    key_memory_id = CASE WHEN g.key_memory_id = ANY(%(ids)s) THEN l.key_memory_id ELSE g.key_memory_id END,
    person_memory_id = CASE WHEN g.person_memory_id = ANY(%(ids)s) THEN l.person_memory_id ELSE g.person_memory_id END
FROM (
    SELECT o.group_id, count(m.memory_id) AS members,
           n.version AS centroid_version,
           avg(m.embedding::vector) FILTER (WHERE m.embedding_version = n.version
                                            AND vector_dims(m.embedding) = n.width) AS centroid,
           (array_agg(m.memory_id ORDER BY m.created_at, m.memory_id) FILTER (WHERE m.key_hash IS NOT NULL))[1]
               AS key_memory_id,
           (array_agg(m.memory_id ORDER BY m.created_at, m.memory_id) FILTER (WHERE m.person_hash IS NOT NULL))[1]
               AS person_memory_id
    FROM groups o
    LEFT JOIN LATERAL (
        SELECT v.embedding_version AS version, vector_dims(v.embedding) AS width
        FROM members w JOIN memories v ON v.tenant_id = %(tenant_id)s AND v.memory_id = w.memory_id
        WHERE o.place IS NULL AND w.tenant_id = %(tenant_id)s AND w.group_id = o.group_id
          AND v.embedding IS NOT NULL AND v.embedding_version IS NOT NULL
        ORDER BY v.embedding_version IS DISTINCT FROM o.centroid_version, v.created_at DESC, v.memory_id LIMIT 1
    ) n ON true
    LEFT JOIN members b ON b.tenant_id = %(tenant_id)s AND b.group_id = o.group_id
    LEFT JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
    WHERE o.tenant_id = %(tenant_id)s AND o.group_id = ANY(%(groups)s) GROUP BY o.group_id, n.version, n.width
) l
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = l.group_id
RETURNING g.group_id, g.policy, g.members, g.summary_id, g.view_id, g.added, g.lost;

-- name: set_due
-- Those with members enough want a refresh; the others wait for more. What was never made waits for its time.
UPDATE groups SET due_at = CASE
    WHEN NOT group_id = ANY(%(queued)s::text[]) THEN NULL
    WHEN place IS NOT NULL AND refreshed_version = 0 AND (due_at > %(now)s::timestamptz OR view_id IS NOT NULL) THEN due_at
    ELSE %(now)s::timestamptz END
WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s);

-- name: delete_groups
-- Groups nobody is left in.
DELETE FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s);

-- name: delete_groups_of_user
-- Whatever else a user had.
DELETE FROM groups WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: delete_zone_of_user
-- Where they lived.
DELETE FROM zones WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: delete_feedback_of_user
-- What was said of their summaries.
DELETE FROM feedback WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: delete_counts_of_user
-- How many memories they had when the archive last counted.
DELETE FROM archive_counts WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND pool = '';

-- name: rows_of_user
-- Summary rows included.
SELECT memory_id FROM memories WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: delete_conversations_of_user
-- Names and properties; the messages went as memories do.
DELETE FROM conversations WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: known_receipts
-- Which of these forgets the database has heard of.
SELECT receipt_id FROM receipts WHERE tenant_id = %(tenant_id)s AND receipt_id = ANY(%(ids)s);

-- name: read_mark
-- How far the database has heard of the forgotten-log.
SELECT body FROM receipts WHERE tenant_id = %(tenant_id)s AND receipt_id = %(receipt_id)s;

-- name: keep_mark
-- It has heard of all up to here.
INSERT INTO receipts (tenant_id, receipt_id, created_at, body)
VALUES (%(tenant_id)s, %(receipt_id)s, %(now)s, %(body)s)
ON CONFLICT (tenant_id, receipt_id) DO UPDATE SET created_at = excluded.created_at, body = excluded.body;

-- name: all_memory_ids
-- Every raw row, to find the ones a restored copy should not have.
SELECT memory_id FROM memories WHERE tenant_id = %(tenant_id)s AND NOT is_summary;

-- name: all_user_ids
-- Every user with a row of any kind.
SELECT user_id FROM memories WHERE tenant_id = %(tenant_id)s
UNION SELECT user_id FROM groups WHERE tenant_id = %(tenant_id)s
UNION SELECT user_id FROM conversations WHERE tenant_id = %(tenant_id)s
UNION SELECT user_id FROM zones WHERE tenant_id = %(tenant_id)s
UNION SELECT user_id FROM pool_batches WHERE tenant_id = %(tenant_id)s
UNION SELECT user_id FROM feedback WHERE tenant_id = %(tenant_id)s
UNION SELECT user_id FROM archive_counts WHERE tenant_id = %(tenant_id)s AND pool = '';

-- name: covered_sources
-- Law 6: those of these rows that a current summary of a policy which lets its originals go says in full, or has set
-- aside for a reason (no stand-in; and what is said is in the lineage of a served statement); for which a frozen node of
-- that group speaks; and no summary stands over them that lacks one, or a part that has one.
SELECT m.memory_id FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND NOT m.is_summary AND NOT m.replaced
  AND m.retention_state <> 'expired'
  AND EXISTS (
      SELECT 1 FROM members b
      JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
      JOIN nodes r ON r.tenant_id = %(tenant_id)s AND r.node_id = g.summary_id
      JOIN node_sources f ON f.tenant_id = %(tenant_id)s AND f.node_id = r.node_id AND f.memory_id = b.memory_id
      JOIN node_sources s ON s.tenant_id = %(tenant_id)s AND s.memory_id = b.memory_id
      JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id AND n.group_id = g.group_id
      WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = m.memory_id AND g.policy = ANY(%(policies)s::text[])
        AND g.version = g.refreshed_version AND g.rejected IS NULL AND NOT r.fallback AND n.kind = 'frozen'
        AND f.fate IS NOT NULL AND (f.fate <> 'said' OR EXISTS (
            SELECT 1 FROM statements t
            JOIN statement_sources l ON l.tenant_id = %(tenant_id)s AND l.statement_id = t.statement_id
            WHERE t.tenant_id = %(tenant_id)s AND t.node_id = r.node_id AND l.memory_id = m.memory_id
              AND t.superseded_by IS NULL AND t.importance >= r.served_from)))
  AND NOT EXISTS (
      SELECT 1 FROM members b JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
      WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = m.memory_id AND g.summary_id IS NOT NULL AND (
          g.version > g.refreshed_version OR g.rejected IS NOT NULL OR NOT EXISTS (
              SELECT 1 FROM node_sources s
              JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
              JOIN groups o ON o.tenant_id = %(tenant_id)s AND o.group_id = n.group_id
              WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = m.memory_id AND n.kind = 'frozen'
                AND (o.group_id = g.group_id OR o.part_of = g.group_id AND o.summary_id IS NOT NULL))))
ORDER BY m.memory_id FOR UPDATE;

-- name: expire_memory
-- Text and vector go; the stub stays: id, fingerprint, tokens, date, keyed terms, subject.
UPDATE memories SET text_ciphertext = NULL, embedding = NULL, embedding_version = NULL,
    passages = NULL, topic_hashes = NULL, entity_hashes = NULL, text_hash = NULL,
    attributes_ciphertext = %(attributes_ciphertext)s, retention_state = 'expired', updated_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;
