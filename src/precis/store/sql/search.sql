-- name: search
-- Both arms over one scope, exactly: the nearest vectors and the best BM25 rows (k1 1.5, b 0.75, document frequencies
-- of the scope), each row with the figures of both.
WITH scope AS MATERIALIZED (
    SELECT memory_id, embedding, embedding_version, terms, cardinality(terms) AS length FROM memories
    WHERE tenant_id = %(tenant_id)s AND retention_state <> 'expired'
      AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
      AND (%(project_id)s::text IS NULL OR project_id = %(project_id)s)
      AND (%(environment)s::text IS NULL OR environment = %(environment)s)
      AND (%(namespace)s::text IS NULL OR namespace = %(namespace)s)
      AND (%(session_id)s::text IS NULL OR session_id = %(session_id)s)
      AND (%(agent_id)s::text IS NULL OR agent_id = %(agent_id)s)
      AND (%(run_id)s::text IS NULL OR run_id = %(run_id)s)
      AND (%(memory_type)s::text IS NULL OR memory_type = %(memory_type)s)
      AND (%(extracted_type)s::text IS NULL OR extracted_type = %(extracted_type)s)
      AND (%(is_summary)s::boolean IS NULL OR is_summary = %(is_summary)s)
), size AS (
    SELECT count(*)::double precision AS rows, greatest(avg(length), 1)::double precision AS mean FROM scope
), hits AS MATERIALIZED (
    SELECT s.memory_id, s.length, t.term, count(*)::double precision AS frequency
    FROM scope s CROSS JOIN LATERAL unnest(s.terms) AS t (term)
    WHERE s.terms && %(terms)s::bigint[] AND t.term = ANY(%(terms)s::bigint[])
    GROUP BY s.memory_id, s.length, t.term
), held AS (
    SELECT term, count(*)::double precision AS documents FROM hits GROUP BY term
), keyword AS MATERIALIZED (
    SELECT h.memory_id,
           sum(ln(1 + (z.rows - d.documents + 0.5) / (d.documents + 0.5)) * h.frequency * 2.5
               / (h.frequency + 1.5 * (0.25 + 0.75 * h.length / z.mean))) AS bm25
    FROM hits h JOIN held d USING (term) CROSS JOIN size z GROUP BY h.memory_id
), near AS (
    SELECT memory_id, 1 - (embedding <=> %(vector)s::halfvec) AS similarity FROM scope
    WHERE %(vector)s::halfvec IS NOT NULL AND embedding IS NOT NULL AND embedding_version = %(embedding_version)s
), chosen AS (
    (SELECT memory_id FROM near ORDER BY similarity DESC, memory_id LIMIT %(limit)s)
    UNION
    (SELECT memory_id FROM keyword ORDER BY bm25 DESC, memory_id LIMIT %(limit)s)
)
SELECT m.memory_id, m.user_id, m.project_id, m.environment, m.namespace, m.session_id, m.agent_id, m.run_id,
       m.memory_type, m.extracted_type, m.tier, m.retention_state, m.is_summary, m.parent_id, m.text_ciphertext,
       m.summary_ciphertext, m.attributes_ciphertext, m.embedding_version, m.importance, m.pinned, m.access_count,
       m.last_accessed, m.event_date, m.fingerprint, m.tokens, m.created_at, m.updated_at,
       n.similarity, coalesce(k.bm25, 0) AS bm25,
       EXISTS (SELECT 1 FROM members b JOIN groups g ON g.tenant_id = b.tenant_id AND g.group_id = b.group_id
               WHERE b.tenant_id = m.tenant_id AND b.memory_id = m.memory_id AND g.summary_id IS NOT NULL) AS summarized
FROM chosen c
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = c.memory_id
LEFT JOIN near n ON n.memory_id = c.memory_id
LEFT JOIN keyword k ON k.memory_id = c.memory_id
ORDER BY m.memory_id;
