"""What a context may take: rows that are relevant enough, statements over them, and what a user told for good."""
