-- Every item of a LangGraph PostgresStore: its table is called store, in the first schema of the search path.
SELECT * FROM store ORDER BY prefix, key
