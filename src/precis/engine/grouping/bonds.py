"""Subjects by words: what some memories of a user hold, and few, is what these are about. Pure.

The vectors of "Leila and I set a date!" and "Nineteen days to the wedding." are not alike. That both are of the wedding
shows in a word, which is rare in the memories of this user and comes back in some of them. And who has come by its tone
alone shares no such word with the others, and leaves.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.likeness import UNSEEN, Board, Candidate, Grouping

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


# --- who keeps no company ---
# Two memories are linked by the words that both hold, the rarer in this scope the more, and by how like the words are
# that say what each is about. A member that is linked to hardly anybody came because of its tone, or of a word that
# means something else there. It leaves, and stays the memory that it is.

#: A member is held against so many of the others, those it is linked to most.
_COMPANY = 2
#: Less than this, on average, is no company.
_LEAST = 0.5
#: A cluster of fewer members is sparse: it has no summary, and these look for company by the words of subjects.
SPARSE = 3
#: What a shared word counts that is no subject by itself: a verb, one of mood. And all shared words at most.
_VERB, _MOOD, _EVERY = 0.5, 0.35, 1.0
#: So much less are two linked of whom somebody else says each, unless both are about one person.
_STRANGE = 0.5
#: Of so many words the likeness counts in full: that of two cheers is high, and tells nothing.
_FEW = 3

Links = NDArray[np.float64]


def strays(rows: Sequence[Candidate], places: Sequence[int]) -> list[int]:
    """The places in ``rows`` of those that leave their clusters, which are named by ``places``."""
    if not rows:
        return []
    members: dict[int, list[int]] = {}
    for at, place in enumerate(places):
        members.setdefault(place, []).append(at)
    links = _Links(rows)
    return [
        together[at]
        for together in members.values()
        if len(together) >= SPARSE
        for at in _leaving([rows[at] for at in together], links.between(together))
    ]


def _leaving(rows: Sequence[Candidate], links: Links) -> list[int]:
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


def _company(links: Links) -> list[float]:
    """How each is linked to those it is linked to most."""
    best = np.sort(links, axis=1)[:, -_COMPANY:]
    # Rounded, so that no two machines order them differently.
    return [round(float(mean), 5) for mean in best.mean(axis=1)]


def _strange(row: Candidate, other: Candidate) -> bool:
    """Whether two people say them, of whom neither tells of the other or of one third person."""
    about = row.person is not None and row.person == other.person
    return None not in (row.speaker, other.speaker) and row.speaker != other.speaker and not about


class _Links:
    """How much any two memories of a scope have in common."""

    def __init__(self, rows: Sequence[Candidate]) -> None:
        self._rows = rows
        self._weights = [
            dict.fromkeys(row.moods, _MOOD) | dict.fromkeys(row.verbs, _VERB) | dict.fromkeys(row.words, 1.0)
            for row in rows
        ]
        standing = Counter(word for weights in self._weights for word in weights)
        # What all of a few memories share is not yet what everything shares.
        size = len(rows) + UNSEEN
        self._rarity = {word: math.log(size / number) / math.log(size / _COMPANY) for word, number in standing.items()}
        topics = np.array([row.vector if row.topic is None else row.topic for row in rows], dtype=np.float64)
        topics -= topics.sum(axis=0) / size
        lengths = np.linalg.norm(topics, axis=1, keepdims=True)
        self._topics = topics / np.where(lengths > 0, lengths, 1.0)

    def between(self, together: Sequence[int]) -> Links:
        """The links of these with each other; of each with itself none."""
        rows = [self._rows[at] for at in together]
        topics = self._topics[list(together)]
        numbers = np.array([len(row.words) + len(row.verbs) for row in rows])
        sure = np.minimum(1.0, np.minimum.outer(numbers, numbers) / _FEW)
        keys = np.array([[row.key is not None and row.key == other.key for other in rows] for row in rows])
        links: Links = np.minimum(_EVERY, self._shared(together)) + keys + topics @ topics.T * sure
        links -= _STRANGE * np.array([[_strange(row, other) for other in rows] for row in rows])
        np.fill_diagonal(links, -np.inf)
        return links

    def _shared(self, together: Sequence[int]) -> Links:
        """What the words count that each two hold."""
        shared = np.zeros((len(together), len(together)))
        holders: dict[str, dict[int, float]] = {}
        for place, at in enumerate(together):
            for word, weight in self._weights[at].items():
                holders.setdefault(word, {})[place] = weight
        # In order, so that no two runs add them up differently.
        for word in sorted(word for word, weights in holders.items() if len(weights) > 1):
            places, weights = list(holders[word]), list(holders[word].values())
            shared[np.ix_(places, places)] += self._rarity[word] * np.minimum.outer(weights, weights)
        return shared
