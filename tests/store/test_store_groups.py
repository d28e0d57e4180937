"""Groups: the work list, leases, snapshots and commits."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from store_steps import (
    CUTTING,
    EVERYTHING,
    LASTS,
    POLICY,
    TEXTS,
    claim,
    draft,
    make,
    notes,
    only_summary,
    write,
)

from precis.bootstrap import Runtime
from precis.engine.drafted import MadeNode, Result, count_sources
from precis.engine.engine import Engine
from precis.engine.pipeline import commit, plan, refresh
from precis.engine.segments import Kind
from precis.errors import LeaseLost, ModelUnavailable, NotFound, SourceChanged
from precis.makers import Draft, Request
from precis.store.postgres import PostgresStore
from precis.summary import Fate
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Unlucky(Quoting):
    """Says nothing of use in summaries, and quotes below them."""

    async def summarize(self, request: Request) -> Draft:
        """An empty draft for a root."""
        self.says = () if request.kind == Kind.ROOT else None
        return await super().summarize(request)


async def test_a_renewed_lease_lasts(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Whoever is alive keeps the group; a lost lease is not renewed."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    clock.advance(lease.lasts * 0.9)
    assert await store.groups.renew(lease, now=clock())
    clock.advance(lease.lasts * 0.9)
    assert await claim(engine, tenant, group_id) is None
    clock.advance(lease.lasts)
    assert await claim(engine, tenant, group_id) is not None
    assert not await store.groups.renew(lease, now=clock())


async def test_a_lease_comes_with_what_its_plan_reads(
    runtime: Runtime, store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Unless somebody writes to the group at that moment: then it is read later."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    lease = await engine.claim(tenant, group_id)
    assert lease is not None
    assert lease.snapshot == await store.groups.snapshot(tenant, group_id)
    assert await engine.claim(tenant, group_id) is None
    clock.advance(lease.lasts)
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("UPDATE groups SET version = version + 1 WHERE group_id = %s", [group_id])
        waiting = asyncio.create_task(engine.claim(tenant, group_id))
        done, _ = await asyncio.wait({waiting}, timeout=0.3)
        assert not done
    lease = await waiting
    assert lease is not None
    assert lease.snapshot is None


async def test_a_group_is_due_at_its_minimum(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Two members wait for nothing; the third makes the group due."""
    rows = notes(tenant, clock)
    group_id = await write(store, tenant, rows[:2], clock())
    assert await claim(engine, tenant) is None
    await write(store, tenant, rows[2:], clock())
    lease = await claim(engine, tenant)
    assert lease is not None
    assert (group_id, "clusters", 0) == (lease.group_id, lease.policy, lease.attempts)


async def test_the_longest_due_comes_first(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Each claim takes another group, oldest first, and then none is left."""
    groups = []
    for at, user in enumerate(["eve", "ben", "ada"]):
        groups.append(await write(store, tenant, notes(tenant, clock, user=user, first=10 * at), clock()))
        clock.advance(timedelta(seconds=1))
    leases = [await claim(engine, tenant) for _ in range(4)]
    assert [*groups, None] == [lease.group_id if lease else None for lease in leases]
    assert await claim(engine, f"{tenant}x") is None


async def test_one_lease_at_a_time(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """A leased group is taken until the lease runs out; racing claims get one lease."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    raced = await asyncio.gather(*(claim(engine, tenant, group_id) for _ in range(4)))
    assert len([lease for lease in raced if lease]) == 1
    clock.advance(LASTS)
    assert await claim(engine, tenant, group_id) is not None
    assert await claim(engine, tenant, "nobody") is None


async def test_a_named_group_need_not_be_due(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """A refresh by request leases a group that is current."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    await make(engine, tenant, group_id)
    assert await claim(engine, tenant) is None
    assert await claim(engine, tenant, group_id) is not None


async def test_an_old_lease_commits_nothing(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """The token is a fence: who was overtaken changes nothing, and the new holder still can."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    old = await claim(engine, tenant, group_id)
    assert old is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    made = await draft(engine, old, planned)
    clock.advance(LASTS)
    new = await claim(engine, tenant, group_id)
    assert new is not None
    with pytest.raises(LeaseLost):
        await commit(engine, old, planned, made[-1])
    with pytest.raises(LeaseLost):
        await store.groups.drop_summary(old, planned, now=clock())
    await store.groups.reject(old, planned, retry_at=None, error="late", now=clock())
    await store.groups.release(old, retry_at=clock(), error="late", now=clock())
    assert await claim(engine, tenant, group_id) is None
    assert (await store.groups.snapshot(tenant, group_id)).rejected is None
    assert await commit(engine, new, planned, made[-1])


async def test_the_snapshot_has_no_text(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Members, version and nodes; the node of the summary has its id."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    before = await store.groups.snapshot(tenant, group_id)
    assert ({"n0", "n1", "n2"}, ()) == ({leaf.id for leaf in before.leaves}, before.nodes)
    read = await store.memories.get(tenant, ["n0", "n1", "n2"])
    assert {(m.id, m.fingerprint, m.tokens) for m in read.values()} == {
        (leaf.id, leaf.fingerprint, leaf.tokens) for leaf in before.leaves
    }
    made = await make(engine, tenant, group_id)
    after = await store.groups.snapshot(tenant, group_id)
    assert [(made.summary_id, Kind.ROOT)] == [(stub.id, stub.kind) for stub in after.nodes]
    assert made.summary_id == after.summary_id
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    assert (await store.groups.snapshot(tenant, group_id)).version > after.version
    with pytest.raises(NotFound):
        await store.groups.snapshot(tenant, "nobody")


async def test_sources_and_statements_by_id(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """What is gone is absent; statements come in order with their lineage."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    first = next(leaf for leaf in (await store.groups.snapshot(tenant, group_id)).leaves if leaf.id == "n0")
    read = store.groups.reader(tenant)
    items = await read.items([first, replace(first, id="nobody")])
    assert {"n0": TEXTS[0]} == {id_: item.text for id_, item in items.items()}
    contents = await read.contents([made.summary_id, "nobody"])
    assert [made.summary_id] == list(contents)
    assert list(zip(TEXTS[:3], [("n0",), ("n1",), ("n2",)], strict=True)) == [
        (statement.text, statement.source_ids) for statement in contents[made.summary_id].statements
    ]
    assert dict.fromkeys(("n0", "n1", "n2"), Fate.SAID) == contents[made.summary_id].fates


async def test_nodes_that_are_read_no_more_go(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """After each refresh the nodes below the summary are those of its tree."""
    cutting = replace(engine, policies={CUTTING.name: CUTTING})
    texts = [f"{text} number {at}" for at in range(4) for text in TEXTS]
    group_id = await write(store, tenant, notes(tenant, clock, texts), clock())
    await make(cutting, tenant, group_id)
    await check_nodes(cutting, tenant, group_id)
    await store.memories.forget(tenant, ["n3", "n11"], now=clock())
    await make(cutting, tenant, group_id)
    await check_nodes(cutting, tenant, group_id)


async def check_nodes(engine: Engine, tenant: str, group_id: str) -> None:
    """Each node of the tree stands once, and no other."""
    planned = await plan(engine, tenant, group_id, CUTTING.name)
    assert planned.root is not None
    stubs = (await engine.groups.snapshot(tenant, group_id)).nodes
    assert {one.key for one in planned.root.below()} == {stub.key for stub in stubs}
    assert len({stub.key for stub in stubs}) == len(stubs) > 2


async def test_a_kept_node_survives_a_crash(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """Law 8: a draft that stopped half-way is continued, not begun anew; each kept node renews the lease."""
    cutting = replace(engine, policies={CUTTING.name: CUTTING})
    texts = [f"{text} number {at}" for at in range(4) for text in TEXTS]
    group_id = await write(store, tenant, notes(tenant, clock, texts), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(cutting, tenant, group_id, CUTTING.name)
    made = await draft(cutting, lease, planned)
    await store.groups.release(lease, retry_at=clock(), error=None, now=clock())
    model.requests.clear()
    assert Result.COMMITTED is (await make(cutting, tenant, group_id)).result
    assert 2 < len(made)
    assert 1 == len(model.requests)


async def test_a_kept_node_renews_the_lease(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """A long refresh keeps its group as long as it makes progress."""
    cutting = replace(engine, policies={CUTTING.name: CUTTING})
    texts = [f"{text} number {at}" for at in range(4) for text in TEXTS]
    group_id = await write(store, tenant, notes(tenant, clock, texts), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    clock.advance(LASTS * 0.9)
    planned = await plan(cutting, tenant, group_id, CUTTING.name)
    made = await draft(cutting, lease, planned)
    clock.advance(LASTS * 0.9)
    assert await claim(engine, tenant, group_id) is None
    assert await commit(cutting, lease, planned, made[-1])


@pytest.mark.parametrize("what", ["forget", "edit", "leave"])
async def test_a_source_that_changed_discards_the_draft(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, what: str
) -> None:
    """Law 4: no draft in flight brings back what it has read, however the source went."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    made = await draft(engine, lease, planned)
    changed = notes(tenant, clock, ["new words"], key="coffee beans" if what == "leave" else "tea")[0]
    if what == "forget":
        await store.memories.forget(tenant, ["n0"], now=clock())
    else:
        await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    with pytest.raises(SourceChanged):
        await commit(engine, lease, planned, made[-1])
    with pytest.raises(SourceChanged):
        await store.groups.commit_node(lease, as_segment(made[-1]), now=clock())
    page = await store.summaries.list(tenant, EVERYTHING, policy=None, limit=10, cursor=None)
    assert () == page.rows


async def test_a_cited_memory_that_is_gone_discards_the_draft(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """What a statement rests on must stand, though it is no member: once forgotten it takes the draft with it."""
    elsewhere = notes(tenant, clock, ["Oskar keeps bees"], first=70, key="bees")
    await write(store, tenant, elsewhere, clock())
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    (*_, root) = await draft(engine, lease, planned)
    first, *others = root.statements
    citing = replace(root, statements=(replace(first, source_ids=(*first.source_ids, "n70")), *others))
    await store.memories.forget(tenant, ["n70"], now=clock())
    with pytest.raises(SourceChanged):
        await commit(engine, lease, planned, citing)
    with pytest.raises(SourceChanged):
        await store.groups.commit_node(lease, as_segment(citing), now=clock())
    assert () == (await store.groups.snapshot(tenant, group_id)).nodes
    assert await commit(engine, lease, planned, root)


def as_segment(made: MadeNode) -> MadeNode:
    """The same as a node below a summary."""
    return replace(made, node=replace(made.node, kind=Kind.SEGMENT))


async def test_an_addition_meanwhile_leaves_it_stale(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """The draft stands, the summary is stale, and the group is due again."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())

    async def add() -> None:
        await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())

    model.meanwhile = add
    assert Result.COMMITTED is (await make(engine, tenant, group_id)).result
    assert (await only_summary(store, tenant)).stale
    lease = await claim(engine, tenant)
    assert lease is not None
    await refresh(engine, lease)
    assert not (await only_summary(store, tenant)).stale
    assert await claim(engine, tenant) is None


async def test_refreshes_wait_for_enough_members(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """SPEC S0.11: with refresh_after 2 one addition is not due, and the summary says that it is stale."""
    slow = replace(POLICY, trigger=replace(POLICY.trigger, refresh_after=2))
    engine = replace(engine, policies={slow.name: slow})
    rows = notes(tenant, clock, TEXTS)
    await store.memories.add(tenant, rows[:3], policy=slow, now=clock())
    lease = await claim(engine, tenant)
    assert lease is not None
    await refresh(engine, lease)
    await store.memories.add(tenant, rows[3:4], policy=slow, now=clock())
    assert await claim(engine, tenant) is None
    assert (await only_summary(store, tenant)).stale
    await store.memories.add(tenant, rows[4:], policy=slow, now=clock())
    assert await claim(engine, tenant) is not None


async def test_a_fallback_is_redone(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """Law 11: it says what it is, counts as stale, and is due once the model may be back."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    model.error = ModelUnavailable()
    await make(engine, tenant, group_id)
    standing = await only_summary(store, tenant)
    assert (True, True, "stand-in@1") == (standing.fallback, standing.stale, standing.made_by)
    assert await claim(engine, tenant) is None
    model.error = None
    clock.advance(timedelta(minutes=1))
    lease = await claim(engine, tenant)
    assert lease is not None
    await refresh(engine, lease)
    redone = await only_summary(store, tenant)
    assert (standing.id, False, False, "model@1") == (redone.id, redone.fallback, redone.stale, redone.made_by)


async def test_a_failure_waits_and_counts(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Attempts go up, the group is due at the time given, and without one it is in the failed state."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    await store.groups.release(lease, retry_at=clock() + timedelta(minutes=1), error="down", now=clock())
    assert await claim(engine, tenant) is None
    clock.advance(timedelta(minutes=1))
    again = await claim(engine, tenant)
    assert again is not None
    assert 1 == again.attempts
    await store.groups.release(again, retry_at=None, error="down", now=clock())
    clock.advance(timedelta(days=1))
    assert await claim(engine, tenant) is None
    stats = await store.summaries.stats(tenant, EVERYTHING, min_members=3, now=clock())
    assert 1 == stats.failed
    named = await claim(engine, tenant, group_id)
    assert named is not None
    await refresh(engine, named)
    assert not (await only_summary(store, tenant)).stale


async def test_a_rejected_draft_is_tried_again(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """DECISIONS 13: the group stays stale and visible; tried after 1, 10 and 60 minutes, then nobody tries."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    await make(engine, tenant, group_id)
    stood = await only_summary(store, tenant)
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    model.says = ()
    asked = len(model.requests)
    for tries, wait in enumerate((1, 10, 60, None), start=1):
        assert Result.REJECTED is (await make(engine, tenant, group_id)).result
        assert asked + tries == len(model.requests)
        # Before its time nobody is asked, and the outcome says why.
        assert Result.REJECTED is (await make(engine, tenant, group_id)).result
        assert asked + tries == len(model.requests)
        (job,) = await store.jobs.list(tenant, state="rejected", limit=10, now=clock())
        assert job.due_at == (None if wait is None else clock() + timedelta(minutes=wait))
        shown = await only_summary(store, tenant)
        assert (stood.text, True, True) == (shown.text, shown.stale, shown.rejected)
        clock.advance(timedelta(minutes=wait or 10_000))
    assert await claim(engine, tenant) is None
    model.says = None
    await write(store, tenant, notes(tenant, clock, ["cold milk"], first=10), clock())
    assert Result.COMMITTED is (await make(engine, tenant, group_id)).result
    assert not (await only_summary(store, tenant)).rejected


async def test_who_asks_tries_again(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """A request does not wait for the next time; nor does a retry of the job."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    await make(engine, tenant, group_id)
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    model.says = ()
    await make(engine, tenant, group_id)
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    asked = len(model.requests)
    assert Result.REJECTED is (await refresh(engine, lease, again=True)).result
    assert asked + 1 == len(model.requests)
    assert [group_id] == list(await store.jobs.retry(tenant, group_id=group_id, now=clock()))
    model.says = None
    assert Result.COMMITTED is (await make(engine, tenant, group_id)).result


async def test_a_rejected_draft_has_a_stand_in(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """Where nothing stood, an extractive summary does, marked as one and as rejected; the model is tried again."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    model.says = ()
    outcome = await make(engine, tenant, group_id)
    shown = await only_summary(store, tenant)
    assert (Result.REJECTED, shown.id) == (outcome.result, outcome.summary_id)
    assert (True, True, True, "stand-in@1") == (shown.fallback, shown.stale, shown.rejected, shown.made_by)
    assert Result.REJECTED is (await make(engine, tenant, group_id)).result
    clock.advance(timedelta(minutes=1))
    model.says = None
    assert Result.COMMITTED is (await make(engine, tenant, group_id)).result
    shown = await only_summary(store, tenant)
    assert (False, False, False) == (shown.fallback, shown.stale, shown.rejected)


async def test_small_talk_is_empty(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """A draft without a statement is right where nothing is to be said: no summary, and nothing due or rejected."""
    texts = ["How was the flight?", "Thanks a lot!", "Have a great day!"]
    group_id = await write(store, tenant, notes(tenant, clock, texts), clock())
    model.says = ()
    assert Result.EMPTY is (await make(engine, tenant, group_id)).result
    assert [] == list(await store.jobs.list(tenant, state=None, limit=10, now=clock()))
    assert (await store.groups.snapshot(tenant, group_id)).summary_id is None


async def test_a_group_below_its_minimum_drops(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """A minimum that was raised drops the summary at the next refresh."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    strict = replace(POLICY, trigger=replace(POLICY.trigger, min_members=4))
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    outcome = await refresh(replace(engine, policies={strict.name: strict}), lease)
    assert Result.DROPPED is outcome.result
    assert {} == await store.summaries.get(tenant, [made.summary_id])
    snapshot = await store.groups.snapshot(tenant, group_id)
    assert (3, (), None) == (len(snapshot.leaves), snapshot.nodes, snapshot.summary_id)


async def test_a_drop_that_came_too_late(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """A member that joined since the plan keeps the summary."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    with pytest.raises(SourceChanged):
        await store.groups.drop_summary(lease, planned, now=clock())
    assert {made.summary_id} == set(await store.summaries.get(tenant, [made.summary_id]))


async def test_counts_are_of_the_members(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Law 7: read and total, as the summary tells them."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    made = await draft(engine, lease, planned)
    await commit(engine, lease, planned, made[-1])
    counts = count_sources(made[-1], len(planned.leaves))
    summary = await only_summary(store, tenant)
    assert (counts.read, counts.total) == (summary.included, summary.total) == (5, 5)


async def test_capped_sources_of_standing_nodes_count(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """What a segment was cut to read is counted by every summary over it, also by one that makes it not anew."""
    tight = replace(CUTTING, budget=replace(CUTTING.budget, item_tokens=9))
    engine = replace(engine, policies={tight.name: tight})
    long = [f"{text} and {text} once more, as number {at} of many" for at, text in enumerate(2 * TEXTS)]
    group_id = await write(store, tenant, notes(tenant, clock, long), clock())
    first = await make(engine, tenant, group_id)
    assert first.nodes_made > 2
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=20), clock())
    again = await make(engine, tenant, group_id)
    assert again.nodes_made < first.nodes_made
    snapshot = await store.groups.snapshot(tenant, group_id)
    (root,) = [node for node in snapshot.nodes if node.kind is Kind.ROOT]
    assert root.capped == len(long)
    segments = [node.capped for node in snapshot.nodes if node.kind is Kind.SEGMENT]
    assert 0 < sum(segments) <= root.capped


async def test_a_rejected_draft_was_paid_for(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """The outcome tells what it took, with the segments that were made for it and stay."""
    model = Unlucky("model@1")
    engine = replace(engine, policies={CUTTING.name: CUTTING}, summarizer=model)
    group_id = await write(store, tenant, notes(tenant, clock, 2 * TEXTS), clock())
    outcome = await make(engine, tenant, group_id)
    # The stand-in's own draft is counted as a call, too.
    assert (outcome.result, outcome.usage.calls) == (Result.REJECTED, len(model.requests) + 1)
    assert len(model.requests) > 1
