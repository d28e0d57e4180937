"""A summary: a view over memories, made of statements. The third noun."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from precis.lineage import Counts, Statement
from precis.memory import Scope, Tier
from precis.trust import SourceClass

#: How a statement that quotes somebody opens.
_SPEAKER = re.compile(r"([^\s:][^:\n]{0,60}): (?=\S)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """A committed summary as it is read."""

    id: str
    scope: Scope
    policy: str
    group_id: str
    tier: Tier
    #: The served statements in order; ``text`` is these, assembled.
    statements: tuple[Statement, ...]
    #: Direct source rows, oldest first.
    parent_id: tuple[str, ...]
    #: Base memories of every level, oldest first; equals parent_id unless a source is itself a summary.
    leaf_source_ids: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    #: Mean importance of the live sources, 0..1.
    importance: float
    #: Score of the checks, 0..1.
    quality: float
    #: Which summarizer made it, e.g. ``extractive@2`` or a model's name.
    made_by: str
    #: Made offline because the model could not be used; found and redone later.
    fallback: bool = False
    #: Its sources changed since; what is served still rests on living sources only.
    stale: bool = False
    #: The model gave no draft of its sources as they are that passes the checks.
    rejected: bool = False
    extracted_type: str | None = None
    extracted_key: str | None = None
    #: Law 7: what became of its sources.
    counts: Counts = field(default_factory=Counts)
    #: Free prose, where a view's own prompt asked for it; the statements are what it rests on.
    prose: str | None = None
    title: str | None = None
    #: First and last local day of a period.
    starts_on: date | None = None
    ends_on: date | None = None
    #: The view it is a partition of, and the values that name the partition.
    view_id: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    #: Which embedder read the text; None while it waits to be read anew.
    embedding_version: str | None = None
    #: The least trusted of what it has read.
    source_class: SourceClass = SourceClass.USER

    @property
    def included(self) -> int:
        """How many sources were read."""
        return self.counts.read

    @property
    def total(self) -> int:
        """How many sources were selected."""
        return self.counts.total

    @property
    def text(self) -> str:
        """The prose, or else the served statements as one paragraph."""
        return self.prose or assemble(self.statements)

    @property
    def summarized_memory_ids(self) -> tuple[str, ...] | None:
        """Of a summary of the archive: the originals it stands for, oldest first; None for any other."""
        return self.parent_id if self.tier is Tier.ARCHIVE else None

    @property
    def summarized_day(self) -> date | None:
        """Of a summary of the archive: the day (UTC) of its newest original; None for any other."""
        return self.ends_on if self.tier is Tier.ARCHIVE else None


def served_of(statements: Sequence[Statement], served_from: float) -> tuple[Statement, ...]:
    """The statements a reader gets: neither displaced by a newer value nor less important than this."""
    return tuple(s for s in statements if s.superseded_by is None and s.importance >= served_from)


def speaker_of(text: str) -> str | None:
    """Who is quoted by a statement; None where it quotes nobody."""
    opening = _SPEAKER.match(text.strip())
    return opening.group(1) if opening else None


def unattributed(text: str) -> str:
    """What a statement says, without who is quoted."""
    text = text.strip()
    opening = _SPEAKER.match(text)
    return text[opening.end() :] if opening else text


def assemble(statements: tuple[Statement, ...]) -> str:
    """Join the served statements in order; a speaker is named once for a run of statements."""
    parts = []
    last: str | None = None
    for statement in statements:
        if statement.superseded_by is None:
            text = statement.text.strip()
            opening = _SPEAKER.match(text)
            speaker = opening.group(1) if opening else None
            parts.append(text[opening.end() :] if opening and speaker == last else text)
            last = speaker
    return " ".join(parts)
