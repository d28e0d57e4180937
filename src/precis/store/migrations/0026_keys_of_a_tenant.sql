-- Which keys a tenant's rows are sealed with, as a keyed hash: a start with others, or without any, is refused.
ALTER TABLE tenants ADD COLUMN keys_mark bytea;

-- A tenant without a name can be neither read nor written; an earlier release made it before it refused the name.
DELETE FROM tenants WHERE tenant_id = '';
ALTER TABLE tenants ADD CONSTRAINT tenants_are_named CHECK (tenant_id <> '');
