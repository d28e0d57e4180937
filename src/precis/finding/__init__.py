"""Finding the memories that a person means: a request in words against the rows of their scope. Pure."""
