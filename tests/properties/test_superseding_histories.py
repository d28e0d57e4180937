"""Superseding over random histories: what is replaced keeps its row, is in no summary and no recall, and comes back."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from history import BRIEF, KEYS, POLICY, USERS, History, word_of
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from precis.engine.retention import freeze
from precis.errors import Conflict
from precis.store.filtering import Filter

pytestmark = pytest.mark.usefixtures("histories")
CURRENT = Filter(current=True)


class Replacing(History):
    """Notes that replace others, are forgotten, frozen and expired; the pairs that should hold are kept beside."""

    @initialize(many=st.integers(4, 12))
    def begin(self, many: int) -> None:
        """A summary to leave."""
        self.pairs: set[tuple[str, str]] = set()
        self.add("ada", "tea", many, 0)
        self.work()

    @rule(user=st.sampled_from(USERS), key=st.sampled_from(KEYS), many=st.integers(1, 4), day=st.integers(0, 60))
    def add(self, user: str, key: str, many: int, day: int) -> None:
        """Some notes of one subject."""
        rows = [self.note(user, key, day + at) for at in range(many)]
        self.wait(self.store.memories.add(self.tenant, rows, policy=POLICY, now=self.clock()))
        self.rows |= {row.memory.id: row for row in rows}

    @rule(pick=st.randoms(use_true_random=False), many=st.integers(1, 2))
    def replace_others(self, pick: random.Random, many: int) -> None:
        """A new note replaces some of its user's, expired ones too."""
        user = pick.choice(USERS)
        olders = [id_ for id_, row in sorted(self.rows.items()) if row.memory.scope.user_id == user]
        chosen = tuple(pick.sample(olders, min(many, len(olders))))
        row = replace(self.note(user, pick.choice(KEYS), pick.randrange(60)), supersedes=chosen)
        self.wait(self.store.memories.add(self.tenant, [row], policy=POLICY, now=self.clock()))
        self.rows[row.memory.id] = row
        self.pairs |= {(older, row.memory.id) for older in chosen}

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False), taken_back=st.booleans())
    def say_of_a_note(self, pick: random.Random, taken_back: bool) -> None:
        """An edit says what a note replaces, or nothing any more; a circle is refused and changes nothing."""
        row = self.rows[pick.choice(self.living())]
        scope = row.memory.scope
        others = [id_ for id_, other in sorted(self.rows.items()) if other.memory.scope == scope and other is not row]
        olders = () if taken_back or not others else (pick.choice(others),)
        pairs = {pair for pair in self.pairs if pair[1] != row.memory.id} | {(id_, row.memory.id) for id_ in olders}
        changed = replace(row, supersedes=olders)
        circle = goes_round(pairs, row.memory.id)
        try:
            self.wait(self.store.memories.edit(self.tenant, changed, policy=POLICY, now=self.clock()))
        except Conflict:
            assert circle
            return
        assert not circle
        self.pairs = pairs

    @precondition(lambda self: self.rows)
    @rule(pick=st.randoms(use_true_random=False), many=st.integers(1, 2))
    def forget(self, pick: random.Random, many: int) -> None:
        """What a forgotten note replaced comes back, unless what replaced the note is there."""
        ids = pick.sample(sorted(self.rows), min(many, len(self.rows)))
        self.wait(self.forget_now(ids))
        for id_ in ids:
            bridged = {(a, d) for a, b in self.pairs for c, d in self.pairs if b == c == id_ and a != d}
            self.pairs = {pair for pair in self.pairs | bridged if id_ not in pair}

    @precondition(lambda self: self.living())
    @rule(pick=st.randoms(use_true_random=False))
    def seal(self, pick: random.Random) -> None:
        """Old notes are frozen, and expire where they may."""
        group_id = self.pick_group(pick)
        leaves = self.wait(self.store.groups.snapshot(self.tenant, group_id)).leaves if group_id else ()
        if group_id is None or not leaves:
            return
        ids = [leaf.id for leaf in sorted(leaves, key=lambda leaf: leaf.order)][: pick.randint(1, len(leaves))]
        lease = self.wait(self.claim(group_id))
        assert lease is not None
        self.wait(freeze(self.engine, lease, ids))
        self.wait(self.refresh(group_id))
        self.wait(self.expire(ids))

    @rule()
    def work(self) -> None:
        """A worker empties the work list."""
        self.wait(self.drain())

    @property
    def replaced(self) -> set[str]:
        """What should be out of recall and summaries."""
        return {older for older, _ in self.pairs}

    @invariant()
    def rows_say_what_replaces_them(self) -> None:
        """Every row is there, with those pairs and no others."""
        read = self.wait(self.store.memories.get(self.tenant, sorted(self.rows)))
        assert set(self.rows) == set(read)
        assert self.pairs == {(id_, newer) for id_, memory in read.items() for newer in memory.superseded_by}
        assert self.pairs == {(older, id_) for id_, memory in read.items() for older in memory.supersedes}
        assert self.replaced == {id_ for id_, memory in read.items() if memory.superseded_at is not None}
        texts = {id_ for id_, memory in read.items() if memory.text is not None}
        assert set(self.living()) == texts

    @invariant()
    def what_is_replaced_is_in_no_summary_and_not_in_recall(self) -> None:
        """At once, whatever waits for a refresh."""
        for summary in self.seen.summaries:
            for statement in summary.statements:
                assert not set(statement.source_ids) <= self.replaced
        for snapshot in self.seen.snapshots:
            assert self.replaced.isdisjoint(leaf.id for leaf in snapshot.leaves)
        for id_ in sorted(self.replaced - self.expired)[-2:]:
            hits = self.wait(self.store.search.search(
                self.tenant, CURRENT, query=word_of(self.rows[id_]), vector=None, embedding_version="", limit=9
            ))  # fmt: skip
            assert id_ not in {hit.memory.id for hit in hits}

    async def check_fresh(self) -> None:
        """Law 3: a store that never saw what is replaced has the same trees; checked where nothing is replaced too."""
        if self.replaced:
            return
        await super().check_fresh()


def goes_round(pairs: set[tuple[str, str]], start: str) -> bool:
    """Whether a note replaces, by others or at once, itself."""
    reached, seen = {newer for older, newer in pairs if older == start}, set[str]()
    while reached - seen:
        seen |= reached
        reached = {newer for older, newer in pairs if older in seen}
    return start in seen


TestReplacing = Replacing.TestCase
TestReplacing.settings = settings(stateful_step_count=12, **{**BRIEF, "max_examples": 4})
