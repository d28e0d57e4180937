-- The words of summaries, which are few among the rows of a large scope: found without reading those of all raw rows.
CREATE INDEX postings_of_summaries ON postings (tenant_id, term, user_id) INCLUDE (memory_id, frequency, length)
    WHERE is_summary;
