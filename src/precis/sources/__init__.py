"""Other people's stores of memories, as sources of the archive: small enough an interface for any of them."""
