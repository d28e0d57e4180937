"""What a write or an edit changes: rows as they will be stored, and which memory a new one replaces."""
