-- name: insert_tenant
-- A tenant is made once; making it again changes nothing.
INSERT INTO tenants (tenant_id, name, created_at) VALUES (%(tenant_id)s, %(name)s, %(now)s)
ON CONFLICT (tenant_id) DO NOTHING;

-- name: list_tenants
-- The directory: what a worker walks.
SELECT tenant_id, name, created_at FROM tenants ORDER BY tenant_id;

-- name: hold_tenant
-- Whoever ties a tenant to its keys, or compares them, does so alone.
SELECT keys_mark FROM tenants WHERE tenant_id = %(tenant_id)s FOR UPDATE;

-- name: key_marks
-- Which keys each tenant's rows are sealed with.
SELECT tenant_id, keys_mark FROM tenants WHERE keys_mark IS NOT NULL ORDER BY tenant_id;

-- name: tie_tenant
-- From now on only these keys are a tenant's.
UPDATE tenants SET keys_mark = %(mark)s WHERE tenant_id = %(tenant_id)s;

-- name: some_user_keys
-- Enough data keys to see whether any of them opens.
SELECT user_ref, key_version, wrapped FROM user_keys WHERE tenant_id = %(tenant_id)s ORDER BY user_ref LIMIT 1000;

-- name: insert_api_key
-- Only the hash of a key is kept.
INSERT INTO api_keys (tenant_id, key_id, name, secret_hash, created_at, made_with)
VALUES (%(tenant_id)s, %(key_id)s, %(name)s, %(secret_hash)s, %(now)s, %(made_with)s);

-- name: hold_api_key
-- A key that makes another: it is not revoked meanwhile.
SELECT key_id FROM api_keys
WHERE tenant_id = %(tenant_id)s AND key_id = %(key_id)s AND revoked_at IS NULL FOR SHARE;

-- name: list_api_keys
-- Keys of a tenant, without their hashes.
SELECT key_id, name, created_at, revoked_at, made_with FROM api_keys
WHERE tenant_id = %(tenant_id)s ORDER BY created_at, key_id;

-- name: get_api_key
-- A key that may still be used.
SELECT name, secret_hash FROM api_keys
WHERE tenant_id = %(tenant_id)s AND key_id = %(key_id)s AND revoked_at IS NULL;

-- name: revoke_api_key
-- A revoked key stays listed.
UPDATE api_keys SET revoked_at = %(now)s WHERE tenant_id = %(tenant_id)s AND key_id = %(key_id)s
  AND revoked_at IS NULL RETURNING key_id;

-- name: revoke_made_keys
-- Those made with a key that is revoked. Asked until none is left, since each of them may have made others.
UPDATE api_keys SET revoked_at = %(now)s WHERE tenant_id = %(tenant_id)s AND revoked_at IS NULL
  AND made_with = ANY(%(key_ids)s) RETURNING key_id;

-- name: user_keys
-- The wrapped data keys of these users, to read with.
SELECT user_ref, key_version, wrapped FROM user_keys
WHERE tenant_id = %(tenant_id)s AND user_ref = ANY(%(refs)s);

-- name: hold_user_keys
-- The wrapped data keys of these users, held until the end of the transaction so that no row is sealed under a key
-- that is being destroyed.
SELECT user_ref, key_version, wrapped FROM user_keys
WHERE tenant_id = %(tenant_id)s AND user_ref = ANY(%(refs)s) ORDER BY user_ref FOR KEY SHARE;

-- name: lock_user_keys
-- Users who are being forgotten: their writers end first, or wait.
SELECT user_ref FROM user_keys WHERE tenant_id = %(tenant_id)s AND user_ref = ANY(%(refs)s) ORDER BY user_ref FOR UPDATE;

-- name: insert_user_key
-- The first writer of a user makes the key.
INSERT INTO user_keys (tenant_id, user_ref, key_version, wrapped)
VALUES (%(tenant_id)s, %(user_ref)s, %(key_version)s, %(wrapped)s) ON CONFLICT (tenant_id, user_ref) DO NOTHING;

-- name: delete_user_keys
-- The keys of forgotten users.
DELETE FROM user_keys WHERE tenant_id = %(tenant_id)s AND user_ref = ANY(%(refs)s);

-- name: share_key_lock
-- Held by whoever wraps a new data key, so that the tenant key it is wrapped under is not erased before it is seen.
SELECT pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s, 13));

-- name: take_key_lock
-- Held by whoever makes or erases a version of the tenant key.
SELECT pg_advisory_xact_lock(hashtextextended(%(tenant_id)s, 13));

-- name: all_user_keys
-- Every data key of a tenant, to wrap them anew.
SELECT user_ref, key_version, wrapped FROM user_keys WHERE tenant_id = %(tenant_id)s ORDER BY user_ref FOR NO KEY UPDATE;

-- name: key_versions
-- Under which versions of the tenant's key its data keys are wrapped.
SELECT DISTINCT key_version FROM user_keys WHERE tenant_id = %(tenant_id)s ORDER BY key_version;

-- name: rewrap_user_key
-- The same data key under a newer tenant key.
UPDATE user_keys SET key_version = %(key_version)s, wrapped = %(wrapped)s
WHERE tenant_id = %(tenant_id)s AND user_ref = %(user_ref)s;

-- name: insert_erasure
-- From this version of the tenant key on nothing is wrapped under an older one.
INSERT INTO key_erasures (tenant_id, key_version) VALUES (%(tenant_id)s, %(key_version)s)
ON CONFLICT (tenant_id, key_version) DO NOTHING;

-- name: erasures
-- Versions whose predecessors may still be in the key file.
SELECT key_version FROM key_erasures WHERE tenant_id = %(tenant_id)s;

-- name: delete_erasures
-- They are erased.
DELETE FROM key_erasures WHERE tenant_id = %(tenant_id)s AND key_version <= %(key_version)s;
