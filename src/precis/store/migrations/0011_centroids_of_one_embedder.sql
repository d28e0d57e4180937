-- Which embedder made the vectors that the centroid is the mean of: those of two are never mixed.
ALTER TABLE groups ADD COLUMN centroid_version text;

-- The centroids that are there, over the members whose vectors are of one embedder: that of the newest. An owner that is
-- no superuser is under the policies as well, while they are forced.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE members NO FORCE ROW LEVEL SECURITY;
ALTER TABLE groups NO FORCE ROW LEVEL SECURITY;
UPDATE groups g SET centroid = c.centroid, centroid_version = c.version
FROM (
    SELECT DISTINCT ON (b.tenant_id, b.group_id) b.tenant_id, b.group_id, m.embedding_version AS version,
           avg(m.embedding::vector) AS centroid
    FROM members b JOIN memories m ON m.tenant_id = b.tenant_id AND m.memory_id = b.memory_id
    WHERE m.embedding IS NOT NULL AND m.embedding_version IS NOT NULL
    GROUP BY b.tenant_id, b.group_id, m.embedding_version, vector_dims(m.embedding)
    ORDER BY b.tenant_id, b.group_id, max(m.created_at) DESC, m.embedding_version
) c
WHERE g.tenant_id = c.tenant_id AND g.group_id = c.group_id AND g.place IS NULL;
UPDATE groups SET centroid = NULL WHERE centroid_version IS NULL AND centroid IS NOT NULL;
ALTER TABLE groups FORCE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
ALTER TABLE groups ADD CHECK ((centroid IS NULL) = (centroid_version IS NULL));
