-- The chosen rows, their neighbors in their sessions, one to either side, and what ranking knows of each. A fact has
-- none: it stands beside the message it rests on. Every row is
-- looked up by itself, so that no other is read whatever the planner thinks of their number.
around AS (
    SELECT c.memory_id,
           (SELECT b.memory_id FROM memories b
                 WHERE b.tenant_id = %(tenant_id)s AND b.session_id = m.session_id
                   AND (b.created_at, b.memory_id) < (m.created_at, m.memory_id)
                   AND (b.user_id, b.project_id, b.namespace) IS NOT DISTINCT FROM (m.user_id, m.project_id, m.namespace)
                   AND NOT b.is_summary AND b.retention_state <> 'expired' AND b.kind IS DISTINCT FROM 'extracted'
                 ORDER BY b.created_at DESC, b.memory_id DESC LIMIT 1) AS before,
           (SELECT b.memory_id FROM memories b
                 WHERE b.tenant_id = %(tenant_id)s AND b.session_id = m.session_id
                   AND (b.created_at, b.memory_id) > (m.created_at, m.memory_id)
                   AND (b.user_id, b.project_id, b.namespace) IS NOT DISTINCT FROM (m.user_id, m.project_id, m.namespace)
                   AND NOT b.is_summary AND b.retention_state <> 'expired' AND b.kind IS DISTINCT FROM 'extracted'
                 ORDER BY b.created_at, b.memory_id LIMIT 1) AS after
    FROM chosen c, LATERAL (
        SELECT * FROM memories o WHERE o.tenant_id = %(tenant_id)s AND o.memory_id = c.memory_id OFFSET 0
    ) m WHERE m.session_id IS NOT NULL AND NOT m.is_summary AND m.kind IS DISTINCT FROM 'extracted'
), pool AS (
    SELECT memory_id, max(before) AS before, max(after) AS after FROM (
        SELECT memory_id, before, after FROM around
        UNION ALL
        SELECT memory_id, NULL, NULL FROM chosen
        UNION ALL
        SELECT n.id, NULL, NULL FROM around a, LATERAL (VALUES (a.before), (a.after)) n (id)
    ) parts GROUP BY memory_id
)
SELECT r.*, p.before, p.after,
       -- What is known of the scope, once.
       CASE WHEN row_number() OVER () = 1 THEN
           (SELECT array_agg(documents ORDER BY place) FROM held) || (SELECT ARRAY[documents, mean] FROM size)
       END AS figures
FROM pool p, LATERAL (
    SELECT memory_id,
           CASE WHEN m.embedding_version = %(version)s THEN 1 - (m.embedding <=> %(vector)s::halfvec) END AS similarity,
           ARRAY(SELECT t FROM unnest(m.terms) AS t WHERE t = ANY(%(terms)s::bigint[])) AS hits,
           -- Those of a long row, each with its passage.
           CASE WHEN m.passages IS NOT NULL THEN ARRAY(
               SELECT ARRAY[u.term, u.passage] FROM unnest(m.terms, m.passages) AS u (term, passage)
               WHERE u.term = ANY(%(terms)s::bigint[])
           ) END AS placed,
           cardinality(m.terms) AS length, importance, created_at, is_summary,
           CASE WHEN m.speaker_hashes && %(names)s::bigint[] THEN ARRAY(
               SELECT s FROM unnest(m.speaker_hashes) AS s WHERE s = ANY(%(names)s::bigint[])
           ) END AS spoken,
           CASE WHEN key_hash IS NOT NULL
                THEN (user_id, extracted_type, key_hash, person_hash)::text END AS subject,
           event_date,
           CASE WHEN m.is_summary THEN m.parent_id END AS sources,
           CASE WHEN m.is_summary THEN (
               SELECT n.created_at FROM memories n
               WHERE n.tenant_id = %(tenant_id)s AND n.memory_id = m.parent_id[cardinality(m.parent_id)]
           ) END AS newest_source_at,
           {{alone}} AS alone, m.source_class,
           CASE WHEN m.session_id IS NOT NULL AND NOT m.is_summary AND m.kind IS DISTINCT FROM 'extracted'
                THEN (m.user_id, m.project_id, m.namespace, m.session_id)::text END AS session
    FROM memories m
    WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = p.memory_id AND m.retention_state <> 'expired' AND {{filter}}
    OFFSET 0
) r
