-- name: begin
-- A transaction that writes.
BEGIN;

-- name: begin_one_moment
-- A transaction that reads what is of one moment.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- name: begin_steady
-- A transaction that reads what is of one moment, and writes only what nobody else has written since.
BEGIN ISOLATION LEVEL REPEATABLE READ;

-- name: survive_no_crash
-- What this transaction writes may be lost when the database crashes: its commit does not wait for the disk.
SET LOCAL synchronous_commit = off;

-- name: commit_transaction
-- It is made.
COMMIT;

-- name: undo_transaction
-- Nothing of it is.
ROLLBACK;

-- name: enter_tenant
-- Row-level security shows this tenant's rows until the end of the transaction, on every machine that it reaches.
SET LOCAL precis.tenant_id = {tenant_id};

-- name: plan_generically
-- For a query whose plan depends on nothing it is given: planning it takes as long as a tenth of its work. Such a plan is
-- made for users of average size: one that is far above it must neither keep a small one's rows from being hashed nor have
-- the whole table read for them.
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL work_mem = '256MB';
SET LOCAL enable_seqscan = off;

-- name: who_am_i
-- What the server must know before it serves: never as superuser, never as owner of the tables.
SELECT rolsuper OR rolbypassrls AS above_the_law,
       EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'memories'
               AND tableowner = current_user) AS owner,
       current_user AS name
FROM pg_roles WHERE rolname = current_user;

-- name: ping
-- Is it there.
SELECT 1 AS one;

-- name: which_copy
-- What tells a copy of the database from another one that took its place: the server's start, the database, and the files
-- of its tables and indexes, which a restore makes anew. Indexes come last there, when all rows are back.
SELECT concat_ws(' ', pg_postmaster_start_time(), (SELECT oid FROM pg_database WHERE datname = current_database()),
       (SELECT md5(string_agg(pg_relation_filenode(c.oid)::text, ' ' ORDER BY c.oid)) FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i'))) AS copy;

-- name: log_position
-- How far the log of this primary goes: everything that it has acknowledged lies before. And which primary it is.
SELECT pg_current_wal_insert_lsn()::text AS position, (SELECT system_identifier FROM pg_control_system()) AS system,
       (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline;

-- name: has_replayed
-- Whether this is a replica of that primary, and has replayed its log up to there.
SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system()) = %(system)s::bigint
       AND (SELECT timeline_id FROM pg_control_checkpoint()) = %(timeline)s::integer AS is_replica,
       coalesce(pg_last_wal_replay_lsn() >= %(position)s::pg_lsn, false) AS is_current;

-- name: is_recovered
-- A row once the server has read its log and writes again.
SELECT true AS recovered WHERE NOT pg_is_in_recovery();

-- name: unarchived
-- The file of the log that the server fails to archive, if its last try failed.
SELECT last_failed_wal FROM pg_stat_archiver
 WHERE last_failed_time IS NOT NULL AND last_failed_time > coalesce(last_archived_time, '-infinity'::timestamptz)
   AND current_setting('archive_mode') <> 'off';

-- name: last_write
-- When the last transaction was committed that a recovered server read in its log; null where it read none.
SELECT pg_last_xact_replay_timestamp() AS at;
