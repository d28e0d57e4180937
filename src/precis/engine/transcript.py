"""Which messages that somebody sends are stored already: by id, else by role and content in their order. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

#: Of messages that say the same, so many are compared with each one that is sent.
_SAME = 200
#: Of so many lines of a repetition, one may be another than it was.
_ODD = 4


class Sending(StrEnum):
    """What a list of messages is that somebody sends."""

    #: What was said since the last time. The same words without an id are said once more, unless the list begins with
    #: all that is stored.
    TURN = "turn"
    #: What the sender knows of the conversation, or the end of it.
    TRANSCRIPT = "transcript"
    #: What the conversation shall be.
    SESSION = "session"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A message as far as it takes to recognize it."""

    #: What the writer calls it; None where it has no id.
    given: str | None
    role: str
    #: Tells equal texts; None for a text that is gone, which equals none.
    mark: int | None
    #: Whether it was said to somebody, as against a call of a tool or its result.
    spoken: bool = True

    @property
    def words(self) -> tuple[str, int] | None:
        """Who says what."""
        return None if self.mark is None else (self.role, self.mark)


def recognize(sent: Sequence[Line], stored: Sequence[Line], sending: Sending) -> tuple[int | None, ...]:
    """For each line that is sent, the place of the stored one that it is; None for what is new.

    In doubt a line is new: what is stored twice can be read, what was taken for a repetition is lost.
    """
    pinned = by_id(sent, stored, roles=sending is Sending.SESSION)
    if sending is Sending.SESSION:
        return _filled(sent, pinned, _aligned(sent, stored, pinned))
    if sending is Sending.TRANSCRIPT:
        return _filled(sent, pinned, _repeated(sent, stored, pinned))
    begins_with_all = len(stored) > 1 and len(sent) > len(stored) and all(map(_may_be, sent, stored))
    return (
        tuple(range(len(stored))) + (None,) * (len(sent) - len(stored))
        if begins_with_all
        else _filled(sent, pinned, {})
    )


def by_id(sent: Sequence[Line], stored: Sequence[Line], *, roles: bool = False) -> dict[int, int]:
    """Places of lines that are sent and of the stored ones with their ids; with ``roles`` only of the same speaker."""
    places = {line.given: place for place, line in enumerate(stored)}
    known = {at: places[line.given] for at, line in enumerate(sent) if line.given is not None and line.given in places}
    return {at: place for at, place in known.items() if not roles or sent[at].role == stored[place].role}


def _may_be(sent: Line, stored: Line) -> bool:
    return sent.given == stored.given or (sent.given is None and sent.words is not None and sent.words == stored.words)


def _filled(sent: Sequence[Line], *known: Mapping[int, int]) -> tuple[int | None, ...]:
    places = {at: place for pairs in reversed(known) for at, place in pairs.items()}
    return tuple(places.get(at) for at in range(len(sent)))


def _aligned(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """What is not known by id, by role and content in the order of both."""
    taken, named = set(pinned.values()), {line.given for line in sent if line.given is not None}
    unknown = [at for at in range(len(sent)) if at not in pinned]
    free = [p for p, line in enumerate(stored) if p not in taken and line.given not in named]
    pairs = common([sent[at] for at in unknown], [stored[place] for place in free])
    return {unknown[at]: free[place] for at, place in pairs}


def _repeated(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """Lines under fresh ids: those before one that is known, and a run behind it that ends where the stored one ends.

    Nearly everything up to its end has to be stored. A run behind lines that are known has to begin where the stored
    one begins, too: there, it is a second copy of all of it, whereas the same few words may be said again.
    """
    end = max(pinned, default=-1) + 1
    before = _aligned(sent[:end], stored, {at: place for at, place in pinned.items() if at < end})
    spoken = [place for place, line in enumerate(stored) if line.spoken] or list(range(len(stored)))
    run = {end + at: place for at, place in common(sent[end:], stored)}
    if not spoken or spoken[-1] not in run.values() or (end and (len(spoken) == 1 or spoken[0] not in run.values())):
        return before
    others = [at for at in range(end, max(run)) if at not in run]
    if len(others) * _ODD > len(run):
        return before
    return before | run | _anywhere(sent, stored, others, set(run.values()))


def _anywhere(
    sent: Sequence[Line], stored: Sequence[Line], places: Sequence[int], taken: Collection[int]
) -> dict[int, int]:
    """The lines at these places that are stored at another one: what was new when it was sent for the first time."""
    free = {line.words: place for place, line in enumerate(stored) if place not in taken and line.words is not None}
    return {at: free[words] for at in places if (words := sent[at].words) in free}


def common(sent: Sequence[Line], stored: Sequence[Line]) -> list[tuple[int, int]]:
    """The longest lines that both have in one order, as pairs of places; of several, those that are stored last.

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
