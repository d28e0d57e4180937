"""What is before a forget and after it: previews of a request in words, the scan that proves it, a lost log begun anew.

The forget itself is ``store/forgetting``, and what leaves with a memory is in ``store/changes/redacting``.
"""
