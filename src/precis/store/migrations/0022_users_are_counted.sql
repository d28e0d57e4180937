-- How much is held of a user is counted by this index alone: by kind, age and month.
DROP INDEX memories_by_user;
CREATE INDEX memories_by_user ON memories (tenant_id, user_id, created_at DESC, memory_id DESC)
    INCLUDE (tier, memory_type, retention_state);
