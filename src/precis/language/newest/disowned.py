"""What takes back or puts right the sentence before it: "Only a rumor, she admitted.", "Well, her boss did." Pure."""

import re
from collections.abc import Iterator

from precis.language import tables

#: A word of a name, and a name with what may stand before it, in a pattern that else counts no case.
_CAPITAL = "[A-Z\u00c0-\u00de](?![A-Z])[\\w'\u2019-]+"
_NAME = rf"(?-i:(?:(?:the|der|die|das|le|la|el|il|o|a) |l['\u2019])?{_CAPITAL}(?: {_CAPITAL})?)"
#: What may stand behind a comma.
_TAIL = r"(?:,? (?:though|anyway|of course)|[,;:\u2013\u2014-]+ ?[^.!?]{1,60})?"
#: Letters: what is longer tells something of its own.
_LONGEST = 120
#: Parts of the patterns, each filled in before those that hold it.
_PARTS = ("kin", "day", "number", "other", "who", "open", "no")


def _patterns(kind: str) -> Iterator[str]:
    for language in tables.section(f"taken_back.{kind}"):
        known = {"name": _NAME, "tail": _TAIL}
        for part in _PARTS:
            if language in tables.section(f"taken_back.{part}"):
                known[part] = _filled(tables.choices(f"taken_back.{part}.{language}"), known)
        yield _filled(tables.choices(f"taken_back.{kind}.{language}"), known)


def _filled(pattern: str, known: dict[str, str]) -> str:
    for name, meaning in known.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?:{meaning})")
    return pattern


def _of(kind: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{'|'.join(_patterns(kind))})\W*", re.IGNORECASE)


_DISOWNS, _PUTS_RIGHT = _of("disowns"), _of("puts_right")


def disowns(sentence: str) -> bool:
    """Whether it says that what stands before it is not so, or only what people say: "He made it up."."""
    return len(sentence) <= _LONGEST and _DISOWNS.fullmatch(sentence) is not None


def puts_right(sentence: str) -> bool:
    """Whether it says who, what or when it was instead: "Or rather the Ibis.", "No, it was his cousin."."""
    return len(sentence) <= _LONGEST and _PUTS_RIGHT.fullmatch(sentence) is not None
