"""What PostgreSQL keeps, one file a resource; queries are in ``sql/``, a transaction's steps in ``changes/``."""
