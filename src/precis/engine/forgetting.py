"""Forgetting: what leaves when a memory is forgotten. The stores do it row by row; the rule is here, pure.

1. A statement resting on a forgotten memory goes, wherever it stands.
2. So does a statement, in any node that read the memory, with a term of it that no remaining source of that node holds.
3. A node below a summary that read a live member goes whole; a frozen node keeps its other statements and is re-keyed.
4. A summary without statements, or with fewer members than its minimum, goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

#: ``redacted``: statements left it, a refresh follows; ``deleted``: nothing of it was left, or too few members.
Touch: TypeAlias = Literal["redacted", "deleted"]
#: How far a forget has come in a place outside.
Reach: TypeAlias = Literal["pending", "confirmed", "out of reach"]


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
