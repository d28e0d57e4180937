-- Every row that the filter lets through, with its distance from the question's vector, and the words that it has of the
-- question. "IS TRUE" has the scope hashed: as a join it would be gone through row by row where the planner takes it for
-- small.
scope AS (
    SELECT m.memory_id, m.is_summary, cardinality(m.terms) AS length,
           CASE WHEN m.embedding_version = %(version)s THEN m.embedding <=> %(vector)s::halfvec END AS distance
    FROM memories m
    WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired' AND {{filter}}
), hits AS (
    SELECT memory_id, is_summary, length, term, frequency FROM postings p
    WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s::bigint[])
      AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s)
      AND (p.memory_id IN (SELECT memory_id FROM scope)) IS TRUE
)
