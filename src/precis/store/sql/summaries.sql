-- name: get_summaries
-- Summaries by id with what their root node and their group know; and what became of the sources it has read, whose
-- lineage counts as it is served now.
SELECT m.memory_id, m.user_id, m.project_id, m.environment, m.tier, m.parent_id, m.attributes_ciphertext, m.importance,
       m.created_at, m.updated_at, m.extracted_type, m.embedding_version, m.source_class, g.group_id, g.policy,
       g.rejected IS NOT NULL AS rejected,
       g.version > g.refreshed_version OR g.rejected IS NOT NULL AS behind, n.quality, n.made_by, n.fallback,
       n.left_out_count AS unread, n.capped_count, n.prose_ciphertext, n.title_ciphertext, g.starts_on, g.ends_on,
       g.view_id, g.labels, c.read, c.represented, c.small_talk, c.question, c.repetition, c.overruled,
       ARRAY(SELECT s.memory_id FROM node_sources s
             JOIN memories l ON l.tenant_id = %(tenant_id)s AND l.memory_id = s.memory_id
             WHERE s.tenant_id = %(tenant_id)s AND s.node_id = m.memory_id
             ORDER BY l.created_at, l.memory_id COLLATE "C") AS leaf_source_ids
FROM memories m
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = m.memory_id
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = m.memory_id
CROSS JOIN LATERAL (
    SELECT count(*) AS read, count(q.memory_id) AS represented,
           count(*) FILTER (WHERE q.memory_id IS NULL AND s.fate = 'small_talk') AS small_talk,
           count(*) FILTER (WHERE q.memory_id IS NULL AND s.fate = 'question') AS question,
           count(*) FILTER (WHERE q.memory_id IS NULL AND s.fate = 'repetition') AS repetition,
           count(*) FILTER (WHERE q.memory_id IS NULL AND s.fate = 'overruled') AS overruled
    FROM node_sources s LEFT JOIN (
        SELECT DISTINCT l.memory_id FROM statements t
        JOIN statement_sources l ON l.tenant_id = %(tenant_id)s AND l.statement_id = t.statement_id
        WHERE t.tenant_id = %(tenant_id)s AND t.node_id = m.memory_id AND t.superseded_by IS NULL
          AND t.importance >= n.served_from
    ) q ON q.memory_id = s.memory_id
    WHERE s.tenant_id = %(tenant_id)s AND s.node_id = m.memory_id) c
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND m.is_summary;

-- name: list_summaries
-- Ids of summaries, newest refresh first. The user is asked of the groups, who each have the user of their summary: of a
-- user's rows only those of the groups that have one are read.
SELECT m.memory_id, m.updated_at FROM memories m
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = m.memory_id
WHERE m.tenant_id = %(tenant_id)s AND m.is_summary AND g.summary_id IS NOT NULL
  AND (%(policy)s::text IS NULL OR g.policy = %(policy)s)
  AND (%(user_id)s::text IS NULL OR g.user_id = %(user_id)s)
  AND (%(project_id)s::text IS NULL OR m.project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR m.environment = %(environment)s)
  AND (%(extracted_type)s::text IS NULL OR m.extracted_type = %(extracted_type)s)
  AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
  AND (%(min_trust)s::text[] IS NULL OR m.source_class = ANY(%(min_trust)s))
  AND (%(before)s::timestamptz IS NULL OR (m.updated_at, m.memory_id) < (%(before)s, %(before_id)s))
ORDER BY m.updated_at DESC, m.memory_id DESC
LIMIT %(limit)s;

-- name: group_of
-- The group a summary belongs to.
SELECT group_id, policy FROM groups WHERE tenant_id = %(tenant_id)s AND summary_id = %(summary_id)s;

-- name: lock_group_of
-- The same, held.
SELECT group_id, policy, part_of FROM groups
WHERE tenant_id = %(tenant_id)s AND summary_id = %(summary_id)s FOR UPDATE;

-- name: suppress_group
-- Remember the source set whose summary was deleted: none is made of it until it changes.
-- A draft in flight loses its lease.
UPDATE groups SET summary_id = NULL, due_at = NULL, added = 0, lost = false, refreshed_version = version,
    lease_token = NULL, lease_until = NULL,
    suppressed = (SELECT node_key FROM nodes n WHERE n.tenant_id = %(tenant_id)s AND n.node_id = %(summary_id)s)
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s;

-- name: delete_summary_node
-- What a summary says.
DELETE FROM nodes WHERE tenant_id = %(tenant_id)s AND node_id = %(summary_id)s;

-- name: list_groups
-- Groups of a scope, the longest due first.
SELECT group_id, policy FROM groups
WHERE tenant_id = %(tenant_id)s
  AND (%(policy)s::text IS NULL OR policy = %(policy)s)
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND (%(project_id)s::text IS NULL OR project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR environment = %(environment)s)
  AND (%(extracted_type)s::text IS NULL OR extracted_type = %(extracted_type)s)
  AND (NOT %(stale_only)s OR due_at IS NOT NULL)
ORDER BY due_at NULLS LAST, group_id
LIMIT %(limit)s;

-- name: due
-- Whether anything is due that somebody could work on now: what waits for its parts cannot be.
SELECT EXISTS (
    SELECT 1 FROM groups g WHERE g.tenant_id = %(tenant_id)s AND g.due_at <= %(now)s
    AND (%(policies)s::text[] IS NULL OR g.policy = ANY(%(policies)s))
    AND (g.lease_until IS NULL OR g.lease_until <= %(now)s)
    AND NOT EXISTS (SELECT 1 FROM groups p WHERE p.tenant_id = %(tenant_id)s AND p.part_of = g.group_id
                    AND p.due_at <= %(now)s AND (%(policies)s::text[] IS NULL OR p.policy = ANY(%(policies)s)))
) AS due;

-- name: stats
-- The figures for tuning: clusters, sparse ones, members, summaries, stale and failed ones.
SELECT count(*) AS clusters,
       count(*) FILTER (WHERE members < %(min_members)s) AS sparse,
       coalesce(sum(members), 0)::bigint AS members,
       count(summary_id) AS summaries,
       count(*) FILTER (WHERE due_at IS NOT NULL) AS stale,
       count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed
FROM groups
WHERE tenant_id = %(tenant_id)s AND policy = 'clusters'
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND (%(project_id)s::text IS NULL OR project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR environment = %(environment)s)
  AND (%(extracted_type)s::text IS NULL OR extracted_type = %(extracted_type)s);

-- name: churn
-- Committed refreshes of the last hour by group.
SELECT r.group_id, count(*) AS refreshes FROM refreshes r
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = r.group_id AND g.policy = 'clusters'
WHERE r.tenant_id = %(tenant_id)s AND r.committed_at > %(since)s
  AND (%(user_id)s::text IS NULL OR g.user_id = %(user_id)s)
  AND (%(project_id)s::text IS NULL OR g.project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR g.environment = %(environment)s)
  AND (%(extracted_type)s::text IS NULL OR g.extracted_type = %(extracted_type)s)
GROUP BY r.group_id ORDER BY refreshes DESC, r.group_id;

-- name: prune_refreshes
-- Refreshes that no figure looks at any more.
DELETE FROM refreshes WHERE tenant_id = %(tenant_id)s AND committed_at < %(before)s;

-- name: tokens_per_summary
-- Mean tokens that models took per committed refresh, over those still kept.
SELECT coalesce(avg(r.tokens), 0)::double precision AS tokens FROM refreshes r
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = r.group_id AND g.policy = 'clusters'
WHERE r.tenant_id = %(tenant_id)s
  AND (%(user_id)s::text IS NULL OR g.user_id = %(user_id)s)
  AND (%(project_id)s::text IS NULL OR g.project_id = %(project_id)s)
  AND (%(environment)s::text IS NULL OR g.environment = %(environment)s)
  AND (%(extracted_type)s::text IS NULL OR g.extracted_type = %(extracted_type)s);
