"""A request for what was told last: "the last thing I told you", "die letzten zwei Notizen"."""

import re

from precis.finding.reading import folded
from precis.finding.tables import languages, patterns

_NUMBERS = (
    "one", "two zwei deux dos due dois iki", "three drei trois tres tre tr\u00eas \u00fc\u00e7",
    "four vier quatre cuatro quattro quatro d\u00f6rt", "five f\u00fcnf cinq cinco cinque be\u015f",
)  # fmt: skip
_COUNTS = {folded(word): number for number, words in enumerate(_NUMBERS, start=1) for word in words.split()}


def newest_asked(what: str) -> int:
    """How many of the newest memories a request asks for, and nothing else; 0 where it does not."""
    text = " ".join(what.split()).strip(" .!?\u3002")
    for language in languages():
        for pattern in patterns(language, "newest"):
            match = re.fullmatch(pattern, text, re.IGNORECASE)
            if match:
                return _number((match.groupdict().get("count") or "").strip())
    return 0


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS.get(folded(word), 1)
