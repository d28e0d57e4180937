"""Moving in from another memory, one file a kind: its export is read and written as memories of precis."""
