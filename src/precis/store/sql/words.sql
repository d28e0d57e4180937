-- Rows scored by their words (BM25, k1 1.5, b 0.75), from hits and the size of the scope: document frequencies are those
-- of its raw rows, or of its summaries where only they are asked for.
held AS (
    SELECT q.term, q.place, coalesce(h.documents, 0)::float8 AS documents
    FROM unnest(%(terms)s::bigint[]) WITH ORDINALITY AS q (term, place)
    LEFT JOIN (SELECT term, count(*) AS documents FROM hits WHERE is_summary = %(of_summaries)s GROUP BY term) h
    ON h.term = q.term
), keyword AS (
    SELECT h.memory_id, h.is_summary,
           sum(ln(1 + (z.documents - d.documents + 0.5) / (d.documents + 0.5)) * h.frequency * 2.5
               / (h.frequency + 1.5 * (0.25 + 0.75 * h.length / z.mean))) AS bm25
    FROM hits h JOIN held d USING (term) CROSS JOIN size z GROUP BY h.memory_id, h.is_summary
)
