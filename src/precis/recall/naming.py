"""Which memory somebody means who names it in a few words: "Ana's old address". Sure, or listed as doubtful. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from precis.language import tables
from precis.language.newest.slots import Said, changes, taken_up, turns
from precis.language.newest.swapping import corrected
from precis.language.newest.timeline import leaves_nothing_of
from precis.language.reading import Line, read
from precis.language.words import content, stem

#: What the words say besides what they name.
_AROUND = frozenset(map(stem, (*tables.words("naming.around"), *tables.words("naming.past"))))
_NOUNS = {name: frozenset(map(stem, nouns.split())) for name, nouns in tables.section("naming.nouns").items()}
#: Who says these, and as whom precis.language knows them.
_MINE, _SELF = re.compile(r"\b(?:my|mine|our|ours|i|we)\b", re.IGNORECASE), stem("user")
#: Share of a memory's words from which the words that name it quote it.
_QUOTED = 0.6
#: Doubtful memories that are listed, and from which relevance on one is that has nothing of the words.
LISTED, _RELEVANT = 5, 0.05
#: A change and what it may have changed have so many words in common.
_ALIKE = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Nameable:
    """A memory that may be meant."""

    id: str
    line: Line
    #: To the words, 0..1.
    relevance: float = 1.0
    #: When it was said; of those without a day none is the later one.
    said_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubtful:
    """A memory that may be meant, and so is not replaced: its id says that it is."""

    id: str
    text: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """The memories that are meant, for sure; else those that may be, the likeliest first."""

    ids: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


def find_named(words: str, newer: Line, memories: Sequence[Nameable]) -> Named:
    """Which of these memories, the likeliest first, the words name; ``newer`` is the text that is to replace it.

    Sure is what is about just that, or is quoted by the words, where nothing else is, or where the newer text leaves
    nothing of each of them by the rules; and where nothing is about that, the one memory that has something of the
    words and of which the newer text leaves nothing.
    """
    terms = content(words) - _AROUND
    owners = _owners(newer) | terms | ({_SELF} if _MINE.search(words) else set())
    sharing = [memory for memory in memories if terms & _terms(memory)]
    meant = [memory for memory in sharing if _is_about(terms, memory.line, owners) or _is_quoted(terms, memory)]
    overruled = [memory for memory in sharing if leaves_nothing_of(read(memory.line), read(newer))]
    if len({memory.line for memory in meant}) == 1 or (meant and all(memory in overruled for memory in meant)):
        return Named(ids=tuple(memory.id for memory in meant))
    if not meant and len({memory.line for memory in overruled}) == 1:
        return Named(ids=tuple(memory.id for memory in overruled))
    relevant = [memory for memory in memories if memory.relevance >= _RELEVANT]
    listed = dict.fromkeys(memory.id for memory in (*meant, *sharing, *relevant))
    return Named(doubtful=tuple(listed)[:LISTED])


def with_later(named: Named, words: str, newer: Nameable, memories: Sequence[Nameable]) -> Named:
    """What the words name, with what has become of it since, the newest first: all of it is out of date.

    ``memories`` are those that may be meant, of which what is later than ``newer`` is no older value. Where it is
    likely and not sure that a memory tells what became of one that is named, it is in doubt which of them is meant.
    """
    meant = [memory for memory in memories if memory.id in named.ids]
    rest = [memory for memory in memories if memory.id not in named.ids and _is_before(memory, newer)]
    likely: list[Nameable] = []
    for memory in sorted(rest, key=_age):
        older = [other for other in meant if _is_before(other, memory) and _age(other) < _age(memory)]
        if any(leaves_nothing_of(read(other.line), read(memory.line)) for other in older):
            meant.append(memory)
        elif any(_may_follow(memory.line, other.line, content(words)) for other in older):
            surely = leaves_nothing_of(read(memory.line), read(newer.line))
            (meant if surely else likely).append(memory)
    every = [memory.id for memory in sorted((*meant, *likely), key=_age, reverse=True)]
    named_ids = (*every, *(id_ for id_ in named.ids if id_ not in every))
    if likely:
        return Named(doubtful=tuple(dict.fromkeys((*named_ids, *named.doubtful)))[:LISTED])
    return replace(named, ids=named_ids)


def _age(memory: Nameable) -> datetime:
    return memory.said_at or datetime.min.replace(tzinfo=UTC)


def _is_before(memory: Nameable, other: Nameable) -> bool:
    return memory.said_at is not None and other.said_at is not None and memory.said_at <= other.said_at


def _may_follow(later: Line, older: Line, asked: frozenset[str]) -> bool:
    """Whether a later text tells of a change or puts right, and has more of the older one than the words name."""
    if corrected(older.text, later.text, surely=True) is not None and later.speaker == older.speaker:
        return True
    shared = content(later.text) & content(older.text)
    if len(shared) < _ALIKE or shared <= asked:
        return False
    pair = [Said(line.text, line.speaker, at) for at, line in enumerate((older, later))]
    return changes(later.text) or turns(later.text) or bool(taken_up(pair))


def _terms(memory: Nameable) -> frozenset[str]:
    return content(f"{memory.line.speaker or ''} {memory.line.text}") | _attributes(memory.line)


def _attributes(line: Line) -> frozenset[str]:
    """What a text is about: nouns for its attributes, and the words of a thing that has a value."""
    terms: set[str] = set()
    for sentence in read(line):
        for assertion in sentence.assertions:
            nouns = frozenset[str]().union(*(_NOUNS.get(name, frozenset()) for name in assertion.attributes))
            terms |= nouns | ({assertion.verb} if nouns else set())
            terms |= set(map(stem, assertion.subject.key)) if assertion.subject.thing else set()
    return frozenset(terms)


def _owners(line: Line) -> frozenset[str]:
    """Of whom it asserts something."""
    return frozenset(
        stem(assertion.subject.key[0]) for part in read(line) for assertion in part.assertions if assertion.subject.key
    )


def _is_about(terms: frozenset[str], line: Line, owners: frozenset[str]) -> bool:
    """Whether the words name what it is about; what else they say stands in it.

    It is of whom the words name, or of whom the newer text speaks.
    """
    about = _attributes(line)
    return (
        bool(terms & about)
        and bool(_owners(line) & owners)
        and terms <= about | content(f"{line.speaker or ''} {line.text}")
    )


def _is_quoted(terms: frozenset[str], memory: Nameable) -> bool:
    """Whether the words are most of its own."""
    own = content(memory.line.text)
    return terms <= own and len(terms) >= _QUOTED * len(own)
