"""What leaves summaries because a person says so: what rests on a forgotten memory, and what is marked as wrong. Pure.

The stores forget row by row; the rule is here.

1. A statement resting on a forgotten memory goes, wherever it stands.
2. So does a statement, in any node that read the memory, with a term of it that no remaining source of that node holds.
3. A node below a summary that read a live member goes whole; a frozen node keeps its other statements and is re-keyed.
4. A summary without statements, or with fewer members than its minimum, goes.

A statement that is marked as wrong leaves what stands, and no draft brings it back. A mark is keyed, so that it says
nothing by itself. A statement is barred where it is worded as the marked one and rests on what that rested on; where it
also rests on a memory that the marked summary had not read, it is news, and stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Literal, TypeAlias

from precis import errors, makers, summary
from precis.engine.drafted import MadeNode
from precis.language import tables
from precis.language.sentences import sentences
from precis.language.words import normal, stem, words

#: ``redacted``: statements left it, a refresh follows; ``deleted``: nothing of it was left, or too few members.
Touch: TypeAlias = Literal["redacted", "deleted"]
#: How far a forget has come in a place outside.
Reach: TypeAlias = Literal["pending", "confirmed", "out of reach"]


class ReceiptKind(StrEnum):
    """Why a receipt is signed. The words stand in signed documents and never change: docs/reference/receipts.md."""

    FORGOTTEN = "forgotten"
    #: A pool has confirmed what was pending.
    COMPLETED = "completed"
    #: The database was restored, or had lost the forget.
    AGAIN = "forgotten again"
    #: That release signed none.
    EARLIER = "from an earlier release"


class WhatWent(StrEnum):
    """What a receipt is of; it stands in the signed document, too."""

    MEMORIES = "memories"
    PART = "part of a memory"
    USER = "user"
    OF_POOL = "memories of a pool"
    USER_OF_POOL = "user in a pool"


@dataclass(frozen=True, kw_only=True, slots=True)
class TouchedSummary:
    """A summary that said something resting on what was forgotten, or might have."""

    id: str
    state: Touch
    statements_removed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class External:
    """A place precis cannot or did not yet reach."""

    where: str
    state: Reach


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """What a forget did. Holds ids and counts, never a text.

    This is the answer to who asked. What is kept is signed, has keyed hashes in place of ids, and is one of a chain.
    """

    id: str
    at: datetime
    forgotten: tuple[str, ...]
    #: Asked for, but there was no such memory.
    not_found: tuple[str, ...] = ()
    summaries: tuple[TouchedSummary, ...] = ()
    statements_removed: int = 0
    segments_removed: int = 0
    #: Groups that are re-derived now, without the forgotten memories.
    refreshes_queued: tuple[str, ...] = ()
    #: True when the key of the user was destroyed with the rows.
    key_destroyed: bool = False
    external: tuple[External, ...] = ()
    #: Its place in the chain, the hash of the receipt before it (None: it is the first), and its signature. None where
    #: nobody asked to forget anything, as in an edit.
    number: int | None = None
    previous: str | None = None
    signature: str | None = None


# --- marks of what is wrong ---

#: Words that two wordings of one claim may differ by. None of them denies, doubts, or says who or when.
_NEGLIGIBLE = frozenset(tables.words("words.negligible"))
#: Opens ``groups.suppressed`` where nothing is left to say, apart from what was deleted by request.
SILENCED = b"marked:"


class Silenced(errors.DraftFailed):
    """A person marked everything that the summary would say as wrong."""

    def __init__(self) -> None:
        super().__init__("a person marked all that it would say as wrong")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """One statement marked as wrong."""

    id: str
    #: Keyed hash of its wording.
    wording: bytes
    #: Memories it rested on, and those that its summary had read.
    sources: frozenset[str]
    inputs: frozenset[str]


def _unkeyed(wording: tuple[str, ...]) -> bytes:
    return blake2b("\0".join(wording).encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks:
    """The marks that concern a group."""

    marks: tuple[Mark, ...] = ()
    #: The keyed hash of a wording.
    key: Callable[[tuple[str, ...]], bytes] = field(default=_unkeyed, compare=False, repr=False)

    @property
    def ids(self) -> frozenset[str]:
        """Which marks they are."""
        return frozenset(mark.id for mark in self.marks)

    def define(self, definition: str) -> str:
        """The definition of what is drafted under these marks; without any, as it is."""
        if not self.marks:
            return definition
        return blake2b(" ".join([definition, *sorted(self.ids)]).encode(), digest_size=8).hexdigest()

    def bars(self, text: str, source_ids: Sequence[str]) -> bool:
        """Whether somebody marked this statement as wrong."""
        resting = set(source_ids)
        near = [m for m in self.marks if not resting.isdisjoint(m.sources) and resting <= m.sources | m.inputs]
        return bool(near) and self.key(wording(text)) in {mark.wording for mark in near}

    def items(self, items: Sequence[makers.Item]) -> list[makers.Item]:
        """The items of a prompt without those that say nothing but what was marked; all of them where none is left."""
        if not self.marks:
            return list(items)
        return [item for item in items if not self._bars_item(item)] or list(items)

    def apply(self, root: MadeNode, count: makers.TokenCounter) -> MadeNode:
        """A drafted summary without what was marked. Raises Silenced where nothing is left."""
        if not self.marks:
            return root
        barred = {at for at, statement in enumerate(root.statements) if self.bars(statement.text, statement.source_ids)}
        prose = None if root.prose and self._bars_prose(root) else root.prose
        if not barred:
            return replace(root, prose=prose)
        statements = without(root.statements, barred)
        if not any(statement.superseded_by is None for statement in statements):
            raise Silenced
        resting = {id_ for at in barred for id_ in root.statements[at].source_ids}
        return replace(
            root, statements=statements, prose=prose, tokens=sum(count(statement.text) for statement in statements),
            fates={id_: fate for id_, fate in root.fates.items() if _stays(fate) and id_ not in resting},
        )  # fmt: skip

    def _bars_item(self, item: makers.Item) -> bool:
        spoken = f"{item.speaker}: {item.text}" if item.speaker and not item.derived else item.text
        return any(self.bars(text, item.source_ids) for text in dict.fromkeys((item.text, spoken)))

    def _bars_prose(self, root: MadeNode) -> bool:
        """Prose rests on all that was read, so its wording alone decides."""
        marked = {mark.wording for mark in self.marks}
        lines = (root.prose or "").splitlines()
        return any(self.key(wording(sentence)) in marked for line in lines for sentence in sentences(line))


def _stays(fate: summary.Fate) -> bool:
    """Whether a fate holds although statements on other memories are taken away."""
    return fate in (summary.Fate.SAID, summary.Fate.SMALL_TALK, summary.Fate.QUESTION)


def without(statements: Sequence[summary.Statement], removed: set[int]) -> tuple[summary.Statement, ...]:
    """The statements but for those at these positions; what they alone had displaced is served again."""
    newer = {at: statements[at].superseded_by for at in removed}
    kept = [at for at in range(len(statements)) if at not in removed]
    place = {at: new for new, at in enumerate(kept)}
    by = [summary.standing(statements[at].superseded_by, newer) for at in kept]
    return tuple(
        replace(statements[at], superseded_by=None if newest is None else place[newest])
        for at, newest in zip(kept, by, strict=True)
    )


def wording(text: str) -> tuple[str, ...]:
    """The words that make a claim this one and no other, however it is spelled and inflected.

    A phrase may stand at the beginning as well as at the end: of all turns of the words the first in order stands for
    the rest. ``Ana likes Ben`` and ``Ben likes Ana`` are two claims.
    """
    stems = [stem(word) for word in words(text) if word not in _NEGLIGIBLE]
    if not stems:
        return (" ".join(normal(text).casefold().split()),)
    return min(tuple(stems[at:] + stems[:at]) for at in range(len(stems)))
