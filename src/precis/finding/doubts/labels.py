"""Whether a number that a memory has is that of what was asked for: "locker 118" is no "bus 118"."""

import re
from collections.abc import Collection
from dataclasses import replace

from precis.finding.identifiers import PAGE, Identifier
from precis.finding.values import Level, Match
from precis.language.words import MARKS, STOP_WORDS, stem

_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{MARKS}]){{2,}}|[\u3040-\u9fff\uac00-\ud7a3]{2}")
#: A longer number says by itself what it is of.
_LONG = 6
#: What asks for all pages of a domain.
_DOMAIN = re.compile(
    r"\b(?:web)?(?:domain|site|server|host)s?\b|dom[a\u00e4]i?n[e]?\b|dominio|\u0434\u043e\u043c\u0435\u043d",
    re.IGNORECASE,
)


def labeled(match: Match, asked: str, targets: Collection[Identifier], text: str) -> Match:
    """The same, in doubt where only a short number is the same, and not what has it: "locker 118" and "bus 118".

    A page is of the domain that was asked for as one.
    """
    if match.why == PAGE and _DOMAIN.search(asked):
        return replace(match, level=Level.SURE)
    if match.level is not Level.SURE or any(map(_says_what, targets)):
        return match
    words = {stem(word) for word in _WORD.findall(asked.lower()) if word not in STOP_WORDS}
    told = {stem(word) for word in _WORD.findall(text.lower())}
    if not words or any(word in told or (not word.isascii() and word in text.lower()) for word in words):
        return match
    return Match(level=Level.DOUBTFUL, why="it has this number, perhaps of something else", spans=match.spans)


def _says_what(target: Identifier) -> bool:
    """Whether it says by itself what it is of: no number, or a longer one."""
    return target.kind not in {"number", "code"} or not target.value[0].isdigit() or len(target.value) >= _LONG
