-- Messages that a session let go, as against those that a person forgot.

-- Whether whoever has the id may write it again without saying that it is to be revived.
ALTER TABLE tombstones ADD COLUMN renewable boolean NOT NULL DEFAULT false;
