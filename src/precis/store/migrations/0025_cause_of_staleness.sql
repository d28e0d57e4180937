-- Which write made a group stale, as traces name it, so that the refresh that follows is linked to it. Null where nobody
-- traces. A name of W3C Trace Context: random, and nothing of a memory.
ALTER TABLE groups ADD COLUMN cause text;
