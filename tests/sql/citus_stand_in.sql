-- What precis distribute asks of Citus, over one PostgreSQL: functions and a catalog of the same names and signatures,
-- which refuse what create_distributed_table() refuses and note what they were asked. No row moves.
CREATE SCHEMA citus;
CREATE TYPE citus.distribution_type AS ENUM ('hash', 'range', 'append');
CREATE TABLE pg_dist_partition (
    logicalrelid regclass PRIMARY KEY, partmethod "char", partkey text, colocationid integer, asked serial);
-- After how many tables the coordinator is lost; null: never.
CREATE TABLE citus.lost (after integer);

CREATE FUNCTION column_to_column_name(table_name regclass, column_var_text text) RETURNS text LANGUAGE sql AS
    'SELECT column_var_text';

CREATE FUNCTION create_distributed_table(
    table_name regclass, distribution_column text, distribution_type citus.distribution_type DEFAULT 'hash',
    colocate_with text DEFAULT 'default', shard_count integer DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    key CONSTANT smallint := (SELECT attnum FROM pg_attribute WHERE attrelid = table_name
                              AND attname = distribution_column);
    beside integer;
    filled boolean;
BEGIN
    IF (SELECT count(*) FROM pg_dist_partition) = (SELECT after FROM citus.lost) THEN
        RAISE EXCEPTION 'the connection to the worker was lost' USING ERRCODE = 'connection_failure';
    END IF;
    IF key IS NULL THEN
        RAISE EXCEPTION 'column "%" of relation "%" does not exist', distribution_column, table_name;
    END IF;
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = table_name) THEN
        RAISE EXCEPTION 'table "%" is already distributed', table_name;
    END IF;
    IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = table_name AND NOT tgisinternal) THEN
        RAISE EXCEPTION 'triggers are not supported on distributed tables: "%"', table_name;
    END IF;
    IF EXISTS (SELECT FROM pg_index WHERE indrelid = table_name AND indisunique AND NOT key = ANY(indkey::smallint[])) THEN
        RAISE EXCEPTION 'cannot create constraint on "%": no key without the distribution column', table_name;
    END IF;
    IF colocate_with NOT IN ('default', 'none') THEN
        IF shard_count IS NOT NULL THEN
            RAISE EXCEPTION 'cannot use colocate_with with a table and shard_count at the same time';
        END IF;
        SELECT colocationid INTO beside FROM pg_dist_partition WHERE logicalrelid = colocate_with::regclass;
        IF beside IS NULL THEN
            RAISE EXCEPTION 'relation % is not distributed', colocate_with;
        END IF;
        IF (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = table_name AND a.attnum = key)
           <> (SELECT a.atttypid FROM pg_attribute a JOIN pg_dist_partition p ON p.logicalrelid = a.attrelid
               WHERE a.attrelid = colocate_with::regclass AND a.attname = p.partkey) THEN
            RAISE EXCEPTION 'cannot colocate tables % and %: distribution column types do not match', colocate_with, table_name;
        END IF;
    ELSE
        beside := 1 + coalesce((SELECT max(colocationid) FROM pg_dist_partition), 0);
    END IF;
    IF EXISTS (
        SELECT FROM pg_constraint f LEFT JOIN pg_dist_partition p ON p.logicalrelid = f.confrelid
        LEFT JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attname = p.partkey
        WHERE f.contype = 'f' AND f.conrelid = table_name AND (
            p.colocationid IS DISTINCT FROM beside OR array_position(f.conkey, key) IS NULL
            OR array_position(f.conkey, key) IS DISTINCT FROM array_position(f.confkey, a.attnum))
    ) THEN
        RAISE EXCEPTION 'cannot create foreign key constraint since relations are not colocated: "%"', table_name;
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', table_name) INTO filled;
    IF filled AND (SELECT relforcerowsecurity FROM pg_class WHERE oid = table_name) THEN
        RAISE EXCEPTION 'COPY FROM not supported with row-level security';
    END IF;
    INSERT INTO pg_dist_partition (logicalrelid, partmethod, partkey, colocationid)
    VALUES (table_name, 'h', distribution_column, beside);
END
$$;

-- As CREATE EXTENSION notes it.
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
SELECT 999999, 'citus', r.oid, 'pg_catalog'::regnamespace, false, 'stand-in' FROM pg_roles r WHERE r.rolname = current_user;
