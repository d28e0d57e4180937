-- What writes memories writes their postings as well, in statements of its own: a distributed table has no triggers.
DROP TRIGGER post_terms ON memories;
DROP TRIGGER repost_terms ON memories;
DROP TRIGGER unpost_terms ON memories;
DROP FUNCTION post_terms();
DROP FUNCTION unpost_terms();
