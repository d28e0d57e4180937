"""Moving in: what another memory keeps, read as it shows it and written as memories of precis, one file a kind."""
