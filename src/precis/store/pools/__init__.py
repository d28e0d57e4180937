"""What precis keeps about pools (somebody else's stores): batches of their memories, and what was forgotten there."""
