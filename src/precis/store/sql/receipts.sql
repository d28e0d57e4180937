-- name: open_head
-- A chain without a receipt yet.
INSERT INTO receipt_heads (tenant_id, number, body, logged) VALUES (%(tenant_id)s, 0, NULL, 0)
ON CONFLICT (tenant_id) DO NOTHING;

-- name: hold_head
-- The end of the chain; nobody else adds to it until this transaction ends.
SELECT number, body, logged FROM receipt_heads WHERE tenant_id = %(tenant_id)s FOR UPDATE;

-- name: read_head
-- The same, to look at.
SELECT number, body, logged FROM receipt_heads WHERE tenant_id = %(tenant_id)s;

-- name: keep_head
-- The chain ends here now.
UPDATE receipt_heads SET number = %(number)s, body = %(body)s WHERE tenant_id = %(tenant_id)s;

-- name: note_logged
-- The forgotten-log has all up to here.
UPDATE receipt_heads SET logged = %(number)s WHERE tenant_id = %(tenant_id)s;

-- name: insert_receipt
-- A signed receipt, or one of before in its signed form.
INSERT INTO receipts (tenant_id, receipt_id, created_at, number, body)
VALUES (%(tenant_id)s, %(receipt_id)s, %(at)s, %(number)s, %(body)s)
ON CONFLICT (tenant_id, receipt_id) DO UPDATE SET number = excluded.number, body = excluded.body
WHERE receipts.number IS NULL;

-- name: receipts_after
-- The chain from a number on.
SELECT number, body FROM receipts WHERE tenant_id = %(tenant_id)s AND number > %(after)s ORDER BY number LIMIT %(limit)s;

-- name: receipts_before
-- The latest receipts first: all, or those of a memory or of a user.
SELECT number, body FROM receipts
WHERE tenant_id = %(tenant_id)s AND number < %(before)s
  AND (%(memory)s::text[] IS NULL OR body -> 'memories' ?| %(memory)s::text[])
  AND (%(user)s::text IS NULL OR body -> 'users' ? %(user)s)
ORDER BY number DESC LIMIT %(limit)s;

-- name: memories_in_part
-- Those of these memories of which there is a receipt of this kind.
SELECT DISTINCT n.memory FROM receipts r, unnest(%(memories)s::text[]) AS n (memory)
WHERE r.tenant_id = %(tenant_id)s AND r.body ->> 'what' = %(what)s AND r.body -> 'memories' ? n.memory;

-- name: get_receipt
-- One of them.
SELECT number, body FROM receipts
WHERE tenant_id = %(tenant_id)s AND receipt_id = %(receipt_id)s AND number IS NOT NULL;

-- name: completion_of
-- The receipt that completes it, once there is one.
SELECT number, body FROM receipts
WHERE tenant_id = %(tenant_id)s AND number > %(number)s AND body ->> 'completes' = %(receipt_id)s ORDER BY number LIMIT 1;

-- name: unsigned_receipts
-- Those of a release that signed none, oldest first.
SELECT receipt_id, created_at, body FROM receipts
WHERE tenant_id = %(tenant_id)s AND number IS NULL AND NOT starts_with(receipt_id, %(mark)s)
ORDER BY created_at, receipt_id;

-- name: insert_pending
-- What a pool is to be asked for until it has confirmed: ids; or, after a restore, the receipt as it was signed.
INSERT INTO pending_receipts (tenant_id, receipt_id, pool, body)
VALUES (%(tenant_id)s, %(receipt_id)s, %(pool)s, %(body)s);

-- name: pending_receipts
-- The forgets that a pool has not confirmed yet; with ``signed`` those of which only the signed receipt is left.
SELECT receipt_id, body FROM pending_receipts
WHERE tenant_id = %(tenant_id)s AND pool = %(pool)s AND body ? 'signed' = %(signed)s::boolean ORDER BY receipt_id;

-- name: delete_pending
-- It has.
DELETE FROM pending_receipts WHERE tenant_id = %(tenant_id)s AND receipt_id = ANY(%(ids)s);

-- name: all_tombstones
-- Every forgotten id of precis itself, as a keyed hash.
SELECT memory_hash, renewable, NULL AS pool FROM tombstones WHERE tenant_id = %(tenant_id)s;

-- name: all_tombstones_in_pools
-- The same of the pools.
SELECT memory_hash, false AS renewable, pool FROM pool_tombstones WHERE tenant_id = %(tenant_id)s;

-- name: pools_with_tombstones
-- The pools in which something was forgotten.
SELECT DISTINCT pool FROM pool_tombstones WHERE tenant_id = %(tenant_id)s ORDER BY pool;
