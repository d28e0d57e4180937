-- The history of summaries: their last refreshes, and what each said.

-- name: put_refresh
-- One refresh; the statements below go by its number, which is the highest.
INSERT INTO summary_refreshes (
    tenant_id, summary_id, number, refreshed_at, reason, made_by, fallback, came, went, counts, calls, tokens, cost)
SELECT m.tenant_id, m.memory_id, coalesce((
           SELECT max(r.number) FROM summary_refreshes r
           WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s), 0) + 1,
       %(now)s, %(reason)s, %(made_by)s, %(fallback)s, %(came)s, %(went)s, %(counts)s, %(calls)s, %(tokens)s, %(cost)s
FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = %(summary_id)s;

-- name: end_said
-- What is said no more.
UPDATE past_statements p SET went = (
    SELECT max(r.number) FROM summary_refreshes r WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s)
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.went IS NULL
  AND NOT p.wording = ANY(%(wordings)s::bytea[]);

-- name: begin_said
-- What is said anew.
INSERT INTO past_statements (
    tenant_id, statement_id, summary_id, position, text_ciphertext, importance, terms, wording, came)
SELECT m.tenant_id, s.statement_id, m.memory_id, s.position, s.text_ciphertext, s.importance, s.terms::bigint[], s.wording,
       (SELECT max(r.number) FROM summary_refreshes r
        WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s)
FROM memories m CROSS JOIN unnest(
    %(ids)s::text[], %(wordings)s::bytea[], %(texts)s::bytea[], %(importances)s::float8[], %(terms)s::text[]
) WITH ORDINALITY AS s (statement_id, wording, text_ciphertext, importance, terms, position)
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = %(summary_id)s AND NOT EXISTS (
    SELECT 1 FROM past_statements p WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s
      AND p.went IS NULL AND p.wording = s.wording);

-- name: said_rests_on
-- The memories that each statement rests on, whether it is new or was said before.
INSERT INTO past_sources (tenant_id, statement_id, memory_id)
SELECT DISTINCT p.tenant_id, p.statement_id, l.memory_id
FROM unnest(%(resting)s::text[], %(sources)s::text[], %(said)s::bytea[]) AS l (statement_id, memory_id, wording)
JOIN past_statements p ON p.wording = l.wording
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.went IS NULL
  AND (p.statement_id = l.statement_id OR NOT p.statement_id = ANY(%(ids)s::text[]))
ON CONFLICT DO NOTHING;

-- name: lapse_said
-- What was said too long ago goes.
DELETE FROM past_statements p
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.went <= (
    SELECT max(r.number) FROM summary_refreshes r
    WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s) - %(keep)s;

-- name: lapse_refreshes
-- And so do refreshes.
DELETE FROM summary_refreshes p
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = %(summary_id)s AND p.number <= (
    SELECT max(r.number) FROM summary_refreshes r
    WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s) - %(keep)s;

-- name: refreshes_of
-- The refreshes that are kept of a summary, the newest first, with the ids of memories that are still there.
SELECT r.number, r.refreshed_at, r.reason, r.made_by, r.fallback, r.counts, r.calls, r.tokens, r.cost,
       ARRAY(SELECT i.id FROM unnest(r.came) WITH ORDINALITY AS i (id, n) JOIN memories m
             ON m.tenant_id = %(tenant_id)s AND m.memory_id = i.id ORDER BY i.n) AS came,
       ARRAY(SELECT i.id FROM unnest(r.went) WITH ORDINALITY AS i (id, n) JOIN memories m
             ON m.tenant_id = %(tenant_id)s AND m.memory_id = i.id ORDER BY i.n) AS went
FROM summary_refreshes r WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = %(summary_id)s ORDER BY r.number DESC;

-- name: statements_of_history
-- What summaries said, in order.
SELECT p.statement_id, p.summary_id, p.text_ciphertext, p.importance, p.came, p.went, m.user_id,
       ARRAY(SELECT DISTINCT o.source_class FROM past_sources l
             JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
             WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id) AS classes,
       ARRAY(SELECT l.memory_id FROM past_sources l
             WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id ORDER BY l.memory_id) AS source_ids
FROM past_statements p JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = p.summary_id
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = ANY(%(ids)s) ORDER BY p.summary_id, p.position, p.came;

-- name: refreshes_at
-- Of these summaries the refresh that stood at a moment.
SELECT DISTINCT ON (r.summary_id) r.summary_id, r.number, r.refreshed_at, r.made_by, r.fallback, r.counts
FROM summary_refreshes r
WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = ANY(%(ids)s) AND r.refreshed_at <= %(as_of)s
ORDER BY r.summary_id, r.number DESC;

-- name: summaries_then
-- Summaries of a scope that stood at a moment and say something else since, by what they said then: which of these terms,
-- repeats kept, how many there are in all, and what it rests on. Those that are best by the terms come first.
SELECT m.memory_id AS id, said.hits, said.length, m.importance, m.created_at, resting.sources,
       resting.newest_at
FROM memories m
CROSS JOIN LATERAL (
    SELECT max(r.number) AS number FROM summary_refreshes r
    WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = m.memory_id AND r.refreshed_at <= %(at)s
) refresh
CROSS JOIN LATERAL (
    SELECT array_agg(t.term) FILTER (WHERE t.term = ANY(%(terms)s::bigint[])) AS hits, count(*)::integer AS length
    FROM past_statements p CROSS JOIN LATERAL unnest(p.terms) AS t (term)
    WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = m.memory_id
      AND p.came <= refresh.number AND (p.went IS NULL OR p.went > refresh.number)
) said
CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT o.memory_id) AS sources, max(o.created_at) AS newest_at
    FROM past_statements p
    JOIN past_sources l ON l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id
    JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
    WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = m.memory_id
      AND p.came <= refresh.number AND (p.went IS NULL OR p.went > refresh.number)
) resting
WHERE m.tenant_id = %(tenant_id)s AND m.is_summary AND m.created_at <= %(at)s AND m.updated_at > %(at)s
  AND said.hits IS NOT NULL AND {{filter}}
ORDER BY (SELECT count(DISTINCT h) FROM unnest(said.hits) AS h) DESC, said.length, m.memory_id
LIMIT %(limit)s;

-- name: summaries_since
-- Summaries of a scope that were made after a moment, by what they say of originals that had all been said and not been
-- replaced by then, and of which one has expired: as the query before.
SELECT m.memory_id AS id, said.hits, said.length, m.importance, resting.newest_at AS created_at, resting.sources,
       resting.newest_at
FROM memories m
CROSS JOIN LATERAL (
    SELECT array_agg(p.statement_id) AS ids FROM past_statements p
    WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = m.memory_id AND p.went IS NULL
      AND (SELECT bool_and(o.created_at <= %(at)s AND (o.superseded_at IS NULL OR o.superseded_at > %(at)s))
                  AND bool_or(o.retention_state = 'expired')
           FROM past_sources l JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
           WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id)
) then_
CROSS JOIN LATERAL (
    SELECT array_agg(t.term) FILTER (WHERE t.term = ANY(%(terms)s::bigint[])) AS hits, count(*)::integer AS length
    FROM past_statements p CROSS JOIN LATERAL unnest(p.terms) AS t (term)
    WHERE p.tenant_id = %(tenant_id)s AND p.statement_id = ANY(then_.ids)
) said
CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT o.memory_id) AS sources, max(o.created_at) AS newest_at
    FROM past_sources l JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
    WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = ANY(then_.ids)
) resting
WHERE m.tenant_id = %(tenant_id)s AND m.is_summary AND m.updated_at > %(at)s AND said.hits IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM summary_refreshes r WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = m.memory_id
                  AND r.refreshed_at <= %(at)s)
  AND {{filter}}
ORDER BY (SELECT count(DISTINCT h) FROM unnest(said.hits) AS h) DESC, said.length, m.memory_id
LIMIT %(limit)s;

-- name: said_by_then
-- Of these summaries what they say of originals that had all been said by a moment, and of which one has expired.
SELECT p.statement_id, p.summary_id, p.text_ciphertext, p.importance, m.user_id, of_it.classes, of_it.source_ids,
       of_it.newest_at
FROM past_statements p JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = p.summary_id
CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT o.source_class) AS classes, array_agg(l.memory_id ORDER BY l.memory_id) AS source_ids,
           max(o.created_at) AS newest_at, bool_or(o.retention_state = 'expired') AS expired,
           bool_and(o.created_at <= %(at)s AND (o.superseded_at IS NULL OR o.superseded_at > %(at)s)) AS by_then
    FROM past_sources l JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
    WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = p.statement_id
) of_it
WHERE p.tenant_id = %(tenant_id)s AND p.summary_id = ANY(%(ids)s) AND p.went IS NULL AND of_it.by_then AND of_it.expired
ORDER BY p.summary_id, p.position, p.came;
