"""What sentences say of whom: read by rules and by tables of words, without a model."""
