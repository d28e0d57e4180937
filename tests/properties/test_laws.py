"""The laws of the design over random histories: one machine, one invariant or rule a law.

Laws 9 and 10 need several tenants and a ledger; their tests are elsewhere. Nothing that fails here is made shorter: the
long runs do that.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from history import BRIEF, HISTORIES, KEYS, POLICY, USERS, History, Killed, spoken_for, take_keys, unstamped, word_of
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from precis.engine.drafted import Result
from precis.engine.pipeline import plan
from precis.engine.plan import Action
from precis.engine.retention import freeze
from precis.engine.segments import Kind
from precis.errors import Forgotten, NotFound
from precis.memory import RetentionState

pytestmark = pytest.mark.usefixtures("histories")


class Laws(History):
    """Everything that may happen to a tenant, and what holds whatever happens."""

    # What may happen.

    @initialize(many=st.integers(3, 14), worked=st.booleans(), keys=st.integers(0, 255))
    def begin(self, many: int, worked: bool, keys: int) -> None:
        """Most of what can go wrong needs a summary to go wrong with."""
        take_keys(self.store.tenants.keyring, self.tenant, keys)
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
        self.replace(old, self.note(old.memory.scope.user_id, key, pick.randrange(60)))

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False), refreshed=st.booleans())
    def redate(self, pick: random.Random, refreshed: bool) -> None:
        """A note says the same of another day: it leaves its day, its week and perhaps its month for others."""
        old = self.rows[pick.choice(self.living())]
        memory = replace(old.memory, event_date=self.day(pick.randrange(60)))
        self.replace(old, replace(old, memory=memory))
        if refreshed:
            self.wait(self.check_said(old))

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False))
    def edit_back(self, pick: random.Random) -> None:
        """A note changes and changes back: what was withdrawn in between must be found out and said again."""
        old = self.rows[pick.choice(self.living())]
        between = self.note(old.memory.scope.user_id, old.memory.extracted_key or "", 0)
        self.replace(old, between)
        self.replace(self.rows[old.memory.id], old)
        self.wait(self.check_said(old))

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
        self.wait(self.check_said(row))

    @rule(user=st.sampled_from(USERS))
    def forget_user(self, user: str) -> None:
        """A user leaves."""
        mine = {id_ for id_, row in self.rows.items() if row.memory.scope.user_id == user}
        try:
            receipt = self.wait(self.store.memories.forget_user(self.tenant, user, now=self.clock()))
        except NotFound:
            assert not mine
            return
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
        policy = self.wait(self.groups())[group_id]
        planned = self.wait(plan(self.engine, self.tenant, group_id, policy))
        self.spoil(how)
        asked = len(self.model.requests)
        outcome = self.wait(self.refresh(group_id))
        was_asked = asked < len(self.model.requests)
        self.mend()
        after = self.wait(self.summary(group_id))
        if planned.action is not Action.MAKE:
            assert outcome is not None
            assert outcome.result in {Result.UNCHANGED, Result.DROPPED, Result.REJECTED}
        elif before is None and was_asked:
            assert after is not None
            assert (True, "stand-in@1") == (after.fallback, after.made_by)
        elif was_asked:
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
    def seal(self, pick: random.Random, refreshed: bool) -> None:
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
        self.wait(self.expire(ids))

    @rule(how=st.sampled_from(["", "", "down", "empty"]))
    def retire(self, how: str) -> None:
        """Laws 5 and 6 over all levels: days are compacted, also while the model cannot be used."""
        self.spoil(how)
        self.wait(self.compact())
        self.mend()

    @rule(pick=st.randoms(use_true_random=False))
    def delete_summary(self, pick: random.Random) -> None:
        """A summary is deleted by request and does not come back over the same sources."""
        shown = self.wait(self.summaries())
        if not shown:
            return
        one = pick.choice(shown)
        self.wait(self.store.summaries.delete(self.tenant, one.id, now=self.clock()))
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
        """Members and nodes are sets, and where nothing is frozen the tree is that of a store that never had a node."""
        for snapshot in self.seen.snapshots:
            if self.planned.get(snapshot.group_id) == snapshot:
                continue  # the same was planned at the moment before
            self.planned[snapshot.group_id] = snapshot
            policy = self.seen.groups[snapshot.group_id]
            root = self.root_key(snapshot, policy)
            shuffled = replace(snapshot, leaves=snapshot.leaves[::-1], nodes=snapshot.nodes[::-1])
            assert root == self.root_key(shuffled, policy)
            fresh = replace(snapshot, nodes=(), summary_id=None, rejected=None, suppressed=None)
            if not spoken_for(snapshot):
                assert root == self.root_key(fresh, policy)

    @invariant()
    def law_4_forgotten_is_gone_at_once(self) -> None:
        """No statement of any node rests on it or says its word; no row, no hit."""
        self.wait(self.check_forgotten(self.seen))

    @invariant()
    def law_5_expired_is_kept(self) -> None:
        """An expired note has no text, its stub stays, and it still counts among the sources."""
        found = self.wait(self.store.memories.get(self.tenant, sorted(self.expired)))
        assert self.expired == set(found)
        assert all(one.text is None for one in found.values())
        assert all(one.retention_state is RetentionState.EXPIRED for one in found.values())

    @invariant()
    def law_6_retention_waits(self) -> None:
        """A frozen node speaks for every expired note in each group that may have read it: its own, or its part's."""
        for snapshot in self.seen.snapshots:
            gone = {leaf.id for leaf in snapshot.leaves if not leaf.live} - spoken_for(snapshot)
            assert {(snapshot.group_id, id_) for id_ in gone} <= self.unread

    @invariant()
    def law_7_nothing_is_dropped_silently(self) -> None:
        """The counts of every commit add up to the members it was planned over."""
        for counts, members in self.counted.counts:
            assert members == counts.total
            assert members == counts.represented + sum(counts.set_aside.values()) + counts.left_out
            assert 0 <= counts.capped <= counts.read <= members
        self.counted.counts.clear()

    @invariant()
    def law_8_acknowledged_is_durable(self) -> None:
        """Every acknowledged note is read back as it was written."""
        found = self.wait(self.store.memories.get(self.tenant, sorted(self.rows)))
        assert set(self.rows) == set(found)
        alive = {id_: row.memory.text for id_, row in self.rows.items() if id_ not in self.expired}
        assert alive == {id_: found[id_].text for id_ in alive}
        assert {id_: row.memory.created_at for id_, row in self.rows.items()} == {
            id_: one.created_at for id_, one in found.items()
        }

    @invariant()
    def staleness_is_told(self) -> None:
        """A summary over other sources than its group has says that it is stale, unless a new draft was rejected."""
        shown = self.seen.summaries
        waiting = {one.id for one in shown if one.stale}
        for snapshot in self.seen.snapshots:
            read = {leaf.id for leaf in snapshot.leaves if (snapshot.group_id, leaf.id) not in self.unread}
            parts = {stub.id for stub in snapshot.nodes if stub.kind is Kind.PART}
            for one in shown:
                if one.group_id == snapshot.group_id and not snapshot.rejected and not parts & waiting:
                    assert one.stale or read == set(one.leaf_source_ids)

    @invariant()
    def law_11_a_fallback_is_visible(self) -> None:
        """Whoever made it is named, and a stand-in's work counts as stale."""
        for one in self.seen.summaries:
            assert one.fallback == (one.made_by == "stand-in@1")
            assert one.stale or not one.fallback


class LongLaws(Laws):
    """The same at length; every run tries other histories."""


TestLaws = Laws.TestCase
TestLaws.settings = settings(stateful_step_count=25, **BRIEF)
TestLawsAtLength = pytest.mark.soak(LongLaws.TestCase)
TestLawsAtLength.settings = settings(max_examples=300, stateful_step_count=30, **HISTORIES)
