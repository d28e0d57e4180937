"""What is said several times is said once, on all that say it. Pure.

A text says another where it holds its words in their order, and nothing more by which it would not be so: a denial, a
"might", a report of somebody else's opinion. Words that tell nothing are passed over; names and numbers never are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from precis.language import tables
from precis.language.dates import dated
from precis.language.grammar import FORMS
from precis.language.script import is_english
from precis.language.sentences import is_question, sentences
from precis.language.vocabulary import MODALS, NEGATORS
from precis.language.words import STOP_WORDS, content, names, numbers, words
from precis.makers import Draft, DraftStatement, Item
from precis.summary import speaker_of

#: Words that change nothing of what is said.
_LIGHT = frozenset(tables.words("repeats.light"))
#: Words by which a sentence that holds another does not say it.
_TURNING = NEGATORS | MODALS | frozenset(tables.words("repeats.turning"))
#: Share of the words of both that near-duplicates have in common; fewer words than this are too few to tell.
_NEAR, _LEAST = 0.8, 3


@dataclass(frozen=True, slots=True)
class _Saying:
    """One sentence, as it is compared."""

    #: In their order, without the light ones.
    words: tuple[str, ...]
    names: frozenset[str]
    asks: bool
    english: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement or an item, as it is compared."""

    speaker: str | None
    sayings: tuple[_Saying, ...]
    stems: frozenset[str]
    exact: frozenset[str]
    turning: frozenset[str]


def _told(text: str, speaker: str | None = None) -> _Told:
    speaker = speaker or speaker_of(text)
    body = text.removeprefix(f"{speaker}: ") if speaker else text
    spoken = list(words(body))
    return _Told(
        speaker=speaker,
        sayings=tuple(_saying(sentence) for sentence in sentences(body)),
        stems=content(body),
        exact=frozenset(numbers(body)) | frozenset(words(" ".join(names(body)))),
        turning=_TURNING.intersection(spoken),
    )


def _saying(sentence: str) -> _Saying:
    return _Saying(
        words=tuple(word for word in words(sentence) if word not in _LIGHT),
        names=frozenset(words(" ".join(names(sentence)))),
        asks=is_question(sentence),
        english=is_english(sentence),
    )


def _holds(saying: _Saying, other: _Saying) -> bool:
    """Whether a sentence says what the other says."""
    if saying.words == other.words:
        return saying.asks == other.asks and bool(other.words)
    if not (saying.english and other.english) or saying.asks or other.asks or len(other.words) < _LEAST:
        return False
    at = 0
    for word in saying.words:
        if at < len(other.words) and word == other.words[at]:
            at += 1
        elif word in _TURNING or word in saying.names or (at == 0 and (word in FORMS or word not in STOP_WORDS)):
            return False
    return at == len(other.words)


def says(one: _Told, other: _Told) -> bool:
    """Whether the one says all that the other says, by the same speaker."""
    return (
        one.speaker == other.speaker
        and other.stems <= one.stems
        and bool(other.sayings)
        and all(any(_holds(saying, asked) for saying in one.sayings) for asked in other.sayings)
    )


def near(one: _Told, other: _Told) -> bool:
    """Whether two statements differ in no name, number or turning word and hardly in the others."""
    if one.speaker != other.speaker or one.exact != other.exact or one.turning != other.turning or len(one.exact) > 1:
        return False
    both = len(one.stems & other.stems)
    return min(len(one.stems), len(other.stems)) >= _LEAST and both >= _NEAR * len(one.stems | other.stems)


def said_once(draft: Draft, items: Sequence[Item], *, roughly: bool) -> Draft:
    """The draft without statements that another says, which rests on what they rest on, and on each item it says.

    With ``roughly`` near-duplicates are one, too: for summaries that keep their originals.
    """
    told = [_told(statement.text) for statement in draft.statements]
    kept = list(range(len(told)))
    into: dict[int, int] = {}
    for at, other in _pairs(told):
        if at in into or other in into:
            continue
        if says(told[at], told[other]):
            into[other] = at
        elif says(told[other], told[at]) or (roughly and near(told[at], told[other])):
            # The newer wording is the one that stays.
            into[at] = other
    kept = [at for at in kept if at not in into]
    resting: dict[int, list[DraftStatement]] = defaultdict(list)
    for at in into:
        target = at
        while target in into:
            target = into[target]
        resting[target].append(draft.statements[at])
    repeats = _repeats([told[at] for at in kept], items, draft)
    return replace(
        draft,
        statements=tuple(
            _resting_on(draft.statements[at], resting[at], repeats[place]) for place, at in enumerate(kept)
        ),
    )


def _pairs(told: Sequence[_Told]) -> list[tuple[int, int]]:
    """The statements that share enough words to be compared, the first named first."""
    least = [(at, other) for at in range(len(told)) for other in range(at + 1, len(told))]
    return [
        (at, other)
        for at, other in least
        if len(told[at].stems & told[other].stems) >= _NEAR * min(len(told[at].stems), len(told[other].stems))
    ]


def _resting_on(statement: DraftStatement, others: Sequence[DraftStatement], repeats: Sequence[int]) -> DraftStatement:
    sources = [*statement.sources, *(at for other in others for at in other.sources), *repeats]
    importance = max([statement.importance, *(other.importance for other in others)])
    return replace(statement, importance=importance, sources=tuple(dict.fromkeys(sources)))


def _repeats(told: Sequence[_Told], items: Sequence[Item], draft: Draft) -> list[list[int]]:
    """For each statement the items that nothing cites and that it says."""
    cited = {at for statement in draft.statements for at in statement.sources}
    holding: dict[str, set[int]] = defaultdict(set)
    for place, one in enumerate(told):
        for word in one.stems:
            holding[word].add(place)
    found: list[list[int]] = [[] for _ in told]
    for at, item in enumerate(items):
        stems = content(item.text)
        if at in cited or not stems or not all(word in holding for word in stems):
            continue
        places = set.intersection(*(holding[word] for word in stems))
        other = _told(dated(item.text, item.day), item.speaker) if places else None
        for place in sorted(places):
            if other is not None and says(told[place], other):
                found[place].append(at)
                break
    return found
