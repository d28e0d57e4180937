"""What is said several times is said once, on all that say it; what is put right is said as it was meant. Pure.

``precis.checks.sayings`` tells when one sentence says another.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from precis.checks.sayings import Saying, holds, nearly_holds, saying_of
from precis.language.dates import WEEKDAYS
from precis.language.dating.resolving import dated
from precis.language.dating.spans import Dated, dated_once
from precis.language.newest.corrections import Settled, Turn, settled
from precis.language.newest.taken_back import bound
from precis.language.sentences import sentences
from precis.language.words import content, normal
from precis.makers import Draft, DraftStatement, Item
from precis.summary import Statement, flatten, speaker_of
from precis.trust import Voice


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement or an item, as it is compared."""

    speaker: str | None
    sayings: tuple[Saying, ...]
    stems: frozenset[str]


def _told(text: str, speaker: str | None = None) -> _Told:
    speaker = speaker or speaker_of(text)
    body = text.removeprefix(f"{speaker}: ") if speaker else text
    return _Told(speaker=speaker, sayings=tuple(map(saying_of, sentences(body))), stems=content(body))


def _says(statement: _Told, other: _Told, rule: Callable[[Saying, Saying], bool] = holds) -> bool:
    """Whether the one says all that the other says, by the same speaker."""
    return (
        statement.speaker == other.speaker
        and bool(other.sayings)
        and all(any(rule(saying, other_saying) for saying in statement.sayings) for other_saying in other.sayings)
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
    return replace(draft, statements=_with_all_days(tuple(statements), items, roughly=roughly, fits=fits))


def _united(readings: Sequence[_Told], at: int, other: int, *, roughly: bool) -> dict[int, int]:
    """Which of two statements goes and into which it goes, if either does; of two alike the newer wording stays."""
    for rule in (holds, nearly_holds) if roughly else (holds,):
        if _says(readings[other], readings[at], rule):
            return {at: other}
        if _says(readings[at], readings[other], rule):
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


# --- what is told of several days in the same words is told once, with these days ---


#: How often something is, wherever that stands in its sentence.
_REGULAR = re.compile(
    rf",? ?\b(every (?:other |second )?(?:{'|'.join(WEEKDAYS)}|day|week|weekend|month|year|morning|evening|night))\b,?"
)


def _with_all_days(
    statements: Sequence[DraftStatement], items: Sequence[Item], *, roughly: bool, fits: Callable[[str], bool] | None
) -> tuple[DraftStatement, ...]:
    """Statements that differ in nothing but their days as one, where the first of them stands.

    With ``roughly`` also those that differ in where "every Monday" stands.
    """
    wordings: dict[str, list[tuple[DraftStatement, Dated | None]]] = {}
    for statement in statements:
        read = _past(statement, items)
        plain = (_regularly(alike(statement.text)) if roughly else "") or statement.text
        wordings.setdefault(read.wording if read else plain, []).append((statement, read))
    kept: list[DraftStatement] = []
    for same in wordings.values():
        (first, read), *others = same
        days = frozenset[date]().union(*(other.days for _, other in same if other is not None))
        text = first.text if read is None else read.on(days)
        if others and (fits is None or fits(text)):
            kept.append(replace(_resting_on(first, [statement for statement, _ in others], ()), text=text))
        else:
            kept += [statement for statement, _ in same]
    return tuple(kept)


def _past(statement: DraftStatement, items: Sequence[Item]) -> Dated | None:
    """The statement with its days where all of them were over: of two plans for one thing the later one holds."""
    read = dated_once(statement.text)
    told = [items[at].day for at in statement.sources]
    return read if read and all(day is not None and max(read.days) <= day for day in told) else None


def _regularly(text: str) -> str:
    """The text with "every Monday" behind it, if that stands in its only sentence."""
    regular = _REGULAR.findall(text)
    return f"{_REGULAR.sub('', text)} {regular[0]}" if len(regular) == 1 and len(sentences(text)) == 1 else text


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


def as_meant(items: Sequence[Item]) -> list[Item]:
    """The items with what somebody put right a moment later, in the item that it puts right: that rests on both.

    An item that does no more than that has none of its own. Where it is not plain what counts instead, what takes
    something back stands right behind that.
    """
    return _taken_up(_taken_up(items, settled), bound)


def _taken_up(items: Sequence[Item], read: Callable[[Sequence[Turn]], list[Settled]]) -> list[Item]:
    """The items as their turns count."""
    turns = [
        Turn(item.text, None if item.derived or item.voice is Voice.RELAYED else item.speaker or "", item.created_at)
        for item in items
    ]
    results = []
    for item, turn, meant in zip(items, turns, read(turns), strict=True):
        of = [items[at] for at in meant.of]
        if meant.text == turn.text and len(of) == 1:
            results.append(item)
        elif meant.text:
            ids = flatten(each.source_ids for each in of)
            classes = frozenset().union(*(each.classes for each in of))
            results.append(replace(item, text=meant.text, source_ids=ids, classes=classes))
    return results
