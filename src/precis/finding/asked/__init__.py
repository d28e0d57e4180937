"""What the words around a subject narrow it to."""
