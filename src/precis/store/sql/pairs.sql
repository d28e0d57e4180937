-- What a row m replaces, what replaces it, and on which messages it rests; only rows that say so are looked up.
CASE WHEN m.replaces THEN ARRAY(
    SELECT x.older_id FROM supersessions x
    WHERE x.tenant_id = %(tenant_id)s AND x.newer_id = m.memory_id ORDER BY x.older_id) END AS supersedes,
CASE WHEN m.superseded_at IS NOT NULL THEN ARRAY(
    SELECT x.newer_id FROM supersessions x
    WHERE x.tenant_id = %(tenant_id)s AND x.older_id = m.memory_id ORDER BY x.newer_id) END AS superseded_by,
CASE WHEN m.kind = 'extracted' THEN ARRAY(
    SELECT s.message_id FROM fact_sources s JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = s.message_id
    WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = m.memory_id ORDER BY o.created_at, o.memory_id) END AS rests_on
