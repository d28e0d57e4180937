-- Which memory replaces which, and what that means for recall and for summaries.

-- name: hold_superseded
-- The rows that are to be replaced, or that come back; neither a draft that cites them nor a forget goes on beside this.
SELECT memory_id, user_id, project_id, environment, is_summary, created_at, superseded_at, source_class FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) ORDER BY memory_id FOR UPDATE;

-- name: mark_replacing
-- These memories replace others.
UPDATE memories SET replaces = true
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(newer)s) AND NOT replaces;

-- name: put_supersessions
-- Newer memories replace older ones. What a writer says counts before what the rules say.
INSERT INTO supersessions (tenant_id, older_id, newer_id, since, basis)
SELECT m.tenant_id, p.older_id, m.memory_id, p.since, p.basis
FROM unnest(%(older)s::text[], %(newer)s::text[], %(since)s::timestamptz[], %(bases)s::text[])
    AS p (older_id, newer_id, since, basis)
JOIN memories m ON m.memory_id = p.newer_id
WHERE m.tenant_id = %(tenant_id)s
ON CONFLICT (tenant_id, older_id, newer_id) DO UPDATE SET basis = 'said' WHERE excluded.basis = 'said';

-- name: stand_against_rules
-- What a writer says to be newest is not held to be replaced by what it replaces, whatever the rules say.
DELETE FROM supersessions WHERE tenant_id = %(tenant_id)s AND basis = 'rule' AND older_id = ANY(%(newer)s);

-- name: going_round
-- Memories that replace, by others or at once, themselves.
WITH RECURSIVE chain (start, id) AS (
    SELECT DISTINCT n.id, n.id FROM unnest(%(newer)s::text[]) AS n (id)
    UNION
    SELECT c.start, s.newer_id FROM chain c
    JOIN supersessions s ON s.tenant_id = %(tenant_id)s AND s.older_id = c.id
)
SELECT DISTINCT c.start AS memory_id FROM chain c
JOIN supersessions s ON s.tenant_id = %(tenant_id)s AND s.older_id = c.id AND s.newer_id = c.start ORDER BY 1;

-- name: replaced_among
-- Which of these memories summaries are made without.
SELECT memory_id, replaced FROM memories WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: mark_superseded
-- What stands of the pairs, on the rows themselves; answers those of which no summary is made any more.
UPDATE memories m SET superseded_at = x.since, replaced = x.replaced
FROM (SELECT o.id, min(s.since) AS since, coalesce(bool_or(s.basis = 'said'), false) AS replaced
      FROM unnest(%(ids)s::text[]) AS o (id)
      LEFT JOIN supersessions s ON s.tenant_id = %(tenant_id)s AND s.older_id = o.id GROUP BY o.id) x
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = x.id
  AND (m.superseded_at, m.replaced) IS DISTINCT FROM (x.since, x.replaced)
RETURNING m.memory_id, m.replaced;

-- name: pairs_touching
-- What these memories replace, and what replaces them.
SELECT older_id, newer_id, since FROM supersessions
WHERE tenant_id = %(tenant_id)s AND (newer_id = ANY(%(ids)s) OR older_id = ANY(%(ids)s));

-- name: bridges
-- What memories that go replaced, with what replaced them: these stay replaced.
WITH RECURSIVE upward (older_id, newer_id, since, basis) AS (
    SELECT a.older_id, b.newer_id, b.since, a.basis FROM supersessions a
    JOIN supersessions b ON b.tenant_id = %(tenant_id)s AND b.older_id = a.newer_id
    WHERE a.tenant_id = %(tenant_id)s AND a.newer_id = ANY(%(ids)s)
    UNION
    SELECT u.older_id, b.newer_id, b.since, u.basis FROM upward u
    JOIN supersessions b ON b.tenant_id = %(tenant_id)s AND b.older_id = u.newer_id WHERE u.newer_id = ANY(%(ids)s)
)
SELECT older_id, newer_id, min(since) AS since, max(basis) AS basis FROM upward
WHERE NOT newer_id = ANY(%(ids)s) AND NOT older_id = ANY(%(ids)s) AND older_id <> newer_id
  AND NOT EXISTS (SELECT 1 FROM supersessions s WHERE s.tenant_id = %(tenant_id)s
                  AND s.older_id = upward.older_id AND s.newer_id = upward.newer_id)
GROUP BY older_id, newer_id;

-- name: delete_supersessions
-- These memories replace nothing any more, and nothing replaces them.
DELETE FROM supersessions WHERE tenant_id = %(tenant_id)s AND (newer_id = ANY(%(ids)s) OR older_id = ANY(%(ids)s));

-- name: take_back_supersessions
-- A memory no longer replaces what its writer said, or what the rules found of it, either way.
DELETE FROM supersessions WHERE tenant_id = %(tenant_id)s AND basis = ANY(%(bases)s)
  AND (newer_id = %(memory_id)s OR basis = 'rule' AND older_id = %(memory_id)s) RETURNING older_id, newer_id;

-- name: groups_of_superseded
-- The groups that hold these memories.
SELECT DISTINCT group_id FROM members WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) ORDER BY group_id;

-- name: say_no_more
-- Statements of summaries that rest on what is replaced. What had been displaced by one stays so until the refresh.
DELETE FROM statements s USING nodes n
WHERE s.tenant_id = %(tenant_id)s AND n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id AND n.kind = 'root'
  AND s.statement_id IN (
    SELECT statement_id FROM statement_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s));

-- name: redact_replaced
-- A summary that lost a statement no longer says what its key says. A frozen node keeps what it says, and is read
-- without it: what reads the node is made anew.
UPDATE nodes SET redactions = redactions + 1, content = NULL, prose_ciphertext = NULL, title_ciphertext = NULL
WHERE tenant_id = %(tenant_id)s AND kind IN ('frozen', 'root') AND node_id IN (
    SELECT node_id FROM node_sources WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s))
RETURNING CASE WHEN kind = 'root' THEN node_id END AS summary_id, group_id;

-- name: make_current
-- Groups of what was replaced, or came back: a draft in flight is outdated. Those with a summary are due.
UPDATE groups SET version = version + 1, lost = true, rejected = NULL, rejections = 0, suppressed = NULL,
    failed_at = NULL, attempts = 0,
    due_at = CASE WHEN summary_id IS NOT NULL OR %(back)s THEN least(due_at, %(now)s::timestamptz) ELSE due_at END
WHERE tenant_id = %(tenant_id)s AND group_id IN (
    SELECT group_id FROM members WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)
    UNION SELECT unnest(%(groups)s::text[]))
RETURNING group_id, part_of, due_at IS NOT NULL AS due;

-- name: put_asserted
-- Of what memories assert something.
INSERT INTO asserted (tenant_id, user_id, key, memory_id)
SELECT m.tenant_id, a.user_id, a.key, m.memory_id
FROM unnest(%(users)s::text[], %(keys)s::bigint[], %(ids)s::text[]) AS a (user_id, key, memory_id)
JOIN memories m ON m.memory_id = a.memory_id
WHERE {{by_ids}}
ON CONFLICT DO NOTHING;

-- name: delete_asserted
-- A memory says something else.
DELETE FROM asserted WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;

-- name: asserting
-- For each of these memories with its keys, the living ones of its scope that assert something of one of them, the
-- newest. Each row is looked up by its key: how many rows a tenant has is not known where a plan is for any tenant. Of
-- what very many assert alike, those of the highest ids are read: ids that precis makes rise with time.
SELECT w.memory_id AS compared_id, o.* FROM (
    SELECT k.memory_id, array_agg(k.key) AS keys
    FROM unnest(%(ids)s::text[], %(keys)s::bigint[]) AS k (memory_id, key) GROUP BY k.memory_id) k
CROSS JOIN LATERAL (
    SELECT x.memory_id, x.user_id, x.project_id, x.environment FROM memories x
    WHERE x.tenant_id = %(tenant_id)s AND x.memory_id = k.memory_id LIMIT 1) w
CROSS JOIN LATERAL (
    SELECT m.memory_id, m.text_ciphertext, m.attributes_ciphertext, m.created_at, m.source_class
    FROM (SELECT DISTINCT s.memory_id FROM unnest(k.keys) AS u (key) CROSS JOIN LATERAL (
        SELECT a.memory_id FROM asserted a WHERE a.tenant_id = %(tenant_id)s AND a.user_id = w.user_id AND a.key = u.key
        ORDER BY a.memory_id DESC LIMIT %(most)s) s) s
    CROSS JOIN LATERAL (
        SELECT x.* FROM memories x WHERE x.tenant_id = %(tenant_id)s AND x.memory_id = s.memory_id LIMIT 1) m
    WHERE m.project_id = w.project_id AND m.environment = w.environment AND m.text_ciphertext IS NOT NULL
      AND m.memory_id <> w.memory_id
    ORDER BY m.created_at DESC, m.memory_id DESC LIMIT %(limit)s) o;

-- name: unknown_at
-- Of a scope at a moment: memories known then whose text has expired since, and summaries that say something else since,
-- without those of which it is kept what they said.
SELECT count(*) FILTER (WHERE NOT m.is_summary AND m.retention_state = 'expired') AS expired,
       count(*) FILTER (WHERE m.is_summary AND m.updated_at > %(at)s AND NOT EXISTS (
           SELECT 1 FROM summary_refreshes r
           WHERE r.tenant_id = %(tenant_id)s AND r.summary_id = m.memory_id AND r.refreshed_at <= %(at)s
       )) AS summaries
FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.created_at <= %(at)s AND {{filter}};
