"""Summarize and check texts that are stored nowhere.

``public`` has the two functions that users import, ``precis.summarize`` and ``precis.check``; ``drafting`` is what
``summarize`` and ``POST /v1/summarize`` share; ``inputs`` is what both accept.
"""
