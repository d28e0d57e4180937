"""What of a file is measured, drawn by lot, and leaks: every place is searched for words that forgotten rows had alone.

The same rows and the same seed give the same draw.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from precis.app import App
from precis.app.receipts import Evidence, Verification
from precis.language.dates import MONTHS, SEASONS, WEEKDAYS
from precis.language.words import index_terms, normal, words
from precis.memory import Memory
from precis.store.forgotten import scan, scan_files
from precis.summary import Summary

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaks:
    """What a search for forgotten words came upon."""

    #: Memories that were forgotten, and how many of them a statement rested on.
    memories: int = 0
    in_statements: int = 0
    #: Where their words and bytes were before; at once after; and when all summaries were made anew.
    before: int = 0
    at_once: int = 0
    after: int = 0
    #: Places that were searched at once: columns, tables, files.
    places: int = 0
    #: Those with a word in them.
    leaking: tuple[str, ...] = ()


def verification_of(app: App) -> Verification:
    """What looks into every place of this precis."""
    return Verification(app.parts.store.database, app.parts.settings, app.parts.tenant_id)


async def unheard(verification: Verification, marks: Sequence[Marked], *, number: int) -> list[Marked]:
    """The first so many marks whose word is nowhere in a store that holds no memory yet: a database has words, too."""
    first = list(marks[:number])
    if not first or not _hits(await verification.rows([mark.word for mark in first])):
        return first
    return [mark for mark in first if not _hits(await verification.rows([mark.word]))]


async def forget_and_look(
    app: App,
    marks: Sequence[Marked],
    memories: Mapping[str, Memory],
    summaries: Sequence[Summary],
    *,
    number: int,
    refresh: Callable[[], Awaitable[None]],
) -> Leaks:
    """Forget so many, those that statements rest on first; search at once, and every row again when all is made anew.

    The search at once rewrites the files and reads them as well: for the words, and for the ciphertexts and vectors
    that stood for the memories.
    """
    cited = {id_ for summary in summaries for statement in summary.statements for id_ in statement.source_ids}
    usable = [mark for mark in marks if mark.memory_id in memories and not _is_label(mark, memories)]
    drawn = sorted(usable, key=lambda mark: mark.memory_id not in cited)[:number]
    if not drawn:
        return Leaks()
    verification, ids = verification_of(app), [mark.memory_id for mark in drawn]
    words = [mark.word for mark in drawn]
    before = await verification.rows(words)
    evidence = await _evidence(verification, ids, app)
    await app.memories.forget(ids)
    at_once = await verification.look(words, evidence=evidence, deep=True)
    await refresh()
    after = await verification.rows(words)
    return Leaks(
        memories=len(ids),
        in_statements=len(cited.intersection(ids)),
        before=_hits(before) + sum(evidence.hits.values()),
        at_once=_hits(at_once),
        after=_hits(after),
        places=len(at_once),
        leaking=tuple(dict.fromkeys(looked.where for looked in (*at_once, *after) if looked.hits)),
    )


async def _evidence(verification: Verification, ids: Sequence[str], app: App) -> Evidence:
    """The bytes on disk that stand for the memories, as they are now. Hashes of single words are left to the rows.

    A word that only a forgotten memory had may stand in what rests on another, as its date or its speaker.
    """
    parts = app.parts
    every = await verification.scan.patterns(parts.tenant_id, ids)
    patterns = {kind: heads for kind, heads in every.items() if kind != "keyed word"}
    async with scan_files.opened_files(parts.settings.data_dir) as files:
        await files.settle()
        looked = await asyncio.to_thread(scan_files.look_for_bytes, files.db, patterns, where="")
    hits = {place.where.removeprefix(": "): place.hits for place in looked}
    return Evidence(tenant_id=parts.tenant_id, at=parts.engine.clock(), patterns=patterns, hits=hits)


def _is_label(mark: Marked, memories: Mapping[str, Memory]) -> bool:
    """Whether the word may come from what another memory is about: the rules name subjects in words of their own."""
    labels = (
        f"{memory.extracted_key} {memory.extracted_type} {memory.entities} {memory.topics}"
        for id_, memory in memories.items()
        if id_ != mark.memory_id
    )
    return any(mark.word in normal(label).casefold() for label in labels)


def _hits(looked: Sequence[scan.Looked]) -> int:
    return sum(place.hits for place in looked)
