"""What a caller's transaction changes: rows written, replaced, marked as wrong or redacted; and what was before."""
