"""The laws of the design over random histories: one machine, one invariant or rule a law.

Laws 9 and 10 need a database and a ledger; their tests are elsewhere. Another store runs the same machine: subclass
``Laws``, set ``kind``, and give that kind a factory in ``STORES``.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from precis.engine.commit import Counts, Outcome, Result
from precis.engine.groups import Groups, Lease
from precis.engine.pipeline import Engine, plan, refresh
from precis.engine.plan import Action, Snapshot, make_plan
from precis.engine.retention import freeze
from precis.engine.segments import Kind, Shape
from precis.errors import DraftFailed, Forgotten, ModelUnavailable
from precis.ids import new_id
from precis.memory import RetentionState, Scope
from precis.policies.clusters import clusters
from precis.store.ports import Filter, NewMemory, Store
from precis.summary import Summary
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, Quoting, count_words, hash_vector, new_memory
from precis.testing.memory_store import MemoryStore

T = TypeVar("T")

#: Small enough that a dozen short notes make segments, folds and prefixes.
POLICY = replace(
    clusters(), shape=Shape(segment_tokens=24, segment_limit=60, small_tokens=40, fan=2, fan_limit=4)
)
USERS = ("ada", "ben")
KEYS = ("tea", "train")
SHARED = ("garden", "harbor", "lantern")
EVERYTHING = Filter()


async def _open_memory_store() -> Store:
    return MemoryStore()


#: How to open an empty store, by kind.
STORES: dict[str, Callable[[], Awaitable[Store]]] = {"memory": _open_memory_store}


async def make_store(kind: str) -> Store:
    """An empty store of this kind."""
    return await STORES[kind]()


class Killed(Exception):
    """The process died here: nothing catches this, and no lease goes back."""


@dataclass
class CountingGroups:
    """Remembers the counts of each commit and passes everything on."""

    groups: Groups
    counts: list[tuple[Counts, int]]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.groups, name)

    async def commit_summary(self, lease: Lease, planned: Any, made: Any, **rest: Any) -> str:
        """Note what was counted of how many members."""
        self.counts.append((rest["counts"], len(planned.leaves)))
        return await self.groups.commit_summary(lease, planned, made, **rest)


class Laws(RuleBasedStateMachine):
    """A tenant with two users and two subjects each, and everything that may happen to it."""

    kind = "memory"

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.tenant = f"t-{new_id()}"
        self.clock = FrozenClock()
        self.store = self.wait(make_store(self.kind))
        self.model = Quoting("model@1")
        self.stand_in = Quoting("stand-in@1")
        self.counted = CountingGroups(self.store.groups, [])
        self.engine = Engine(
            groups=self.counted,
            policies={POLICY.name: POLICY},
            summarizer=self.model,
            fallback=self.stand_in,
            embedder=HashEmbedder(),
            count=count_words,
            clock=self.clock,
        )
        self.numbers = count()
        #: What was acknowledged and not forgotten since.
        self.rows: dict[str, NewMemory] = {}
        self.expired: set[str] = set()
        #: What was forgotten, and each word that nothing may say any more.
        self.forgotten: dict[str, NewMemory] = {}
        self.unsayable: set[str] = set()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine to its end."""
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        """Every history ends with a working model and an empty work list; what was forgotten stays forgotten."""
        try:
            self.wait(self.end_current())
        finally:
            self.loop.close()

    # What may happen.

    @initialize(many=st.integers(3, 14), worked=st.booleans())
    def begin(self, many: int, worked: bool) -> None:
        """Most of what can go wrong needs a summary to go wrong with."""
        self.add("ada", "tea", many, 0)
        if worked:
            self.work()

    @rule(user=st.sampled_from(USERS), key=st.sampled_from(KEYS), many=st.integers(1, 5), day=st.integers(0, 60))
    def add(self, user: str, key: str, many: int, day: int) -> None:
        """Some notes of one subject, dated anywhere in two months."""
        rows = [self.note(user, key, day + at) for at in range(many)]
        added = self.wait(self.store.memories.add(self.tenant, rows, policy=POLICY, now=self.clock()))
        assert all(one.created for one in added)
        self.rows |= {row.memory.id: row for row in rows}

    @precondition(lambda self: self.rows)
    @rule(pick=st.randoms(use_true_random=False))
    def add_again(self, pick: random.Random) -> None:
        """A retried write changes nothing."""
        row = self.rows[pick.choice(sorted(self.rows))]
        added = self.wait(self.store.memories.add(self.tenant, [row], policy=POLICY, now=self.clock()))
        assert [one.created for one in added] == [False]

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False), move=st.booleans())
    def edit(self, pick: random.Random, move: bool) -> None:
        """A note says something else from now on, perhaps about another subject."""
        old = self.rows[pick.choice(self.living())]
        key = pick.choice(KEYS) if move else old.memory.extracted_key or ""
        self.replace(old, self.note(old.memory.scope.user_id, key, 0))

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False))
    def edit_back(self, pick: random.Random) -> None:
        """A note changes and changes back: what was withdrawn in between must be found out and said again."""
        old = self.rows[pick.choice(self.living())]
        between = self.note(old.memory.scope.user_id, old.memory.extracted_key or "", 0)
        self.replace(old, between)
        self.replace(replace(between, memory=replace(between.memory, id=old.memory.id)), old)

    @precondition(lambda self: self.rows)
    @rule(pick=st.randoms(use_true_random=False), many=st.integers(1, 3))
    def forget(self, pick: random.Random, many: int) -> None:
        """A person asks that some notes be forgotten."""
        ids = pick.sample(sorted(self.rows), min(many, len(self.rows)))
        self.wait(self.forget_now(ids))

    @precondition(lambda self: self.forgotten)
    @rule(pick=st.randoms(use_true_random=False))
    def revive(self, pick: random.Random) -> None:
        """A forgotten note is refused, and comes back only on request."""
        id_ = pick.choice(sorted(self.forgotten))
        row = self.forgotten[id_]

        async def write(revive: bool) -> None:
            again = replace(row, revive=revive)
            await self.store.memories.add(self.tenant, [again], policy=POLICY, now=self.clock())

        refused = False
        try:
            self.wait(write(False))
        except Forgotten:
            refused = True
        assert refused
        self.wait(write(True))
        self.rows[id_] = self.forgotten.pop(id_)
        self.unsayable.discard(word_of(row))

    @rule(user=st.sampled_from(USERS))
    def forget_user(self, user: str) -> None:
        """A user leaves."""
        receipt = self.wait(
            self.store.memories.forget_user(self.tenant, user, policy=POLICY, now=self.clock())
        )
        mine = {id_ for id_, row in self.rows.items() if row.memory.scope.user_id == user}
        assert mine == set(receipt.forgotten)
        self.gone(mine)

    @rule()
    def work(self) -> None:
        """A worker empties the work list."""
        self.wait(self.drain())

    @rule(pick=st.randoms(use_true_random=False))
    def refresh_twice(self, pick: random.Random) -> None:
        """Law 2: the second refresh asks nobody."""
        group_id = self.pick_group(pick)
        if group_id is None:
            return
        self.wait(self.refresh(group_id))
        asked = len(self.model.requests)
        self.wait(self.refresh(group_id))
        assert asked == len(self.model.requests)

    @rule(pick=st.randoms(use_true_random=False), how=st.sampled_from(["down", "refusing", "empty", "inventing"]))
    def fail(self, pick: random.Random, how: str) -> None:
        """Laws 1 and 11: a bad draft leaves what stands; where nothing stood, a stand-in says that it is one."""
        group_id = self.pick_group(pick)
        if group_id is None:
            return
        before = self.wait(self.summary(group_id))
        planned = self.wait(plan(self.engine, self.tenant, group_id, POLICY.name))
        self.spoil(how)
        outcome = self.wait(self.refresh(group_id))
        self.mend()
        after = self.wait(self.summary(group_id))
        if planned.action is not Action.MAKE:
            assert outcome is not None
            assert outcome.result in {Result.UNCHANGED, Result.DROPPED}
        elif before is None and how == "down":
            assert after is not None
            assert (True, "stand-in@1") == (after.fallback, after.made_by)
        else:
            assert unstamped(before) == unstamped(after)

    @rule(pick=st.randoms(use_true_random=False))
    def crash(self, pick: random.Random) -> None:
        """A worker dies in the middle of a draft; its lease runs out and the group is still found."""
        group_id = self.pick_group(pick)
        if group_id is None:
            return
        before = self.wait(self.summary(group_id))
        self.model.error = Killed()
        try:
            self.wait(self.refresh(group_id))
        except Killed:
            assert unstamped(before) == unstamped(self.wait(self.summary(group_id)))
        self.mend()
        self.clock.advance(self.engine.lease_lasts)

    @precondition(lambda self: self.rows)
    @rule(pick=st.randoms(use_true_random=False), many=st.integers(1, 2))
    def forget_meanwhile(self, pick: random.Random, many: int) -> None:
        """Law 4 with a draft in flight: what it has read is forgotten before it commits."""
        group_id = self.pick_group(pick)
        if group_id is None:
            return
        members = [leaf.id for leaf in self.wait(self.store.groups.snapshot(self.tenant, group_id)).leaves]
        ids = pick.sample(sorted(members), min(many, len(members)))

        async def forget() -> None:
            await self.forget_now(ids)

        self.model.meanwhile = forget
        outcome = self.wait(self.refresh(group_id))
        was_asked, self.model.meanwhile = self.model.meanwhile is None, None
        if was_asked:
            assert outcome is not None
            assert outcome.result in {Result.DISCARDED, Result.BUSY}

    @rule(pick=st.randoms(use_true_random=False))
    def add_meanwhile(self, pick: random.Random) -> None:
        """A note arrives while a draft is made: the draft stands and the group is still due."""
        group_id = self.pick_group(pick)
        if group_id is None:
            return
        member = self.wait(self.store.groups.snapshot(self.tenant, group_id)).leaves[0].id
        like = self.rows[member].memory
        row = self.note(like.scope.user_id, like.extracted_key or "", pick.randrange(60))

        async def add() -> None:
            await self.store.memories.add(self.tenant, [row], policy=POLICY, now=self.clock())
            self.rows[row.memory.id] = row

        self.model.meanwhile = add
        self.wait(self.refresh(group_id))
        self.model.meanwhile = None

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False), refreshed=st.booleans())
    def retire(self, pick: random.Random, refreshed: bool) -> None:
        """Laws 5 and 6: old notes are frozen; their text goes only once a refresh has read the frozen node."""
        group_id = self.pick_group(pick)
        if group_id is None:
            return
        leaves = self.wait(self.store.groups.snapshot(self.tenant, group_id)).leaves
        ids = [leaf.id for leaf in sorted(leaves, key=lambda leaf: leaf.order)][: pick.randint(1, len(leaves))]
        lease = self.wait(self.claim(group_id))
        assert lease is not None
        self.wait(freeze(self.engine, lease, ids))
        if refreshed:
            self.wait(self.refresh(group_id))
        before = self.wait(self.summary(group_id))
        covered = self.wait(self.speaks_for(group_id))
        gone = self.wait(self.store.memories.expire(self.tenant, ids, now=self.clock()))
        assert set(gone) <= covered
        self.expired |= set(gone)
        assert before == self.wait(self.summary(group_id))

    @rule(pick=st.randoms(use_true_random=False))
    def delete_summary(self, pick: random.Random) -> None:
        """A summary is deleted by request and does not come back over the same sources."""
        shown = self.wait(self.summaries())
        if not shown:
            return
        one = pick.choice(shown)
        self.wait(self.store.summaries.delete(self.tenant, one.id))
        outcome = self.wait(self.refresh(one.group_id))
        assert outcome is not None
        assert outcome.result is Result.UNCHANGED

    @rule(minutes=st.integers(1, 90))
    def wait_a_while(self, minutes: int) -> None:
        """Time passes."""
        self.clock.advance(timedelta(minutes=minutes))

    # What holds at every moment.

    @invariant()
    def law_3_the_plan_is_a_pure_function(self) -> None:
        """Whatever the order in which members and nodes are listed, and with a fresh store's tree if nothing expired."""
        for snapshot in self.wait(self.snapshots()):
            shuffled = replace(snapshot, leaves=snapshot.leaves[::-1], nodes=snapshot.nodes[::-1])
            assert self.root_key(snapshot) == self.root_key(shuffled)
            fresh = replace(snapshot, nodes=(), summary_id=None, rejected=None, suppressed=None)
            if not any(stub.kind is Kind.FROZEN for stub in snapshot.nodes):
                assert self.root_key(fresh) == self.root_key(snapshot)

    @invariant()
    def law_4_forgotten_is_gone_at_once(self) -> None:
        """No statement of any node rests on it or says its word; no row, no hit."""
        self.wait(self.check_forgotten())

    @invariant()
    def law_5_expired_is_kept(self) -> None:
        """An expired note has no text, its stub stays, and it still counts among the sources."""
        found = self.wait(self.store.memories.get(self.tenant, sorted(self.expired)))
        assert self.expired == set(found)
        assert all(one.text is None for one in found.values())
        assert all(one.retention_state is RetentionState.EXPIRED for one in found.values())

    @invariant()
    def law_6_retention_waits(self) -> None:
        """Every expired note is in a frozen node that stands."""
        for snapshot in self.wait(self.snapshots()):
            frozen = {id_ for stub in snapshot.nodes if stub.kind is Kind.FROZEN for id_ in stub.members}
            assert {leaf.id for leaf in snapshot.leaves if not leaf.live} <= frozen

    @invariant()
    def law_7_nothing_is_dropped_silently(self) -> None:
        """The counts of every commit add up to the members it was planned over."""
        for counts, members in self.counted.counts:
            assert members == counts.read + counts.left_out
            assert counts.read == counts.represented + counts.set_aside
            assert 0 <= counts.capped <= counts.read
        self.counted.counts.clear()

    @invariant()
    def law_8_acknowledged_is_durable(self) -> None:
        """Every acknowledged note is read back as it was written."""
        found = self.wait(self.store.memories.get(self.tenant, sorted(self.rows)))
        assert set(self.rows) == set(found)
        alive = {id_: row.memory.text for id_, row in self.rows.items() if id_ not in self.expired}
        assert alive == {id_: found[id_].text for id_ in alive}

    @invariant()
    def staleness_is_told(self) -> None:
        """A summary over other sources than its group has now says that it is stale, unless the new draft was rejected."""
        members = {s.group_id: {leaf.id for leaf in s.leaves} for s in self.wait(self.snapshots()) if not s.rejected}
        for one in self.wait(self.summaries()):
            assert one.stale or members.get(one.group_id, set(one.parent_id)) == set(one.parent_id)

    @invariant()
    def law_11_a_fallback_is_visible(self) -> None:
        """Whoever made it is named, and a stand-in's work counts as stale."""
        for one in self.wait(self.summaries()):
            assert one.fallback == (one.made_by == "stand-in@1")
            assert one.stale or not one.fallback

    # What the rules and invariants are made of.

    def note(self, user: str, key: str, day: int) -> NewMemory:
        """A note with a word that no other note has."""
        number = next(self.numbers)
        word = f"zq{number:04d}".translate(str.maketrans("0123456789", "bcdfghjklm"))
        text = f"a note about {word} and the {SHARED[number % 3]} near {SHARED[number % 2]}"
        scope = Scope(tenant_id=self.tenant, user_id=user)
        created = self.clock() - timedelta(days=90 - day)
        return new_memory(f"m{number:04d}", text, scope=scope, created_at=created, key=key, vector=hash_vector(""))

    def living(self) -> list[str]:
        """Ids of the notes that still have their text."""
        return sorted(set(self.rows) - self.expired)

    def replace(self, old: NewMemory, other: NewMemory) -> None:
        """Edit a note to what another one says."""
        memory = replace(
            other.memory, id=old.memory.id, created_at=old.memory.created_at, scope=old.memory.scope
        )
        row = replace(other, memory=memory)
        self.wait(self.store.memories.edit(self.tenant, row, policy=POLICY, now=self.clock()))
        self.rows[memory.id] = row
        self.unsayable.add(word_of(old))
        self.unsayable.discard(word_of(row))

    async def forget_now(self, ids: list[str]) -> None:
        """Forget, and remember what must not be said."""
        receipt = await self.store.memories.forget(self.tenant, ids, policy=POLICY, now=self.clock())
        assert tuple(ids) == receipt.forgotten
        self.gone(ids)

    def gone(self, ids: Any) -> None:
        """These notes were forgotten."""
        for id_ in list(ids):
            row = self.rows.pop(id_)
            self.forgotten[id_] = row
            self.unsayable.add(word_of(row))
            self.expired.discard(id_)

    def spoil(self, how: str) -> None:
        """The model stops working in one of the ways it can."""
        errors = {"down": ModelUnavailable(), "refusing": DraftFailed("it refuses")}
        self.model.error = errors.get(how)
        self.model.says = {"empty": (), "inventing": ("Zebulon Quartermaine bought 77 yachts in Ulaanbaatar.",)}.get(how)

    def mend(self) -> None:
        """The model works."""
        self.model.error = self.model.says = None

    def root_key(self, snapshot: Snapshot) -> bytes | None:
        """What the plan says the tree should be."""
        root = make_plan(POLICY, snapshot, "definition", offline=True).root
        return root.key if root else None

    def pick_group(self, pick: random.Random) -> str | None:
        """Any group."""
        ids = self.wait(self.group_ids())
        return pick.choice(ids) if ids else None

    async def group_ids(self) -> list[str]:
        found = await self.store.summaries.groups(self.tenant, EVERYTHING, policy=None, stale_only=False, limit=1000)
        return sorted(id_ for id_, _ in found)

    async def snapshots(self) -> list[Snapshot]:
        return [await self.store.groups.snapshot(self.tenant, id_) for id_ in await self.group_ids()]

    async def summaries(self) -> tuple[Summary, ...]:
        page = await self.store.summaries.list(self.tenant, EVERYTHING, policy=None, limit=1000, cursor=None)
        return page.rows

    async def summary(self, group_id: str) -> Summary | None:
        return next((one for one in await self.summaries() if one.group_id == group_id), None)

    async def claim(self, group_id: str | None = None) -> Lease | None:
        return await self.store.groups.claim(
            self.tenant, now=self.clock(), lasts=self.engine.lease_lasts, group_id=group_id
        )

    async def refresh(self, group_id: str, *, force: bool = False) -> Outcome | None:
        lease = await self.claim(group_id)
        return await refresh(self.engine, lease, force=force) if lease else None

    async def drain(self) -> None:
        """Refresh until nothing is due."""
        for _ in range(200):
            lease = await self.claim()
            if lease is None:
                return
            await refresh(self.engine, lease)
        raise AssertionError("the work list does not end")

    async def speaks_for(self, group_id: str) -> set[str]:
        """Members of frozen nodes of a group that is current and has a summary."""
        snapshot = await self.store.groups.snapshot(self.tenant, group_id)
        shown = await self.summary(group_id)
        if shown is None or (shown.stale and not shown.fallback):
            return set()
        return {id_ for stub in snapshot.nodes if stub.kind is Kind.FROZEN for id_ in stub.members}

    async def check_forgotten(self) -> None:
        """Law 4, everywhere a text can be."""
        for snapshot in await self.snapshots():
            assert {leaf.id for leaf in snapshot.leaves} <= set(self.rows)
            said = await self.store.groups.read_statements(self.tenant, [stub.id for stub in snapshot.nodes])
            for statement in (one for statements in said.values() for one in statements):
                assert set(statement.source_ids) <= set(self.rows)
                assert not self.unsayable & set(statement.text.split())
        page = await self.store.memories.list(self.tenant, EVERYTHING, limit=1000, cursor=None)
        assert not any(self.unsayable & set((memory.text or "").split()) for memory in page.rows)
        assert {} == await self.store.memories.get(self.tenant, sorted(self.forgotten))
        for word in sorted(self.unsayable)[-3:]:
            hits = await self.store.search.search(
                self.tenant, EVERYTHING, query=word, vector=None, embedding_version="", limit=5
            )
            assert [] == list(hits)

    async def end_current(self) -> None:
        """Laws 8, 11 and 2: every group ends with one current summary by the model, and asking again asks nobody."""
        self.mend()
        self.clock.advance(timedelta(hours=2))
        await self.drain()
        for snapshot in await self.snapshots():
            if snapshot.rejected is not None and snapshot.suppressed is None:
                await self.refresh(snapshot.group_id, force=True)
        shown = await self.summaries()
        for snapshot in await self.snapshots():
            mine = [one for one in shown if one.group_id == snapshot.group_id]
            assert len(mine) == self.wanted(snapshot)
            assert not any(one.stale or one.fallback for one in mine)
            assert all(set(one.parent_id) == {leaf.id for leaf in snapshot.leaves} for one in mine)
            if not any(stub.kind is Kind.FROZEN for stub in snapshot.nodes):
                words = {word_of(self.rows[leaf.id]) for leaf in snapshot.leaves}
                assert all(words <= set(one.text.split()) for one in mine)
        await self.check_forgotten()
        asked = len(self.model.requests)
        for id_ in await self.group_ids():
            await self.refresh(id_)
        assert asked == len(self.model.requests)

    def wanted(self, snapshot: Snapshot) -> int:
        """One summary, unless there are too few members, it was deleted by request, or nothing is left to say."""
        if len(snapshot.leaves) < POLICY.trigger.min_members or snapshot.suppressed is not None:
            return 0
        return int(snapshot.rejected is None or any(leaf.live for leaf in snapshot.leaves))


def word_of(row: NewMemory) -> str:
    """The word that only this note has."""
    return (row.memory.text or "").split()[3]


def unstamped(summary: Summary | None) -> Summary | None:
    """A summary without the mark that its sources changed."""
    return replace(summary, stale=False) if summary else None


TestLaws = Laws.TestCase
TestLaws.settings = settings(
    max_examples=60,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
