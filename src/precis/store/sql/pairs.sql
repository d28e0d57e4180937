-- What a row m replaces, and what replaces it; only rows that say so are looked up.
CASE WHEN m.replaces THEN ARRAY(
    SELECT x.older_id FROM supersessions x
    WHERE x.tenant_id = m.tenant_id AND x.newer_id = m.memory_id ORDER BY x.older_id) END AS supersedes,
CASE WHEN m.superseded_at IS NOT NULL THEN ARRAY(
    SELECT x.newer_id FROM supersessions x
    WHERE x.tenant_id = m.tenant_id AND x.older_id = m.memory_id ORDER BY x.newer_id) END AS superseded_by
