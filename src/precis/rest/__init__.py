"""The REST door: HTTP bodies in, app calls, HTTP bodies out. The command line prints its answers without a server."""
