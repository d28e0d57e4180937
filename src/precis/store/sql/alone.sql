-- Whether no summary of the same user stands that has read a row m: asked for where only summaries are wanted, and raw rows
-- that none has read.
(%(only)s::bool IS NULL OR m.is_summary OR NOT EXISTS (
    SELECT 1 FROM node_sources s
    JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.summary_id = s.node_id
    JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = s.memory_id AND o.user_id = g.user_id
    WHERE s.tenant_id = %(tenant_id)s AND s.memory_id = m.memory_id
))
