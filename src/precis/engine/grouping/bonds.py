"""Subjects by words: what some memories of a user hold, and few, is what these are about. Pure.

The vectors of "Leila and I set a date!" and "Nineteen days to the wedding." are not alike. That both are of the wedding
shows in a word, which is rare in the memories of this user and comes back in some of them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.clusters import Candidate, Grouping
from precis.engine.grouping.likeness import Board

#: So many memories hold the word of a subject at least; at most this share of them, or so many where there are few.
_FEWEST, _SHARE, _MOST = 3, 0.05, 8
#: The share of its members that holds a word a cluster is about, and that is said by whoever tells of it.
_HALF = 0.5


def subjects_of(words: Sequence[AbstractSet[str]]) -> dict[str, float]:
    """The words of subjects in memories that hold these words, each with its rarity: 1 for the rarest, down to 0."""
    standing = Counter(word for each in words for word in each)
    most = max(_MOST, _SHARE * len(words))
    rarest = math.log(max(_FEWEST, len(words)) / _FEWEST) or 1.0
    return {
        word: math.log(len(words) / number) / rarest for word, number in standing.items() if _FEWEST <= number <= most
    }


def known_names(rows: Sequence[Candidate]) -> list[Candidate]:
    """The rows with those of their names that come back: two capitals that stood together once are no name yet."""
    standing = Counter(name for row in rows for name in row.called)
    return [
        replace(row, called=frozenset(name for name in row.called if standing[name] > 1)) if row.called else row
        for row in rows
    ]


class BondedBoard(Board):
    """A board whose clusters draw rows by the words of subjects, too, from when it is told all rows."""

    def __init__(self, grouping: Grouping) -> None:
        super().__init__([], grouping)
        self._subjects: Mapping[str, float] = {}
        #: The words of the names of people.
        self._names: dict[str, AbstractSet[str]] = {}
        #: How many members of each cluster hold a word, and how many a speaker says.
        self._holding: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._speaking: Counter[tuple[int, str | None]] = Counter()
        #: How many members of each cluster hold a name of two words.
        self._called: defaultdict[int, Counter[tuple[str, str]]] = defaultdict(Counter)

    def bind(self, rows: Sequence[Candidate], places: Sequence[int]) -> None:
        """Words count from now on. These are all rows, each with its place."""
        self._subjects = subjects_of([row.words for row in rows])
        self._names = {row.person: row.name for row in rows if row.person is not None}
        for row, at in zip(rows, places, strict=True):
            self._tally(row, at, 1)

    def seat_again(self, row: Candidate, at: int, *, pull: float) -> int:
        """Look at a row anew, whose own place is nearer by ``pull`` than it is; answers where it is then."""
        self._tally(row, at, -1)
        self.take(at, row)
        place = self.place(row, str, stays=at, pull=pull)
        self._tally(row, place, 1)
        return place

    def merge(self, rows: Sequence[Candidate], at: int) -> int:
        """Take all members of a cluster to another one where each of them belongs, if there is one; answers where."""
        for row in rows:
            self._tally(row, at, -1)
            self.take(at, row)
        targets = {self._nearest(row, self._products(row.vector), None, 0.0) for row in rows}
        target = targets.pop() if len(targets) == 1 else None
        place = at if target is None else target
        for row in rows:
            self._put(place, row, self._products(row.vector))
            self._tally(row, place, 1)
        return place

    def take(self, at: int, row: Candidate) -> None:
        """Take a row out of the cluster at this place, and its names."""
        self._called[at].subtract(row.called)
        super().take(at, row)

    def _put(self, at: int, row: Candidate, near: NDArray[np.float64]) -> None:
        self._called[at].update(row.called)
        super()._put(at, row, near)

    def _joinable(self, at: int, row: Candidate, margin: float) -> bool:
        return not self._tells_of_namesake(row, at) and super()._joinable(at, row, margin)

    def _tells_of_namesake(self, row: Candidate, at: int) -> bool:
        """Whether the cluster is about somebody else of the same first name."""
        names = {name for name, number in self._called[at].items() if number} if row.called else set()
        return names.isdisjoint(row.called) and not {first for first, _ in names}.isdisjoint(
            first for first, _ in row.called
        )

    def _tally(self, row: Candidate, at: int, change: int) -> None:
        if self._subjects:
            self._speaking[at, row.speaker] += change
            for word in row.words & self._subjects.keys():
                self._holding[word][at] += change

    def _bonds(self, row: Candidate, about: NDArray[np.bool_], /) -> NDArray[np.float64]:
        bonds = np.zeros(len(about))
        # In order, so that no two runs add them up differently.
        for word in sorted(row.words & self._subjects.keys()):
            for at, number in self._holding[word].items():
                members = self.clusters[at].members
                if number >= max(1.0, _HALF * members) and (about[at] or self._may_be_about_one(row, at)):
                    bonds[at] += self._subjects[word] * number / members
        return np.minimum(self._grouping.bond * bonds, self._grouping.bonded)

    def _may_be_about_one(self, row: Candidate, at: int) -> bool:
        """Whether one of row and cluster is about nobody, and holds the name of whom the other is about.

        Or whoever says the row says most of the cluster.
        """
        cluster = self.clusters[at]
        half = _HALF * cluster.members
        if None not in (row.person, cluster.person):
            return False
        if row.speaker is not None and self._speaking[at, row.speaker] >= half:
            return True
        if row.person is None:
            name = self._names.get(cluster.person or "", frozenset())
            return bool(name) and row.words >= name
        return bool(row.name) and all(self._holding[word][at] >= half for word in row.name)
