"""Grouping what is stored anew: clusters merge and split as a user's memories grow. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.clusters import Candidate, Grouping
from precis.engine.grouping.company import SPARSE, Parties, strays
from precis.engine.grouping.density import returning
from precis.engine.grouping.likeness import Board

# Subjects by words: what some memories of a user hold, and few, is what these are about.
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

    def seat_together(self, rows: Sequence[Candidate], together: Sequence[int | None]) -> list[int]:
        """Place all rows, those of one number in one cluster; answers the place of each."""
        numbers = dict.fromkeys(number for number in together if number is not None)
        places = {number: self.open_for(rows[number], str) for number in numbers}
        for row, number in zip(rows, together, strict=True):
            if number is not None:
                self._put(places[number], row, self._products(row.vector))
        return [
            self.place(row, str) if number is None else places[number]
            for row, number in zip(rows, together, strict=True)
        ]

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitting:
    """A member of a cluster as it is stored."""

    memory_id: str
    group_id: str
    #: The row as grouping saw it; None once it has expired: it stays where it is.
    candidate: Candidate | None
    #: Type of its cluster.
    type: str = "fact"
    #: Whoever is of another one is grouped apart.
    namespace: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Regrouping:
    """Who moves where, and how large the clusters are before and after."""

    #: Group id by memory id, of those that move.
    moves: Mapping[str, str]
    #: Members by group id, expired ones included.
    before: Mapping[str, int]
    after: Mapping[str, int]
    #: Clusters that were there before and lose or gain a member, emptied ones included.
    changed: frozenset[str]
    #: Type by group id, of the clusters that have living members; whoever moves there takes it.
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def opened(self) -> list[str]:
        """Clusters that were not there before."""
        return sorted(set(self.after) - set(self.before))


#: How often every row is looked at again, once all are placed.
_PASSES = 2
#: How much nearer its own cluster is to a row than it is: nothing moves for a trifle.
_PULL = 0.08


def regroup(members: Sequence[Sitting], *, grouping: Grouping, new_id: Callable[[], str]) -> Regrouping:
    """Group the living from nothing, in the order given, and move as few of them as it takes.

    The members are of one scope, oldest first; those of each namespace are grouped by themselves. Subjects that come
    back again and again are clusters from the first (``density``). Of the others whoever came early met few clusters,
    so each row is looked at again when all are there: clusters that are about one thing merge, those that are about
    several split. Then those in sparse clusters look for one with which they share a word that is rare in this scope.
    A new cluster takes the place of the old one it shares most members with, so a cluster that has the
    same members as before is not touched.
    """
    living = [(member, member.candidate) for member in members if member.candidate is not None]
    rows = known_names([row for _, row in living])
    clusters, kinds = _grouped_apart(rows, [member.namespace for member, _ in living], grouping)
    shared = Counter((new, member.group_id) for new, (member, _) in zip(clusters, living, strict=True))
    types = {member.group_id: member.type for member in members}
    binding = {new for new, row in zip(clusters, rows, strict=True) if not row.loose}

    def fits(new: int, old: str) -> bool:
        return kinds[new] == types[old] or (new not in binding and {kinds[new], types[old]} <= grouping.types)

    places = _places({pair: number for pair, number in shared.items() if fits(*pair)}, dict.fromkeys(clusters), new_id)
    targets = {member.memory_id: places[new] for new, (member, _) in zip(clusters, living, strict=True)}
    moves = {
        member.memory_id: targets[member.memory_id]
        for member in members
        if targets.get(member.memory_id, member.group_id) != member.group_id
    }
    before = Counter(member.group_id for member in members)
    after = Counter(moves.get(member.memory_id, member.group_id) for member in members)
    losing = {member.group_id for member in members if member.memory_id in moves}
    return Regrouping(
        moves=moves,
        before=before,
        after=after,
        changed=frozenset(losing | (set(moves.values()) & set(before))),
        types={place: types.get(place, kinds[new]) for new, place in places.items()},
    )


def _grouped_apart(
    rows: Sequence[Candidate], namespaces: Sequence[str], grouping: Grouping
) -> tuple[list[int], list[str]]:
    """The place of each row's cluster, and the type of each place; those of a namespace by themselves."""
    clusters, kinds = [0] * len(rows), list[str]()
    for namespace in dict.fromkeys(namespaces):
        members = [at for at, each in enumerate(namespaces) if each == namespace]
        places, types = _grouped([rows[at] for at in members], grouping)
        for at, place in zip(members, places, strict=True):
            clusters[at] = len(kinds) + place
        kinds += types
    return clusters, kinds


def _grouped(rows: Sequence[Candidate], grouping: Grouping) -> tuple[list[int], list[str]]:
    """The place of each row's cluster, and the type of each place."""
    if not rows:
        return [], []
    board = BondedBoard(grouping)
    together = returning(rows, grouping)
    places = board.seat_together(rows, together)
    for _ in range(_PASSES):
        for at, row in enumerate(rows):
            if row.key is None and together[at] is None:
                places[at] = board.seat_again(row, places[at], pull=_PULL)
    board.bind(rows, places)
    for _ in range(_PASSES):
        for at, row in enumerate(rows):
            if row.key is None and board.clusters[places[at]].members < SPARSE:
                places[at] = board.seat_again(row, places[at], pull=_PULL)
    _merge_sparse(board, rows, places)
    kinds = [cluster.type for cluster in board.clusters]
    for at in strays(rows, places, together):
        places[at] = len(kinds)
        kinds.append(rows[at].type)
    parties = Parties(rows, places, kinds, grouping, returning=together)
    parties.join()
    return parties.places, kinds


def _merge_sparse(board: BondedBoard, rows: Sequence[Candidate], places: list[int]) -> None:
    """Those that keep each other company go together, where one by one they would stay."""
    together: dict[int, list[int]] = {}
    for at, place in enumerate(places):
        if board.clusters[place].members < SPARSE:
            together.setdefault(place, []).append(at)
    for place, members in together.items():
        # Those before may have come here meanwhile.
        if board.clusters[place].members == len(members) and all(rows[at].key is None for at in members):
            target = board.merge([rows[at] for at in members], place)
            for at in members:
                places[at] = target


def _places(
    shared: Mapping[tuple[int, str], int], clusters: Iterable[int], new_id: Callable[[], str]
) -> dict[int, str]:
    """The group id of each new cluster, by how many members it shares with which old one."""
    places: dict[int, str] = {}
    taken: set[str] = set()
    for (new, old), _ in sorted(shared.items(), key=lambda entry: (-entry[1], entry[0][0], entry[0][1])):
        if new not in places and old not in taken:
            places[new] = old
            taken.add(old)
    # In the order in which they were opened, so that ids follow the same order each time.
    return places | {new: new_id() for new in clusters if new not in places}
