-- The chosen rows' neighbors in their sessions, one to either side; and all of these rows together.
around AS MATERIALIZED (
    SELECT c.memory_id,
           ARRAY(SELECT b.memory_id FROM memories b
                 WHERE b.tenant_id = m.tenant_id AND b.session_id = m.session_id
                   AND b.created_at <= m.created_at AND (b.created_at, b.memory_id) < (m.created_at, m.memory_id)
                   AND b.user_id = m.user_id AND NOT b.is_summary AND b.retention_state <> 'expired'
                 ORDER BY b.created_at DESC, b.memory_id DESC LIMIT 1) AS before,
           ARRAY(SELECT b.memory_id FROM memories b
                 WHERE b.tenant_id = m.tenant_id AND b.session_id = m.session_id
                   AND b.created_at >= m.created_at AND (b.created_at, b.memory_id) > (m.created_at, m.memory_id)
                   AND b.user_id = m.user_id AND NOT b.is_summary AND b.retention_state <> 'expired'
                 ORDER BY b.created_at, b.memory_id LIMIT 1) AS after
    FROM chosen c JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = c.memory_id
    WHERE m.session_id IS NOT NULL AND NOT m.is_summary
), pool AS MATERIALIZED (
    SELECT memory_id FROM chosen
    UNION
    SELECT n.id FROM around a CROSS JOIN LATERAL unnest(a.before || a.after) AS n (id)
)
