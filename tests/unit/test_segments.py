"""The tree over a group's sources: a pure function, and stable where nothing changed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.engine.segments import Kind, Leaf, Node, Shape, frozen_node, layout, node

SHAPE = Shape()
SMALL = Shape(segment_tokens=60, segment_limit=150, small_tokens=100, fan=3, fan_limit=5)
START = datetime(2026, 1, 1, tzinfo=UTC)


def leaf(at: int, tokens: int = 30, salt: str = "") -> Leaf:
    """The source of this place, one a minute."""
    return Leaf(
        id=f"m{at:05d}",
        created_at=START + timedelta(minutes=at),
        fingerprint=blake2b(f"{at} {salt}".encode(), digest_size=16).digest(),
        tokens=tokens,
    )


def leaves(many: int, tokens: int = 30) -> list[Leaf]:
    """Sources one a minute."""
    return [leaf(at, tokens) for at in range(many)]


def keys(root: Node, *kinds: Kind) -> set[bytes]:
    """The keys of the nodes of these kinds."""
    return {one.key for one in root.below() if one.kind in kinds}


def remade(before: Node, after: Node, *kinds: Kind) -> int:
    """How many nodes of these kinds have to be made."""
    return len(keys(after, *kinds) - keys(before, *kinds))


sources = st.lists(st.integers(1, 200), min_size=1, max_size=120).map(
    lambda sizes: [leaf(at, tokens) for at, tokens in enumerate(sizes)]
)


@settings(max_examples=60, deadline=None)
@given(sources, st.randoms(use_true_random=False))
def test_order_of_arrival_does_not_matter(ordered: list[Leaf], chance: random.Random) -> None:
    """The tree of a permutation is the same tree."""
    shuffled = chance.sample(ordered, len(ordered))
    assert layout(ordered, shape=SMALL) == layout(shuffled, shape=SMALL)


@settings(max_examples=60, deadline=None)
@given(sources)
def test_every_source_is_read_once(ordered: list[Leaf]) -> None:
    """Nothing is left out of the tree, nothing is in it twice, and the order is kept."""
    assert tuple(ordered) == layout(ordered, shape=SMALL).leaves()


@settings(max_examples=60, deadline=None)
@given(sources)
def test_limits_hold(ordered: list[Leaf]) -> None:
    """No segment of several sources is over its limit, no fold is too wide, and neither is the root's spine."""
    for one in layout(ordered, shape=SMALL).below():
        if one.kind is Kind.SEGMENT and len(one.children) > 1:
            assert sum(child.tokens for child in one.leaves()) <= SMALL.segment_limit
        if one.kind in {Kind.FOLD, Kind.PREFIX}:
            assert 2 <= len(one.children) <= SMALL.fan_limit
        if one.kind is Kind.ROOT:
            tail = [child for child in one.children if isinstance(child, Leaf)]
            limit = SMALL.small_tokens if len(tail) == len(one.children) else SMALL.segment_limit
            assert len(tail) <= 1 or sum(child.tokens for child in tail) <= max(limit, SMALL.segment_limit)


def test_ties_are_broken_by_the_bytes_of_the_id() -> None:
    """Sources of one moment have one order."""
    one, other = replace(leaf(1), created_at=START), replace(leaf(2), created_at=START)
    assert (one, other) == layout([other, one], shape=SHAPE).children


def test_a_small_group_is_one_prompt() -> None:
    """Up to the limit the root reads the sources themselves."""
    root = layout(leaves(40), shape=SHAPE)
    assert all(isinstance(child, Leaf) for child in root.children)
    assert keys(layout(leaves(200), shape=SHAPE), Kind.SEGMENT)


def test_a_large_group_is_read_in_one_prefix_and_a_tail() -> None:
    """The root has at most one node, the prefix, and behind it the raw tail."""
    for many in range(60, 400, 17):
        root = layout(leaves(many), shape=SHAPE)
        nodes = [child for child in root.children if isinstance(child, Node)]
        assert len(nodes) <= 1
        assert list(root.children[: len(nodes)]) == nodes


def test_an_append_remakes_the_root_and_little_else() -> None:
    """Over 300 appends: one root each, and seldom a segment, a fold or a prefix."""
    before = layout(leaves(200), shape=SHAPE)
    made = {Kind.SEGMENT: 0, Kind.FOLD: 0, Kind.PREFIX: 0}
    for many in range(201, 501):
        after = layout(leaves(many), shape=SHAPE)
        assert remade(before, after, Kind.ROOT) == 1
        for kind in made:
            made[kind] += remade(before, after, kind)
        before = after
    assert 5 <= made[Kind.SEGMENT] <= 40
    assert made[Kind.FOLD] <= made[Kind.SEGMENT]
    assert made[Kind.PREFIX] <= made[Kind.SEGMENT]


@pytest.mark.parametrize("gone", [0, 150, 500, 899])
def test_a_delete_remakes_one_segment_and_its_ancestors(gone: int) -> None:
    """At 1,000 sources a delete touches the segments at one place and the way up."""
    ordered = leaves(1000)
    after = layout(ordered[:gone] + ordered[gone + 1 :], shape=SHAPE)
    before = layout(ordered, shape=SHAPE)
    assert remade(before, after, Kind.SEGMENT) <= 3
    assert remade(before, after, Kind.SEGMENT, Kind.FOLD, Kind.PREFIX, Kind.ROOT) <= 12
    assert len(keys(before, Kind.SEGMENT)) > 30


def test_an_edit_remakes_the_segment_around_it() -> None:
    """An edited source has another fingerprint at the same place."""
    ordered = leaves(1000)
    before = layout(ordered, shape=SHAPE)
    after = layout([*ordered[:400], leaf(400, salt="edited"), *ordered[401:]], shape=SHAPE)
    assert 1 <= remade(before, after, Kind.SEGMENT) <= 3


def test_segments_are_about_as_long_as_asked_for() -> None:
    """The mean is near T, whatever the length of a source."""
    for tokens in (15, 30, 60):
        root = layout(leaves(3000, tokens), shape=SHAPE)
        sizes = [sum(one.tokens for one in n.leaves()) for n in root.below() if n.kind is Kind.SEGMENT]
        assert 400 <= sum(sizes) / len(sizes) <= 700
        assert max(sizes) <= SHAPE.segment_limit


def test_a_source_longer_than_a_segment_stands_alone() -> None:
    """It cannot be cut, so it is a segment of its own, and its neighbors' segments stay in their limits."""
    root = layout([*leaves(40), leaf(40, tokens=5000), *[leaf(at) for at in range(41, 80)]], shape=SHAPE)
    holding = [one for one in root.below() if one.kind is Kind.SEGMENT and leaf(40, tokens=5000) in one.children]
    assert [1] == [len(one.children) for one in holding]


def test_a_frozen_node_is_never_cut() -> None:
    """Its members are explicit; it stands before the live sources, also in a small group."""
    frozen = frozen_node(leaves(3), 0)
    root = layout([leaf(at) for at in range(3, 8)], [frozen], shape=SHAPE)
    assert (frozen, *[leaf(at) for at in range(3, 8)]) == root.children


def test_a_frozen_node_is_placed_by_its_last_date() -> None:
    """Among the segments of a large group."""
    frozen = frozen_node([leaf(1), leaf(500)], 0)
    rest = [one for one in leaves(1000) if one.id not in {"m00001", "m00500"}]
    root = layout(rest, [frozen], shape=SHAPE)
    assert frozen in root.below()
    for one in root.below():
        assert list(one.children) == sorted(one.children, key=lambda child: child.order)


def test_a_redaction_rekeys_a_frozen_node_and_its_parents() -> None:
    """Nothing that read the old words counts as standing."""
    live = [leaf(at) for at in range(3, 300)]
    before = layout(live, [frozen_node(leaves(3), 0)], shape=SHAPE)
    after = layout(live, [frozen_node(leaves(3), 1)], shape=SHAPE)
    assert before.key != after.key
    assert keys(before, Kind.SEGMENT) == keys(after, Kind.SEGMENT)
    assert not keys(before, Kind.FROZEN) & keys(after, Kind.FROZEN)


def test_a_key_depends_on_kind_and_children() -> None:
    """Two kinds over the same sources are two nodes, and order matters."""
    one, other = leaf(1), leaf(2)
    made: Sequence[Node] = [
        node(Kind.SEGMENT, [one, other]),
        node(Kind.ROOT, [one, other]),
        node(Kind.SEGMENT, [other, one]),
        node(Kind.SEGMENT, [one]),
    ]
    assert len({each.key for each in made}) == 4
    assert made[0] == node(Kind.SEGMENT, [one, other])


def sized(at: int, size: int, salt: str = "") -> Leaf:
    """The same, stored: of so many bytes."""
    return replace(leaf(at, tokens=size // 4, salt=salt), size=size)


def test_stored_sources_are_cut_the_same_whatever_the_key() -> None:
    """Another tenant's fingerprints and ids, the same texts: the same cuts, up to the highest fold."""
    sizes = [random.Random(at).randrange(60, 260) for at in range(1000)]  # noqa: S311 - drawn the same each time
    trees = [layout([sized(at, size, salt) for at, size in enumerate(sizes)], shape=SHAPE) for salt in ("one", "two")]
    first, second = ([[leaf.order for leaf in each.leaves()] for each in tree.below()] for tree in trees)
    assert first == second
    assert keys(trees[0], Kind.FOLD)
    assert keys(trees[0], Kind.SEGMENT).isdisjoint(keys(trees[1], Kind.SEGMENT))


@pytest.mark.parametrize("spread", [1, 40, 200])
def test_stored_sources_are_cut_into_segments_of_the_length_asked_for(spread: int) -> None:
    """Also where all are of one length; and an edit in the middle re-makes what is around it."""
    sizes = [random.Random(at).randrange(100, 100 + spread) for at in range(2000)]  # noqa: S311 - as above
    ordered = [sized(at, size) for at, size in enumerate(sizes)]
    before = layout(ordered, shape=SHAPE)
    lengths = [sum(each.tokens for each in n.leaves()) for n in before.below() if n.kind is Kind.SEGMENT]
    assert 400 <= sum(lengths) / len(lengths) <= 700
    edited = layout([*ordered[:900], sized(900, sizes[900], salt="edited"), *ordered[901:]], shape=SHAPE)
    assert 1 <= remade(before, edited, Kind.SEGMENT) <= 3


def test_a_delete_among_stored_sources_remakes_little() -> None:
    """Texts are seldom of one length each: the segments at one place and the way up."""
    sizes = [random.Random(at).randrange(60, 260) for at in range(1000)]  # noqa: S311 - as above
    ordered = [sized(at, size) for at, size in enumerate(sizes)]
    before = layout(ordered, shape=SHAPE)
    counts = [
        remade(before, layout(ordered[:gone] + ordered[gone + 1 :], shape=SHAPE), Kind.SEGMENT)
        for gone in range(0, 1000, 50)
    ]
    assert sum(counts) / len(counts) <= 2.5
