"""What the clauses of a sentence say: one assertion each."""
