-- The rows of memories m with these ids, each looked up by its key. A plan for any tenant takes each for one of average
-- size; where ids are compared as a list, it walks through all rows of a large one. For reading: a row that somebody
-- changes meanwhile is another one by then. DISTINCT keeps the look-up apart; Citus inserts from no select with LIMIT.
m.tenant_id = %(tenant_id)s AND m.ctid = ANY(ARRAY(
    SELECT k.ctid FROM unnest(%(ids)s::text[]) AS i (memory_id)
    CROSS JOIN LATERAL (
        SELECT DISTINCT x.ctid FROM memories x WHERE x.tenant_id = %(tenant_id)s AND x.memory_id = i.memory_id) k))
