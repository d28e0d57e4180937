-- Which rows hold a term, kept beside the rows by store/changes/posting.py: the only place that writes or deletes them.

-- name: post_terms
-- The postings of rows that have none yet. An expired row is in no search. Term 0 counts the row itself.
INSERT INTO postings (tenant_id, term, user_id, memory_id, frequency, length, is_summary)
SELECT m.tenant_id, t.term, m.user_id, m.memory_id, count(*), cardinality(m.terms), m.is_summary
FROM memories m CROSS JOIN LATERAL unnest(m.terms || 0::bigint) AS t (term)
WHERE {{by_ids}} AND m.retention_state <> 'expired'
GROUP BY m.tenant_id, m.memory_id, t.term;

-- name: hold_terms
-- Rows whose terms are about to change or to go: whoever changes them meanwhile has ended before the postings are read.
SELECT memory_id FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) ORDER BY memory_id FOR NO KEY UPDATE;

-- name: unpost_terms
-- The postings of rows go, each found by its key: the rows still have the terms that they were posted with.
DELETE FROM postings p WHERE p.tenant_id = %(tenant_id)s AND p.ctid = ANY(ARRAY(
    SELECT o.ctid FROM memories m CROSS JOIN LATERAL unnest(m.terms || 0::bigint) AS t (term)
    CROSS JOIN LATERAL (
        SELECT q.ctid FROM postings q
        WHERE q.tenant_id = %(tenant_id)s AND q.term = t.term AND q.user_id = m.user_id AND q.memory_id = m.memory_id
        LIMIT 1) o
    WHERE {{by_ids}}));
