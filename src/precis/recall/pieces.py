"""What a context is made of: the lines that may be taken, what of each is worth its tokens, and what was taken. Pure.

The figures of worth are round ones near what was fitted on four data sets, each left out once (docs/why/recall.md).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from itertools import takewhile

from precis.checks.answering import is_answer
from precis.checks.asides import Manners, manners_of
from precis.errors import InvalidInput
from precis.language import tables
from precis.language.chitchat import MAY_TELL, hollow, is_small_talk, uncalled
from precis.language.dates import in_words
from precis.language.newest.taken_back import takes_back
from precis.language.script import languages_of
from precis.language.sentences import is_question, sentences
from precis.language.words import content, led_by
from precis.memory import Tier
from precis.recall.headings import ENGLISH, Headings
from precis.recall.question import as_asked, other_forms, without_now
from precis.recall.telling import Wanted, matches, topics_of
from precis.trust import RELAYED, SourceClass

_WHEN = re.compile(rf"\b(?:{tables.choices('questions.when')})\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
#: A call of a tool with nothing told to it, as a talk with an agent has it.
_BARE_CALL = re.compile(r"(?:\[calls [^\s\]{]+(?: \{\s*\})?\]\s*)+")
#: How much likelier a sentence answers that tells what is asked anew, and one that tells what is so now.
_TURNED, _NOW = 1.4, 0.7
#: A shout has at most so many words.
_SHOUT = 3
#: The least and the most likely relevance that says anything.
_EDGE = 1e-3


class Section(StrEnum):
    """The parts of a context, in their order."""

    INSIGHTS = "insights"
    SUMMARIES = "summaries"
    MEMORIES = "memories"


@dataclass(frozen=True, kw_only=True, slots=True)
class Quotas:
    """The largest shares of the budget, 0..1; what one part does not use is left to the next."""

    insights: float = 0.15
    summaries: float = 1.0
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
    #: Its place among the statements of its summary, which say first what is so now.
    place: int = 0
    #: It holds of every answer: it stands first, below no day.
    is_lasting: bool = False
    #: It is of others than of whom is asked, and stands behind what is of whom is asked.
    of_another: bool = False
    #: The day on which it was said: "yesterday" is the day before. None where it was not one day.
    said_on: date | None = None
    #: The least trusted of what it rests on.
    source_class: SourceClass = SourceClass.USER
    #: It is a turn that asks what is asked, and answers nothing.
    asks_again: bool = False
    #: The memory that likely says what became of it.
    later: str | None = None
    #: Which of its sentences those are of which it says so, and which of its own say it; None where that is not known.
    overruled: tuple[frozenset[int], frozenset[int]] | None = None
    #: Earlier memories of which it may give the newer value, by their ids, and how likely, 0..1.
    renews: Mapping[str, float] = field(default_factory=dict)

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


#: How the day behind what a statement says begins where a later one may say otherwise; the first is what is so now.
AS_OF = " (as of "


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
    #: Nothing that was recalled is surely relevant: the lines, if any, are only the closest. The text opens with that.
    unsure: bool = False


#: Who writes to an agent, where nobody says who that is.
_USER = "user"
#: Longest name of a speaker before what they say, and of a subject above it, in characters.
_NAME = 80


def headings_of(piece: Piece) -> tuple[str, ...]:
    """What stands above its line, each once above all that it holds for: the subject of a summary, or year and day.

    A year once and days by their names take half the tokens of a whole date for each day.
    """
    if piece.is_lasting:
        return ()
    subject = " ".join((piece.subject or "").split())[:_NAME]
    day, _, year = in_words(piece.day).rpartition(" ")
    return (f"{subject}:",) if subject else (year, day)


def rendered(piece: Piece, number: int) -> str:
    """The line of a whole piece: ``[3] Mara: ...``."""
    return line_of(piece, " ".join(piece.text.split()), number)


def line_of(piece: Piece, text: str, number: int, later: int | None = None, headings: Headings = ENGLISH) -> str:
    """The line of a part of its text; ``later`` is the number of the line that says what became of it."""
    since = f"{headings.as_of} " if piece.place and AS_OF in piece.text else ""
    day = f"{since}{headings.whole(piece.day)}: " if piece.subject else ""
    relayed = f"(from a {piece.source_class}) " if piece.source_class in RELAYED else ""
    followed = f"({headings.later}: [{later}]) " if later is not None else ""
    return f"[{number}] {day}{relayed}{followed}{spoken(piece, text)}"


def spoken(piece: Piece, text: str) -> str:
    """What is said behind the name of who said it."""
    speaker = " ".join((piece.speaker or "").split())[:_NAME]
    if speaker.casefold() == _USER:
        # "Ana: ..." in a talk of several with an agent: she said all of it.
        speaker = led_by(piece.text) or speaker
    return f"{speaker}: {text}" if speaker and not text.startswith(f"{speaker}:") else text


def text_of(lines: Sequence[Line], words: Headings = ENGLISH) -> str:
    """Part by part, each subject, year or day once above its lines."""
    parts: list[str] = []
    above: tuple[str, ...] = ()
    for line in lines:
        levels = headings_of(line.piece)
        day = (levels[0], words.day(line.piece.day)) if len(levels) > 1 else levels
        headings = (words.titles[line.piece.section], *day)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(headings, above, strict=False)))
        parts += [*headings[same:], line.text]
        above = headings
    return "\n".join(parts)


def chance(score: float, relevance: float | None, rank: int, fitting: float = 0.0) -> float:
    """How likely the row of this rank is evidence; None where nobody knows its relevance.

    ``fitting`` is what it has of the kind that is asked for, in log-odds.
    """
    weight = 0.5 * score + 0.6 / (1 + rank) - 0.9 * math.log1p(rank) - 0.2 + fitting
    if relevance is not None:
        weight += 0.6 * math.log((relevance + _EDGE) / (1 - relevance + _EDGE))
    return 1 / (1 + math.exp(-weight))


def is_filler(sentence: str, manners: Manners | None = None) -> bool:
    """Whether it takes no room: it greets, thanks or praises, or only calls somebody, or a tool with nothing.

    ``manners`` are those of the language of what is recalled, where that is not English.
    """
    if is_small_talk(sentence) or _BARE_CALL.fullmatch(sentence.strip()):
        return True
    if manners is not None and manners.is_courtesy(sentence):
        return True
    short = len(sentence.split()) <= _SHOUT and not _FIGURE.search(sentence)
    return short and (hollow(sentence) or not content(uncalled(sentence)))


class Asking:
    """The question, against which the sentences of a memory are held."""

    def __init__(
        self, query: str, rows: Iterable[frozenset[str]], own: Collection[str] = (), texts: Sequence[str] = ()
    ) -> None:
        """``rows`` are the stems of each memory: what many hold says little. ``own`` are stems not to look for.

        ``texts`` are those of the memories: their language tells what in them is courtesy.
        """
        self.manners = manners_of(texts)
        self.terms = content(query).difference(own)
        self.forms = other_forms(query, self.terms)
        self._when = bool(_WHEN.search(query))
        self.wanted = Wanted(query)
        languages = (*languages_of(query)[0], "English")
        #: Where somebody lives, works or is reached, which a sentence tells anew in words of its own.
        self._turned = [f"{topic}_turned" for topic in topics_of(query, languages)]
        self._languages = languages
        holding = Counter(term for stems in rows for term in self._held(stems))
        number = 1 + max(holding.values(), default=0)
        self._rarity = {term: math.log(1 + number / (1 + holding[term])) for term in self.terms}

    def _held(self, stems: frozenset[str]) -> frozenset[str]:
        """Terms of the question among these stems, in whatever form."""
        return self.terms.intersection(as_asked(stems, self.forms))

    def shares(
        self, parts: Sequence[str], stems: Sequence[frozenset[str]], dated: Sequence[bool], reacting: Sequence[bool]
    ) -> list[float]:
        """How likely each sentence is the one that matters, if one is: together 1. Nothing for what takes no room."""
        holds = [sum(self._rarity[term] for term in self._held(terms)) for terms in stems]
        best = max(holds, default=0.0)
        weights = [
            math.exp(self._weight(part, worth / best if best else 0.0, len(terms), is_dated=is_dated, reacts=reacts))
            if not is_filler(part, self.manners)
            or (worth and (MAY_TELL.search(part) or self._held(content(uncalled(part)))))
            else 0.0
            for part, worth, terms, is_dated, reacts in zip(parts, holds, stems, dated, reacting, strict=True)
        ]
        total = sum(weights)
        return [weight / total if total else 0.0 for weight in weights]

    def bears(self, stems: Sequence[frozenset[str]]) -> list[bool]:
        """Which sentences of a long answer bear on the question: the first, what holds a word of it, and the next."""
        held = [bool(self._held(terms)) for terms in stems]
        return [at == 0 or holds or held[at - 1] for at, holds in enumerate(held)]

    def _weight(self, part: str, worth: float, terms: int, *, is_dated: bool, reacts: bool) -> float:
        weight = 1.44 * worth + 0.72 * math.log1p(terms) - 0.56 * (reacts or hollow(part))
        if any(matches(key, self._languages, part) for key in self._turned):
            weight += _TURNED
        elif self._turned and without_now(part, self._languages) != part:
            weight += _NOW
        if is_dated or _FIGURE.search(part):
            weight += 0.64 if self._when else 0.24
        return weight - (0.8 if is_question(part) and not worth and self.terms else 0.0)


def parts_of(text: str) -> list[str]:
    """The sentences of a memory, each in one line; what takes one back or was answered stands with it."""
    parts: list[str] = []
    for part in sentences(text):
        line = " ".join(part.split())
        if parts and (takes_back(line) or is_answer(line)):
            parts[-1] = f"{parts[-1]} {line}"
        else:
            parts.append(line)
    return parts or [" ".join(text.split())]
