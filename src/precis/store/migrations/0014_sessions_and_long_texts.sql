-- What clients of the wire need: ids that a session let go, as against those that a person forgot; and long texts.

-- Whether whoever has the id may write it again without saying that it is to be revived.
ALTER TABLE tombstones ADD COLUMN renewable boolean NOT NULL DEFAULT false;

-- The words of a row are counted by themselves: grouped together with the array that holds all of them, a text of
-- 200,000 characters took a minute.
CREATE OR REPLACE FUNCTION post_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO postings (tenant_id, term, user_id, memory_id, frequency, length, is_summary)
    SELECT m.tenant_id, t.term, m.user_id, m.memory_id, t.frequency, greatest(cardinality(m.terms), 0), m.is_summary
    FROM come m CROSS JOIN LATERAL (
        SELECT u.term, count(*) AS frequency FROM unnest(m.terms || 0::bigint) AS u (term) GROUP BY u.term) t
    WHERE m.retention_state <> 'expired';
    RETURN NULL;
END
$$;
