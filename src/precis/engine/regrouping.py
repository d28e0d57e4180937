"""Which members would change their cluster under other limits.

Pure: the store brings the members of one scope and type, and carries the moves out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from precis.engine.grouping import Candidate, Grouping, assign


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitting:
    """A member of a cluster as it is stored."""

    memory_id: str
    group_id: str
    #: The row as grouping saw it; None once it has expired: it stays where it is.
    candidate: Candidate | None


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

    @property
    def opened(self) -> list[str]:
        """Clusters that were not there before."""
        return sorted(set(self.after) - set(self.before))


def regroup(members: Sequence[Sitting], *, grouping: Grouping, new_id: Callable[[], str]) -> Regrouping:
    """Group the living from nothing, in the order given, and move as few of them as it takes.

    The members are of one scope and type, oldest first. A new cluster takes the place of the old one it shares most
    members with, so a cluster that has the same members as before is not touched.
    """
    living = [(one, one.candidate) for one in members if one.candidate is not None]
    drawn = iter(range(len(living)))
    chosen, _ = assign([row for _, row in living], [], grouping=grouping, new_id=lambda: str(next(drawn)))
    places = _places(Counter((new, one.group_id) for new, (one, _) in zip(chosen, living, strict=True)), new_id)
    wanted = {one.memory_id: places[new] for new, (one, _) in zip(chosen, living, strict=True)}
    moves = {
        one.memory_id: wanted[one.memory_id]
        for one in members
        if wanted.get(one.memory_id, one.group_id) != one.group_id
    }
    before = Counter(one.group_id for one in members)
    after = Counter(moves.get(one.memory_id, one.group_id) for one in members)
    left = {one.group_id for one in members if one.memory_id in moves}
    return Regrouping(
        moves=moves, before=before, after=after, changed=frozenset(left | (set(moves.values()) & set(before)))
    )


def _places(shared: Mapping[tuple[str, str], int], new_id: Callable[[], str]) -> dict[str, str]:
    """The group id of each new cluster, by how many members it shares with which old one."""
    places: dict[str, str] = {}
    taken: set[str] = set()
    for (new, old), _ in sorted(shared.items(), key=lambda entry: (-entry[1], int(entry[0][0]), entry[0][1])):
        if new not in places and old not in taken:
            places[new] = old
            taken.add(old)
    # In the order in which they were opened, so that ids follow the same order each time.
    return places | {new: new_id() for new in dict.fromkeys(new for new, _ in shared) if new not in places}
