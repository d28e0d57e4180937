-- name: lock_ledger
-- Reservations of a tenant are made one after the other, so that slots and ceiling hold under load.
SELECT pg_advisory_xact_lock(hashtextextended(%(tenant_id)s, 11));

-- name: reap
-- Calls that nobody settled in time, because their process died: spent, as far as anybody can know.
UPDATE model_calls SET state = 'lost', outcome = 'lost', cost = reserved_cost, settled_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND state = 'reserved' AND created_at <= %(before)s;

-- name: under_way
-- The slots in use.
SELECT count(*) AS calls FROM model_calls WHERE tenant_id = %(tenant_id)s AND state = 'reserved';

-- name: spent_since
-- What calls of this month took, or may take while they are under way; a lost reservation counts as spent.
SELECT coalesce(sum(CASE WHEN state = 'reserved' THEN reserved_cost ELSE cost END), 0)::double precision AS spent
FROM model_calls WHERE tenant_id = %(tenant_id)s AND created_at >= %(since)s;

-- name: reserve
-- Before a call.
INSERT INTO model_calls (
    tenant_id, call_id, policy, group_id, model, kind, state, reserved_cost, asked_tokens, created_at
) VALUES (
    %(tenant_id)s, %(call_id)s, %(policy)s, %(group_id)s, %(model)s, %(kind)s, 'reserved', %(cost)s, %(asked)s, %(now)s
);

-- name: withdraw
-- The call was never made: whoever reserved it gave up at that moment.
DELETE FROM model_calls WHERE tenant_id = %(tenant_id)s AND call_id = %(call_id)s AND state = 'reserved';

-- name: settle
-- After it; also late, when the reservation was taken for lost.
UPDATE model_calls SET state = 'settled', outcome = %(outcome)s, cost = %(cost)s, tokens_in = %(tokens_in)s,
    tokens_out = %(tokens_out)s, tokens_cached = %(tokens_cached)s, latency_ms = %(latency_ms)s, settled_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND call_id = %(call_id)s AND state <> 'settled';

-- name: costs
-- Spend by policy and month.
SELECT tenant_id, policy, date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month, count(*) AS calls,
       count(*) FILTER (WHERE outcome <> 'ok') AS failed, count(*) FILTER (WHERE state = 'lost') AS lost,
       sum(tokens_in)::bigint AS tokens_in, sum(tokens_out)::bigint AS tokens_out,
       sum(tokens_cached)::bigint AS tokens_cached,
       sum(CASE WHEN state = 'reserved' THEN reserved_cost ELSE cost END) AS cost
FROM model_calls WHERE tenant_id = %(tenant_id)s GROUP BY tenant_id, policy, month ORDER BY month DESC, policy;

-- name: calls
-- The latest calls, newest first.
SELECT c.call_id, c.policy, c.group_id, g.summary_id, c.model, c.state, c.outcome, c.tokens_in, c.tokens_out,
       c.tokens_cached, CASE WHEN c.state = 'reserved' THEN c.reserved_cost ELSE c.cost END AS cost, c.latency_ms,
       c.created_at
FROM model_calls c LEFT JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = c.group_id
WHERE c.tenant_id = %(tenant_id)s ORDER BY c.created_at DESC, c.call_id DESC LIMIT %(limit)s;

-- name: answers
-- How long the latest good answers were, against what was asked for, by kind of node.
SELECT kind, sum(asked_tokens)::bigint AS asked, sum(tokens_out)::bigint AS written FROM (
    SELECT kind, asked_tokens, tokens_out FROM model_calls
    WHERE tenant_id = %(tenant_id)s AND policy = %(policy)s AND model = %(model)s AND outcome = 'ok'
      AND asked_tokens > 0
    ORDER BY created_at DESC LIMIT %(limit)s
) latest GROUP BY kind ORDER BY kind;
