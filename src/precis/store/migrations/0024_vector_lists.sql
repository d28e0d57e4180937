-- The vectors of large scopes in lists of those that are near each other, in place of one index for each large user.
-- A scope that is searched by lists: the rows of one user, or of the whole tenant (scope ''), read by one embedder.
CREATE TABLE vector_scopes (
    tenant_id text NOT NULL,
    scope text NOT NULL,
    embedding_version text NOT NULL,
    -- The list that new rows join; every search reads it.
    entry bigint NOT NULL,
    -- Whether every row of the scope is in a list.
    ready boolean NOT NULL DEFAULT false,
    -- Which lists were made last.
    generation integer NOT NULL DEFAULT 0,
    -- How many lists of each generation a search reads.
    probes integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope)
);

-- The lists of a scope. What is forgotten is taken out of the sum it is in, so that no list tells of it.
CREATE TABLE vector_lists (
    tenant_id text NOT NULL,
    scope text NOT NULL,
    list bigint NOT NULL,
    generation integer NOT NULL,
    -- The sum of the vectors of the members that count, by which a list is found; null where there is none: every search
    -- reads the list.
    total vector,
    counted integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope, list)
);

-- In which list each raw row of such a scope is, with what a search compares: the vector, or one bit for each of its
-- dimensions where they are too many for an index.
CREATE TABLE listed_vectors (
    tenant_id text NOT NULL,
    memory_id text NOT NULL,
    scope text NOT NULL,
    list bigint NOT NULL,
    -- Whether its vector is in the sum of the list.
    counted boolean NOT NULL DEFAULT false,
    code halfvec,
    bits bit varying,
    PRIMARY KEY (tenant_id, memory_id, scope),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, memory_id) ON DELETE CASCADE
);
-- A list lies together in this index, and a search reads nothing else of the table.
CREATE INDEX listed_vectors_by_list ON listed_vectors (tenant_id, scope, list, memory_id) INCLUDE (code, bits);
ALTER TABLE listed_vectors SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

ALTER TABLE vector_scopes ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_scopes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON vector_scopes
    USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
ALTER TABLE vector_lists ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_lists FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON vector_lists
    USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
ALTER TABLE listed_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE listed_vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON listed_vectors
    USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));
