"""What is said several times is said once, on all that say it. Pure.

A text says another where it holds its words in their order, and nothing more by which it would not be so: a denial, a
"might", a report of somebody else's opinion. Words that tell nothing are passed over; names and numbers never are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from precis.language import tables
from precis.language.dating.resolving import dated
from precis.language.grammar import FORMS
from precis.language.script import is_english
from precis.language.sentences import is_question, sentences
from precis.language.vocabulary import MODALS, NEGATORS
from precis.language.words import STOP_WORDS, content, kept, names, normal, numbers, stem, words
from precis.makers import Draft, DraftStatement, Item
from precis.summary import Statement, flatten, speaker_of

#: Words that change nothing of what is said.
_LIGHT = frozenset(tables.words("repeats.light"))
#: Words by which a sentence that holds another does not say it.
_TURNING = NEGATORS | MODALS | frozenset(tables.words("repeats.turning"))
#: Fewer content words than this are too few to be found in another sentence.
_LEAST = 3
#: Words that nearly equal sentences share: who it is about, whence and whither.
_RELATING = frozenset(tables.words("repeats.relating"))


@dataclass(frozen=True, slots=True)
class _Saying:
    """One sentence, as it is compared."""

    #: In their order, without the light ones.
    words: tuple[str, ...]
    #: Its content words by stem, each with its spellings, in their order.
    terms: Mapping[str, frozenset[str]]
    names: frozenset[str]
    exact: frozenset[str]
    turning: frozenset[str]
    relating: frozenset[str]
    asks: bool
    english: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement or an item, as it is compared."""

    speaker: str | None
    sayings: tuple[_Saying, ...]
    stems: frozenset[str]


def _told(text: str, speaker: str | None = None) -> _Told:
    speaker = speaker or speaker_of(text)
    body = text.removeprefix(f"{speaker}: ") if speaker else text
    return _Told(speaker=speaker, sayings=tuple(map(_saying, sentences(body))), stems=content(body))


@kept
def _saying(sentence: str) -> _Saying:
    spoken = [word for word in words(sentence) if word not in _LIGHT]
    terms: dict[str, set[str]] = defaultdict(set)
    for word in spoken:
        if word not in STOP_WORDS:
            terms[stem(word)].add(word)
    named = frozenset(words(" ".join(names(sentence))))
    return _Saying(
        words=tuple(spoken),
        terms={term: frozenset(spellings) for term, spellings in terms.items()},
        names=named,
        exact=named | frozenset(numbers(sentence)),
        turning=_TURNING.intersection(spoken),
        relating=_RELATING.intersection(word.split("'")[0] for word in spoken),
        asks=is_question(sentence),
        english=is_english(sentence),
    )


def _holds(saying: _Saying, other: _Saying) -> bool:
    """Whether a sentence says what the other says, word for word."""
    if saying.words == other.words:
        return saying.asks == other.asks and bool(other.words)
    if not (saying.english and other.english) or saying.asks or other.asks or len(other.terms) < _LEAST:
        return False
    at = 0
    for word in saying.words:
        if at < len(other.words) and word == other.words[at]:
            at += 1
        elif word in _TURNING or word in saying.names or (at == 0 and (word in FORMS or word not in STOP_WORDS)):
            return False
    return at == len(other.words)


def _nearly_holds(saying: _Saying, other: _Saying) -> bool:
    """Whether a sentence has the content words of the other, in their order and tense, and turns none of them."""
    if not other.terms or saying.asks != other.asks or not (saying.english and other.english):
        return False
    if saying.turning != other.turning or not (other.relating <= saying.relating and other.exact <= saying.exact):
        return False
    if saying.names - other.names or len(other.exact) > 1:
        return False
    if len(other.terms) < _LEAST and saying.terms.keys() != other.terms.keys():
        return False
    shared = [term for term in saying.terms if term in other.terms]
    # What stands before the first of them may be who only says so: "Ben claims ...".
    if shared != list(other.terms) or next(iter(saying.terms)) != shared[0]:
        return False
    return all(_same_tense(saying.terms[term], other.terms[term]) for term in shared)


def _same_tense(spellings: Collection[str], others: Collection[str]) -> bool:
    """Whether a word is the past of a verb in both or in neither."""
    return _is_past(spellings) == _is_past(others)


def _is_past(spellings: Collection[str]) -> bool:
    return any("past" in FORMS[word].kinds for word in spellings if word in FORMS)


def _says(statement: _Told, other: _Told, holds: Callable[[_Saying, _Saying], bool] = _holds) -> bool:
    """Whether the one says all that the other says, by the same speaker."""
    return (
        statement.speaker == other.speaker
        and bool(other.sayings)
        and all(any(holds(saying, other_saying) for saying in statement.sayings) for other_saying in other.sayings)
    )


def said_once(
    draft: Draft, items: Sequence[Item], *, roughly: bool, fits: Callable[[str], bool] | None = None
) -> Draft:
    """The draft without statements that another says, which rests on what they rest on, and on each item it says.

    With ``roughly`` near-duplicates are one, too: for summaries that keep their originals. Nothing goes into a
    statement that does not fit: it would be dropped with it.
    """
    readings = [_told(statement.text) for statement in draft.statements]
    into: dict[int, int] = {}
    long = {at for at, statement in enumerate(draft.statements) if fits and not fits(statement.text)}
    for at, other in _pairs(readings):
        if at not in into and other not in into and long.isdisjoint((at, other)):
            into |= _united(readings, at, other, roughly=roughly)
    kept = [at for at in range(len(readings)) if at not in into]
    resting: dict[int, list[DraftStatement]] = defaultdict(list)
    for at in into:
        target = at
        while target in into:
            target = into[target]
        resting[target].append(draft.statements[at])
    repeats = _repeats([readings[at] for at in kept], items, draft)
    statements = (_resting_on(draft.statements[at], resting[at], repeats[place]) for place, at in enumerate(kept))
    return replace(draft, statements=tuple(statements))


def _united(readings: Sequence[_Told], at: int, other: int, *, roughly: bool) -> dict[int, int]:
    """Which of two statements goes and into which it goes, if either does; of two alike the newer wording stays."""
    for holds in (_holds, _nearly_holds) if roughly else (_holds,):
        if _says(readings[other], readings[at], holds):
            return {at: other}
        if _says(readings[at], readings[other], holds):
            return {other: at}
    return {}


def _pairs(readings: Sequence[_Told]) -> list[tuple[int, int]]:
    """The statements of which one has all words of the other, the first named first."""
    holding: dict[str, set[int]] = defaultdict(set)
    for at, statement in enumerate(readings):
        for word in statement.stems:
            holding[word].add(at)
    pairs = {
        (min(at, other), max(at, other))
        for at, statement in enumerate(readings)
        if statement.stems
        for other in set.intersection(*(holding[word] for word in statement.stems)) - {at}
    }
    return sorted(pairs)


def _resting_on(statement: DraftStatement, others: Sequence[DraftStatement], repeats: Sequence[int]) -> DraftStatement:
    sources = [*statement.sources, *(at for other in others for at in other.sources), *repeats]
    importance = max([statement.importance, *(other.importance for other in others)])
    return replace(statement, importance=importance, sources=tuple(dict.fromkeys(sources)))


def _repeats(readings: Sequence[_Told], items: Sequence[Item], draft: Draft) -> list[list[int]]:
    """For each statement the items that nothing cites and that it says."""
    cited = {at for statement in draft.statements for at in statement.sources}
    holding: dict[str, set[int]] = defaultdict(set)
    for place, reading in enumerate(readings):
        for word in reading.stems:
            holding[word].add(place)
    repeats: list[list[int]] = [[] for _ in readings]
    for at, item in enumerate(items):
        stems = content(item.text)
        if at in cited or not stems or not all(word in holding for word in stems):
            continue
        places = set.intersection(*(holding[word] for word in stems))
        other = _told(dated(item.text, item.day), item.speaker) if places else None
        for place in sorted(places):
            if other is not None and _says(readings[place], other):
                repeats[place].append(at)
                break
    return repeats


# --- equal statements are one ---

#: Signs at the end and the beginning of a statement that say nothing. A question mark does.
_EDGES = ' .!;,\u2026\u3002"\u201c\u201d\u00ab\u00bb*'


def united(draft: Draft) -> Draft:
    """The draft with each sentence of a statement once, and equal statements as one that rests on all their sources."""
    kept: dict[str, DraftStatement] = {}
    for statement in draft.statements:
        text = once(statement.text)
        key = alike(text) or text
        first = kept.get(key)
        kept[key] = (
            replace(statement, text=text)
            if first is None
            else replace(
                first,
                importance=max(first.importance, statement.importance),
                sources=tuple(dict.fromkeys((*first.sources, *statement.sources))),
            )
        )
    return replace(draft, statements=tuple(kept.values()))


def once(text: str) -> str:
    """The text with each of its sentences once; as it was where none comes twice."""
    parts = sentences(text)
    kept = {alike(part) or part: part for part in reversed(parts)}
    return text if len(kept) == len(parts) else " ".join(reversed(kept.values()))


def united_statements(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The same of statements that rest on base memories; displaced ones stay where they are."""
    place: dict[str, int] = {}
    kept: list[Statement] = []
    moved: dict[int, int] = {}
    for at, statement in enumerate(statements):
        key = alike(statement.text)
        first = place.get(key) if statement.superseded_by is None and key else None
        if first is None:
            moved[at] = len(kept)
            kept.append(statement)
            if statement.superseded_by is None and key:
                place[key] = moved[at]
            continue
        moved[at] = first
        older = kept[first]
        kept[first] = replace(
            older,
            importance=max(older.importance, statement.importance),
            source_ids=flatten([older.source_ids, statement.source_ids]),
        )
    return tuple(replace(s, superseded_by=None if s.superseded_by is None else moved[s.superseded_by]) for s in kept)


def alike(text: str) -> str:
    """What two spellings of one statement share: all but case, space, quotation marks and the full stop."""
    return " ".join(normal(text).casefold().split()).strip(_EDGES)
