-- name: lock_as_writer
-- A writer's first locks: that of the rules of placing, as share_placing takes it; then those of its scopes, as lock_scopes.
SELECT pg_advisory_xact_lock_shared(hashtextextended('precis.placing' || %(tenant_id)s, 7)),
       pg_advisory_xact_lock(hashtextextended(s.name, 7)) FROM unnest(%(scopes)s::text[]) AS s (name);

-- name: lock_scopes
-- One writer at a time opens clusters in a scope; released at the end of the transaction. In the order given.
SELECT pg_advisory_xact_lock(hashtextextended(s.name, 7)) FROM unnest(%(scopes)s::text[]) AS s (name);

-- name: tombstoned
-- Which of these keyed hashes belong to forgotten ids, and whether their session may write them again.
SELECT memory_hash, renewable FROM tombstones WHERE tenant_id = %(tenant_id)s AND memory_hash = ANY(%(hashes)s);

-- name: existing_fingerprints
-- The rows that are there already, to tell a repeated write from a contradicting one.
SELECT memory_id, fingerprint, created_at, user_id, project_id, environment, namespace, session_id, agent_id, run_id,
    memory_type, importance, pinned, event_date, attributes_ciphertext
FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s);

-- name: insert_memory
-- One raw row or summary row.
INSERT INTO memories (
    tenant_id, memory_id, user_id, project_id, environment, namespace, session_id, agent_id, run_id, memory_type,
    kind, extracted_type, key_hash, person_hash, tier, retention_state, is_summary, parent_id, text_ciphertext,
    summary_ciphertext, attributes_ciphertext, embedding, embedding_version, terms, passages, importance, pinned, event_date,
    fingerprint, tokens, created_at, updated_at, topic_hashes, entity_hashes, extraction_strategy, text_hash,
    speaker_hashes, source_class
) VALUES (
    %(tenant_id)s, %(memory_id)s, %(user_id)s, %(project_id)s, %(environment)s, %(namespace)s, %(session_id)s,
    %(agent_id)s, %(run_id)s, %(memory_type)s, %(kind)s, %(extracted_type)s, %(key_hash)s, %(person_hash)s, %(tier)s,
    %(retention_state)s, %(is_summary)s, %(parent_id)s, %(text_ciphertext)s, %(summary_ciphertext)s,
    %(attributes_ciphertext)s, %(embedding)s, %(embedding_version)s, %(terms)s, %(passages)s::smallint[],
    %(importance)s, %(pinned)s,
    %(event_date)s, %(fingerprint)s, %(tokens)s, %(created_at)s, %(updated_at)s, %(topic_hashes)s, %(entity_hashes)s,
    %(extraction_strategy)s, %(text_hash)s, %(speaker_hashes)s, %(source_class)s
);

-- name: update_memory
-- Replace what an edit changes.
UPDATE memories SET
    user_id = %(user_id)s, namespace = %(namespace)s, session_id = %(session_id)s, memory_type = %(memory_type)s, kind = %(kind)s,
    extracted_type = %(extracted_type)s, key_hash = %(key_hash)s, person_hash = %(person_hash)s,
    text_ciphertext = %(text_ciphertext)s, attributes_ciphertext = %(attributes_ciphertext)s,
    embedding = %(embedding)s, embedding_version = %(embedding_version)s, terms = %(terms)s,
    passages = %(passages)s::smallint[],
    importance = %(importance)s, pinned = %(pinned)s, event_date = %(event_date)s, fingerprint = %(fingerprint)s,
    tokens = %(tokens)s, updated_at = %(updated_at)s, topic_hashes = %(topic_hashes)s,
    entity_hashes = %(entity_hashes)s, extraction_strategy = %(extraction_strategy)s, text_hash = %(text_hash)s,
    speaker_hashes = %(speaker_hashes)s, source_class = %(source_class)s
WHERE tenant_id = %(tenant_id)s AND memory_id = %(memory_id)s;

-- name: weigh_summaries
-- The importance of the summaries over a memory, whose own has changed: the mean of what lives of their groups.
UPDATE memories s SET importance = coalesce((
    SELECT avg(m.importance) FROM members g
    JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = g.memory_id
    JOIN groups o ON o.tenant_id = %(tenant_id)s AND o.group_id = g.group_id
    WHERE g.tenant_id = %(tenant_id)s AND o.summary_id = s.memory_id
      AND m.retention_state <> 'expired' AND NOT m.replaced), s.importance)
WHERE s.tenant_id = %(tenant_id)s AND s.memory_id IN (
    SELECT o.summary_id FROM members g
    JOIN groups o ON o.tenant_id = %(tenant_id)s AND o.group_id = g.group_id
    WHERE g.tenant_id = %(tenant_id)s AND g.memory_id = %(memory_id)s);

-- name: hold_memories
-- The rows of an edit: what is read of them now stays so until it ends.
SELECT memory_id FROM memories
WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s) ORDER BY memory_id FOR UPDATE;

-- name: get_memories
-- Rows by id.
SELECT {{memory_columns}}
FROM memories m WHERE {{by_ids}};

-- name: memories_among
-- Which of these rows a filter lets through.
SELECT m.memory_id FROM memories m
WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = ANY(%(ids)s) AND {{filter}};

-- name: list_memories
-- A page of rows, newest first.
SELECT {{memory_columns}}
FROM memories m
WHERE tenant_id = %(tenant_id)s
  AND {{filter}}
  AND (%(before)s::timestamptz IS NULL OR (created_at, memory_id) < (%(before)s, %(before_id)s))
ORDER BY created_at DESC, memory_id DESC
LIMIT %(limit)s;

-- name: memories_by_namespace
-- The raw rows of a filter, oldest first; those of a namespace together, where its first one stands. A null limit is none.
SELECT memory_id, user_id, project_id, environment, namespace, session_id, agent_id, run_id, memory_type, extracted_type,
       tier, retention_state, is_summary, parent_id, text_ciphertext, summary_ciphertext, attributes_ciphertext,
       embedding_version, importance, pinned, access_count, last_accessed, event_date, fingerprint, tokens, created_at,
       updated_at, source_class
FROM memories m
WHERE tenant_id = %(tenant_id)s AND NOT is_summary AND {{filter}}
ORDER BY min(created_at) OVER (PARTITION BY namespace), namespace, created_at, memory_id
LIMIT %(limit)s;

-- name: scope_stamps
-- Which version each cluster of a scope is of, and its id, a line each. No two versions of rows have the same stamp.
SELECT string_agg(g.xmin::text || g.ctid::text || g.version || ' ' || g.group_id, E'\n' ORDER BY g.group_id) AS stamps
FROM groups g
WHERE g.tenant_id = %(tenant_id)s AND g.policy = %(policy)s AND g.user_id = %(user_id)s
  AND g.project_id = %(project_id)s AND g.environment = %(environment)s;

-- name: read_clusters
-- What a new row is held against of these clusters, with the attributes that name their subject and person, and the
-- namespaces of their members: that of the summary where there is one, else those of the first members.
SELECT g.xmin::text || g.ctid::text || g.version AS stamp, g.group_id, g.extracted_type, g.centroid, g.centroid_version,
       g.members, g.key_memory_id, k.attributes_ciphertext AS key_attributes,
       g.person_memory_id, p.attributes_ciphertext AS person_attributes, CASE WHEN g.summary_id IS NULL THEN ARRAY(
           SELECT DISTINCT coalesce(m.namespace, '') FROM (
               SELECT b.memory_id FROM members b WHERE b.tenant_id = %(tenant_id)s AND b.group_id = g.group_id LIMIT 10
           ) few JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = few.memory_id
       ) ELSE ARRAY(
           SELECT coalesce(s.namespace, '') FROM memories s
           WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = g.summary_id) END AS namespaces
FROM groups g
LEFT JOIN memories k ON k.tenant_id = %(tenant_id)s AND k.memory_id = g.key_memory_id
LEFT JOIN memories p ON p.tenant_id = %(tenant_id)s AND p.memory_id = g.person_memory_id
WHERE g.tenant_id = %(tenant_id)s AND g.group_id = ANY(%(ids)s::text[]);

-- name: insert_group
-- A new cluster; its figures are set by update_group.
INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, created_at)
VALUES (%(tenant_id)s, %(group_id)s, %(policy)s, %(user_id)s, %(project_id)s, %(environment)s, %(extracted_type)s,
        %(now)s);

-- name: lock_groups
-- The group rows of a write, locked last and in order of their ids.
SELECT group_id, centroid, centroid_version, members, added, lost, version, summary_id, key_memory_id, person_memory_id,
       due_at
FROM groups WHERE tenant_id = %(tenant_id)s AND group_id = ANY(%(ids)s) ORDER BY group_id FOR UPDATE;

-- name: update_group
-- New members: figures, centroid, and whether it is due.
UPDATE groups SET
    centroid = %(centroid)s, centroid_version = %(centroid_version)s, members = %(members)s, added = %(added)s,
    version = version + 1, due_at = %(due_at)s, key_memory_id = %(key_memory_id)s,
    person_memory_id = %(person_memory_id)s, suppressed = NULL, failed_at = NULL, attempts = 0
WHERE tenant_id = %(tenant_id)s AND group_id = %(group_id)s
RETURNING xmin::text || ctid::text || version AS stamp;

-- name: insert_members
-- Membership is stored input: each memory of a list, which is there, and its group beside it.
INSERT INTO members (tenant_id, group_id, memory_id)
SELECT m.tenant_id, j.group_id, m.memory_id
FROM unnest(%(groups)s::text[], %(ids)s::text[]) AS j (group_id, memory_id)
JOIN memories m ON m.memory_id = j.memory_id
WHERE {{by_ids}};
