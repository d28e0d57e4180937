-- name: lock_pool
-- Plans, drafts and forgets of one pool one after the other; released at the end of the transaction.
SELECT pg_advisory_xact_lock(hashtextextended(%(scope)s, 11));

-- name: covered
-- Which of these memories are in a batch already.
SELECT memory_id FROM pool_sources
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s);

-- name: forgotten
-- Which of these keyed hashes belong to memories that were forgotten in the pool.
SELECT memory_hash FROM pool_tombstones
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_hash = ANY(%(hashes)s);

-- name: insert_batch
-- A batch before its draft.
INSERT INTO pool_batches (
    tenant_id, batch_id, pool, user_id, agent_id, run_id, state, summarized_until, definition, kept, created_at
) VALUES (
    %(tenant_id)s, %(batch_id)s, %(pool)s, %(user_id)s, %(agent_id)s, %(run_id)s, 'planned', %(until)s,
    %(definition)s, %(kept)s, %(now)s
);

-- name: insert_sources
-- Its memories; one that is in another batch already is not among those answered.
INSERT INTO pool_sources (tenant_id, pool, memory_id, batch_id, position, created_at, digest, state)
SELECT b.tenant_id, %(pool)s, t.memory_id, b.batch_id, t.at - 1, t.created_at, t.digest, 'live'
FROM pool_batches b CROSS JOIN unnest(%(ids)s::text[], %(dates)s::timestamptz[], %(digests)s::bytea[]) WITH ORDINALITY
    AS t(memory_id, created_at, digest, at)
WHERE b.tenant_id = %(tenant_id)s AND b.batch_id = %(batch_id)s
ON CONFLICT (tenant_id, pool, memory_id) DO NOTHING
RETURNING memory_id;

-- name: batches
-- Batches by id.
SELECT batch_id AS id, pool, user_id, agent_id, run_id, state, summarized_until AS until, definition, digest,
       next_digest, summary_id, old_summary_id, kept, revision, pending
FROM pool_batches WHERE tenant_id = %(tenant_id)s AND batch_id = ANY(%(ids)s) ORDER BY summarized_until, batch_id;

-- name: unfinished
-- What a pass that ended early left, and summaries to be rewritten.
SELECT batch_id FROM pool_batches
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s
  AND (state IN ('planned', 'deleting') OR pending OR old_summary_id IS NOT NULL)
ORDER BY summarized_until, batch_id;

-- name: overdue_in_pool
-- Batches whose summary is in the pool with originals from before a moment.
SELECT DISTINCT b.batch_id FROM pool_sources s
JOIN pool_batches b ON b.tenant_id = %(tenant_id)s AND b.batch_id = s.batch_id
WHERE s.tenant_id = %(tenant_id)s AND s.pool = %(pool)s AND s.state = 'live' AND s.created_at < %(before)s
  AND b.state = 'stored' AND NOT b.pending
  AND (%(user_id)s::text IS NULL OR b.user_id = %(user_id)s)
ORDER BY b.batch_id;

-- name: sources
-- The memories of batches, oldest first.
SELECT batch_id, memory_id, position, created_at, digest, state FROM pool_sources
WHERE tenant_id = %(tenant_id)s AND batch_id = ANY(%(ids)s) ORDER BY batch_id, position;

-- name: statements
-- The stretches of the summaries of batches, in order.
SELECT batch_id, starts_at, ends_at, sources FROM pool_statements
WHERE tenant_id = %(tenant_id)s AND batch_id = ANY(%(ids)s) ORDER BY batch_id, position;

-- name: clear_statements_in_pool
-- Before the ones of another draft.
DELETE FROM pool_statements WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s;

-- name: insert_statement_in_pool
-- One stretch.
INSERT INTO pool_statements (tenant_id, batch_id, position, starts_at, ends_at, sources)
VALUES (%(tenant_id)s, %(batch_id)s, %(position)s, %(starts_at)s, %(ends_at)s, %(sources)s);

-- name: set_digest
-- The draft is about to be added; nothing is written where the batch is gone, or something of it was forgotten.
UPDATE pool_batches SET digest = %(digest)s, definition = %(definition)s
WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s AND state = 'planned' AND NOT pending;

-- name: set_stored
-- The summary is in the pool.
UPDATE pool_batches SET state = 'stored', summary_id = %(summary_id)s
WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s AND state = 'planned';

-- name: set_next
-- The summary without some statements is about to be added.
UPDATE pool_batches SET next_digest = %(digest)s WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s;

-- name: set_rewritten
-- The summary without some statements is in the pool; the old one is still there.
UPDATE pool_batches SET old_summary_id = summary_id, summary_id = %(summary_id)s, digest = %(digest)s,
    revision = revision + 1, next_digest = NULL, pending = false
WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s;

-- name: clear_old
-- The old one is gone.
UPDATE pool_batches SET old_summary_id = NULL WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s;

-- name: set_deleting
-- Originals are about to be deleted; nothing is written where the batch is gone, or something of it was forgotten.
UPDATE pool_batches SET state = 'deleting'
WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s AND NOT pending;

-- name: set_deleted
-- Originals are deleted: of all, or of some.
UPDATE pool_batches b SET state = CASE WHEN EXISTS (
    SELECT 1 FROM pool_sources s WHERE s.tenant_id = %(tenant_id)s AND s.batch_id = b.batch_id
        AND s.state NOT IN ('deleted', 'forgotten')) THEN 'stored' ELSE 'done' END
WHERE b.tenant_id = %(tenant_id)s AND b.batch_id = %(batch_id)s;

-- name: set_state
-- Any other step.
UPDATE pool_batches SET state = %(state)s WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s;

-- name: set_source_states
-- What becomes of some of its memories; a forgotten one stays that.
UPDATE pool_sources SET state = %(state)s
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s) AND state <> 'forgotten';

-- name: free_sources
-- Changed since they were read: another batch may take them.
DELETE FROM pool_sources
WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s AND memory_id = ANY(%(ids)s) AND state <> 'forgotten';

-- name: delete_batch
-- Its memories are free for another one.
DELETE FROM pool_batches WHERE tenant_id = %(tenant_id)s AND batch_id = %(batch_id)s;

-- name: release_rejected
-- Batches whose draft was rejected under another definition; all of them when asked.
DELETE FROM pool_batches
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND state = 'rejected'
  AND (%(everything)s OR definition <> %(definition)s);

-- name: holders_in_pool
-- The batches of these memories, and of these summaries, held.
SELECT batch_id, summary_id FROM pool_batches
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s
  AND batch_id IN (SELECT batch_id FROM pool_sources
                   WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s))
ORDER BY batch_id FOR UPDATE;

-- name: summaries_among
-- Which of these ids are summaries of ours: those are derived.
SELECT summary_id FROM pool_batches
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND summary_id = ANY(%(ids)s);

-- name: forget_sources_in_pool
-- The memories are forgotten.
UPDATE pool_sources SET state = 'forgotten'
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s);

-- name: set_pending
-- Their summaries have to be rewritten.
UPDATE pool_batches SET pending = true WHERE tenant_id = %(tenant_id)s AND batch_id = ANY(%(ids)s);

-- name: insert_tombstone_in_pool
-- Nobody is shown it from now on. One that was deleted before and came back into the pool waits to be deleted again.
INSERT INTO pool_tombstones (tenant_id, pool, memory_hash, memory_id, forgotten_at)
VALUES (%(tenant_id)s, %(pool)s, %(hash)s, %(memory_id)s, %(now)s)
ON CONFLICT (tenant_id, pool, memory_hash) DO UPDATE
    SET memory_id = excluded.memory_id, forgotten_at = excluded.forgotten_at, confirmed_at = NULL
    WHERE excluded.memory_id IS NOT NULL;

-- name: known
-- Which of these ids precis has met in the pool: in a batch, or forgotten and not deleted from the pool yet.
SELECT memory_id FROM pool_sources
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s)
UNION SELECT memory_id FROM pool_tombstones
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s);

-- name: sources_of_user
-- Every original that a summary of this user was made of, those included that have expired since.
SELECT s.memory_id FROM pool_sources s
JOIN pool_batches b ON b.tenant_id = %(tenant_id)s AND b.batch_id = s.batch_id
WHERE s.tenant_id = %(tenant_id)s AND s.pool = %(pool)s AND b.user_id = %(user_id)s
ORDER BY s.created_at, s.memory_id;

-- name: statement_counts
-- How many statements the summaries of these batches have, and how many of them rest on one of these memories.
SELECT t.batch_id, count(*) AS statements, count(*) FILTER (WHERE EXISTS (
    SELECT 1 FROM pool_sources s
    WHERE s.tenant_id = %(tenant_id)s AND s.batch_id = t.batch_id AND s.memory_id = ANY(%(ids)s)
      AND s.position = ANY(t.sources))) AS resting
FROM pool_statements t WHERE t.tenant_id = %(tenant_id)s AND t.batch_id = ANY(%(batches)s) GROUP BY t.batch_id;

-- name: ids_in_pool
-- Every memory of a pool that is in a batch.
SELECT memory_id FROM pool_sources WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s;

-- name: recognize
-- The ids of keyed hashes that a restored database has heard of without them.
UPDATE pool_tombstones t SET memory_id = i.memory_id
FROM unnest(%(hashes)s::bytea[], %(ids)s::text[]) AS i (memory_hash, memory_id)
WHERE t.tenant_id = %(tenant_id)s AND t.pool = %(pool)s AND t.memory_hash = i.memory_hash
  AND t.memory_id IS NULL AND t.confirmed_at IS NULL;

-- name: waiting
-- What the pool has not deleted yet.
SELECT memory_id FROM pool_tombstones
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id IS NOT NULL ORDER BY memory_id;

-- name: confirm
-- The pool has: only the keyed hash stays, and no list names the id any more.
WITH gone AS (
    DELETE FROM pool_sources
    WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s) AND state = 'forgotten'
      AND NOT EXISTS (SELECT 1 FROM pool_batches b WHERE b.tenant_id = %(tenant_id)s
                      AND b.batch_id = pool_sources.batch_id AND b.pending)
)
UPDATE pool_tombstones SET memory_id = NULL, confirmed_at = %(now)s
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND memory_id = ANY(%(ids)s);

-- name: hidden
-- Summaries that still say something forgotten: by id, and by the hash of their text where an id is not noted yet.
SELECT old_summary_id, CASE WHEN pending THEN summary_id END AS summary_id,
       CASE WHEN pending THEN digest END AS digest, CASE WHEN pending THEN next_digest END AS next_digest
FROM pool_batches
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND (pending OR old_summary_id IS NOT NULL);
