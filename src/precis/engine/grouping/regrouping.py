"""Grouping what is stored anew: clusters merge and split as a user's memories grow. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from precis.engine.grouping.bonds import BondedBoard, known_names
from precis.engine.grouping.clusters import Candidate, Grouping
from precis.engine.grouping.company import SPARSE, Parties, strays


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

    The members are of one scope, oldest first; those of each namespace are grouped by themselves. Whoever came early
    met few clusters, so each row is looked at again when all are there: clusters that are about one thing merge, those
    that are about several split. Then those in sparse clusters look for one with which they share a word that is rare
    in this scope. A new cluster takes the place of the old one it shares most members with, so a cluster that has the
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
    places = [board.place(row, str) for row in rows]
    for _ in range(_PASSES):
        for at, row in enumerate(rows):
            if row.key is None:
                places[at] = board.seat_again(row, places[at], pull=_PULL)
    board.bind(rows, places)
    for _ in range(_PASSES):
        for at, row in enumerate(rows):
            if row.key is None and board.clusters[places[at]].members < SPARSE:
                places[at] = board.seat_again(row, places[at], pull=_PULL)
    _merge_sparse(board, rows, places)
    kinds = [cluster.type for cluster in board.clusters]
    for at in strays(rows, places):
        places[at] = len(kinds)
        kinds.append(rows[at].type)
    parties = Parties(rows, places, kinds, grouping)
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
