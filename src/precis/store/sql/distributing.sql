-- What precis distribute asks a server that has Citus, as the owner of the tables.

-- name: citus_version
-- Which Citus the database has; nothing where it has none.
SELECT extversion AS version FROM pg_extension WHERE extname = 'citus';

-- name: tables_to_place
-- Every table of the schema: whether its rows have a tenant, which tables its foreign keys name, and its triggers.
SELECT c.relname AS name,
       EXISTS (SELECT 1 FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull) AS of_tenant,
       ARRAY(SELECT DISTINCT p.relname::text FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
             WHERE f.conrelid = c.oid AND f.contype = 'f' AND p.oid <> c.oid) AS parents,
       ARRAY(SELECT t.tgname::text FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS triggers
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname NOT LIKE 'pg\_dist\_%%'
ORDER BY c.relname;

-- name: tables_placed
-- What is distributed already, by which column, and beside what.
SELECT c.relname AS name, column_to_column_name(p.logicalrelid, p.partkey) AS key, p.colocationid AS colocation
FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
WHERE c.relnamespace = current_schema()::regnamespace;

-- name: role_propagates
-- Whether SET LOCAL of this role reaches the other machines: row-level security asks each of them for the tenant.
SELECT EXISTS (
    SELECT 1 FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
    WHERE r.rolname = %(role)s AND 'citus.propagate_set_commands=local' = ANY(s.setconfig)) AS propagates;

-- name: propagate_of_role
-- It does from the next connection on.
ALTER ROLE {role} SET citus.propagate_set_commands = 'local';

-- name: unforce_table
-- The owner copies rows to the machines, which row-level security refuses while it is forced on the owner, too.
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;

-- name: force_table
-- As it was.
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;

-- name: place_first
-- The first table says on how many shards tenants lie.
SELECT create_distributed_table(%(table)s::regclass, 'tenant_id', colocate_with => 'none', shard_count => %(shards)s);

-- name: place_beside
-- Rows of a tenant lie on one machine, whatever table they are in.
SELECT create_distributed_table(%(table)s::regclass, 'tenant_id', colocate_with => %(beside)s);
