"""The plan: what a refresh would do, and why, without a call."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import pytest

from precis.engine.plan import Action, NodeStub, Plan, Snapshot, make_plan
from precis.engine.segments import Kind, Leaf, Node, Shape, frozen_node
from precis.policies.clusters import clusters

POLICY = replace(clusters(), shape=Shape(segment_tokens=60, segment_limit=150, small_tokens=100, fan=3, fan_limit=5))
START = datetime(2026, 1, 1, tzinfo=UTC)


def leaf(at: int, *, live: bool = True) -> Leaf:
    """The source of this place."""
    fingerprint = blake2b(str(at).encode(), digest_size=16).digest()
    return Leaf(id=f"m{at:03d}", created_at=START + timedelta(days=at), fingerprint=fingerprint, tokens=20, live=live)


def snapshot(many: int, **fields: object) -> Snapshot:
    """A group of so many members and nothing made yet."""
    return Snapshot(
        group_id="g", tenant_id="t", version=7, leaves=tuple(leaf(at) for at in range(many)), nodes=(), **fields  # type: ignore[arg-type]
    )  # fmt: skip


def stub(one: Node, **fields: object) -> NodeStub:
    """A committed node."""
    made = NodeStub(
        id=one.key.hex(), key=one.key, kind=one.kind, definition="d", made_by="model@1", fallback=False, tokens=9
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def refreshed(before: Snapshot, planned: Plan) -> Snapshot:
    """The snapshot after the plan was carried out."""
    assert planned.root is not None
    frozen = [one for one in before.nodes if one.kind is Kind.FROZEN]
    made = [stub(one) for one in planned.root.below() if one.kind is not Kind.FROZEN]
    return replace(before, nodes=(*frozen, *made), summary_id=planned.root.key.hex())


def make(before: Snapshot, *, offline: bool = False, definition: str = "d", **flags: bool) -> Plan:
    """Plan with the definition of the stubs."""
    return make_plan(POLICY, before, definition, offline=offline, **flags)


def test_below_the_minimum_nothing_is_made() -> None:
    """Two members, three are needed; where a summary stands, it is dropped."""
    assert Action.NOTHING is make(snapshot(2)).action
    assert Action.DROP is make(snapshot(2, summary_id="s")).action


def test_a_new_group_is_made_children_first() -> None:
    """Every node of the tree once, its children before it, the root last."""
    planned = make(snapshot(60))
    assert Action.MAKE is planned.action
    assert planned.root is not None
    assert {one.key for one in planned.root.below()} == {step.node.key for step in planned.steps}
    seen: set[bytes] = set()
    for step in planned.steps:
        assert all(child.key in seen for child in step.node.children if isinstance(child, Node))
        seen.add(step.node.key)
    assert planned.root == planned.steps[-1].node
    assert "no summary yet" in planned.reason
    assert 7 == planned.version


def test_what_stands_is_not_made_again() -> None:
    """Law 2: after the plan was carried out there is nothing to do."""
    before = snapshot(60)
    after = refreshed(before, make(before))
    again = make(after)
    assert (Action.NOTHING, "current", ()) == (again.action, again.reason, again.steps)


def test_an_addition_makes_only_what_is_new() -> None:
    """The nodes that stand are read, not made."""
    before = snapshot(60)
    after = refreshed(before, make(before))
    grown = make(replace(after, leaves=(*after.leaves, leaf(60))))
    assert Action.MAKE is grown.action
    assert len(grown.steps) < len(make(before).steps) / 2
    assert "its sources changed" == grown.reason
    assert not {step.node.key for step in grown.steps} & set(grown.standing)


def test_the_order_of_rows_does_not_matter() -> None:
    """Law 3: members and nodes are sets."""
    before = snapshot(60)
    after = refreshed(before, make(before))
    shuffled = replace(after, leaves=after.leaves[::-1], nodes=after.nodes[::-1])
    assert make(after).root == make(shuffled).root
    assert make(after).fingerprint == make(shuffled).fingerprint


def test_a_rejected_draft_is_not_tried_again() -> None:
    """Until sources or definition change, or on request."""
    first = make(snapshot(4))
    rejected = snapshot(4, rejected=first.fingerprint)
    assert (Action.NOTHING, first.fingerprint) == (make(rejected).action, make(rejected).fingerprint)
    assert Action.MAKE is make(rejected, force=True).action
    assert Action.MAKE is make(rejected, definition="other").action
    assert Action.MAKE is make(snapshot(5, rejected=first.fingerprint)).action
    assert first.fingerprint == make(snapshot(5, rejected=first.fingerprint)).rejected


def test_a_deleted_summary_is_not_made_again() -> None:
    """As long as the store remembers the deletion, except on request."""
    suppressed = snapshot(4, suppressed=b"whatever stood")
    assert Action.NOTHING is make(suppressed).action
    assert Action.MAKE is make(suppressed, force=True).action


def test_a_deleted_stand_in_does_not_wait_for_its_draft() -> None:
    """Where a draft was rejected and what stood in for it was deleted by request, nothing is tried again by itself."""
    rejected = make(snapshot(4)).fingerprint
    planned = make(snapshot(4, rejected=rejected, rejections=1, suppressed=b"whatever stood"))
    assert (Action.NOTHING, False) == (planned.action, planned.waits)
    assert "deleted by request" in planned.reason


def test_force_remakes_the_root_only() -> None:
    """The nodes below still stand."""
    before = snapshot(60)
    after = refreshed(before, make(before))
    forced = make(after, force=True)
    assert [Kind.ROOT] == [step.node.kind for step in forced.steps]


def test_a_changed_definition_is_forward_only() -> None:
    """A current summary of an old definition stands; ``rebuild`` makes every node anew."""
    before = snapshot(60)
    after = refreshed(before, make(before))
    assert Action.NOTHING is make(after, definition="new").action
    rebuilt = make(after, definition="new", rebuild=True)
    assert len(make(before).steps) == len(rebuilt.steps)


def test_a_fallback_is_redone_once_there_is_a_model() -> None:
    """Offline it is as good as any."""
    before = snapshot(4)
    planned = make(before)
    after = refreshed(before, planned)
    fallen = replace(after, nodes=tuple(replace(one, fallback=True) for one in after.nodes))
    assert Action.MAKE is make(fallen).action
    assert Action.NOTHING is make(fallen, offline=True).action


def test_a_redacted_summary_is_not_current() -> None:
    """Though its key is that of its sources: the memory that was forgotten came back."""
    before = snapshot(4)
    after = refreshed(before, make(before))
    redacted = replace(after, nodes=tuple(replace(one, redactions=1) for one in after.nodes))
    assert Action.MAKE is make(redacted).action
    assert Action.MAKE is make(redacted, offline=True).action


def test_a_frozen_node_speaks_for_its_members() -> None:
    """They are read through it, alive or expired, and it is never made again."""
    members = [leaf(at, live=at > 1) for at in range(3)]
    frozen = frozen_node(members, 0)
    before = replace(
        snapshot(6),
        leaves=(*members, *(leaf(at) for at in range(3, 6))),
        nodes=(stub(frozen, members=tuple(one.id for one in members)),),
    )
    planned = make(before)
    assert planned.root is not None
    assert frozen == planned.root.children[0]
    assert [Kind.ROOT] == [step.node.kind for step in planned.steps]
    assert {one.id for one in planned.leaves} == {one.id for one in planned.root.leaves()}
    assert Action.NOTHING is make(refreshed(before, planned)).action


@pytest.mark.parametrize("change", ["forgotten", "redacted"])
def test_a_redaction_below_remakes_the_root(change: str) -> None:
    """A frozen node is keyed by what is left of it."""
    members = [leaf(at) for at in range(3)]
    before = replace(snapshot(6), nodes=(stub(frozen_node(members, 0), members=tuple(one.id for one in members)),))
    after = refreshed(before, make(before))
    if change == "forgotten":
        after = replace(after, leaves=after.leaves[1:])
    else:
        nodes = tuple(replace(n, redactions=1) if n.kind is Kind.FROZEN else n for n in after.nodes)
        after = replace(after, nodes=nodes)
    assert Action.MAKE is make(after).action


def part(key: bytes, *members: int, **fields: object) -> NodeStub:
    """The summary of another group over these members."""
    one = frozen_node([leaf(at) for at in members], 0)
    return stub(one, key=key, kind=Kind.PART, members=tuple(f"m{at:03d}" for at in members), content=b"said", **fields)


def test_parts_that_claim_one_member_are_read_in_one_order() -> None:
    """Law 3: a note has moved from one week to another, and the first is not made anew yet."""
    before = replace(snapshot(6), nodes=(part(b"b", 0, 1, 2), part(b"a", 0, 3)))
    turned = replace(before, nodes=before.nodes[::-1])
    plans = [make(one).root for one in (before, turned)]
    assert plans[0] is not None
    assert plans[0] == plans[1]
    assert 6 == len(plans[0].leaves())


def test_a_changed_part_is_a_changed_whole() -> None:
    """What a part says is in the key of what reads it; its id stands among the direct sources in their place."""
    before = replace(snapshot(6), nodes=(part(b"a", 0, 1, 2),))
    after = refreshed(before, make(before))
    after = replace(after, nodes=(*after.nodes, *before.nodes))
    assert Action.NOTHING is make(after).action
    assert (before.nodes[0].id, "m003", "m004", "m005") == make(after).parents
    other = tuple(replace(one, content=b"else") if one.kind is Kind.PART else one for one in after.nodes)
    assert Action.MAKE is make(replace(after, nodes=other)).action


def test_texts_that_are_gone_are_left_out() -> None:
    """A member that came without a text, and that no node speaks for, is not read; without others nothing is made."""
    gone = tuple(leaf(at, live=False) for at in range(3))
    mixed = make(replace(snapshot(6), leaves=(*gone, *(leaf(at) for at in range(3, 6)))))
    assert mixed.root is not None
    assert {"m003", "m004", "m005"} == {one.id for one in mixed.root.leaves()} == set(mixed.parents)
    assert 6 == len(mixed.leaves)
    assert Action.NOTHING is make(replace(snapshot(3), leaves=gone)).action
    assert Action.DROP is make(replace(snapshot(3), leaves=gone, summary_id="s")).action
