-- name: users_held
-- A page of users by their names, each reached by one step through the index of users; and of each how many rows it has
-- of a kind and between two of the bounds. A user of nobody's name comes first.
WITH RECURSIVE names AS (
    (SELECT m.user_id, 1 AS place FROM memories m
     WHERE m.tenant_id = %(tenant_id)s AND (%(after)s::text IS NULL OR m.user_id > %(after)s)
     ORDER BY m.user_id LIMIT 1)
    UNION ALL
    SELECT next.user_id, n.place + 1 FROM names n CROSS JOIN LATERAL (
        SELECT m.user_id FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.user_id > n.user_id
        ORDER BY m.user_id LIMIT 1) next
    WHERE n.place < %(limit)s
)
SELECT n.user_id, h.* FROM names n CROSS JOIN LATERAL (
    SELECT m.tier, m.memory_type, m.retention_state, width_bucket(m.created_at, %(bounds)s::timestamptz[]) AS span,
           count(*) AS number, min(m.created_at) AS oldest, max(m.created_at) AS newest
    FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.user_id = n.user_id
    GROUP BY 1, 2, 3, 4) h
ORDER BY n.place;

-- name: user_held
-- The same of one user.
SELECT m.user_id, m.tier, m.memory_type, m.retention_state,
       width_bucket(m.created_at, %(bounds)s::timestamptz[]) AS span,
       count(*) AS number, min(m.created_at) AS oldest, max(m.created_at) AS newest
FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s
GROUP BY 1, 2, 3, 4, 5;
