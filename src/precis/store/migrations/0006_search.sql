-- What recall needs: who said a row, the row before and after it, and which rows hold a word.

-- Keyed hashes of the words of the speaker's name, so that a question that names somebody finds what they said.
ALTER TABLE memories ADD COLUMN speaker_hashes bigint[];

-- Neighbors in a session, by one step along the index.
DROP INDEX memories_by_session;
CREATE INDEX memories_by_session ON memories (tenant_id, session_id, created_at, memory_id)
    WHERE session_id IS NOT NULL;

-- Which rows hold a term: the words of recall in scopes too large to read whole. A GIN index over memories.terms would
-- not be used: under row-level security only leakproof operators reach an index, and && is none. Term 0 counts the
-- rows of a scope and their lengths. Everything a search needs is in the key's index.
CREATE TABLE postings (
    tenant_id text NOT NULL,
    term bigint NOT NULL,
    user_id text NOT NULL,
    memory_id text NOT NULL,
    frequency integer NOT NULL,
    -- Terms of the row, repeats counted.
    length integer NOT NULL,
    is_summary boolean NOT NULL,
    PRIMARY KEY (tenant_id, term, user_id, memory_id) INCLUDE (frequency, length, is_summary)
);
-- Kept by the rows themselves, in the transaction that changes them, so that no write path can forget to.
CREATE FUNCTION post_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO postings (tenant_id, term, user_id, memory_id, frequency, length, is_summary)
    SELECT m.tenant_id, t.term, m.user_id, m.memory_id, count(*), greatest(cardinality(m.terms), 0), m.is_summary
    FROM come m CROSS JOIN LATERAL unnest(m.terms || 0::bigint) AS t (term)
    WHERE m.retention_state <> 'expired'
    GROUP BY m.tenant_id, t.term, m.user_id, m.memory_id, m.terms, m.is_summary;
    RETURN NULL;
END
$$;
CREATE FUNCTION unpost_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM postings p WHERE p.tenant_id = OLD.tenant_id AND p.term = ANY(OLD.terms || 0::bigint)
        AND p.user_id = OLD.user_id AND p.memory_id = OLD.memory_id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO postings (tenant_id, term, user_id, memory_id, frequency, length, is_summary)
        SELECT NEW.tenant_id, t.term, NEW.user_id, NEW.memory_id, count(*), cardinality(NEW.terms), NEW.is_summary
        FROM unnest(NEW.terms || 0::bigint) AS t (term) WHERE NEW.retention_state <> 'expired' GROUP BY t.term;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER post_terms AFTER INSERT ON memories REFERENCING NEW TABLE AS come
    FOR EACH STATEMENT EXECUTE FUNCTION post_terms();
CREATE TRIGGER repost_terms AFTER UPDATE OF terms, user_id, retention_state ON memories
    FOR EACH ROW WHEN ((OLD.terms, OLD.user_id, OLD.retention_state) IS DISTINCT FROM (NEW.terms, NEW.user_id, NEW.retention_state))
    EXECUTE FUNCTION unpost_terms();
CREATE TRIGGER unpost_terms AFTER DELETE ON memories FOR EACH ROW EXECUTE FUNCTION unpost_terms();

-- The rows that are there. An owner that is no superuser is under the policies as well, while they are forced.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
INSERT INTO postings (tenant_id, term, user_id, memory_id, frequency, length, is_summary)
SELECT m.tenant_id, t.term, m.user_id, m.memory_id, count(*), cardinality(m.terms), m.is_summary
FROM memories m CROSS JOIN LATERAL unnest(m.terms || 0::bigint) AS t (term)
WHERE m.retention_state <> 'expired' GROUP BY m.tenant_id, m.memory_id, t.term;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
ALTER TABLE postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE postings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON postings
    USING (tenant_id = current_setting('precis.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('precis.tenant_id', true));

-- Rows whose vector another embedder made, so that a change of the embedder finds what is left to do.
CREATE INDEX memories_by_embedder ON memories (tenant_id, embedding_version, memory_id) WHERE embedding IS NOT NULL;
