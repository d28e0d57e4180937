"""Why what fits a request is in doubt all the same."""
