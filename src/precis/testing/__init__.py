"""Public test kit: in-memory store, model server, frozen clock."""
