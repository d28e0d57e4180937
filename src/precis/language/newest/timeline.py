"""Assertions in the order in which they were made, and which sentence a later one has overruled."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from precis.language.assertions.assertion import Assertion
from precis.language.newest.overruling import lookup_keys, overrules, says_otherwise, says_the_same
from precis.language.reading import Line, Place, Sentence, read
from precis.trust import Voice, may_displace

#: Older sentences looked up under each key.
_NEAREST = 32


class Stated(NamedTuple):
    """An assertion, the place of its sentence, which clause it is, and how new: what is newer has a higher rank."""

    place: Place
    clause: int
    assertion: Assertion
    rank: int


#: Whether a newer assertion stands so to an older one.
Rule = Callable[[Assertion, Assertion], bool]


class Timeline:
    """Assertions oldest first, found by subject and by what they speak of. One answer to what overrules what."""

    def __init__(self) -> None:
        self._of_subject: dict[tuple[str, ...], list[Stated]] = {}
        self._by_key: dict[tuple[tuple[str, ...], str], list[Stated]] = {}

    def __bool__(self) -> bool:
        """Whether anything was asserted."""
        return bool(self._of_subject)

    def add(self, place: Place, assertions: Iterable[Assertion], rank: int = 0) -> None:
        """The clauses of one more sentence."""
        for clause, whole in enumerate(assertions):
            for assertion in whole.of_each():
                stated = Stated(place, clause, assertion, rank)
                self._of_subject.setdefault(assertion.subject.key, []).append(stated)
                for key in lookup_keys(assertion):
                    self._by_key.setdefault((assertion.subject.key, key), []).append(stated)

    def overruled_by(self, assertions: Iterable[Assertion], rule: Rule = overrules) -> Iterator[Stated]:
        """The clauses added so far that these overrule, or to which they stand as ``rule`` says."""
        for new in (assertion for whole in assertions for assertion in whole.of_each()):
            near = (
                stated
                for key in lookup_keys(new)
                for stated in self._by_key.get((new.subject.key, key), [])[-_NEAREST:]
            )
            for old in {(stated.place, stated.clause): stated for stated in near}.values():
                if rule(new, old.assertion):
                    yield old

    def overruling(self, old: Assertion, rank: int) -> Stated | None:
        """The newest clause of a higher rank that overrules this assertion; of the same rank the last place."""
        pairs = ((new, each) for each in old.of_each() for new in self._of_subject.get(each.subject.key, ()))
        later = [new for new, each in pairs if new.rank > rank and overrules(new.assertion, each)]
        return max(later, key=lambda new: (new.rank, new.place), default=None)

    def displacing(self, old: Assertion) -> Assertion | None:
        """The newest assertion that overruled what was asserted before, unless a later one asserts it again.

        What anybody vouched for is not displaced by a tool, though a statement of it may rest on a tool as well.
        """
        return next(filter(None, map(self._displacing, old.of_each())), None)

    def _displacing(self, old: Assertion) -> Assertion | None:
        displaced: Assertion | None = None
        was_asserted = False
        for _, _, assertion, _ in self._of_subject.get(old.subject.key, ()):
            if says_the_same(assertion, old):
                was_asserted, displaced = True, None
                if assertion.voice is not Voice.RELAYED and old.voice is Voice.RELAYED:
                    old = replace(old, voice=Voice.MIXED)
            elif was_asserted and overrules(assertion, old):
                displaced = assertion
        return displaced


def overruled(lines: Sequence[Line]) -> Mapping[Place, Place]:
    """For each overruled sentence of lines that are oldest first, the newest sentence that overrules it."""
    return overruled_in([read(line) for line in lines])


def overruled_in(texts: Sequence[Sequence[Sentence]]) -> Mapping[Place, Place]:
    """The same of texts that were read already.

    A sentence with several clauses is overruled when each of them is: what else it says is nowhere else.
    """
    open_clauses = {
        (line, number): set(range(len(sentence.assertions)))
        for line, text in enumerate(texts)
        for number, sentence in enumerate(text)
        if sentence.clear and sentence.assertions
    }
    by: dict[Place, Place] = {}
    timeline = Timeline()
    for line, text in enumerate(texts):
        for number, sentence in enumerate(text):
            for old in timeline.overruled_by(sentence.assertions):
                if old.place in open_clauses:
                    open_clauses[old.place].discard(old.clause)
                    by[old.place] = (line, number)
            timeline.add((line, number), sentence.assertions)
    return {place: by[place] for place, clauses in open_clauses.items() if not clauses}


def contested_in(texts: Sequence[Sequence[Sentence]]) -> frozenset[Place]:
    """Sentences of which a tool or a document says otherwise later than somebody did, and those that say so."""
    if all(clause.voice is Voice.VOUCHED for text in texts for sentence in text for clause in sentence.assertions):
        return frozenset()
    places: set[Place] = set()
    timeline = Timeline()
    for line, text in enumerate(texts):
        for number, sentence in enumerate(text):
            others = {old.place for old in timeline.overruled_by(sentence.assertions, _contests)}
            places |= others | ({(line, number)} if others else set())
            timeline.add((line, number), sentence.assertions)
    return frozenset(places)


def _contests(new: Assertion, old: Assertion) -> bool:
    return not may_displace(new.voice, old.voice) and says_otherwise(new, old)


def leaves_nothing_of(older: Sequence[Sentence], newer: Sequence[Sentence]) -> bool:
    """Whether a newer text overrules each sentence of an older one, so that nothing of it stands."""
    # Only the newer text can overrule the last sentence of the older one; mostly it does not, and that is quickly seen.
    if not is_clear(older) or not all(_is_overruled(clause, newer) for clause in older[-1].assertions):
        return False
    by = overruled_in([older, newer])
    return all((0, number) in by for number in range(len(older)))


def _is_overruled(old: Assertion, text: Sequence[Sentence]) -> bool:
    olds = old.of_each()
    for clause in [clause for sentence in text for clause in sentence.assertions]:
        for new in clause.of_each():
            if any(overrules(new, each) for each in olds):
                return True
    return False


def is_clear(text: Sequence[Sentence]) -> bool:
    """Whether each of its sentences was understood and asserts something: only then may nothing be left of it."""
    return bool(text) and all(sentence.clear and sentence.assertions for sentence in text)


def may_replace_or_be_replaced(text: Sequence[Sentence]) -> bool:
    """Whether a text may leave nothing of another, or another nothing of it; else it need be compared with none.

    What was so once and what is so besides overrule nothing; what was so once, and what is of a day, nothing overrules.
    """
    each = [[*clause.of_each()] for sentence in text for clause in sentence.assertions]
    replaces = any(not (stated.past or stated.adds) for clause in each for stated in clause)
    stands = any(all(stated.past or stated.dated for stated in clause) for clause in each)
    return replaces or (is_clear(text) and not stands)


def asserted(text: Sequence[Sentence]) -> frozenset[str]:
    """Of which subjects and attributes a text asserts something: only where two share one may one overrule another."""
    return frozenset(
        "\x1f".join((*assertion.subject.key, key))
        for sentence in text
        for clause in sentence.assertions
        for assertion in clause.of_each()
        for key in lookup_keys(assertion)
    )
