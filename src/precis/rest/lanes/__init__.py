"""Who is worked on, who waits and who is told to come again: lanes of requests, fair between tenants."""
