-- name: summary_group
-- The group a summary belongs to.
SELECT group_id, policy, user_id FROM groups WHERE tenant_id = %(tenant_id)s AND summary_id = %(summary_id)s;

-- name: served_sources
-- The memories that the served statements of a summary rest on.
SELECT DISTINCT l.memory_id FROM statements s
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN statement_sources l ON l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id
WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(summary_id)s AND s.superseded_by IS NULL
  AND s.importance >= n.served_from;

-- name: hold_memories_for_feedback
-- No draft that cites them commits until this transaction ends.
SELECT memory_id FROM memories WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
ORDER BY memory_id FOR UPDATE;

-- name: hold_groups_for_feedback
-- The groups whose summary has a statement that rests on one of these memories, and the one named.
SELECT group_id, summary_id, suppressed FROM groups
WHERE tenant_id = %(tenant_id)s AND group_id IN (
    SELECT n.group_id FROM statement_sources l
    JOIN statements s ON s.tenant_id = %(tenant_id)s AND s.statement_id = l.statement_id
    JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
    WHERE l.tenant_id = %(tenant_id)s AND l.memory_id = ANY(%(ids)s) AND n.kind = 'root'
    UNION SELECT %(group_id)s::text)
ORDER BY group_id FOR UPDATE;

-- name: said_for_feedback
-- Every statement of summaries that rests on one of these memories, and every one of the summary named.
SELECT s.statement_id, s.node_id, s.position, s.superseded_by, s.text_ciphertext, s.importance, s.terms,
       s.superseded_by IS NULL AND s.importance >= n.served_from AS served, g.user_id,
       ARRAY(SELECT DISTINCT o.source_class FROM statement_sources l
             JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
             WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id) AS classes,
       ARRAY(SELECT l.memory_id FROM statement_sources l
             WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id ORDER BY l.position) AS source_ids
FROM statements s
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id AND n.kind = 'root'
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
WHERE s.tenant_id = %(tenant_id)s AND (s.node_id = %(summary_id)s OR EXISTS (
    SELECT 1 FROM statement_sources l
    WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id AND l.memory_id = ANY(%(ids)s)))
ORDER BY s.node_id, s.position;

-- name: prose_of
-- The free prose of a summary.
SELECT prose_ciphertext FROM nodes WHERE tenant_id = %(tenant_id)s AND node_id = %(summary_id)s;

-- name: inputs_of
-- Every memory a summary has read.
SELECT memory_id FROM node_sources WHERE tenant_id = %(tenant_id)s AND node_id = %(summary_id)s;

-- name: insert_feedback
-- What somebody said of a summary.
INSERT INTO feedback (
    tenant_id, feedback_id, summary_id, group_id, policy, user_id, verdict, whole, note_ciphertext, created_at
) VALUES (
    %(tenant_id)s, %(feedback_id)s, %(summary_id)s, %(group_id)s, %(policy)s, %(user_id)s, %(verdict)s, %(whole)s,
    %(note_ciphertext)s, %(now)s
);

-- name: insert_mark
-- One statement it is about.
INSERT INTO feedback_marks (tenant_id, feedback_id, position, wording, terms, text_ciphertext)
VALUES (%(tenant_id)s, %(feedback_id)s, %(position)s, %(wording)s, %(terms)s, %(text_ciphertext)s);

-- name: insert_mark_sources
-- What that rests on.
INSERT INTO feedback_sources (tenant_id, feedback_id, position, memory_id)
SELECT m.tenant_id, m.feedback_id, m.position, s.memory_id
FROM feedback_marks m CROSS JOIN unnest(%(ids)s::text[]) AS s (memory_id)
WHERE m.tenant_id = %(tenant_id)s AND m.feedback_id = %(feedback_id)s AND m.position = %(position)s;

-- name: insert_inputs
-- What the summary had read.
INSERT INTO feedback_inputs (tenant_id, feedback_id, memory_id)
SELECT f.tenant_id, f.feedback_id, s.memory_id FROM feedback f CROSS JOIN unnest(%(ids)s::text[]) AS s (memory_id)
WHERE f.tenant_id = %(tenant_id)s AND f.feedback_id = %(feedback_id)s;

-- name: withdraw_statements
-- They are said no more.
DELETE FROM statements WHERE tenant_id = %(tenant_id)s AND statement_id = ANY(%(ids)s)
RETURNING node_id, position, superseded_by;

-- name: withdraw_nodes
-- A summary that lost a statement no longer says what its key says; prose and title rest on all that was read.
UPDATE nodes SET redactions = redactions + 1, content = NULL, prose_ciphertext = NULL, title_ciphertext = NULL
WHERE tenant_id = %(tenant_id)s AND node_id = ANY(%(summaries)s);

-- name: withdraw_rows
-- Text and vector go; the terms are those of what is left.
UPDATE memories s SET
    summary_ciphertext = NULL, embedding = NULL, embedding_version = NULL, updated_at = %(now)s,
    terms = coalesce((SELECT array_agg(t.term) FROM statements st CROSS JOIN unnest(st.terms) AS t (term)
                      JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = st.node_id
                      WHERE st.tenant_id = %(tenant_id)s AND st.node_id = s.memory_id
                        AND st.superseded_by IS NULL AND st.importance >= n.served_from), '{}')
WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = ANY(%(summaries)s) AND s.is_summary;

-- name: silent_summaries
-- Those of which nothing is left that is served.
SELECT n.node_id AS summary_id FROM nodes n
WHERE n.tenant_id = %(tenant_id)s AND n.node_id = ANY(%(summaries)s) AND NOT EXISTS (
    SELECT 1 FROM statements s WHERE s.tenant_id = %(tenant_id)s AND s.node_id = n.node_id AND s.superseded_by IS NULL);

-- name: make_anew
-- Groups whose summary has to be made anew; what reads it is stale by it, and a draft in flight is outdated.
UPDATE groups SET version = version + 1, lost = true, rejected = NULL, failed_at = NULL, attempts = 0,
    due_at = least(due_at, %(now)s::timestamptz),
    suppressed = CASE WHEN %(lifts)s AND position(%(silenced)s::bytea IN suppressed) = 1 THEN NULL ELSE suppressed END
WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s) RETURNING group_id, part_of;

-- name: marks_of_group
-- The statements marked as wrong that rested on a member of a group.
SELECT m.feedback_id, m.position, m.wording,
       ARRAY(SELECT s.memory_id FROM feedback_sources s WHERE s.tenant_id = %(tenant_id)s
             AND s.feedback_id = m.feedback_id AND s.position = m.position) AS sources,
       ARRAY(SELECT i.memory_id FROM feedback_inputs i WHERE i.tenant_id = %(tenant_id)s
             AND i.feedback_id = m.feedback_id) AS inputs
FROM feedback_marks m JOIN feedback f ON f.tenant_id = %(tenant_id)s AND f.feedback_id = m.feedback_id
WHERE m.tenant_id = %(tenant_id)s AND f.verdict = 'wrong' AND EXISTS (
    SELECT 1 FROM feedback_sources s
    JOIN members b ON b.tenant_id = %(tenant_id)s AND b.memory_id = s.memory_id AND b.group_id = %(group_id)s
    WHERE s.tenant_id = %(tenant_id)s AND s.feedback_id = m.feedback_id AND s.position = m.position);

-- name: marks_on
-- Which marks rest on these memories: a commit asks whether its draft has heard of all.
SELECT DISTINCT s.feedback_id, s.position FROM feedback_sources s
JOIN feedback f ON f.tenant_id = %(tenant_id)s AND f.feedback_id = s.feedback_id
WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = ANY(%(ids)s) AND f.verdict = 'wrong';

-- name: list_feedback
-- Newest first.
SELECT feedback_id, summary_id, group_id, policy, user_id, verdict, whole, note_ciphertext, created_at FROM feedback
WHERE tenant_id = %(tenant_id)s AND (%(summary_id)s::text IS NULL OR summary_id = %(summary_id)s)
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND (%(verdict)s::text IS NULL OR verdict = %(verdict)s)
  AND (%(before)s::timestamptz IS NULL OR (created_at, feedback_id) < (%(before)s, %(before_id)s))
ORDER BY created_at DESC, feedback_id DESC LIMIT %(limit)s;

-- name: get_feedback
-- One of them.
SELECT feedback_id, summary_id, group_id, policy, user_id, verdict, whole, note_ciphertext, created_at FROM feedback
WHERE tenant_id = %(tenant_id)s AND feedback_id = %(feedback_id)s;

-- name: marks_of
-- What these are about, with the memories it rested on.
SELECT m.feedback_id, m.position, m.text_ciphertext,
       ARRAY(SELECT s.memory_id FROM feedback_sources s WHERE s.tenant_id = %(tenant_id)s
             AND s.feedback_id = m.feedback_id AND s.position = m.position ORDER BY s.memory_id) AS sources
FROM feedback_marks m WHERE m.tenant_id = %(tenant_id)s AND m.feedback_id = ANY(%(ids)s)
ORDER BY m.feedback_id, m.position;

-- name: hold_groups_of
-- The groups that hold these memories.
SELECT group_id, summary_id, suppressed FROM groups
WHERE tenant_id = %(tenant_id)s AND group_id IN (
    SELECT group_id FROM members WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s))
ORDER BY group_id FOR UPDATE;

-- name: unkey_roots
-- Summaries that have to be made anew although their sources are the same; what they say stands meanwhile.
UPDATE nodes SET redactions = redactions + 1 WHERE tenant_id = %(tenant_id)s AND node_id = ANY(%(summaries)s);

-- name: delete_feedback
-- It was taken back.
DELETE FROM feedback WHERE tenant_id = %(tenant_id)s AND feedback_id = %(feedback_id)s;

-- name: forget_texts
-- The words of a mark that rests on one of these memories, and of the note beside it.
WITH touched AS MATERIALIZED (
    SELECT feedback_id, position FROM feedback_sources
    WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
), notes AS (
    UPDATE feedback SET note_ciphertext = NULL
    WHERE tenant_id = %(tenant_id)s AND feedback_id IN (SELECT feedback_id FROM touched)
)
UPDATE feedback_marks m SET text_ciphertext = NULL FROM touched t
WHERE m.tenant_id = %(tenant_id)s AND m.feedback_id = t.feedback_id AND m.position = t.position;

-- name: forget_marks
-- Marks that rest on these memories, but for those whose every word another memory they rest on holds too.
DELETE FROM feedback_marks m WHERE m.tenant_id = %(tenant_id)s
  AND EXISTS (SELECT 1 FROM feedback_sources s WHERE s.tenant_id = %(tenant_id)s AND s.feedback_id = m.feedback_id
              AND s.position = m.position AND s.memory_id = ANY(%(ids)s))
  AND (m.terms = '{}' OR EXISTS (
      SELECT 1 FROM unnest(m.terms) AS w (term) WHERE NOT EXISTS (
          SELECT 1 FROM feedback_sources s
          JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = s.memory_id
          WHERE s.tenant_id = %(tenant_id)s AND s.feedback_id = m.feedback_id AND s.position = m.position
            AND NOT s.memory_id = ANY(%(ids)s) AND w.term = ANY(o.terms))));

-- name: forget_sources
-- What is left of marks no longer rests on these memories.
DELETE FROM feedback_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: forget_inputs
-- Nor has what was marked read them.
DELETE FROM feedback_inputs WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: forget_feedback
-- Feedback about nothing that is left.
DELETE FROM feedback f WHERE f.tenant_id = %(tenant_id)s AND NOT EXISTS (
    SELECT 1 FROM feedback_marks m WHERE m.tenant_id = %(tenant_id)s AND m.feedback_id = f.feedback_id);
