"""What notes say of a change, by language: patterns of ``turned.toml`` and ``standing.toml``. Pure."""

import re
from collections.abc import Sequence
from functools import cache

from precis.language import tables
from precis.language.newest.slots import changes, turns
from precis.recall.telling import ASKS

_CHANGED = re.compile(rf"\b(?:{tables.choices('questions.changed')})\b", re.IGNORECASE)

#: Written without spaces, or with its grammar behind each word: a word of these begins and ends anywhere.
UNSPACED = frozenset({"Chinese", "Japanese", "Korean"})


@cache
def listed(place: str, language: str) -> re.Pattern[str] | None:
    """The pattern of a language at a place of the tables; None where it has none."""
    if language not in tables.section(place):
        return None
    choices = tables.choices(f"{place}.{language}")
    return re.compile(choices if language in UNSPACED else rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE)


def matches(key: str, languages: Sequence[str], text: str, table: str = "turned") -> bool:
    """Whether a text has what a table lists under a key in any of these languages."""
    return any(pattern.search(text) for language in languages if (pattern := listed(f"{table}.{key}", language)))


def tells_of_change(text: str, languages: Sequence[str]) -> bool:
    """Whether it says that something is otherwise than it was."""
    if text.rstrip().endswith(ASKS):
        return False
    return _CHANGED.search(text) is not None or changes(text) or turns(text) or matches("changed", languages, text)
