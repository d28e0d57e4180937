-- The summaries of a user are found by the user's groups that have one, not among all rows of the user.
CREATE INDEX groups_of_summaries ON groups (tenant_id, user_id) WHERE summary_id IS NOT NULL;
