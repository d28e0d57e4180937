-- name: search
-- Both arms over one scope, exactly: the nearest vectors and the best BM25 rows (k1 1.5, b 0.75, document frequencies
-- of the scope), each row with the figures of both.
WITH {{scope}}, size AS (
    SELECT count(*)::float8 AS documents, greatest(avg(length), 1)::float8 AS mean FROM scope
), counted AS (
    SELECT term, count(*) AS documents FROM hits GROUP BY term
), {{held}}, keyword AS (
    SELECT p.memory_id, sum({{bm25}}) AS bm25
    FROM hits p JOIN held w USING (term) CROSS JOIN size z GROUP BY p.memory_id
), chosen AS (
    (SELECT memory_id FROM scope WHERE distance IS NOT NULL ORDER BY distance, memory_id LIMIT %(limit)s)
    UNION
    (SELECT memory_id FROM keyword ORDER BY bm25 DESC, memory_id LIMIT %(limit)s)
)
SELECT m.memory_id, m.user_id, m.project_id, m.environment, m.namespace, m.session_id, m.agent_id, m.run_id,
       m.memory_type, m.extracted_type, m.tier, m.retention_state, m.is_summary, m.parent_id, m.text_ciphertext,
       m.summary_ciphertext, m.attributes_ciphertext, m.embedding_version, m.importance, m.pinned, m.access_count,
       m.last_accessed, m.event_date, m.fingerprint, m.tokens, m.created_at, m.updated_at,
       m.source_class,
       CASE WHEN m.embedding_version = %(version)s THEN 1 - (m.embedding <=> %(vector)s::halfvec) END AS similarity,
       coalesce(k.bm25, 0) AS bm25
FROM chosen c
JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.memory_id = c.memory_id
LEFT JOIN keyword k ON k.memory_id = c.memory_id
ORDER BY m.memory_id;

-- name: scope_size
-- How many rows a user, or the tenant, has; counted no further than asked.
SELECT count(*) AS rows FROM (
    SELECT 1 FROM postings WHERE tenant_id = %(tenant_id)s AND term = 0
    AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s) LIMIT %(limit)s
) counted;

-- name: scope_figures
-- The same without an end, and the mean length of the rows in terms; of raw rows, or of summaries.
SELECT count(*)::double precision AS documents, greatest(avg(length), 1)::double precision AS mean FROM postings
WHERE tenant_id = %(tenant_id)s AND term = 0 AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
  AND is_summary = %(of_summaries)s;

-- name: terms_there
-- Which of these terms any row of a user, or of the tenant, has. Each is looked up by itself.
SELECT q.term FROM unnest(%(terms)s::bigint[]) q (term), LATERAL (
    SELECT 1 FROM postings p WHERE p.tenant_id = %(tenant_id)s AND p.term = q.term
    AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s) LIMIT 1
) p;

-- name: summaries_over
-- The summaries that stand over these rows.
SELECT DISTINCT g.summary_id FROM members b JOIN groups g ON g.tenant_id = %(tenant_id)s AND g.group_id = b.group_id
WHERE b.tenant_id = %(tenant_id)s AND b.memory_id = ANY(%(ids)s) AND g.summary_id IS NOT NULL ORDER BY g.summary_id;

-- name: settle_in
-- For the search of a large scope: how many rows a word or a list has depends on whose rows are asked for; what it gathers
-- fits in memory, where sums are made by hashing; and no time goes into compiling it.
SET LOCAL plan_cache_mode = force_custom_plan;
SET LOCAL work_mem = '32MB';
SET LOCAL enable_sort = off;
SET LOCAL jit = off;

-- name: pool_of_scope
-- The candidates of a question, exactly: every row of the scope is looked at once. The nearest vectors and the best rows
-- by words, raw rows and summaries apart so that neither displaces the other, and the neighbors of each in its session.
WITH {{scope}}, size AS (
    SELECT count(*)::float8 AS documents, greatest(avg(length), 1)::float8 AS mean FROM scope
    WHERE is_summary = %(of_summaries)s
), counted AS (
    -- What only rows of the other kind say, such as a summary whose originals have gone, is the rarest.
    SELECT term, greatest(count(*) FILTER (WHERE is_summary = %(of_summaries)s), 1) AS documents FROM hits GROUP BY term
), {{held}}, keyword AS (
    SELECT memory_id, is_summary, sum({{bm25}}) AS bm25
    FROM hits p JOIN held w USING (term), size z GROUP BY memory_id, is_summary
), chosen AS (
    (SELECT memory_id FROM scope m WHERE distance IS NOT NULL AND NOT is_summary AND {{alone}}
     ORDER BY distance, memory_id LIMIT %(limit)s)
    UNION
    (SELECT memory_id FROM scope WHERE distance IS NOT NULL AND is_summary ORDER BY distance, memory_id LIMIT %(limit)s)
    UNION
    (SELECT memory_id FROM keyword m WHERE NOT is_summary AND {{alone}} ORDER BY bm25 DESC, memory_id LIMIT %(limit)s)
    UNION
    (SELECT memory_id FROM keyword WHERE is_summary ORDER BY bm25 DESC, memory_id LIMIT %(limit)s)
), {{candidates}};

-- name: pool_of_postings
-- The same for a scope too large to look through: with the document frequencies of the user (or of the tenant), and the
-- vectors that the lists of the scope named, or all. Rows are held against the filter from the best on, until there
-- are enough. Most raw rows of common words are left out of the sums (after MaxScore, Turtle and Flood 1995): the rows of
-- the rarer words say how good the last of the best is at least, and no row is better than what its words count at most.
WITH counted AS (
    SELECT p.term, count(*) AS rows, greatest(count(*) FILTER (WHERE p.is_summary = %(of_summaries)s), 1) AS documents
    FROM postings p WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s::bigint[])
      AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s) GROUP BY p.term
), size AS (
    -- As last counted; there are as many as hold a word at least.
    SELECT greatest(%(documents)s, (SELECT max(documents) FROM counted))::float8 AS documents, %(mean)s::float8 AS mean
), {{held}}, bounded AS (
    -- A term counts 2.5 times its weight at most; here it and all that are more common.
    SELECT term, weight, sum(coalesce(rows, 0)) OVER (ORDER BY coalesce(rows, 0), term) AS reached,
           sum(2.5 * weight) OVER (ORDER BY coalesce(rows, 0) DESC, term DESC) AS at_most
    FROM held LEFT JOIN counted USING (term)
), rarer AS (
    -- Those that are likely to make the best rows. Where that proves wrong, everything is read.
    SELECT term, weight FROM bounded WHERE at_most >= coalesce(
        (SELECT 0.8 * weight FROM bounded WHERE reached >= %(limit)s ORDER BY reached LIMIT 1), 0)
), commoner AS (
    SELECT term, weight FROM held WHERE term NOT IN (SELECT term FROM rarer)
), begun AS (
    SELECT p.memory_id, sum({{bm25}}) AS bm25
    FROM postings p JOIN rarer w USING (term) CROSS JOIN size z
    WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(ARRAY(SELECT term FROM rarer))
      AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s) AND NOT p.is_summary
    GROUP BY p.memory_id
), bar AS (
    -- What the last of the best has at least, and what the commoner words can add to any row.
    SELECT CASE WHEN count(*) = %(limit)s THEN min(t.bm25) ELSE 0 END AS least,
           (SELECT coalesce(sum(2.5 * weight), 0) FROM commoner) AS more
    FROM (
        SELECT b.bm25 FROM (SELECT * FROM begun ORDER BY bm25 DESC LIMIT 4 * %(limit)s) b WHERE (
            SELECT true FROM memories m
            WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = b.memory_id AND {{alone}} AND {{filter}}
        ) LIMIT %(limit)s
    ) t
), promising AS (
    SELECT memory_id, bm25 FROM begun WHERE bm25 + (SELECT more FROM bar) >= (SELECT least FROM bar)
), few AS (
    -- Whether it is less to look up the promising rows one by one than to read all rows of the commoner words.
    SELECT coalesce(%(user_id)s::text IS NOT NULL AND more < least AND 4 * (SELECT count(*) FROM promising)
                    < (SELECT sum(rows) FROM counted JOIN commoner USING (term)), false) AS few FROM bar
), keyword AS (
    SELECT memory_id, is_summary, sum(bm25) AS bm25 FROM (
        SELECT memory_id, false AS is_summary, bm25 FROM promising
        UNION ALL
        SELECT b.memory_id, false, {{bm25}}
        FROM promising b CROSS JOIN commoner w CROSS JOIN size z CROSS JOIN LATERAL (
            SELECT p.frequency, p.length FROM postings p
            WHERE p.tenant_id = %(tenant_id)s AND p.term = w.term AND p.memory_id = b.memory_id
              AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s) OFFSET 0
        ) p WHERE (SELECT few FROM few)
        UNION ALL
        SELECT p.memory_id, false, {{bm25}}
        FROM postings p JOIN commoner w USING (term) CROSS JOIN size z
        WHERE NOT (SELECT few FROM few) AND p.tenant_id = %(tenant_id)s AND p.term = ANY(ARRAY(SELECT term FROM commoner))
          AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s) AND NOT p.is_summary
          AND ((SELECT more >= least FROM bar) OR (p.memory_id IN (SELECT memory_id FROM promising)) IS TRUE)
        UNION ALL
        SELECT p.memory_id, true, {{bm25}}
        FROM postings p JOIN held w USING (term) CROSS JOIN size z
        WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s::bigint[])
          AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s) AND p.is_summary
    ) parts GROUP BY memory_id, is_summary
), near AS (
    SELECT m.memory_id FROM memories m
    WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired' AND m.embedding IS NOT NULL AND NOT m.is_summary
      AND m.embedding_version = %(version)s AND %(vector)s::halfvec IS NOT NULL AND {{alone}} AND {{filter}}
      AND (%(nearest)s::text[] IS NULL OR m.memory_id = ANY(%(nearest)s::text[]))
    ORDER BY m.embedding <=> %(vector)s::halfvec LIMIT %(limit)s
), near_summaries AS (
    -- Few, and looked at one by one.
    SELECT p.memory_id, r.distance FROM postings p CROSS JOIN LATERAL (
        SELECT m.embedding <=> %(vector)s::halfvec AS distance FROM memories m
        WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = p.memory_id AND m.embedding IS NOT NULL
          AND m.embedding_version = %(version)s AND {{filter}} OFFSET 0
    ) r
    WHERE p.tenant_id = %(tenant_id)s AND p.term = 0 AND p.is_summary AND %(vector)s::halfvec IS NOT NULL
      AND (%(user_id)s::text IS NULL OR p.user_id = %(user_id)s)
      AND (%(is_summary)s::boolean IS NULL OR %(is_summary)s)
    ORDER BY r.distance, p.memory_id LIMIT %(limit)s
), chosen AS (
    (SELECT memory_id FROM near)
    UNION
    (SELECT memory_id FROM near_summaries)
    UNION
    (SELECT k.memory_id
     FROM (SELECT memory_id FROM keyword WHERE NOT is_summary ORDER BY bm25 DESC, memory_id OFFSET 0) k
     WHERE (SELECT true FROM memories m
            WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = k.memory_id AND {{alone}} AND {{filter}})
     LIMIT %(limit)s)
    UNION
    (SELECT k.memory_id
     FROM (SELECT memory_id FROM keyword WHERE is_summary ORDER BY bm25 DESC, memory_id OFFSET 0) k
     WHERE (SELECT true FROM memories m WHERE m.tenant_id = %(tenant_id)s AND m.memory_id = k.memory_id AND {{filter}})
     LIMIT %(limit)s)
), {{candidates}};
