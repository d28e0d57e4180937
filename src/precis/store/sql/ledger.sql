-- name: lock_ledger
-- Reservations of a tenant are made one after the other, so that the ceiling holds under load.
SELECT pg_advisory_xact_lock(hashtextextended(%(tenant_id)s, 11));

-- name: spent_since
-- What calls of this month took, or may take while they are under way; a lost reservation counts as spent.
SELECT coalesce(sum(CASE WHEN state = 'reserved' THEN reserved_cost ELSE cost END), 0)::double precision AS spent
FROM model_calls WHERE tenant_id = %(tenant_id)s AND created_at >= %(since)s;

-- name: reserve
-- Before a call.
INSERT INTO model_calls (tenant_id, call_id, policy, group_id, model, state, reserved_cost, created_at)
VALUES (%(tenant_id)s, %(call_id)s, %(policy)s, %(group_id)s, %(model)s, 'reserved', %(cost)s, %(now)s);

-- name: settle
-- After it.
UPDATE model_calls SET state = 'settled', outcome = %(outcome)s, cost = %(cost)s, tokens_in = %(tokens_in)s,
    tokens_out = %(tokens_out)s, tokens_cached = %(tokens_cached)s, latency_ms = %(latency_ms)s, settled_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND call_id = %(call_id)s;

-- name: costs
-- Spend by policy and month.
SELECT policy, date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month, count(*) AS calls,
       sum(tokens_in)::bigint AS tokens_in, sum(tokens_out)::bigint AS tokens_out,
       sum(CASE WHEN state = 'reserved' THEN reserved_cost ELSE cost END) AS cost
FROM model_calls WHERE tenant_id = %(tenant_id)s GROUP BY policy, month ORDER BY month DESC, policy;
