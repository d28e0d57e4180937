"""Whether a memory is about what was asked for."""
