"""What is answered to a request in words: a preview, and the receipt of what it forgot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from precis.engine.forgetting import Receipt
from precis.makers import Proposal
from precis.summary import Statement
from precis.typed import Published


@dataclass(frozen=True, kw_only=True, slots=True)
class Meant:
    """A memory that goes, may go, or is near."""

    id: str
    text: str
    created_at: datetime
    #: Why it is listed where it is.
    why: str
    how_sure: Annotated[str, Published(enum=["sure", "doubtful", "near"])]
    #: What stays of its text where only a part goes; None where it goes whole.
    keeps: str | None = None
    #: Whether it speaks of somebody else as well, and goes whole all the same.
    shared: bool = False
    #: What the model would do with it, where it was asked: of what is in doubt or near. Nothing follows from it.
    proposed: Proposal | None = None
    #: Whether the model alone puts it in doubt: by the rules it is only near.
    lifted: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaving:
    """What leaves a summary with the memories that go; more may leave that holds words of theirs alone."""

    summary_id: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Understood:
    """How the request was read."""

    language: str
    #: Whom or what it is about, any of them; none for everything in the scope.
    about: tuple[str, ...]
    #: What it leaves alone.
    but: tuple[str, ...] = ()
    #: Days, both included; None is open.
    first_day: Annotated[str, Published(format="date")] | None = None
    last_day: Annotated[str, Published(format="date")] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What a request in words would forget. Only its id and those of its memories are kept, until ``expires_at``."""

    preview_id: str
    expires_at: datetime
    user_id: str
    understood: Understood
    #: Surely meant, oldest first.
    forget: tuple[Meant, ...]
    #: In doubt: they stay unless they are chosen.
    doubtful: tuple[Meant, ...]
    #: They stay although they look like it; at most 20.
    near: tuple[Meant, ...]
    #: What leaves the summaries with those that are surely meant.
    summaries: tuple[Leaving, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Confirmed(Receipt):
    """The receipt of a request in words: of what it forgot whole, or of the first memory that lost a part."""

    #: Ids of the receipts of the other memories that lost a part: each has one of its own.
    also: tuple[str, ...] = ()
    #: Memories of which a part went, and the rest stayed.
    edited: tuple[str, ...] = ()
    #: Edited since they were shown, and so left alone.
    changed: tuple[str, ...] = ()
    #: How many were forgotten by somebody else since they were shown.
    gone: int = 0
    #: In doubt, and not asked for.
    doubtful: tuple[str, ...] = ()
