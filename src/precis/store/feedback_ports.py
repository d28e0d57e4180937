"""What people say of summaries, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """A statement that feedback is about."""

    #: None once a memory it rested on was forgotten.
    text: str | None
    source_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """What a person said of a summary or of a statement."""

    id: str
    summary_id: str
    group_id: str
    policy: str
    user_id: str
    #: ``wrong`` or ``good``.
    verdict: str
    #: Of the summary as a whole.
    whole: bool
    #: In the person's words; None without any, or once a memory it was about was forgotten.
    note: str | None
    statements: tuple[Marked, ...]
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Feedback on its way in."""

    summary_id: str
    verdict: str
    #: The number of a served statement, from 0; None: the whole summary.
    statement: int | None = None
    note: str | None = None
    #: What the statement has to say; None is no condition.
    text: str | None = None
