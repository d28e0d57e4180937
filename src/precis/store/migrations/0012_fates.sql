-- What became of each source in what a node says (law 7, DECISIONS 43): said, small_talk, question, repetition or
-- overruled; null: it may be left out, and an original stays for it.
ALTER TABLE node_sources ADD COLUMN fate text;

-- How many of the sources that a node read are set aside, by the reason, as of its commit: a conversation is loaded
-- without reading what its summary covers.
ALTER TABLE nodes
    ADD COLUMN small_talk_count integer NOT NULL DEFAULT 0,
    ADD COLUMN question_count integer NOT NULL DEFAULT 0,
    ADD COLUMN repetition_count integer NOT NULL DEFAULT 0,
    ADD COLUMN overruled_count integer NOT NULL DEFAULT 0;

-- How often the draft that groups.rejected names was rejected: it is tried again after 1, 10 and 60 minutes.
ALTER TABLE groups ADD COLUMN rejections integer NOT NULL DEFAULT 0;

-- A partition whose last draft was rejected is stale, too.
DROP INDEX groups_stale_of_view;
CREATE INDEX groups_stale_of_view ON groups (tenant_id, view_id)
    WHERE view_id IS NOT NULL AND (version > refreshed_version OR attempts > 0 OR rejected IS NOT NULL);
