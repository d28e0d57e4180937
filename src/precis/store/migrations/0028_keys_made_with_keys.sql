-- The key that it was made with, on the page: it is revoked with it. None for those made on the command line.
ALTER TABLE api_keys ADD COLUMN made_with text;
