"""Assembly: the best context that fits a token budget. Pure: rows and statements in, a text with citations out.

Rows are taken in the order of recall. Where a current summary says what a row says in fewer tokens, its statement is
taken in the row's place, so that more of what matters fits; a row that is said already is left out. A statement whose
rows have expired stands among them for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from operator import attrgetter

from precis.errors import InvalidInput
from precis.language.words import content
from precis.memory import Tier

#: A statement speaks for a row it rests on when it holds this share of its content words.
_SAYS_IT = 0.4
#: Rows tried after the first that did not fit.
_TRIES = 40
#: A line has no number yet when it is counted; two digits are as many tokens as one or three.
_ANY_NUMBER = 88
#: Longest name of a speaker above what they say, in characters.
_NAME = 80


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
    #: What it rests on; a memory rests on itself.
    source_ids: tuple[str, ...]
    #: How well it answers; of a statement: the best of its sources.
    score: float = 0.0
    speaker: str | None = None
    #: Of the row it is, or is said by.
    tier: Tier = Tier.RAW


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A piece that was taken, and the number it is cited by."""

    number: int
    piece: Piece
    text: str


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


def assemble(
    pieces: Sequence[Piece], *, budget: int, count: Callable[[str], int], quotas: Quotas | None = None
) -> Context:
    """Fill the budget from the pieces: insights first, then memories or the statements that say them."""
    taking = _Taking(budget=budget, count=count, quotas=quotas or Quotas())
    for piece in _ordered(pieces, Section.INSIGHTS):
        taking.consider(piece, (piece,))
    shorter = _statements_by_source(pieces)
    waiting: list[Piece] = []
    for piece in sorted((*_ordered(pieces, Section.MEMORIES), *_alone(pieces)), key=lambda ranked: -ranked.score):
        if not taking.consider(piece, _ways(piece, shorter, taking) if len(waiting) <= _TRIES else ()):
            waiting.append(piece)
    # What memories have left over is not kept from summaries.
    statements = [piece for piece in waiting if piece.section is Section.SUMMARIES] if taking.quotas.summaries else []
    for piece in statements[:_TRIES]:
        taking.consider(piece, (piece,), share=1.0)
    taking.count_statements(pieces)
    return taking.written()


def _alone(pieces: Sequence[Piece]) -> list[Piece]:
    """Statements that rest on no memory among the pieces: those have expired, and a summary speaks for them."""
    memory_ids = {piece.id for piece in pieces if piece.section is Section.MEMORIES}
    return [piece for piece in _ordered(pieces, Section.SUMMARIES) if not memory_ids & set(piece.source_ids)]


def _ordered(pieces: Sequence[Piece], section: Section) -> list[Piece]:
    return sorted((piece for piece in pieces if piece.section is section), key=lambda piece: -piece.score)


def _statements_by_source(pieces: Sequence[Piece]) -> dict[str, list[Piece]]:
    statements: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.section is Section.SUMMARIES:
            for source in piece.source_ids:
                statements.setdefault(source, []).append(piece)
    return statements


def _ways(piece: Piece, statements: Mapping[str, Sequence[Piece]], taking: _Taking) -> Iterator[Piece]:
    """How a piece may be said: a memory by a shorter statement, or as it is."""
    if piece.section is Section.MEMORIES:
        yield from _in_its_place(piece, statements, taking)
    yield piece


def _in_its_place(piece: Piece, statements: Mapping[str, Sequence[Piece]], taking: _Taking) -> list[Piece]:
    """The statements that say what a memory says in fewer tokens, the shortest first."""
    words = content(piece.text)
    able = [
        (taking.cost(statement), at, statement)
        for at, statement in enumerate(statements.get(piece.id, ()))
        if _speaks_for(content(statement.text), words)
    ]
    as_it_is = taking.cost(piece)
    return [statement for cost, _, statement in sorted(able, key=lambda row: row[:2]) if cost < as_it_is]


def _speaks_for(statement: frozenset[str], memory: frozenset[str]) -> bool:
    """Whether a statement holds enough of the content words of a memory that it rests on."""
    return bool(memory) and len(statement & memory) >= _SAYS_IT * len(memory)


@dataclass(kw_only=True, slots=True)
class _Taking:
    """What was taken so far."""

    budget: int
    count: Callable[[str], int]
    quotas: Quotas
    taken: list[Piece] = field(default_factory=list)
    used: dict[Section, int] = field(default_factory=dict)
    used_by_tier: dict[Tier, int] = field(default_factory=lambda: dict.fromkeys(Tier, 0))
    left_out: dict[Section, int] = field(default_factory=lambda: dict.fromkeys(Section, 0))
    repeated: int = 0
    known: set[int] = field(default_factory=set)
    #: What was said, with its day; and of each memory the words of the lines that rest on it.
    lines: set[tuple[date, str]] = field(default_factory=set)
    words: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    days: set[tuple[Section, date]] = field(default_factory=set)

    def consider(self, piece: Piece, ways: Iterable[Piece], *, share: float | None = None) -> bool:
        """Take the first way of saying a piece that fits, unless it is said already; whether it is said now."""
        if self.knows(piece):
            self.repeated += 1
            self.known.add(id(piece))
            return True
        if any(self.take(way, share=share) for way in ways):
            return True
        self.left_out[piece.section] += piece.section is not Section.SUMMARIES
        return False

    def take(self, piece: Piece, *, share: float | None = None) -> bool:
        """Whether it fits into the budget and the quota of its part (or this share), or was taken before."""
        if piece in self.taken:
            return True
        cost = self.cost(piece)
        opening = self._opening(piece)
        used = self.used.get(piece.section, 0) + cost + opening
        of_tier = self.used_by_tier[piece.tier] + cost + opening
        most = (getattr(self.quotas, piece.section.value) if share is None else share) * self.budget
        most_of_tier = self.quotas.tiers.get(piece.tier, 1.0) * self.budget
        if sum(self.used.values()) + cost + opening > self.budget or used > most or of_tier > most_of_tier:
            return False
        self.used[piece.section], self.used_by_tier[piece.tier] = used, of_tier
        self.days.add((piece.section, piece.created_at.date()))
        self.taken.append(piece)
        self.lines.add(_wording(piece))
        words = content(piece.text)
        for source in piece.source_ids:
            self.words.setdefault(source, []).append(words)
        return True

    def _opening(self, piece: Piece) -> int:
        """Tokens of the title and the date above it that are not there yet."""
        day = piece.created_at.date()
        title = 0 if piece.section in self.used else self._line(TITLES[piece.section])
        return title + (0 if (piece.section, day) in self.days else self._line(day.isoformat()))

    def knows(self, piece: Piece) -> bool:
        """Whether a line says the same of the same day, or rests on the same and speaks for it.

        What only shares its words with others is news: a denial does, and so does what somebody else says.
        """
        words = content(piece.text)
        spoken = (line for source in piece.source_ids for line in self.words.get(source, ()))
        return _wording(piece) in self.lines or any(_speaks_for(line, words) for line in spoken)

    def count_statements(self, pieces: Sequence[Piece]) -> None:
        """Statements that nothing called for, or that did not fit."""
        done = {id(piece) for piece in self.taken} | self.known
        self.left_out[Section.SUMMARIES] = sum(
            piece.section is Section.SUMMARIES and id(piece) not in done for piece in pieces
        )

    def cost(self, piece: Piece) -> int:
        """Tokens of its line."""
        return self._line(rendered(piece, _ANY_NUMBER))

    def _line(self, text: str) -> int:
        """Tokens of a text and the line break behind it, which are often fewer than those of both."""
        return self.count(f"{text}\n")

    def written(self) -> Context:
        """The text, part by part in order of time; the weakest lines go while it is over the budget after all."""
        while True:
            lines = _numbered(self.taken)
            text = _written(lines)
            tokens = self.count(text) if text else 0
            if tokens <= self.budget or not self.taken:
                return Context(
                    text=text, tokens=tokens, lines=tuple(lines), left_out=self.left_out, already_said=self.repeated
                )
            weakest = min(self.taken, key=attrgetter("score"))
            self.taken.remove(weakest)
            self.left_out[weakest.section] += 1


def _numbered(taken: Sequence[Piece]) -> list[Line]:
    order = list(Section)
    ordered = sorted(
        taken, key=lambda piece: (order.index(piece.section), piece.created_at, piece.id, piece.source_ids)
    )
    numbered = enumerate(ordered, start=1)
    return [Line(number=number, piece=piece, text=rendered(piece, number)) for number, piece in numbered]


def rendered(piece: Piece, number: int) -> str:
    """The line of a piece: ``[3] Mara: ...``."""
    return f"[{number}] {_spoken(piece)}"


def _spoken(piece: Piece) -> str:
    """What a piece says, in one line, behind the name of who said it."""
    text, speaker = " ".join(piece.text.split()), " ".join((piece.speaker or "").split())[:_NAME]
    return f"{speaker}: {text}" if speaker and not text.startswith(f"{speaker}:") else text


def _wording(piece: Piece) -> tuple[date, str]:
    """By which a line is known again: its day and what it says."""
    return piece.created_at.date(), _spoken(piece).casefold().rstrip(".")


def _written(lines: Sequence[Line]) -> str:
    """Part by part, each date once above what is of that day."""
    parts: list[str] = []
    above: tuple[Section, date] | None = None
    for line in lines:
        place = (line.piece.section, line.piece.created_at.date())
        if above is None or above[0] != place[0]:
            parts.append(TITLES[place[0]])
        if above != place:
            parts.append(place[1].isoformat())
        parts.append(line.text)
        above = place
    return "\n".join(parts)
