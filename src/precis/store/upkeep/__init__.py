"""What keeps a database healthy beside the verbs: sweeps, restored copies, indexes, vectors, clusters retuned."""
