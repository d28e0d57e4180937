"""A summary: a view over memories, made of statements; and its lineage: which memories each rests on. The third noun.

What forgetting a memory takes away is said here, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from precis.memory import Scope, Tier
from precis.trust import SourceClass


class Fate(StrEnum):
    """What became of a source in a summary, as a check finds it and nobody claims. A source without one is left out."""

    #: Statements that rest on it say what it says.
    SAID = "said"
    #: It greets, thanks or praises, and tells nothing.
    SMALL_TALK = "small_talk"
    #: It asks, and tells nothing.
    QUESTION = "question"
    #: A served statement that rests on others says the same of the same day.
    REPETITION = "repetition"
    #: A served statement gives the newer value of the same subject and attribute.
    OVERRULED = "overruled"


#: Reasons for which a source is set aside.
SET_ASIDE = (Fate.SMALL_TALK, Fate.QUESTION, Fate.REPETITION, Fate.OVERRULED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """Law 7: every selected source is represented, set aside for a reason, or left out."""

    #: In the input of a node of the tree.
    read: int = 0
    #: In the lineage of a served statement.
    represented: int = 0
    #: In no lineage, by the reason a check found.
    set_aside: Mapping[str, int] = field(default_factory=dict)
    #: In no lineage and without a reason, or not read at all.
    left_out: int = 0
    #: Read in part: longer than one item may be. Counted in one of the others as well.
    capped: int = 0

    @property
    def total(self) -> int:
        """How many sources were selected."""
        return self.represented + sum(self.set_aside.values()) + self.left_out

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        reasons = dict.fromkeys([*self.set_aside, *other.set_aside])
        return Counts(
            read=self.read + other.read,
            represented=self.represented + other.represented,
            set_aside={reason: self.set_aside.get(reason, 0) + other.set_aside.get(reason, 0) for reason in reasons},
            left_out=self.left_out + other.left_out,
            capped=self.capped + other.capped,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One sentence-sized claim of a summary."""

    text: str
    #: 0..1
    importance: float
    #: Base memories it rests on, flattened through every level, in order of first support.
    source_ids: tuple[str, ...]
    #: Position of the newer statement that displaced this one: kept, not served.
    superseded_by: int | None = None
    #: The least trusted of its sources, where it is read from a store.
    source_class: SourceClass = SourceClass.USER


def standing(position: int | None, removed: Mapping[int, int | None]) -> int | None:
    """The first statement that is left in a line of displaced ones, from ``position`` on; None when none is.

    ``gone`` says of the positions that were taken away by which newer one each had been displaced.
    """
    passed = set()
    while position is not None and position in removed and position not in passed:
        passed.add(position)
        position = removed[position]
    return None if position in passed else position


def arranged(statements: Sequence[Statement], order: Sequence[int]) -> tuple[Statement, ...]:
    """The statements in another order, given by their positions; the displaced ones still name the newer."""
    place = {old: new for new, old in enumerate(order)}
    moved = (statements[at] for at in order)
    return tuple(
        replace(statement, superseded_by=None if statement.superseded_by is None else place[statement.superseded_by])
        for statement in moved
    )


def flatten(source_ids: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Several lists of base memories as one, first mention first, each once."""
    return tuple(dict.fromkeys(id_ for ids in source_ids for id_ in ids))


def counts_of(
    sources: Collection[str], served: Iterable[Statement], fates: Mapping[str, Fate], *, unread: int, capped: int
) -> Counts:
    """Law 7 over the sources that a summary has read, and the number of those that it has not."""
    cited = {id_ for statement in served for id_ in statement.source_ids}.intersection(sources)
    aside = Counter(fates[id_].value for id_ in set(sources) - cited if fates.get(id_) in SET_ASIDE)
    return Counts(
        read=len(sources),
        represented=len(cited),
        set_aside=dict(aside),
        left_out=len(sources) - len(cited) - aside.total() + unread,
        capped=capped,
    )


#: How a statement that quotes somebody opens.
_SPEAKER = re.compile(r"([^\s:][^:\n]{0,60}): (?=\S)")
_SENTENCE_ENDS = re.compile(
    r"[.!?;\u2026\u037e\u055e\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u17d4\u3002\uff01\uff1f]"
    r"[\"'\u201d\u00bb\u300d)]?\s+"
)
#: Where a second voice begins inside one: behind a sentence.
_SECOND_VOICE = re.compile(_SENTENCE_ENDS.pattern + _SPEAKER.pattern)


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


def served_of(statements: Sequence[Statement], served_from: float = 0.0) -> tuple[Statement, ...]:
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


def has_two_voices(text: str) -> bool:
    """Whether a statement quotes who asked before who answers: "Ida: Is it new? Bo: It is."."""
    return _SECOND_VOICE.search(unattributed(text)) is not None


def assemble(statements: tuple[Statement, ...]) -> str:
    """Join the served statements in order; a speaker is named once for a run of statements.

    Who spoke last goes on without a name, also within a statement: "Ida: Is it new? Bo: It is.". What one quotes
    before it, and the statement before ends with, is said once.
    """
    parts: list[str] = []
    last: str | None = None
    before = ""
    for statement in statements:
        if statement.superseded_by is None:
            text = statement.text.strip()
            opening = _SPEAKER.match(text)
            speaker = opening.group(1) if opening else None
            wording = text[opening.end() :] if opening else text
            if parts and speaker == last:
                wording = wording[_repeated(before, wording) :]
            parts.append(wording if not opening or speaker == last else text)
            *_, last = (speaker, *(voice.group(1) for voice in _SECOND_VOICE.finditer(wording)))
            before = wording
    return " ".join(parts)


def _repeated(before: str, text: str) -> int:
    """How many characters a text opens with that are whole sentences and end the one before it; never all of it."""
    ends = (mark.end() for mark in _SENTENCE_ENDS.finditer(text) if mark.end() < len(text))
    return max((end for end in ends if f" {before}".endswith(f" {text[:end].rstrip()}")), default=0)
