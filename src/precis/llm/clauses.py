"""Clauses of a sentence that could be sentences of their own: each starts with a subject of its own."""

from __future__ import annotations

import re

_SUBJECT = (
    r"(?:I|we|he|she|it|they|you|my|our|his|her|their|the|there|this|that|these|those)"
    r"(?:['\u2019](?:s|m|re|ve|d|ll))?\b"
)
_BREAK = re.compile(
    rf"\s+[-\u2013\u2014]+\s+(?=\w)|\s*[;\u2014]\s*(?=\w)"
    rf"|,?\s+(?:and|but|so)\s+(?={_SUBJECT})|,\s+(?={_SUBJECT})|\s+(?=\[)",
    re.IGNORECASE,
)
#: A clause shorter than this many words is no sentence.
_SHORTEST = 3
#: A first clause that opens so needs the second.
_DEPENDENT = re.compile(
    r"\W*(?:if|when|whenever|while|since|because|although|though|even|after|before|as|once|until|unless|whether|given"
    r"|not only|either|in|on|at|for|during|with|without|from|by|last|next|this|to|looking|being|having)\b",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[tuple[str, str]]:
    """Pairs of (separator before, text) which joined give the sentence; one pair when it cannot be cut."""
    parts: list[tuple[str, str]] = []
    start, separator = 0, ""
    for cut in _BREAK.finditer(sentence):
        head = sentence[start : cut.start()]
        if len(head.split()) < _SHORTEST or len(sentence[cut.end() :].split()) < _SHORTEST or _DEPENDENT.match(head):
            continue
        parts.append((separator, head))
        start, separator = cut.end(), cut.group()
    return [*parts, (separator, sentence[start:])]
