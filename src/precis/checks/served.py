"""The served statements of a summary as the sentences of its sources are looked for in them. Read once. Pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from precis import makers, summary, trust
from precis.checks.reading import family_of
from precis.checks.sayings import Saying, part_of, saying_of, says
from precis.language.assertions.assertion import Assertion
from precis.language.dating.resolving import dated
from precis.language.dating.spans import of_each_day
from precis.language.newest.timeline import Timeline
from precis.language.reading import Line as Spoken
from precis.language.reading import read
from precis.language.sentences import sentences
from precis.language.subjects import FILLERS
from precis.language.words import STOP_WORDS, kept, kept_where_short, names, normal, words
from precis.language.written.markdown import with_lists
from precis.language.written.secrets import without_secrets

_DENIES = re.compile(r"\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot|nicht|kein\w*)\b|n't\b")
#: Content words that open a sentence and may be said once for several: of whom or what they speak.
_OPENING = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A sentence of a served statement."""

    by: int
    words: frozenset[str]
    #: Of the whole statement.
    around: frozenset[str]
    denies: bool
    sources: frozenset[str]
    days: frozenset[date | None]
    voice: trust.Voice
    saying: Saying = field(repr=False)
    #: Who is quoted by it, and what it says without that.
    speaker: str | None = None
    body: Saying | None = field(default=None, repr=False)
    #: What it says of each of its days, where these are several.
    on_days: tuple[Saying, ...] = field(default=(), repr=False)

    def says(self, text: str, item: makers.Item) -> bool:
        """Whether it says a sentence of the item word for word, with or without the dates that it means."""
        own = [*filter(None, [self.body]), *self.on_days] if self.speaker == item.speaker else []
        bodies = [self.saying, *own]
        wordings = (saying_of(text), saying_of(dated(text, item.day, whole=item.text)))
        return any(says(body, wording) for body in bodies for wording in wordings)


class Served:
    """The served statements of a summary, read once, beside the items it was made from."""

    def __init__(self, statements: Sequence[summary.Statement], items: Sequence[makers.Item]) -> None:
        #: How new each item is among them.
        self.ranks = makers.newness(items)
        moments = {
            id_: (rank, item.day) for rank, item in zip(self.ranks, items, strict=True) for id_ in item.source_ids
        }
        self._classes: dict[str, frozenset[trust.SourceClass]] = {
            id_: item.classes for item in items for id_ in item.source_ids
        }
        self._items: dict[str, list[makers.Item]] = defaultdict(list)
        for item in items:
            for id_ in item.source_ids:
                self._items[id_].append(item)
        self._speakers = {item.speaker for item in items}
        self._sayings: dict[frozenset[str], dict[tuple[str, ...], Saying]] = {}
        self._quotes: dict[int, list[Saying]] = {}
        self.words: frozenset[str] = frozenset()
        self._lines: list[Line] = []
        self._resting: dict[str, list[Line]] = defaultdict(list)
        self._holding: dict[str, set[int]] = defaultdict(set)
        #: What they assert; what rests on newer items has a higher rank.
        self.timeline = Timeline()
        for at, statement in enumerate(statements):
            if statement.superseded_by is None:
                self._add(at, statement, {moments[id_] for id_ in statement.source_ids if id_ in moments})
        self.words = frozenset().union(*(line.words for line in self._lines))

    def _add(self, at: int, statement: summary.Statement, moments: Collection[tuple[int, date | None]]) -> None:
        around, days = words_of(statement.text), frozenset(day for _, day in moments)
        sources = frozenset(statement.source_ids)
        voice = trust.voice_of(frozenset().union(*(self._classes.get(id_, frozenset()) for id_ in sources)))
        for text in sentences(statement.text) or [statement.text]:
            speaker = summary.speaker_of(text)
            line = Line(
                by=at, words=words_of(text), around=around, denies=denies(text), sources=sources, days=days,
                voice=voice, saying=saying_of(text), speaker=speaker,
                body=saying_of(summary.unattributed(text)) if speaker else None,
                on_days=tuple(saying_of(summary.unattributed(each)) for each in of_each_day(text)),
            )  # fmt: skip
            for word in line.words:
                self._holding[word].add(len(self._lines))
            self._lines.append(line)
            for id_ in sources:
                self._resting[id_].append(line)
        if moments:
            speaker = summary.speaker_of(statement.text)
            clauses = asserted(statement.text, speaker if speaker in self._speakers else None, voice)
            self.timeline.add((at, 0), clauses, max(rank for rank, _ in moments))

    def resting(self, ids: Iterable[str]) -> list[Line]:
        """The sentences of statements that rest on one of these."""
        lines = [line for id_ in ids for line in self._resting.get(id_, ())]
        return list({id(line): line for line in lines}.values())

    def repeating(self, words: frozenset[str]) -> list[Line]:
        """Those that hold all of these words."""
        if not words or not all(word in self._holding for word in words):
            return []
        shared = set.intersection(*(self._holding[word] for word in words))
        return [self._lines[at] for at in sorted(shared)]

    def free(self, line: Line, text: str, item: makers.Item) -> frozenset[str]:
        """The words by which a statement may say a sentence in other words.

        Those of another sentence of its sources that it says word for word belong to that sentence; a name, and of whom
        or what this sentence speaks, may be said once for several. So "Ana owes Ben 50" does not say "Ben owes Ana 50".
        """
        own = _wordings(text, item)
        others = [other for other in self._quoted(line) if other.words not in own]
        if not others:
            return line.around
        taken = frozenset().union(*(words_of(" ".join(other.words)) for other in others))
        opening = [word for word in words(text) if word not in STOP_WORDS][:_OPENING]
        return line.around - (taken - names_of(text) - _families(opening))

    def rivals(self, line: Line, text: str, item: makers.Item) -> bool:
        """Whether a statement that has the words of a sentence may have them from another one, in another order."""
        needed, own = words_of(text), _wordings(text, item)
        return any(
            wording not in own
            and needed <= words_of(" ".join(wording)) <= line.around
            and not says(other, saying_of(text))
            for wording, other in self._quotable(line.sources).items()
        )

    def _quoted(self, line: Line) -> list[Saying]:
        """The sentences of the items that a statement rests on which its line says word for word. Looked for once."""
        if id(line) not in self._quotes:
            every = self._quotable(line.sources).values()
            self._quotes[id(line)] = [saying for saying in every if part_of(line.saying, saying)]
        return self._quotes[id(line)]

    def _quotable(self, ids: frozenset[str]) -> dict[tuple[str, ...], Saying]:
        """The sentences of the items that something rests on, by their words, with and without the dates they mean."""
        if ids not in self._sayings:
            items = {id(item): item for id_ in ids for item in self._items.get(id_, ())}.values()
            self._sayings[ids] = {
                saying.words: saying
                for item in items
                for part in sentences(item.text)
                for saying in (saying_of(part), saying_of(dated(part, item.day, whole=item.text)))
                if saying.words
            }
        return self._sayings[ids]


def _wordings(text: str, item: makers.Item) -> frozenset[tuple[str, ...]]:
    """A sentence of an item as it may be quoted: with and without the dates that it means."""
    return frozenset({saying_of(text).words, saying_of(dated(text, item.day, whole=item.text)).words})


def asserted(text: str, speaker: str | None, voice: trust.Voice) -> list[Assertion]:
    """What a text asserts; nothing where a part of it is not understood."""
    parts = read(Spoken(text=text, speaker=speaker, voice=voice))
    return [assertion for part in parts for assertion in part.assertions] if all(part.clear for part in parts) else []


@kept
def words_of(text: str) -> frozenset[str]:
    """What a statement must hold to say the text: its words by family, without those that tell nothing anywhere."""
    return _families(words(text))


def _families(spoken: Iterable[str]) -> frozenset[str]:
    return frozenset(family_of(word) for word in spoken if word not in STOP_WORDS and word not in FILLERS)


@kept_where_short
def names_of(text: str) -> frozenset[str]:
    """The words of it that are names."""
    return words_of(" ".join(names(text)))


@kept_where_short
def denies(text: str) -> bool:
    """Whether it has a word of denial."""
    return _DENIES.search(normal(text).casefold()) is not None


def speakable(items: Sequence[makers.Item]) -> list[makers.Item]:
    """The items without the credentials that nobody repeats. Their originals have no fate for that, and stay."""
    return [replace(item, text=text) if (text := without_secrets(item.text)) != item.text else item for item in items]


def listed(items: Sequence[makers.Item]) -> list[makers.Item]:
    """The items, each list in them as it is told: in sentences, with what stands above it."""
    return [
        item if item.derived or (text := with_lists(item.text)) == item.text else replace(item, text=text)
        for item in items
    ]
