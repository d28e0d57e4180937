"""What a context is made of: the lines that may be taken, and what was taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from precis.errors import InvalidInput
from precis.memory import Tier
from precis.trust import RELAYED, SourceClass


class Section(StrEnum):
    """The parts of a context, in their order."""

    INSIGHTS = "insights"
    SUMMARIES = "summaries"
    MEMORIES = "memories"


TITLES = dict(zip(Section, ("Key insights:", "Summaries:", "Memories:"), strict=True))


@dataclass(frozen=True, kw_only=True, slots=True)
class Quotas:
    """The largest shares of the budget, 0..1; what one part does not use is left to the next."""

    insights: float = 0.15
    summaries: float = 0.6
    memories: float = 1.0
    #: Of single tiers, in whichever part they stand; a tier that is not named has no limit of its own.
    tiers: Mapping[Tier, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises InvalidInput for what is no share, or no tier."""
        shares = {name: getattr(self, name) for name in Section} | {
            f"tiers.{name}": s for name, s in self.tiers.items()
        }
        for name, share in shares.items():
            if not isinstance(share, int | float) or not 0 <= share <= 1:
                raise InvalidInput(f"quotas.{name}: {share!r} is not within 0 to 1", field=f"quotas.{name}")
        for tier in self.tiers:
            if tier not in tuple(Tier):
                message = f"quotas.tiers: {tier!r} is no tier; there are {', '.join(Tier)}"
                raise InvalidInput(message, field="quotas.tiers")


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """One line that may be taken: a memory, or a statement of a summary."""

    section: Section
    #: The row it is, or is said by.
    id: str
    text: str
    created_at: datetime
    #: What it rests on; a memory rests on itself, a fact on its messages as well.
    source_ids: tuple[str, ...]
    #: How well it answers; of a statement: the best of its sources.
    score: float = 0.0
    #: How likely it is evidence, 0..1; None where nobody knows.
    relevance: float | None = None
    speaker: str | None = None
    #: Of the row it is, or is said by.
    tier: Tier = Tier.RAW
    #: What its summary is about; its lines stand together.
    subject: str | None = None
    #: The day on which it was said: "yesterday" is the day before. None where it was not one day.
    said_on: date | None = None
    #: The least trusted of what it rests on.
    source_class: SourceClass = SourceClass.USER

    @property
    def day(self) -> date:
        """By which it is dated."""
        return self.created_at.date()


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A piece that was taken, and the number it is cited by."""

    number: int
    piece: Piece
    #: As it stands in the context, and the same without number, date and speaker.
    text: str
    quote: str
    #: Whether sentences of the memory are left out.
    excerpt: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What an agent reads, and where each line is from."""

    text: str
    tokens: int
    lines: tuple[Line, ...]
    #: Pieces that were found and are not there, by part: they did not fit, or nothing called for them.
    left_out: Mapping[Section, int]
    #: Pieces that would have said nothing new: a line says the same of the same day, or speaks for them.
    already_said: int


#: Longest name of a speaker before what they say, and of a subject above it, in characters.
_NAME = 80


def header_of(piece: Piece) -> str:
    """What stands above its line: the subject of a summary, or the day."""
    subject = " ".join((piece.subject or "").split())[:_NAME]
    return f"{subject}:" if subject else piece.day.isoformat()


def rendered(piece: Piece, number: int) -> str:
    """The line of a whole piece: ``[3] Mara: ...``."""
    return line_of(piece, " ".join(piece.text.split()), number)


def line_of(piece: Piece, text: str, number: int) -> str:
    """The line of a part of its text."""
    day = f"{piece.day}: " if piece.subject else ""
    relayed = f"(from a {piece.source_class}) " if piece.source_class in RELAYED else ""
    return f"[{number}] {day}{relayed}{spoken(piece, text)}"


def spoken(piece: Piece, text: str) -> str:
    """What is said behind the name of who said it."""
    speaker = " ".join((piece.speaker or "").split())[:_NAME]
    return f"{speaker}: {text}" if speaker and not text.startswith(f"{speaker}:") else text


def text_of(lines: Sequence[Line]) -> str:
    """Part by part, each subject or day once above its lines."""
    parts: list[str] = []
    above: tuple[Section, str] | None = None
    for line in lines:
        place = (line.piece.section, header_of(line.piece))
        if above is None or above[0] != place[0]:
            parts.append(TITLES[place[0]])
        if above != place:
            parts.append(place[1])
        parts.append(line.text)
        above = place
    return "\n".join(parts)
