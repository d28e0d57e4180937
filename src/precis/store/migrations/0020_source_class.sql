-- From whom a memory is: user, agent, imported, document or tool; of a summary the least trusted of what it has read.
-- What stood before this migration is the user's: nobody wrote down whose it was.
ALTER TABLE memories ADD COLUMN source_class text NOT NULL DEFAULT 'user'
    CHECK (source_class IN ('user', 'agent', 'imported', 'document', 'tool'));
-- From now on whoever writes a row says it.
ALTER TABLE memories ALTER COLUMN source_class DROP DEFAULT;
