"""What of a file is measured, drawn by lot: memories, the texts they make together, words that one memory has alone.

Pure: the same rows and the same seed give the same draw.
"""

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from precis.language.dates import MONTHS, SEASONS, WEEKDAYS
from precis.language.words import index_terms, normal, words

#: Most memories of a text, and most characters.
MOST_ROWS, MOST_CHARS = 50, 100_000
#: A text of fewer words has no fifth that is a summary.
FEWEST_WORDS = 200
#: A shorter word may stand in a text by chance.
RARE_LENGTH = 6
#: What a date that is written out may hold.
_CALENDAR = frozenset({*MONTHS, *WEEKDAYS, *SEASONS})
Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """The rows that are measured, in the order of the file."""

    rows: tuple[Row, ...]
    #: Which memory of the file each is, from 0.
    ordinals: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """A memory with a word that no other holds."""

    memory_id: str
    word: str


def draw(rows: Sequence[Row], *, size: int, seed: int) -> Drawn:
    """At most so many rows: whole conversations, or users where there are none, until one has to be cut."""
    together: dict[tuple[str, ...], list[int]] = {}
    for ordinal, row in enumerate(rows):
        together.setdefault(_together(row), []).append(ordinal)
    order = list(together.values())
    random.Random(seed).shuffle(order)  # noqa: S311 - a draw by lot, no secret
    ordinals = sorted([ordinal for each in order for ordinal in each][:size])
    return Drawn(rows=tuple(rows[ordinal] for ordinal in ordinals), ordinals=tuple(ordinals))


def texts_of(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """Rows that are read together: a conversation, or what else a user has; in parts of at most fifty.

    What is too short for a summary of a fifth is read with what follows of the same user.
    """
    together: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        together.setdefault(_together(row), []).append(row)
    of_user: dict[str, list[list[Row]]] = {}
    for (user, *_), each in together.items():
        texts = of_user.setdefault(user, [])
        if texts and _words(texts[-1]) < FEWEST_WORDS:
            texts[-1] += each
        else:
            texts.append(each)
    every = (part for texts in of_user.values() for text in texts for part in _parts(text))
    return [part for part in every if _words(part) >= FEWEST_WORDS]


def _together(row: Row) -> tuple[str, ...]:
    user, session = str(row.get("user_id")), row.get("session_id")
    return (user,) if session is None else (user, str(session))


def _parts(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """Parts of about one size."""
    number = max(ceil(len(rows) / MOST_ROWS), ceil(sum(len(row["text"]) for row in rows) / MOST_CHARS))
    size = ceil(len(rows) / number)
    return [tuple(rows[at : at + size]) for at in range(0, len(rows), size)]


def _words(rows: Sequence[Row]) -> int:
    return sum(1 for row in rows for _ in words(row["text"]))


def marked(rows: Sequence[Row], *, seed: int) -> list[Marked]:
    """Memories with a word of their own, in an order by lot: none but they hold it, in any form or as a part.

    A word that the name of a day or month may bring in is none. The longest of a memory's words is taken.
    """
    holders = Counter(term for row in rows for term in set(index_terms(_everything(row))))
    corpus = normal("\n".join(map(_everything, rows))).casefold()
    order = list(rows)
    random.Random(seed).shuffle(order)  # noqa: S311
    pairs = ((row, _own_word(row, holders, corpus)) for row in order)
    return [Marked(memory_id=str(row["id"]), word=word) for row, word in pairs if word is not None]


def _own_word(row: Row, holders: Mapping[str, int], corpus: str) -> str | None:
    everything = normal(_everything(row)).casefold()
    own = (word for word in _candidates(row["text"]) if word.isalpha() and word not in _CALENDAR)
    return next((word for word in own if _is_alone(word, holders) and _is_only_in(word, everything, corpus)), None)


def _candidates(text: str) -> list[str]:
    """Long words, the longest first; where a script writes without spaces, so many characters in a row."""
    long = {word for word in words(text) if len(word) >= RARE_LENGTH}
    runs = normal(text).casefold().split()
    in_a_row = (run[at : at + RARE_LENGTH] for run in runs for at in range(len(run) - RARE_LENGTH + 1))
    return sorted(long, key=lambda word: (-len(word), word)) or list(dict.fromkeys(in_a_row))


def _is_alone(word: str, holders: Mapping[str, int]) -> bool:
    return any(holders[term] == 1 for term in index_terms(word))


def _is_only_in(word: str, text: str, corpus: str) -> bool:
    return corpus.count(word) == text.count(word)


def _everything(row: Row) -> str:
    """All that a row says of itself, as text."""
    return "\n".join(str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
                     for value in row.values())  # fmt: skip
