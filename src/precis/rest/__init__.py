"""The REST API: HTTP bodies in, calls of the app, HTTP bodies out; ``redis/`` is the wire of another memory server.

A request passes, and each may refuse it: ``http.Access`` (an id, a line in the log), ``callers.BodyLimit``,
``auth.Authentication`` (whose it is), ``lanes.Admission`` (whether there is room now), then its route. Answers have no
need of a server: the command line prints them, too.
"""
