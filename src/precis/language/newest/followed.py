"""What was called off, came back or was set for another day, and which newer sentence tells so. Pure.

Surer than ``slots.taken_up`` is: the newer one says by a word of its own that something is otherwise, and both are
about one thing. So the older one is not told without it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.newest.signs import TIMES
from precis.language.newest.slots import Said, Told, changes, read_slot
from precis.language.newest.taken_back import laughs
from precis.language.sentences import is_question, sentences
from precis.language.words import LETTERED, STOP_WORDS, kept, spoken_names, stem, words


def _any_of(*names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{tables.in_every_language(*names)})(?![\w-])", re.IGNORECASE)


_OFF = _any_of("followed.off", "standing.ends_of")
_ON = _any_of("followed.on")
_MOVED = _any_of("followed.moved")
#: "May" is a month.
_UNSURE = re.compile(_any_of("followed.unsure").pattern)
#: These say of an appointment that it is off or moves, and nothing else.
_WILL_NOT = re.compile(
    r"\b(?:can['\u2019]t|cannot|not happening|(?:won['\u2019]t|will not) (?:happen|take place))\b", re.IGNORECASE
)
#: A text of more sentences tells of more than one thing.
_MOST = 4
#: So many words in common make two sentences speak of one thing, whatever words these are.
_ENOUGH = 2
_WORD = re.compile(LETTERED)
_TIMED = frozenset({"date", "weekday", "time"})

#: The number of a line, and of a sentence in it.
Spot = tuple[int, int]


class _Part(NamedTuple):
    """A sentence as it is compared: what it is about, and what it says became of that."""

    slot: Told
    terms: frozenset[str]
    #: Stems that have a capital in it, of which one may be somebody.
    proper: frozenset[str]
    off: bool
    on: bool
    moved: bool
    #: Whether it names nothing but who is concerned: "Olga again, it's the 29th now".
    alone: bool


def reverses(sentence: str) -> bool:
    """Whether it says that something is off, on again, or moved to another day."""
    part = _part(sentence)
    return part.off or part.on or (part.moved and not _TIMED.isdisjoint(part.slot.figures))


def followed(lines: Sequence[Said]) -> dict[Spot, Spot]:
    """For each sentence of a line that a newer line says to be otherwise now the newest sentence that does."""
    return newest_of(lines, _pairs(lines))


def _pairs(lines: Sequence[Said]) -> Iterator[tuple[Spot, Spot]]:
    """Each sentence of which a newer line says what became, and the sentence that does."""
    readings = [_parts(line.text) for line in lines]
    holders: dict[str, set[int]] = defaultdict(set)
    for at, parts in enumerate(readings):
        for term in frozenset().union(*(part.terms for part in parts)) if parts else ():
            holders[term].add(at)
    for newer, parts in enumerate(readings):
        for place, part in enumerate(parts):
            if not (part.on or part.off or part.moved):
                continue
            names = frozenset(stem(name) for name in spoken_names(lines[newer].speaker))
            near = {other for term in part.terms - names for other in holders[term]}
            for older in sorted(other for other in near if may_follow(lines[newer], lines[other])):
                for at, old in enumerate(readings[older]):
                    if _tells_what_became(part, old, names):
                        yield (older, at), (newer, place)


def may_follow(newer: Said, older: Said) -> bool:
    """Whether it is newer and perhaps of the same speaker."""
    return newer.rank > older.rank and (newer.speaker == older.speaker or None in {newer.speaker, older.speaker})


def newest_of(lines: Sequence[Said], pairs: Iterable[tuple[Spot, Spot]]) -> dict[Spot, Spot]:
    """For each older sentence of these pairs the newest, at the end of the chain: what was moved, and moved again."""
    newest: dict[Spot, Spot] = {}
    for older, newer in pairs:
        newest[older] = max(newest.get(older, newer), newer, key=lambda spot: (lines[spot[0]].rank, spot))

    def last(spot: Spot) -> Spot:
        while spot in newest:
            spot = newest[spot]
        return spot

    return {older: last(older) for older in newest}


@kept
def _parts(text: str) -> tuple[_Part, ...]:
    """The sentences of a text; one that names nothing, as "9 June now.", speaks of what the one before it does."""
    every = sentences(text)
    parts: list[_Part] = []
    for sentence in every if len(every) <= _MOST else ():
        part = _part(sentence)
        if parts and not part.terms:
            part = part._replace(terms=parts[-1].terms, proper=parts[-1].proper, alone=parts[-1].alone)
        parts.append(part)
    return tuple(parts)


def _part(sentence: str) -> _Part:
    slot = read_slot(sentence)
    says = not (is_question(sentence) or laughs(sentence))
    sure = says and _UNSURE.search(_WILL_NOT.sub(" ", sentence[:1].lower() + sentence[1:])) is None
    on = sure and (_ON.search(sentence) is not None or (slot.resumes and not slot.figures))
    every = frozenset(words(sentence))
    capitals = (word.casefold() for word in _WORD.findall(sentence) if word[:1].isupper())
    proper = frozenset(stem(word) for word in capitals if not (word in STOP_WORDS or word in TIMES))
    verbs = frozenset(stem(word) for word in every if word in FORMS or word in AMBIGUOUS_FORMS)
    return _Part(
        slot=slot,
        terms=slot.terms,
        proper=proper,
        off=sure and not on and (_OFF.search(sentence) is not None or bool(slot.ended)),
        on=on,
        moved=sure and (_MOVED.search(sentence) is not None or changes(sentence)) and bool(slot.figures),
        alone=slot.terms - verbs <= proper,
    )


def _tells_what_became(new: _Part, old: _Part, names: frozenset[str]) -> bool:
    shared = (new.terms & old.terms) - names
    common = shared - (new.proper & old.proper)
    if not common and len(shared) < _ENOUGH and not (shared and new.alone and new.moved):
        return False
    if len(shared) < _ENOUGH and new.proper and old.proper and new.proper.isdisjoint(old.proper):
        return False  # the hall of somebody else
    if old.off:
        return new.on
    if new.off and not new.on:
        return old.on or old.slot.appointed or old.slot.holds or old.slot.present
    kinds = new.slot.figures.keys() & old.slot.figures.keys()
    kinds = kinds & _TIMED if new.alone and not common else kinds
    differs = any(new.slot.figures[kind].isdisjoint(old.slot.figures[kind]) for kind in kinds)
    return new.moved and (old.slot.appointed or old.slot.holds) and differs
