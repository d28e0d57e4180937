"""What the checks answer: a verdict a statement, and one for the draft."""

from __future__ import annotations

from dataclasses import dataclass

from precis.summary import Statement


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """Where the checks draw their lines. Defaults come from the curves in docs/reference/checks.md."""

    #: A statement that scores less is dropped.
    statement: float = 0.3
    #: A draft that loses more than this share of its statements is rejected.
    dropped: float = 0.5
    #: Share of a statement's content words that no item holds and that a paraphrase may still bring along.
    #: Names, numbers and dates are never among them.
    unknown: float = 0.15
    #: A missing word held by at most this many items brings all of them into the lineage; one held by more
    #: brings the item closest to the statement.
    rare: int = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What the checks found about one statement of the draft."""

    text: str
    #: 0..1
    score: float
    #: Machine words: empty, unknown_word, number, entity, date, negation, modality, antonym, speaker,
    #: roles, unsupported, contradicts_newer, instruction, judged_unsupported, judged_contradicted.
    reasons: tuple[str, ...]
    kept: bool
    #: Indices of the items it rests on after re-citation, sorted.
    sources: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A draft after the checks."""

    #: One a draft statement, in order; none where no item tells anything.
    verdicts: tuple[Verdict, ...]
    #: The kept ones, resting on base memories.
    statements: tuple[Statement, ...]
    #: Share of the items' importance that served statements rest on, 0..1.
    coverage: float
    #: The draft as a whole, 0..1.
    score: float
    passed: bool
    #: Why it did not pass, or what was found on the way.
    reasons: tuple[str, ...]
