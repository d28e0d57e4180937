-- name: moment
-- What began before this may still see rows that are forgotten by now.
SELECT clock_timestamp() AS began;

-- name: older_transactions
-- How many sessions hold a snapshot or a transaction of before: a rewrite keeps for them what they may still read.
SELECT count(*) AS older FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND xact_start < %(began)s AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL);

-- name: clear_statistics
-- The planner's samples hold whole values of rows (vectors, ciphertexts, keyed words), and ANALYZE leaves those of a
-- table that is empty by now.
SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited) FROM pg_stats
WHERE schemaname NOT IN ('pg_catalog', 'information_schema');

-- name: rewrite_tables
-- Every table, index and catalog anew: a plain VACUUM frees the space of a dead row and leaves its bytes in the page.
VACUUM (FULL);

-- name: sample_again
-- What was cleared, from the living rows.
ANALYZE;

-- name: leave_log
-- The log begins anew. Every segment of before goes, also those kept for later under the number of a coming one, which
-- still hold what was written to them under their old number: only a server with wal_recycle off removes them all.
DO $$
DECLARE
    old CONSTANT text[] := ARRAY(SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$');
BEGIN
    IF current_setting('wal_recycle')::boolean THEN
        RAISE EXCEPTION 'wal_recycle is on: old segments of the log would be kept under new names';
    END IF;
    FOR step IN 1..cardinality(old) + 10 LOOP
        -- An empty segment cannot be left, so that something is written first.
        PERFORM pg_logical_emit_message(false, 'precis', '');
        PERFORM pg_switch_wal();
        CHECKPOINT;
        IF NOT EXISTS (SELECT FROM pg_ls_waldir() WHERE name = ANY(old)) THEN
            RETURN;
        END IF;
    END LOOP;
    RAISE EXCEPTION 'old segments of the log stay: a replication slot, an archiver or wal_keep_size holds them';
END
$$;
