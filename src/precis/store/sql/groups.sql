-- name: claim_group
-- Lease one named group unless somebody holds it. One that is left to its writer for a moment is due to whoever names it.
UPDATE groups SET lease_token = %(token)s, lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s
  AND (lease_until IS NULL OR lease_until <= %(now)s)
RETURNING group_id, user_id, policy, attempts, lost, coalesce(due_at <= %(soon)s, false) AS due;

-- name: walk_in_order
-- For the rest of the transaction lists are read in the order of an index instead of being sorted: whoever takes the
-- first of thousands does not look at the others. Without it a table that was never analyzed is taken to be small.
SET LOCAL enable_sort = off;
SET LOCAL enable_bitmapscan = off;

-- name: claim_stalest
-- Lease the group that has been due longest; parts come before what reads them. The policy is compared in a way that no
-- index fits: the list is walked in its order (see walk_in_order), and the first entry mostly fits. Of groups that are
-- due since the same moment any may be first: what is written at once is mostly due at once, and would all be sorted.
UPDATE groups SET lease_token = %(token)s, lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND group_id = (
    SELECT g.group_id FROM groups g
    WHERE g.tenant_id = %(tenant_id)s AND g.due_at <= %(now)s AND (g.lease_until IS NULL OR g.lease_until <= %(now)s)
      AND (%(policies)s::text[] IS NULL OR g.policy || '' = ANY(%(policies)s))
      AND NOT EXISTS (SELECT 1 FROM groups p WHERE p.tenant_id = %(tenant_id)s AND p.part_of = g.group_id
                      AND p.due_at <= %(now)s AND (%(policies)s::text[] IS NULL OR p.policy = ANY(%(policies)s)))
    ORDER BY g.due_at LIMIT 1 FOR UPDATE OF g SKIP LOCKED
)
RETURNING group_id, user_id, policy, attempts, lost, coalesce(due_at <= %(now)s, false) AS due;

-- name: renew_lease
-- Whoever refreshes is alive.
UPDATE groups SET lease_until = %(until)s
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND lease_token = %(token)s RETURNING group_id;

-- name: group_row
-- What a plan needs of the group itself.
SELECT g.group_id, g.policy, g.version, g.summary_id, g.rejected, g.rejections, g.suppressed, v.view_id, v.name, v.source,
       v.group_by, v.filters, v.window_days, v.continuous, v.prompt, v.model
FROM groups g LEFT JOIN views v ON v.tenant_id = %(tenant_id)s AND v.view_id = g.view_id
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = %(group_id)s;

-- name: group_leaves
-- The members as the plan sees them: no text. Who was replaced stays a member, and is not read.
SELECT m.memory_id, m.created_at, m.fingerprint, m.tokens, m.retention_state <> 'expired' AS live,
       octet_length(m.text_ciphertext) AS size, m.source_class
FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
WHERE b.tenant_id = %(tenant_id)s AND b.group_id = %(group_id)s AND NOT m.replaced;

-- name: member_fingerprints
-- Of these memories, as far as they are members that a plan sees.
SELECT m.memory_id, m.fingerprint FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
WHERE b.tenant_id = %(tenant_id)s AND b.group_id = %(group_id)s AND b.memory_id = ANY(%(ids)s) AND NOT m.replaced;

-- name: group_nodes
-- The committed nodes as the plan sees them, with the members of frozen ones; and the summaries of the parts or, where
-- a part has none, its frozen nodes, since texts may be gone.
SELECT n.node_id, n.node_key, n.kind, n.definition, n.made_by, n.fallback, n.tokens, n.redactions, n.quality, n.content,
       n.capped_count, CASE WHEN n.kind = 'frozen' THEN ARRAY(
           SELECT s.memory_id FROM node_sources s WHERE s.tenant_id = %(tenant_id)s AND s.node_id = n.node_id
       ) ELSE ARRAY[]::text[] END AS members
FROM nodes n WHERE n.tenant_id = %(tenant_id)s AND n.group_id = %(group_id)s
UNION ALL
SELECT n.node_id, n.node_key, CASE WHEN n.kind = 'root' THEN 'part' ELSE n.kind END, n.definition, n.made_by, n.fallback,
       n.tokens, n.redactions, n.quality, n.content, n.capped_count,
       ARRAY(SELECT s.memory_id FROM node_sources s WHERE s.tenant_id = %(tenant_id)s AND s.node_id = n.node_id)
FROM groups p JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.group_id = p.group_id
    AND (n.node_id = p.summary_id OR p.summary_id IS NULL AND n.kind = 'frozen')
WHERE p.tenant_id = %(tenant_id)s AND p.part_of = %(group_id)s;

-- name: read_statements
-- What these nodes say, in order, with the memories each statement rests on. A frozen node keeps what rests on a memory
-- that was replaced, and it is not read; but for what rests on an expired one, too: nothing else says that.
SELECT {{statement_columns}}
WHERE s.tenant_id = %(tenant_id)s AND s.node_id = ANY(%(ids)s) AND NOT (n.kind = 'frozen' AND coalesce((
    SELECT bool_or(o.replaced) AND NOT bool_or(o.retention_state = 'expired' AND NOT o.replaced) FROM statement_sources l
    JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
    WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id), false))
ORDER BY s.node_id, s.position;

-- name: read_served
-- The same, without what was displaced or is less important than is served.
SELECT {{statement_columns}}
WHERE s.tenant_id = %(tenant_id)s AND s.node_id = ANY(%(ids)s) AND s.superseded_by IS NULL
  AND s.importance >= n.served_from
ORDER BY s.node_id, s.position;

-- name: read_fates
-- What became of the sources of these nodes; those that may be left out are not here.
SELECT node_id, memory_id, fate FROM node_sources
WHERE tenant_id = %(tenant_id)s AND node_id = ANY(%(ids)s) AND fate IS NOT NULL;

-- name: lock_sources
-- Hold the memories a draft cites, so that a forget waits for the commit or the commit sees the forget; and those the
-- node has not read before, since keeping them as its sources locks them too and must not come after the group row.
SELECT m.memory_id FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s)
  AND (m.memory_id = ANY(%(cited)s) OR NOT EXISTS (
      SELECT 1 FROM node_sources s
      WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(node_id)s AND s.memory_id = m.memory_id))
ORDER BY m.memory_id FOR KEY SHARE OF m;

-- name: lock_group
-- The group row under the lease; no row when the lease was lost or the group is gone.
SELECT group_id, user_id, project_id, environment, extracted_type, version, members, added, lost, summary_id, due_at,
       key_memory_id, person_memory_id, view_id, part_of
FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND lease_token = %(token)s FOR UPDATE;

-- name: delete_nodes_by_key
-- Nodes that a new one over the same children, or a new root, replaces.
DELETE FROM nodes WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND node_key = ANY(%(keys)s)
  AND kind <> 'frozen';

-- name: delete_unread_nodes
-- Nodes the new tree does not have. Frozen ones stay: their members' text may be gone. The root is replaced in place.
DELETE FROM nodes WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND kind NOT IN ('frozen', 'root')
  AND NOT node_key = ANY(%(keys)s);

-- name: put_node
-- One checked node; the root of a summary takes the place of the one before.
INSERT INTO nodes (
    tenant_id, node_id, group_id, node_key, kind, definition, made_by, fallback, quality, tokens, read_count,
    represented_count, set_aside_count, left_out_count, capped_count, created_at, served_from, content,
    prose_ciphertext, title_ciphertext, small_talk_count, question_count, repetition_count, overruled_count
) VALUES (
    %(tenant_id)s, %(node_id)s, %(group_id)s, %(node_key)s, %(kind)s, %(definition)s, %(made_by)s, %(fallback)s,
    %(quality)s, %(tokens)s, %(read)s, %(represented)s, %(set_aside)s, %(left_out)s, %(capped)s, %(now)s,
    %(served_from)s, %(content)s, %(prose_ciphertext)s, %(title_ciphertext)s, %(small_talk)s, %(question)s,
    %(repetition)s, %(overruled)s
)
ON CONFLICT (tenant_id, node_id) DO UPDATE SET
    node_key = excluded.node_key, definition = excluded.definition, made_by = excluded.made_by,
    fallback = excluded.fallback, quality = excluded.quality, tokens = excluded.tokens, redactions = 0,
    read_count = excluded.read_count, represented_count = excluded.represented_count,
    set_aside_count = excluded.set_aside_count, left_out_count = excluded.left_out_count,
    capped_count = excluded.capped_count, created_at = excluded.created_at, served_from = excluded.served_from,
    content = excluded.content, prose_ciphertext = excluded.prose_ciphertext,
    title_ciphertext = excluded.title_ciphertext, small_talk_count = excluded.small_talk_count,
    question_count = excluded.question_count, repetition_count = excluded.repetition_count,
    overruled_count = excluded.overruled_count;

-- name: naming_members
-- The members that name the subject and the person of a group.
SELECT m.memory_id, m.attributes_ciphertext
FROM groups g JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id IN (g.key_memory_id, g.person_memory_id)
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = %(group_id)s;

-- name: content_of
-- What a standing node says, in one word, and what it has read.
SELECT content, ARRAY(SELECT s.memory_id FROM node_sources s
                      WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(node_id)s) AS has_read
FROM nodes WHERE tenant_id = %(tenant_id)s AND node_id = %(node_id)s;

-- name: clear_statements
-- What the node before it said.
DELETE FROM statements WHERE tenant_id = %(tenant_id)s AND node_id = %(node_id)s;

-- name: drop_node_sources
-- Memories it no longer reads.
DELETE FROM node_sources WHERE tenant_id = %(tenant_id)s AND node_id = %(node_id)s
  AND memory_id NOT IN (SELECT unnest(%(ids)s::text[]));

-- name: add_node_sources
-- Memories it reads anew: the work is in proportion to the change.
INSERT INTO node_sources (tenant_id, node_id, memory_id)
SELECT n.tenant_id, n.node_id, r.memory_id FROM nodes n CROSS JOIN unnest(%(ids)s::text[]) AS r (memory_id)
WHERE n.tenant_id = %(tenant_id)s AND n.node_id = %(node_id)s AND r.memory_id NOT IN (
    SELECT memory_id FROM node_sources WHERE tenant_id = %(tenant_id)s AND node_id = %(node_id)s);

-- name: set_fates
-- What became of them in what it says now.
UPDATE node_sources s SET fate = f.fate
FROM unnest(%(ids)s::text[], %(fates)s::text[]) AS f (memory_id, fate)
WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(node_id)s AND s.memory_id = f.memory_id
  AND s.fate IS DISTINCT FROM f.fate;

-- name: insert_statements
-- What a node says, in order; each list of terms as a text, since lists of lists are of one length.
INSERT INTO statements (tenant_id, statement_id, node_id, position, text_ciphertext, importance, terms, superseded_by)
SELECT n.tenant_id, l.statement_id, n.node_id, l.position - 1, l.text_ciphertext, l.importance, l.terms::bigint[],
       nullif(l.superseded_by, -1)
FROM nodes n
CROSS JOIN unnest(%(ids)s::text[], %(texts)s::bytea[], %(importances)s::float8[], %(terms)s::text[],
                  %(superseded_by)s::integer[])
           WITH ORDINALITY AS l (statement_id, text_ciphertext, importance, terms, superseded_by, position)
WHERE n.tenant_id = %(tenant_id)s AND n.node_id = %(node_id)s;

-- name: insert_statement_sources
-- The lineage of statements.
INSERT INTO statement_sources (tenant_id, statement_id, memory_id, position)
SELECT s.tenant_id, s.statement_id, l.memory_id, l.position
FROM statements s
JOIN unnest(%(statement_ids)s::text[], %(ids)s::text[], %(positions)s::integer[])
     AS l (statement_id, memory_id, position) ON l.statement_id = s.statement_id
WHERE s.tenant_id = %(tenant_id)s AND s.node_id = %(node_id)s;

-- name: members_alike
-- The mean importance of the living members, null when none is left; and what all of them share. Which namespace a
-- summary is of is told by all members: an original that is gone still stands behind it.
SELECT avg(m.importance) AS importance,
       CASE WHEN count(*) = count(m.agent_id) AND min(m.agent_id) = max(m.agent_id) THEN min(m.agent_id) END AS agent_id,
       CASE WHEN count(*) = count(m.run_id) AND min(m.run_id) = max(m.run_id) THEN min(m.run_id) END AS run_id,
       CASE WHEN count(*) = count(m.session_id) AND min(m.session_id) = max(m.session_id)
            THEN min(m.session_id) END AS session_id,
       (SELECT CASE WHEN count(*) = count(o.namespace) AND min(o.namespace) = max(o.namespace) THEN min(o.namespace) END
        FROM members a JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = a.memory_id
        WHERE a.tenant_id = %(tenant_id)s AND a.group_id = %(group_id)s) AS namespace
FROM members b JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
WHERE b.tenant_id = %(tenant_id)s AND b.group_id = %(group_id)s AND m.retention_state <> 'expired' AND NOT m.replaced;

-- name: update_summary
-- Refresh in place: same row, same id.
UPDATE memories SET
    source_class = %(source_class)s, namespace = %(namespace)s, session_id = %(session_id)s, agent_id = %(agent_id)s, run_id = %(run_id)s,
    parent_id = %(parent_id)s, summary_ciphertext = %(summary_ciphertext)s, embedding = %(embedding)s,
    embedding_version = %(embedding_version)s, terms = %(terms)s, importance = %(importance)s,
    attributes_ciphertext = %(attributes_ciphertext)s, key_hash = %(key_hash)s, person_hash = %(person_hash)s,
    fingerprint = %(fingerprint)s, tokens = %(tokens)s, updated_at = %(updated_at)s
WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;

-- name: finish_refresh
-- Current as of the planned version; the lease goes back.
UPDATE groups SET
    refreshed_version = %(version)s, added = %(added)s, lost = %(lost)s, due_at = %(due_at)s, summary_id = %(summary_id)s,
    attempts = %(attempts)s, failed_at = NULL, error = %(error)s, rejected = %(rejected)s, rejections = %(rejections)s,
    lease_token = NULL, lease_until = NULL
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s;

-- name: reject_draft
-- The draft of these sources was rejected: the group stays stale. It is due again when its turn comes, or at once where
-- a source came, went or changed meanwhile.
UPDATE groups SET
    rejected = %(rejected)s, rejections = %(rejections)s, error = %(error)s, failed_at = NULL,
    due_at = CASE WHEN version = %(version)s THEN %(retry_at)s::timestamptz ELSE %(now)s::timestamptz END,
    lease_token = NULL, lease_until = NULL
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND lease_token = %(token)s;

-- name: keep_node
-- A node below the summary was kept: the lease starts anew, and a frozen node makes the group stale.
UPDATE groups SET lease_until = %(until)s, version = version + %(bump)s, lost = lost OR %(bump)s > 0,
    due_at = CASE WHEN %(bump)s > 0 THEN %(now)s ELSE due_at END
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s;

-- name: release_group
-- Give the lease back after a failure; without a time to retry the group is in the failed state.
UPDATE groups SET
    lease_token = NULL, lease_until = NULL, attempts = attempts + %(failures)s, due_at = %(retry_at)s,
    error = coalesce(%(error)s, error), failed_at = CASE WHEN %(retry_at)s::timestamptz IS NULL THEN %(now)s::timestamptz END
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND lease_token = %(token)s;

-- name: give_back
-- Nothing was done under the lease.
UPDATE groups SET lease_token = NULL, lease_until = NULL
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND lease_token = %(token)s RETURNING group_id;

-- name: delete_group_nodes
-- Everything derived in a group, its summary's node included; frozen nodes stay while they have members.
DELETE FROM nodes WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s
  AND (kind <> 'frozen' OR NOT EXISTS (
      SELECT 1 FROM node_sources s WHERE s.tenant_id = %(tenant_id)s AND s.node_id = nodes.node_id));

-- name: suppress_silenced
-- None is made of these sources until a member or a mark changes: everything it would say was marked as wrong.
UPDATE groups SET suppressed = %(suppressed)s
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s AND summary_id IS NULL;

-- name: record_refresh
-- One committed refresh, for churn and tokens per summary.
INSERT INTO refreshes (tenant_id, group_id, committed_at, calls, tokens)
VALUES (%(tenant_id)s, %(group_id)s, %(now)s, %(calls)s, %(tokens)s);
