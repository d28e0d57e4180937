-- name: insert_view
-- A new view.
INSERT INTO views (tenant_id, view_id, name, source, group_by, filters, window_days, continuous, prompt, model,
                   created_at, updated_at)
VALUES (%(tenant_id)s, %(view_id)s, %(name)s, %(source)s, %(group_by)s, %(filters)s, %(window_days)s, %(continuous)s,
        %(prompt)s, %(model)s, %(now)s, %(now)s);

-- name: update_view
-- A view as it shall be from now on.
UPDATE views SET name = %(name)s, source = %(source)s, group_by = %(group_by)s, filters = %(filters)s,
    window_days = %(window_days)s, continuous = %(continuous)s, prompt = %(prompt)s, model = %(model)s,
    updated_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s;

-- name: get_view
-- One view.
SELECT view_id, name, source, group_by, filters, window_days, continuous, prompt, model FROM views
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s;

-- name: hold_view
-- The same, until the transaction ends.
SELECT view_id, name, source, group_by, filters, window_days, continuous, prompt, model FROM views
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s FOR UPDATE;

-- name: list_views
-- All views, oldest first.
SELECT view_id, name, source, group_by, filters, window_days, continuous, prompt, model FROM views
WHERE tenant_id = %(tenant_id)s ORDER BY created_at, view_id;

-- name: delete_view
-- The view itself.
DELETE FROM views WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s RETURNING view_id;

-- name: groups_of_view
-- Its partitions, also those without a result.
SELECT group_id FROM groups WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s ORDER BY group_id;

-- name: rows_of_view
-- The living rows that a view takes and that have each field it groups by; held, so that none is forgotten meanwhile.
SELECT m.memory_id, m.user_id, m.namespace, m.session_id, m.memory_type, m.created_at FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired' AND {{filter}}
  AND (%(since)s::timestamptz IS NULL OR m.created_at > %(since)s)
  AND (NOT %(by_user)s OR m.user_id <> '') AND (NOT %(by_namespace)s OR m.namespace <> '')
  AND (NOT %(by_session)s OR m.session_id <> '')
ORDER BY m.memory_id FOR KEY SHARE OF m;

-- name: count_ungrouped
-- How many of the living rows that a view takes lack a field it groups by.
SELECT count(*) AS rows FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired' AND {{filter}}
  AND (%(since)s::timestamptz IS NULL OR m.created_at > %(since)s)
  AND (%(by_user)s AND m.user_id = '' OR %(by_namespace)s AND coalesce(m.namespace, '') = ''
       OR %(by_session)s AND coalesce(m.session_id, '') = '');

-- name: members_of_view
-- Who is where.
SELECT b.group_id, b.memory_id FROM members b
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND g.view_id = %(view_id)s;

-- name: list_partitions
-- The partitions that have a result: a summary, that there is nothing to say, or that no draft of it passed the checks.
SELECT group_id, labels, members, summary_id, rejected IS NOT NULL AS rejected, error,
       version > refreshed_version OR attempts > 0 OR rejected IS NOT NULL AS stale,
       version > 0 AND version = refreshed_version AND summary_id IS NULL AND suppressed IS NULL AS empty
FROM groups
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s AND labels @> %(labels)s
  AND (summary_id IS NOT NULL OR rejected IS NOT NULL
       OR version = refreshed_version AND version > 0 AND suppressed IS NULL OR members = 0 AND refreshed_version > 0)
ORDER BY labels::text COLLATE "C", group_id;

-- name: get_partition
-- One partition, with a result or without.
SELECT group_id, labels, members, summary_id, rejected IS NOT NULL AS rejected, error,
       version > refreshed_version OR attempts > 0 OR rejected IS NOT NULL AS stale,
       version > 0 AND version = refreshed_version AND summary_id IS NULL AND suppressed IS NULL AS empty
FROM groups
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s;

-- name: keep_empty
-- A partition nobody ever belonged to was asked for: that it is empty is its result.
UPDATE groups SET version = 1, refreshed_version = 1
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND version = 0 AND members = 0;

-- name: stale_partitions
-- Those that changed since they were made, or whose last draft failed or came from a stand-in.
SELECT group_id, labels, members, summary_id, rejected IS NOT NULL AS rejected, error,
       version > refreshed_version OR attempts > 0 OR rejected IS NOT NULL AS stale,
       version > 0 AND version = refreshed_version AND summary_id IS NULL AND suppressed IS NULL AS empty
FROM groups
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s AND view_id IS NOT NULL
  AND (version > refreshed_version OR attempts > 0 OR rejected IS NOT NULL)
ORDER BY group_id;

-- name: filled_partitions
-- Those with anything to read.
SELECT group_id, labels, members, summary_id, rejected IS NOT NULL AS rejected, error,
       version > refreshed_version OR attempts > 0 OR rejected IS NOT NULL AS stale,
       version > 0 AND version = refreshed_version AND summary_id IS NULL AND suppressed IS NULL AS empty
FROM groups
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s AND members > 0
ORDER BY group_id;

-- name: count_partitions
-- How many partitions have a member, and how many results were made without the model they should have been made by.
SELECT count(*) FILTER (WHERE g.members > 0) AS filled, count(*) FILTER (WHERE n.fallback) AS stand_ins FROM groups g
LEFT JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = g.summary_id
WHERE g.tenant_id = %(tenant_id)s AND g.view_id = %(view_id)s;

-- name: outdate_roots
-- Another prompt or model: what stands stays until it is made anew, and that it will be.
UPDATE nodes n SET redactions = redactions + 1 FROM groups g
WHERE g.tenant_id = %(tenant_id)s AND g.view_id = %(view_id)s AND n.tenant_id = %(tenant_id)s
  AND n.node_id = g.summary_id;

-- name: outdate_groups
-- The same for the groups: they are stale, and a rejected draft is forgiven.
UPDATE groups SET version = version + 1, rejected = NULL, rejections = 0, suppressed = NULL, failed_at = NULL, attempts = 0
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s;

-- name: set_ticks
-- Stale partitions of a view that refreshes by itself are due at the next tick, those of another one on request only.
UPDATE groups SET due_at = CASE WHEN version > refreshed_version THEN %(due_at)s::timestamptz END
WHERE tenant_id = %(tenant_id)s AND view_id = %(view_id)s;
