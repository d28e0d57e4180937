-- What ranking knows of a row besides its figures.
m.memory_id, m.is_summary, m.tier, m.importance, m.created_at, m.event_date, m.user_id, m.extracted_type, m.key_hash,
       m.person_hash, CASE WHEN m.is_summary THEN m.parent_id END AS sources,
       coalesce(m.speaker_hashes && %(names)s::bigint[], false) AS spoken,
       CASE WHEN m.is_summary THEN (
           SELECT n.created_at FROM memories n
           WHERE n.tenant_id = m.tenant_id AND n.memory_id = m.parent_id[cardinality(m.parent_id)]
       ) END AS newest_source_at,
       %(only)s AND NOT m.is_summary AND EXISTS (
           SELECT 1 FROM members b JOIN groups g ON g.tenant_id = b.tenant_id AND g.group_id = b.group_id
           WHERE b.tenant_id = m.tenant_id AND b.memory_id = m.memory_id AND g.summary_id IS NOT NULL
       ) AS summarized
