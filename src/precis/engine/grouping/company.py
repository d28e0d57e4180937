"""Who keeps company: two memories are linked by the words that both hold, and by what each is about. Pure.

A member that is linked to hardly anybody came because of its tone, or of a word that means something else there: it
leaves. Whoever is in no cluster that has a summary goes where there is company, one by one or as a few. Last, two
clusters of one speaker with one subject become one.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from precis.engine.grouping.clusters import Candidate, Grouping
from precis.engine.grouping.links import Links, Matrix

#: A member is held against so many of the others, those it is linked to most.
_COMPANY = 2
#: Less than this, on average, is no company.
_LEAST = 0.5
#: A cluster of fewer members is sparse: it has no summary, and these look for company by the words of subjects.
SPARSE = 3


def strays(rows: Sequence[Candidate], places: Sequence[int], returning: Sequence[int | None] = ()) -> list[int]:
    """The places in ``rows`` of those that leave their clusters, which are named by ``places``.

    ``returning`` are the subjects that come back (``density``), none for a row without: the rows of one stay together
    where most of them keep company.
    """
    if not rows:
        return []
    members: dict[int, list[int]] = {}
    for at, place in enumerate(places):
        members.setdefault(place, []).append(at)
    links = Links(rows)
    leaving = [
        together[at]
        for together in members.values()
        if len(together) >= SPARSE
        for at in _leaving([rows[at] for at in together], links.between(together))
    ]
    subjects = dict(enumerate(returning))
    alone, sizes = Counter(map(subjects.get, leaving)), Counter(returning)
    return [at for at in leaving if (subject := subjects.get(at)) is None or alone[subject] * 2 > sizes[subject]]


def _leaving(rows: Sequence[Candidate], links: Matrix) -> list[int]:
    """Those with the least company, one after the other, as long as more than a pair is left."""
    staying, leaving = list(range(len(rows))), list[int]()
    while len(staying) >= SPARSE:
        company = _company(links[np.ix_(staying, staying)])
        alone = [(company[at], -at) for at, row in enumerate(staying) if _can_be_judged(rows[row])]
        least, place = min(alone, default=(_LEAST, 0))
        if least >= _LEAST:
            break
        leaving.append(staying.pop(-place))
    return leaving


def _can_be_judged(row: Candidate) -> bool:
    """Whether its words are known, and its vector is of what they mean."""
    return not row.lettered and bool(row.words or row.verbs or row.moods)


def _company(links: Matrix) -> list[float]:
    """How each is linked to those it is linked to most."""
    best = np.sort(links, axis=1)[:, -_COMPANY:]
    # Rounded, so that no two machines order them differently.
    return [round(float(mean), 5) for mean in best.mean(axis=1)]


# --- who goes where there is company ---

#: What joins has at least this much in common with whom it joins; two that are alone at least that much.
_JOINS, _PAIRS = 0.7, 1.1
#: The same where no vector goes by meanings: whatever such memories have in common is in their words.
_JOINS_LETTERED, _PAIRS_LETTERED = 0.6, 0.75
#: And two of one subject that both have a summary.
_UNITES = 1.0
#: Those are looked at that share a word which no more than so many memories hold.
_RARE = 8
#: A cluster is of the subjects that this share of its members names; two of one subject are held against each other
#: where they have no more members than this.
_HALF, _LARGE = 0.5, 400
#: A word, and who says it.
Subject = tuple[str, str | None]
#: What two clusters have in common, negative, both places, and how many members each had then.
Offer = tuple[float, int, int, int, int]


class Parties:
    """The clusters of a scope, of which the sparse ones join others."""

    def __init__(
        self, rows: Sequence[Candidate], places: Sequence[int], kinds: Sequence[str], grouping: Grouping, *,
        returning: Sequence[int | None] = (),
    ) -> None:  # fmt: skip
        self._rows, self._kinds, self._grouping = rows, kinds, grouping
        #: Those of a subject that comes back (``density``).
        self._returning = {at for at, subject in enumerate(returning) if subject is not None}
        self._links = Links(rows)
        # Where only what is nearer may join, so much more is asked for here, too.
        nearer = Grouping().distance / grouping.distance if grouping.distance > 0 else math.inf
        self._nearer = max(1.0, nearer)
        self.places = list(places)
        self._members: dict[int, list[int]] = {}
        for at, place in enumerate(places):
            self._members.setdefault(place, []).append(at)
        holders: dict[str, list[int]] = {}
        for at, row in enumerate(rows):
            for word in row.words:
                holders.setdefault(word, []).append(at)
        self._holders = {word: places for word, places in holders.items() if 1 < len(places) <= _RARE}
        #: The subjects of each cluster that has a summary, and all that were once of each.
        self._subjects: dict[int, set[Subject]] = {}
        self._of_subject: dict[Subject, set[int]] = {}
        #: What two have in common who may join, with as many members: each of them asks, and none ever loses any.
        self._in_common: dict[tuple[int, int, int, int], float] = {}

    def join(self) -> None:
        """Join the two with most in common, again and again, as long as that is enough: sparse ones, then others."""
        self._join([place for place in self._members if self._is_sparse(place)], self._offers)
        for place in self._members:
            self._know_subjects(place)
        self._join(list(self._members), self._offers_of_subject)

    def _join(self, places: Sequence[int], offers: Callable[[int], Iterable[Offer]]) -> None:
        heap = [offer for place in places for offer in offers(place)]
        heapify(heap)
        while heap:
            _, one, other, size, other_size = heappop(heap)
            # Those that have grown meanwhile have made another offer.
            if (size, other_size) == (len(self._members.get(one, ())), len(self._members.get(other, ()))):
                for offer in offers(self._joined(one, other)):
                    heappush(heap, offer)

    def _joined(self, one: int, other: int) -> int:
        """Make one of two; the larger stays."""
        place, gone = (one, other) if len(self._members[one]) >= len(self._members[other]) else (other, one)
        for at in self._members[gone]:
            self.places[at] = place
        self._members[place] += self._members.pop(gone)
        self._subjects.pop(place, None)
        return place

    def _offers(self, place: int) -> Iterator[Offer]:
        """Whom it may join, or who may join it, the best first."""
        words = {word for at in self._members[place] for word in self._rows[at].words}
        near = {self.places[at] for word in words & self._holders.keys() for at in self._holders[word]}
        for other in sorted(near - {place}):
            if self._is_sparse(place) or self._is_sparse(other):
                yield from self._offer(place, other)

    def _offer(self, place: int, other: int) -> Iterator[Offer]:
        one, another = min(place, other), max(place, other)
        pair = one, another, len(self._members[one]), len(self._members[another])
        if pair not in self._in_common:
            self._in_common[pair] = self._common(one, another) if self._may_be_one(one, another) else -math.inf
        if (common := self._in_common[pair]) >= self._least(one, another):
            yield -common, *pair

    def _offers_of_subject(self, place: int) -> list[Offer]:
        """The clusters of one speaker that are of one subject with it, as each that has a summary is of its own."""
        # Whoever has grown since is of other subjects now.
        subjects = self._subjects[place] if place in self._subjects else self._know_subjects(place)
        near = {other for subject in subjects for other in self._of_subject[subject]} & self._members.keys()
        return [
            offer
            for other in sorted(near - {place})
            if not subjects.isdisjoint(self._subjects[other]) and self._is_open(place, other)
            for offer in self._offer(place, other)
            if -offer[0] >= self._nearer * _UNITES
        ]

    def _is_open(self, one: int, other: int) -> bool:
        """Whether they may be fragments of one: small, and where one comes back, of two people, so not compared yet."""
        sides = self._members[one], self._members[other]
        returning = any(len(self._returning.intersection(places)) >= _HALF * len(places) for places in sides)
        mine, theirs = ({self._rows[at].person for at in places} for places in sides)
        return sum(map(len, sides)) <= _LARGE and not (returning and mine == theirs)

    def _know_subjects(self, place: int) -> set[Subject]:
        """The words that half of a cluster hold, each with who says most of it; none where nobody does.

        Nor where vectors are of letters: there it is not known which words may be a subject.
        """
        rows = [self._rows[at] for at in self._members[place]]
        speaker, says = Counter(row.speaker for row in rows).most_common(1)[0]
        holding = Counter(word for row in rows for word in row.words)
        is_of_one = len(rows) >= SPARSE and says > _HALF * len(rows) and not any(row.lettered for row in rows)
        subjects = {(word, speaker) for word, number in holding.items() if is_of_one and number >= _HALF * len(rows)}
        for subject in subjects:
            self._of_subject.setdefault(subject, set()).add(place)
        self._subjects[place] = subjects
        return subjects

    def _least(self, one: int, other: int) -> float:
        """So much these two have in common at least where they join."""
        members = [*self._members[one], *self._members[other]]
        lettered = all(self._rows[at].lettered for at in members)
        if len(members) == _COMPANY:
            return self._nearer * (_PAIRS_LETTERED if lettered else _PAIRS)
        return self._nearer * (_JOINS_LETTERED if lettered else _JOINS)

    def _is_sparse(self, place: int) -> bool:
        return len(self._members[place]) < SPARSE

    def _common(self, one: int, other: int) -> float:
        """What two clusters have in common: on average, and each side with its best of the other."""
        mine, theirs = self._members[one], self._members[other]
        links = self._links.between([*mine, *theirs])[: len(mine), len(mine) :]
        parts = links.mean(), links.max(axis=1).mean(), links.max(axis=0).mean()
        # Rounded, so that no two machines order them differently.
        return round(float(sum(parts)) / len(parts), 5)

    def _may_be_one(self, one: int, other: int) -> bool:
        """Whether they are of one type, about one person and one named subject."""
        sides = [[self._rows[at] for at in self._members[place]] for place in (one, other)]
        every = [row for side in sides for row in side]
        kinds = {self._kinds[one], self._kinds[other]}
        if len(kinds) > 1 and not (kinds <= self._grouping.types and all(row.loose for row in every)):
            return False
        people = {row.person for row in every if row.person is not None and not _names_another(row, every)}
        keys = {row.key for row in every if row.key is not None}
        return len(people) < 2 and len(keys) < 2 and not tell_of_namesakes(*sides)


def _names_another(row: Candidate, others: Iterable[Candidate]) -> bool:
    """Whether who says it is whom it is about, and it names whom others are about: "My sister Bea ..."."""
    if row.speaker is None or row.person is None or row.speaker.casefold() != row.person.casefold():
        return False
    names = (other.name for other in others if other.person not in (None, row.person))
    return any(name and name <= row.words for name in names)


def tell_of_namesakes(one: Sequence[Candidate], other: Sequence[Candidate]) -> bool:
    """Whether two people have one first name, each of whom one side tells of."""
    mine, theirs = ({name for row in side for name in row.called} for side in (one, other))
    return mine.isdisjoint(theirs) and not {first for first, _ in mine}.isdisjoint(first for first, _ in theirs)
