-- Clusters take in members of one namespace only. Where memories have namespaces, those that were made before are
-- grouped anew at the next regrouping, as if there had been none. An owner that is no superuser is under the policies as
-- well, while they are forced.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE schedules NO FORCE ROW LEVEL SECURITY;
DELETE FROM schedules s WHERE s.policy = 'clusters' AND EXISTS (
    SELECT 1 FROM memories m WHERE m.tenant_id = s.tenant_id AND m.namespace IS NOT NULL AND NOT m.is_summary);
ALTER TABLE schedules FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
