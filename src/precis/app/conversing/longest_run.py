"""The longest sequence of lines that two lists have in common. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from precis.conversation import Line

#: Of messages that say the same, so many are compared with each one that is sent.
_SAME = 200


def common(sent: Sequence[Line], stored: Sequence[Line]) -> list[tuple[int, int]]:
    """The longest sequence of lines that both have in the same order, as pairs of places; of several the latest stored.

    Hunt and Szymanski, 1977, walked from the end.
    """
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, line in enumerate(stored):
        if line.words is not None:
            places[line.words].append(place)
    #: For each length, the latest place at which so many lines can begin, negated; and how they go on.
    ends: list[int] = []
    chains: list[_Chain] = []
    for at in reversed(range(len(sent))):
        words = sent[at].words
        for place in places.get(words, ())[-_SAME:] if words is not None else ():
            length = bisect_left(ends, -place)
            chain = _Chain(at, place, chains[length - 1] if length else None)
            ends[length : length + 1] = [-place]
            chains[length : length + 1] = [chain]
    return list(chains[-1].pairs()) if chains else []


@dataclass(frozen=True, slots=True)
class _Chain:
    at: int
    place: int
    rest: _Chain | None

    def pairs(self) -> Iterator[tuple[int, int]]:
        """From the first to the last."""
        link: _Chain | None = self
        while link is not None:
            yield link.at, link.place
            link = link.rest
