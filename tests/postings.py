"""Postings that are not what the rows of memories say, and those that are missing."""

WRONG_POSTINGS = """
WITH expected AS (
    SELECT m.memory_id, t.term, m.user_id, count(*) AS frequency, cardinality(m.terms) AS length, m.is_summary
    FROM memories m CROSS JOIN LATERAL unnest(m.terms || 0::bigint) AS t (term)
    WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired' GROUP BY m.tenant_id, m.memory_id, t.term
), stored AS (
    SELECT memory_id, term, user_id, frequency, length, is_summary FROM postings WHERE tenant_id = %(tenant_id)s
)
(TABLE expected EXCEPT TABLE stored) UNION ALL (TABLE stored EXCEPT TABLE expected)
"""
