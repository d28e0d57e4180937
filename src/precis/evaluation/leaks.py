"""Leaks: some memories are forgotten, and every place is searched for a word that each of them had alone."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from precis.app import App
from precis.app.receipts import Evidence, Verification
from precis.evaluation.sampling import Marked
from precis.language.words import normal
from precis.memory import Memory
from precis.store.forgotten.scan import Looked
from precis.store.forgotten.scan_files import look_for_bytes, opened_files
from precis.summary import Summary


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
    async with opened_files(parts.settings.data_dir) as files:
        await files.settle()
        looked = await asyncio.to_thread(look_for_bytes, files.db, patterns, where="")
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


def _hits(looked: Sequence[Looked]) -> int:
    return sum(place.hits for place in looked)
