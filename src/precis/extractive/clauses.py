"""A sentence cut into clauses of which each could be a sentence."""

from __future__ import annotations

import re

from precis.language import tables

_SUBJECT = (
    r"(?:I|we|he|she|it|they|you|my|our|his|her|their|the|there|this|that|these|those)"
    r"(?:['\u2019](?:s|m|re|ve|d|ll))?\b"
)
_BREAK = re.compile(
    rf"\s+[-\u2013\u2014]+\s+(?=\w)|\s*[;\u2014]\s*(?=\w)"
    rf"|(?:,?\s+(?:and|but)|,\s+so)\s+(?={_SUBJECT})|,\s+(?={_SUBJECT})|\s+(?=\[)",
    re.IGNORECASE,
)
#: A clause that opens with a noun is one only if one of these follows: else it is the next of a list.
_NOUN = re.compile(r"(?:my|our|his|her|their|the|this|that|these|those)\s", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{tables.choices('statements.verbs')})\b", re.IGNORECASE)
#: A clause shorter than this many words is no sentence.
_SHORTEST = 3
#: A first clause that opens so needs the second.
_DEPENDENT = re.compile(rf"\W*(?:{tables.choices('statements.dependent')})\b", re.IGNORECASE)
#: So does one whose last part opens so: "..., so if I sound grumpy, that is why".
_HANGING = re.compile(
    r"[,;]\s*(?:(?:and|but|so)\s+)?(?:if|when|whenever|while|although|though|after|before|once|until|unless)\b[^,;]*$",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[tuple[str, str]]:
    """Pairs of (separator before, text) which joined give the sentence; one pair when it cannot be cut."""
    parts: list[tuple[str, str]] = []
    start, separator = 0, ""
    for cut in _BREAK.finditer(sentence):
        head = sentence[start : cut.start()]
        if not _parts(head, sentence[cut.end() :]):
            continue
        parts.append((separator, head))
        start, separator = cut.end(), cut.group()
    return [*parts, (separator, sentence[start:])]


def _parts(head: str, rest: str) -> bool:
    """Whether both sides could be sentences."""
    if min(len(head.split()), len(rest.split())) < _SHORTEST or _DEPENDENT.match(head) or _HANGING.search(head):
        return False
    return not _NOUN.match(rest) or _VERB.search(rest) is not None
