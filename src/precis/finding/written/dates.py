"""A day or a month of another language, and what stands before it, as English puts it: "seit dem 20. Juli 2025"."""

import re
from functools import cache

from precis.finding.tables import sayings

_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_YEAR = r"(?P<year>\d{4})"
_DAY = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:\.|\u00ba|er)?\s+(?:del?\s+|in\s+)?(?P<month>{_MONTH})\b(?:\s+(?:del?\s+|do\s+)?{_YEAR})?",
    re.IGNORECASE,
)
#: Day behind month, as East Asia has it: "2\uc6d4 19\uc77c\uc5d0", the month in English by now.
_NUMBERED = re.compile(
    rf"(?:\b(?P<year>\d{{4}})\s*[\ub144\u5e74]\s*)?(?:\bin\s+)?\b(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})\s*"
    r"(?:\uc77c(?:\uc5d0|\uc758)?(?!\w)|\uc77c(?=\s?(?:\ubd80\ud130|\uc774\uc804|\uc774\ud6c4|\uae4c\uc9c0|\uc804|\ud6c4))"
    r"|[\u65e5\u53f7\u865f](?:[\u306b\u306e](?!\u524d|\u5f8c|\u4ee5))?)",
    re.IGNORECASE,
)
_OF_YEAR = re.compile(rf"\b(?P<month>{_MONTH})\s+(?:del?|do|di)\s+{_YEAR}\b", re.IGNORECASE)
_DATED = rf"(?P<date>\d{{1,2}} (?:{_MONTH})(?: \d{{4}})?|(?:{_MONTH}) \d{{4}})\b"
#: The same, or a month without its year, which says when something begins or ends: "avant avril".
_BOUND = rf"(?:in )?(?P<date>\d{{1,2}} (?:{_MONTH})(?: \d{{4}})?|(?:{_MONTH})(?: \d{{4}})?)\b"
_BOUNDS = ("before", "after", "since")
#: What Turkish writes behind a day.
_ENDED = tuple(
    (which, re.compile(rf"{_DATED}\s*['\u2019]?{ending}(?:ki)?\b", re.IGNORECASE))
    for which, ending in (
        ("since", "[dt][ea]n (?:beri|itibaren|sonra)"),
        ("before", "[dt][ea]n \u00f6nce"),
        ("in", "[dt][ea]"),
    )
)


def in_english(text: str, language: str) -> str:
    """A request whose names of months are English by now, with days and what stands before them put as in English."""
    if language == "en":
        return text
    text = _NUMBERED.sub(lambda match: " ".join(filter(None, match.group("day", "month", "year"))) + " ", text)
    text = _DAY.sub(lambda match: " ".join(filter(None, match.group("day", "month", "year"))), " ".join(text.split()))
    text = _OF_YEAR.sub(r"\g<month> \g<year>", text)
    for which, pattern in (*_ENDED, *_followed(), *_joined()):
        text = pattern.sub(rf"{which} \g<date> ", text)
    return " ".join(text.split())


@cache
def _joined() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What stands before a day, by what it is in English."""
    articles, behind = "|".join(sayings("date_articles")), "|".join(sayings("date_behind"))
    words = {which: "|".join(sayings(f"date_{which}")) for which in ("since", "before", "after", "in")}
    return tuple(
        (
            which,
            re.compile(
                rf"(?<!\w)(?:{listed})(?:\s+(?:{articles}))*\s+{_BOUND if which in _BOUNDS else _DATED}"
                rf"(?:\s+(?:{behind})\b)?",
                re.IGNORECASE,
            ),
        )
        for which, listed in words.items()
    )


@cache
def _followed() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What stands behind a day or a month, by what it is in English: "4\u6708\u3088\u308a\u524d"."""
    return tuple(
        (which, re.compile(rf"{_BOUND}\s*(?:{'|'.join(sayings(f'date_then_{which}'))})", re.IGNORECASE))
        for which in _BOUNDS
    )
