"""Segments: why a refresh is cheap.

Sources are cut into segments where they themselves say so (content-defined chunking, as in prolly trees), so an edit or
a delete re-makes one segment and its ancestors, and an append re-makes the raw tail only. Pure: the tree is a function
of the sources, whatever the order in which they came. Stored sources are cut by their lengths and not by fingerprints,
whose key every tenant has of its own: the same texts are cut the same everywhere, so the same input gives the same
words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from itertools import chain

from precis.trust import SourceClass

_SPAN = 1 << 64
#: Where a source without a date stands among others: before them. None is written there.
NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """How a group is cut."""

    #: T: a segment is sealed after a source with probability tokens/T.
    segment_tokens: int = 600
    #: A run that would grow past this is cut after its smallest fingerprint.
    segment_limit: int = 1800
    #: A group of at most this many tokens is one prompt without segments.
    small_tokens: int = 1500
    #: A node of the levels above is sealed after a child with probability 1/fan.
    fan: int = 8
    #: A run of children longer than this is cut after its smallest key.
    fan_limit: int = 16


class Kind(StrEnum):
    """What a node is in the tree."""

    SEGMENT = "segment"
    FOLD = "fold"
    PREFIX = "prefix"
    FROZEN = "frozen"
    #: The summary of another group that is a part of this one: a week of a month.
    PART = "part"
    ROOT = "root"


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaf:
    """A source as the plan sees it: no text."""

    id: str
    created_at: datetime
    #: Keyed hash of the id and every rendered field, 16 bytes.
    fingerprint: bytes
    tokens: int
    #: False once it has expired: its text is gone, a frozen node speaks for it.
    live: bool = True
    #: Bytes of the text as it is stored; None where it is stored nowhere.
    size: int | None = None
    #: From whom it is.
    source_class: SourceClass = SourceClass.USER

    @property
    def key(self) -> bytes:
        """What a parent's key is made of."""
        return self.fingerprint

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Oldest first; ties by the bytes of the id."""
        return (self.created_at, self.id.encode())


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A summary of its children. Two nodes over the same children are the same node."""

    kind: Kind
    key: bytes
    children: tuple[Leaf | Node, ...]
    #: Place among its siblings: that of its last source.
    order: tuple[datetime, bytes]

    def leaves(self) -> tuple[Leaf, ...]:
        """Every source below, oldest first within each child."""
        return tuple(chain.from_iterable((c,) if isinstance(c, Leaf) else c.leaves() for c in self.children))

    def below(self) -> tuple[Node, ...]:
        """Every node below and this one, children before parents."""
        nodes = chain.from_iterable(c.below() for c in self.children if isinstance(c, Node))
        return (*nodes, self)


def node(kind: Kind, children: Sequence[Leaf | Node], *, salt: bytes = b"") -> Node:
    """A node over these children, keyed by their keys in order."""
    digest = blake2b(digest_size=16, person=b"precis-node")
    # A prefix and a fold read the same and say the same, but a segment and a root differ in length and prompt.
    digest.update(kind.value.encode() + b"\0" + salt + b"\0")
    for child in children:
        digest.update(child.key)
    return Node(kind=kind, key=digest.digest(), children=tuple(children), order=max(c.order for c in children))


def frozen_node(leaves: Sequence[Leaf], redactions: int) -> Node:
    """A node with explicit members that is never cut again; a redaction re-keys it and so its parents."""
    ordered = sorted(leaves, key=lambda leaf: leaf.order)
    return node(Kind.FROZEN, ordered, salt=redactions.to_bytes(4))


def part_node(leaves: Sequence[Leaf], content: bytes) -> Node:
    """A node that another group keeps; what it says is in its key, so that a change of it is seen."""
    return node(Kind.PART, sorted(leaves, key=lambda leaf: leaf.order), salt=content)


def layout(leaves: Sequence[Leaf], frozen: Sequence[Node] = (), *, shape: Shape) -> Node:
    """The tree whose root is the summary of these live sources and frozen nodes. At least one of either."""
    ordered = sorted(leaves, key=lambda leaf: leaf.order)
    placed = sorted(frozen, key=lambda child: child.order)
    if sum(leaf.tokens for leaf in ordered) <= shape.small_tokens and len(placed) <= shape.fan_limit:
        return node(Kind.ROOT, [*placed, *ordered])
    cuts = _cuts(ordered)
    sealed, tail = _cut_sources(ordered, shape, cuts)
    segments = [node(Kind.SEGMENT, run) for run in sealed]
    spine = _spine(sorted([*segments, *placed], key=lambda child: child.order), shape, cuts)
    prefix = [node(Kind.PREFIX, spine)] if len(spine) > 1 else spine
    return node(Kind.ROOT, [*prefix, *tail])


#: A number below 2^64 by the id of each source: where it is small there is a cut.
Cuts = Mapping[str, int]


def _cuts(ordered: Sequence[Leaf]) -> dict[str, int]:
    """By the lengths of a source and the one before it, and how many pairs of these lengths came before."""
    cuts: dict[str, int] = {}
    seen: Counter[tuple[int | None, ...]] = Counter()
    before: tuple[int | None, ...] = (0, 0)
    for leaf in ordered:
        lengths = (leaf.tokens, leaf.size)
        pair = (*before, *lengths)
        cuts[leaf.id] = _fraction(leaf.fingerprint if leaf.size is None else _digest(repr((pair, seen[pair])).encode()))
        seen[pair] += 1
        before = lengths
    return cuts


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=8, person=b"precis-cut").digest()


def _cut_of(child: Node, cuts: Cuts) -> int:
    """That of a node, from those of the sources below it; an expired one is known by its fingerprint alone."""
    below = (cuts[leaf.id].to_bytes(8) if leaf.id in cuts else leaf.fingerprint for leaf in child.leaves())
    return _fraction(_digest(*below))


def _spine(level: list[Node], shape: Shape, cuts: Cuts) -> list[Node]:
    """What stands left of the raw tail: the nodes no higher node has swallowed, oldest and highest first."""
    spine: list[Node] = []
    while level:
        sealed, rest = _cut_nodes(level, shape, cuts)
        spine = rest + spine
        level = [node(Kind.FOLD, run) for run in sealed]
    while len(spine) > shape.fan_limit:
        spine = [node(Kind.FOLD, spine[: shape.fan]), *spine[shape.fan :]]
    return spine


def _cut_sources(leaves: list[Leaf], shape: Shape, cuts: Cuts) -> tuple[list[list[Leaf]], list[Leaf]]:
    """Sealed runs and the open tail."""
    sealed: list[list[Leaf]] = []
    run: list[Leaf] = []
    weight = 0
    for leaf in leaves:
        while run and weight + leaf.tokens > shape.segment_limit:
            at = _smallest([cuts[each.id] for each in run]) + 1
            sealed.append(run[:at])
            run = run[at:]
            weight = sum(leaf.tokens for leaf in run)
        run.append(leaf)
        weight += leaf.tokens
        if cuts[leaf.id] * shape.segment_tokens < leaf.tokens * _SPAN:
            sealed.append(run)
            run, weight = [], 0
    return sealed, run


def _cut_nodes(level: list[Node], shape: Shape, cuts: Cuts) -> tuple[list[list[Node]], list[Node]]:
    """Sealed runs of at least two nodes and the open rest."""
    sealed: list[list[Node]] = []
    run: list[Node] = []
    for child in level:
        if len(run) == shape.fan_limit:
            at = max(2, _smallest([_cut_of(each, cuts) for each in run]) + 1)
            sealed.append(run[:at])
            run = run[at:]
        run.append(child)
        if len(run) > 1 and _cut_of(child, cuts) * shape.fan < _SPAN:
            sealed.append(run)
            run = []
    return sealed, run


def _smallest(cuts: Sequence[int]) -> int:
    """Where the smallest number of a run stands."""
    return min(range(len(cuts)), key=cuts.__getitem__)


def _fraction(key: bytes) -> int:
    """The key as a number below 2^64."""
    return int.from_bytes(key[:8])
