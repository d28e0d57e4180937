-- The history of summaries: their last refreshes, and what each said.

-- name: put_history
-- One refresh, all at once: what is said no more ends, what is said anew begins, and what lies too far back goes.
WITH refresh AS (
    INSERT INTO summary_refreshes (
        tenant_id, summary_id, number, refreshed_at, reason, made_by, fallback, came, went, counts, calls, tokens, cost)
    SELECT %(tenant_id)s, %(summary_id)s, coalesce(max(number), 0) + 1, %(now)s, %(reason)s, %(made_by)s, %(fallback)s,
           %(came)s, %(went)s, %(counts)s, %(calls)s, %(tokens)s, %(cost)s
    FROM summary_refreshes WHERE tenant_id = %(tenant_id)s AND summary_id = %(summary_id)s
    RETURNING number
), said AS (
    SELECT s.*, p.statement_id AS known FROM unnest(
        %(ids)s::text[], %(wordings)s::bytea[], %(texts)s::bytea[], %(importances)s::float8[], %(terms)s::text[]
    ) WITH ORDINALITY AS s (statement_id, wording, text_ciphertext, importance, terms, position)
    LEFT JOIN past_statements p ON p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.went IS NULL
        AND p.wording = s.wording
), ended AS (
    UPDATE past_statements p SET went = r.number FROM refresh r
    WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.went IS NULL
      AND NOT p.wording = ANY(%(wordings)s::bytea[])
), begun AS (
    INSERT INTO past_statements (
        tenant_id, statement_id, summary_id, position, text_ciphertext, importance, terms, wording, came)
    SELECT %(tenant_id)s, s.statement_id, %(summary_id)s, s.position, s.text_ciphertext, s.importance,
           s.terms::bigint[], s.wording, r.number FROM said s CROSS JOIN refresh r WHERE s.known IS NULL
), lapsed AS (
    DELETE FROM past_statements p USING refresh r
    WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.went <= r.number - %(keep)s
), dropped AS (
    DELETE FROM summary_refreshes p USING refresh r
    WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.number <= r.number - %(keep)s
)
INSERT INTO past_sources (tenant_id, statement_id, memory_id)
SELECT DISTINCT %(tenant_id)s, coalesce(s.known, s.statement_id), l.memory_id
FROM unnest(%(resting)s::text[], %(sources)s::text[]) AS l (statement_id, memory_id)
JOIN said s ON s.statement_id = l.statement_id
ON CONFLICT DO NOTHING;

-- name: refreshes_of
-- The refreshes that are kept of a summary, the newest first, with the ids of memories that are still there.
SELECT r.number, r.refreshed_at, r.reason, r.made_by, r.fallback, r.counts, r.calls, r.tokens, r.cost,
       ARRAY(SELECT i.id FROM unnest(r.came) WITH ORDINALITY AS i (id, n) JOIN memories m
             ON m.tenant_id = r.tenant_id AND m.memory_id = i.id ORDER BY i.n) AS came,
       ARRAY(SELECT i.id FROM unnest(r.went) WITH ORDINALITY AS i (id, n) JOIN memories m
             ON m.tenant_id = r.tenant_id AND m.memory_id = i.id ORDER BY i.n) AS went
FROM summary_refreshes r WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s ORDER BY r.number DESC;

-- name: statements_of_history
-- What summaries said, in order.
SELECT p.statement_id, p.summary_id, p.text_ciphertext, p.importance, p.came, p.went, m.user_id,
       ARRAY(SELECT DISTINCT o.source_class FROM past_sources l
             JOIN memories o ON o.tenant_id = l.tenant_id AND o.memory_id = l.memory_id
             WHERE l.tenant_id = p.tenant_id AND l.statement_id = p.statement_id) AS classes,
       ARRAY(SELECT l.memory_id FROM past_sources l
             WHERE l.tenant_id = p.tenant_id AND l.statement_id = p.statement_id ORDER BY l.memory_id) AS source_ids
FROM past_statements p JOIN memories m ON m.tenant_id = p.tenant_id AND m.memory_id = p.summary_id
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = ANY(%(ids)s) ORDER BY p.summary_id, p.position, p.came;

-- name: refreshes_at
-- Of these summaries the refresh that stood at a moment.
SELECT DISTINCT ON (r.summary_id) r.summary_id, r.number, r.refreshed_at, r.made_by, r.fallback, r.counts
FROM summary_refreshes r
WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = ANY(%(ids)s) AND r.refreshed_at <= %(as_of)s
ORDER BY r.summary_id, r.number DESC;
