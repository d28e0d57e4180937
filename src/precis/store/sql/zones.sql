-- name: put_zone
-- The zone of a user, or of everybody else under the empty name.
INSERT INTO zones (tenant_id, user_id, zone) VALUES (%(tenant_id)s, %(user_id)s, %(zone)s)
ON CONFLICT (tenant_id, user_id) DO UPDATE SET zone = excluded.zone;

-- name: delete_zone
-- Back to the tenant's zone, or the default.
DELETE FROM zones WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s;

-- name: list_zones
-- All of them.
SELECT user_id, zone FROM zones WHERE tenant_id = %(tenant_id)s ORDER BY user_id;

-- name: zones_of
-- A user's own and the tenant's, as far as they are set.
SELECT user_id, zone FROM zones WHERE tenant_id = %(tenant_id)s AND user_id IN (%(user_id)s, '');

-- name: zones_of_memories
-- The tenant's own and those of the users of these memories, as far as they are set.
SELECT user_id, zone FROM zones WHERE tenant_id = %(tenant_id)s AND (user_id = '' OR user_id IN (
    SELECT user_id FROM memories WHERE tenant_id = %(tenant_id)s AND memory_id = ANY(%(ids)s)));

-- name: placed_memories
-- Raw rows that are members of a group of these policies, of one user or of everybody without a zone of their own.
SELECT DISTINCT m.memory_id FROM members b
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id
WHERE b.tenant_id = %(tenant_id)s AND g.policy = ANY(%(policies)s)
  AND CASE WHEN %(user_id)s = '' THEN NOT EXISTS (
          SELECT 1 FROM zones z WHERE z.tenant_id = %(tenant_id)s AND z.user_id = m.user_id AND z.user_id <> '')
      ELSE m.user_id = %(user_id)s END
ORDER BY m.memory_id;
