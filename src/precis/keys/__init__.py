"""The security boundary: ciphers, the keys of tenants and users, and the log of what was forgotten."""
