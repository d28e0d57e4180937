-- name: share_placing
-- A writer reads the rules of placing; who changes them waits until it has ended, and it waits for them.
SELECT pg_advisory_xact_lock_shared(hashtextextended('precis.placing' || %(tenant_id)s, 7));

-- name: take_placing
-- Alone with the rules of placing: nobody writes by the old ones once this transaction has ended.
SELECT pg_advisory_xact_lock(hashtextextended('precis.placing' || %(tenant_id)s, 7));

-- name: read_placing
-- The zones of these users and of the tenant, and every view of the tenant.
SELECT (SELECT coalesce(jsonb_object_agg(z.user_id, z.zone), '{}') FROM zones z
        WHERE z.tenant_id = %(tenant_id)s AND z.user_id = ANY(%(users)s::text[])) AS zones,
       (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'view_id', v.view_id, 'name', v.name, 'source', v.source, 'group_by', v.group_by, 'filters', v.filters,
            'window_days', v.window_days, 'continuous', v.continuous, 'prompt', v.prompt, 'model', v.model
        ) ORDER BY v.view_id), '[]') FROM views v WHERE v.tenant_id = %(tenant_id)s) AS views;

-- name: insert_place
-- A group that follows a rule; the same place is the same group.
INSERT INTO groups (
    tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, place, starts_on, ends_on, view_id,
    labels, part_of, created_at
) VALUES (
    %(tenant_id)s, %(group_id)s, %(policy)s, %(user_id)s, %(project_id)s, %(environment)s, '', %(place)s,
    %(starts_on)s, %(ends_on)s, %(view_id)s, %(labels)s, %(part_of)s, %(now)s
) ON CONFLICT (tenant_id, group_id) DO NOTHING;

-- name: hold_members
-- Those of these memories that are still there; none of them is forgotten before the transaction ends. Rows are locked
-- before groups.
SELECT memory_id FROM memories WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) AND NOT is_summary
ORDER BY memory_id FOR KEY SHARE;

-- name: hold_groups
-- Group rows are locked last, all at once and in order of their ids.
SELECT group_id FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(ids)s) ORDER BY group_id FOR UPDATE;

-- name: stay_in_places
-- Who is a member already stays one, until its new time.
UPDATE members m SET leaves_at = w.leaves_at
FROM unnest(%(groups)s::text[], %(memories)s::text[], %(leave)s::timestamptz[]) AS w (group_id, memory_id, leaves_at)
WHERE m.tenant_id = %(tenant_id)s AND m.group_id = w.group_id AND m.memory_id = w.memory_id
  AND m.leaves_at IS DISTINCT FROM w.leaves_at;

-- name: join_places
-- New members; answers which groups grew.
INSERT INTO members (tenant_id, group_id, memory_id, leaves_at)
SELECT g.tenant_id, g.group_id, w.memory_id, w.leaves_at
FROM unnest(%(groups)s::text[], %(memories)s::text[], %(leave)s::timestamptz[]) AS w (group_id, memory_id, leaves_at)
JOIN groups g ON g.group_id = w.group_id
WHERE g.tenant_id = %(tenant_id)s
ON CONFLICT (tenant_id, group_id, memory_id) DO NOTHING
RETURNING group_id;

-- name: grow_places
-- Figures of the groups that grew; due at the earliest of what they have and what the newcomers say.
UPDATE groups g SET
    members = g.members + n.joined, added = g.added + n.joined, version = g.version + 1, suppressed = NULL,
    failed_at = NULL, attempts = 0, due_at = least(g.due_at, n.due_at)
FROM unnest(%(groups)s::text[], %(joined)s::integer[], %(due)s::timestamptz[]) AS n (group_id, joined, due_at)
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
RETURNING g.group_id, g.due_at;

-- name: memberships
-- Which groups of these policies hold the memory.
SELECT b.group_id FROM members b
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = %(memory_id)s AND g.policy = ANY(%(policies)s);

-- name: due_by_a_clock_ahead
-- Clusters that a write made due, by a clock that is not as far any more. What waits to be tried again goes on waiting.
UPDATE groups SET due_at = %(now)s::timestamptz
WHERE tenant_id = %(tenant_id)s AND due_at > %(soon)s AND place IS NULL AND version > refreshed_version
  AND attempts = 0 AND rejected IS NULL;

-- name: leaving
-- Memories whose time in a group is over.
SELECT group_id, memory_id FROM members WHERE tenant_id = %(tenant_id)s AND leaves_at <= %(now)s
ORDER BY leaves_at LIMIT %(limit)s;

-- name: leave_members
-- The memories leave these groups; answers how many left which.
WITH gone AS (
    DELETE FROM members m USING unnest(%(groups)s::text[], %(memories)s::text[]) AS w (group_id, memory_id)
    WHERE m.tenant_id = %(tenant_id)s AND m.group_id = w.group_id AND m.memory_id = w.memory_id
    RETURNING m.group_id
)
SELECT group_id, count(*) AS lost FROM gone GROUP BY group_id;

-- name: leave_nodes
-- Nodes below a summary that read what left; a summary stands, stale, until it is re-made.
DELETE FROM nodes n USING unnest(%(groups)s::text[], %(memories)s::text[]) AS w (group_id, memory_id)
WHERE n.tenant_id = %(tenant_id)s AND n.group_id = w.group_id AND n.kind NOT IN ('root', 'frozen') AND EXISTS (
    SELECT 1 FROM node_sources s
    WHERE s.tenant_id = %(tenant_id)s AND s.node_id = n.node_id AND s.memory_id = w.memory_id);

-- name: leave_statements
-- What frozen nodes of these groups said of what left.
DELETE FROM statements t USING nodes n, unnest(%(groups)s::text[], %(memories)s::text[]) AS w (group_id, memory_id)
WHERE t.tenant_id = %(tenant_id)s AND n.tenant_id = %(tenant_id)s AND n.node_id = t.node_id AND n.kind = 'frozen'
  AND n.group_id = w.group_id AND EXISTS (
    SELECT 1 FROM statement_sources l
    WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = t.statement_id AND l.memory_id = w.memory_id)
RETURNING t.node_id, t.position, t.superseded_by;

-- name: leave_frozen
-- Frozen nodes no longer speak for what left.
WITH gone AS (
    DELETE FROM node_sources s USING nodes n, unnest(%(groups)s::text[], %(memories)s::text[]) AS w (group_id, memory_id)
    WHERE s.tenant_id = %(tenant_id)s AND n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id AND n.kind = 'frozen'
      AND n.group_id = w.group_id AND s.memory_id = w.memory_id
    RETURNING s.node_id
)
UPDATE nodes SET redactions = redactions + 1, content = NULL
WHERE tenant_id = %(tenant_id)s AND node_id IN (SELECT node_id FROM gone);

-- name: shrink_places
-- Figures of the groups that lost members; a view refreshes by itself only when it is continuous.
UPDATE groups g SET
    members = g.members - n.lost, lost = true, version = g.version + 1, rejected = NULL, rejections = 0, suppressed = NULL,
    failed_at = NULL, attempts = 0,
    due_at = CASE WHEN g.refreshed_version = 0 AND g.due_at IS NOT NULL THEN g.due_at
                  WHEN g.view_id IS NULL THEN least(g.due_at, %(now)s::timestamptz)
                  WHEN v.continuous THEN least(g.due_at, %(tick)s::timestamptz) ELSE g.due_at END
FROM unnest(%(groups)s::text[], %(lost)s::integer[]) AS n (group_id, lost)
LEFT JOIN groups o ON o.tenant_id = %(tenant_id)s AND o.group_id = n.group_id
LEFT JOIN views v ON v.tenant_id = %(tenant_id)s AND v.view_id = o.view_id
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
RETURNING g.group_id, g.members, g.summary_id, g.view_id, g.part_of;

-- name: touch_wholes
-- A part changed or went: the group that reads it is stale, and due again if it has been made before. One whose summary
-- was deleted by request stays without, for its members are the same.
UPDATE groups SET version = version + 1, added = added + 1, failed_at = NULL, attempts = 0,
    due_at = CASE WHEN summary_id IS NOT NULL THEN least(due_at, %(now)s::timestamptz) ELSE due_at END
WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(wholes)s);

-- name: drop_groups
-- Groups and all that was derived in them, but the rows of their summaries.
DELETE FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s) RETURNING part_of;

-- name: summaries_of
-- The summaries of these groups.
SELECT summary_id FROM groups
WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(groups)s) AND summary_id IS NOT NULL;
