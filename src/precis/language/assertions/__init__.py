"""What a sentence claims: its clauses, each with a subject, a verb and what is said of it."""
