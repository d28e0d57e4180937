-- What is read of a statement s, with the memories it rests on, its node n and its group g.
s.node_id, s.statement_id, s.position, s.text_ciphertext, s.importance, s.superseded_by, g.user_id,
ARRAY(SELECT DISTINCT o.source_class FROM statement_sources l
      JOIN memories o ON o.tenant_id = %(tenant_id)s AND o.memory_id = l.memory_id
      WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id) AS classes,
ARRAY(SELECT l.memory_id FROM statement_sources l
      WHERE l.tenant_id = %(tenant_id)s AND l.statement_id = s.statement_id ORDER BY l.position) AS source_ids
FROM statements s
JOIN nodes n ON n.tenant_id = %(tenant_id)s AND n.node_id = s.node_id
JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = n.group_id
