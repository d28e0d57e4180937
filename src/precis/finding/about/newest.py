"""A request for what was told last ("die letzten zwei Notizen"), and which memories that are."""

import re
from collections.abc import Sequence

from precis.finding.reading import folded
from precis.finding.tables import languages, patterns
from precis.finding.together.pronouns import MACHINES
from precis.finding.values import Level, Match, Row

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


def with_newest(rows: Sequence[Row], matches: dict[str, Match], count: int) -> None:
    """Leave meant only the newest so many, the oldest first, in doubt where another was written in the same moment.

    What an assistant said is none that the user has told.
    """
    told = [row for row in rows if matches[row.id].level is Level.SURE]
    told = [row for row in told if row.speaker is None or folded(row.speaker) not in MACHINES]
    newest = told[-count:]
    before = told[-count - 1] if len(told) > count else None
    for row in rows:
        if row not in newest:
            matches[row.id] = Match(level=Level.NO)
        elif before is not None and newest[0].created_at == before.created_at:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="another was written in the same moment")
        else:
            matches[row.id] = Match(level=Level.SURE, why="it is the newest memory")
    if before is not None and newest[0].created_at == before.created_at:
        same = (row for row in told if row.created_at == before.created_at)
        why = "another was written in the same moment"
        matches.update((row.id, Match(level=Level.DOUBTFUL, why=why)) for row in same)
