"""Why a row that fits a request is in doubt all the same, a file a reason; ``of_subject`` asks them in turn."""
