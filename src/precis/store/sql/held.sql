-- How many documents hold each term of a question, from counted and the size of the scope, and how much a term that
-- rare counts. Documents are raw rows, or summaries where only they are asked for.
held AS (
    SELECT q.term, q.place, coalesce(c.documents, 0)::float8 AS documents,
           ln((z.documents + 1) / (coalesce(c.documents, 0) + 0.5)) AS weight
    FROM unnest(%(terms)s::bigint[]) WITH ORDINALITY q (term, place) LEFT JOIN counted c USING (term), size z
)
