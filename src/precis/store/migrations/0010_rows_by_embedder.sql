-- Rows by what embedded them, with a vector or without: a text that one embedder cannot read another one may.
DROP INDEX memories_by_embedder;
CREATE INDEX memories_by_embedder ON memories (tenant_id, embedding_version, memory_id)
    WHERE embedding_version IS NOT NULL;

-- Messages that are not recalled have no vector and are to get none. An owner that is no superuser is under the
-- policies as well, while they are forced.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
UPDATE memories SET embedding_version = NULL WHERE kind = 'turn' AND embedding IS NULL AND embedding_version IS NOT NULL;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
