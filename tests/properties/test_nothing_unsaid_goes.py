"""Laws 6 and 7 with a model that drops, merges and cites what it does not say: nothing goes that is not said.

What each note tells is known to the test by a word that no other note has, so that what the checks find is counted
once more, by other means.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Collection, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any, TypeVar

import pytest
from history import BRIEF, HISTORIES, POLICY, USERS, open_store, take_keys
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from new_rows import new_memory, plain_periods
from precis.app.refreshing import retire
from precis.engine.engine import Engine
from precis.engine.pipeline import refresh
from precis.engine.policy import Budget
from precis.ids import new_id
from precis.memory import Scope
from precis.store.filtering import Filter
from precis.store.rows import NewMemory
from precis.store.upkeep.retention import Overdue
from precis.summary import Summary
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Condensing, HashEmbedder, Quoting, count_words, hash_vector

T = TypeVar("T")
#: Tight, so that summaries leave something out by themselves, too.
TIGHT = replace(POLICY, budget=Budget(summary_tokens=40, segment_share=0.5, merge_share=0.6, node_tokens=40))
POLICIES = {POLICY.name: POLICY, **plain_periods(TIGHT)}
TALK = ("Thanks a lot!", "Have a great day!", "Wow, awesome!")
QUESTIONS = ("How was the flight?", "What is new?", "When was the last one?")
PLACES = ("garden", "harbor", "lantern")

pytestmark = pytest.mark.usefixtures("histories")


class Said(RuleBasedStateMachine):
    """Notes of a few days, some of them small talk and questions, compacted while they change and are forgotten."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.tenant = f"t-{new_id()}"
        self.clock = FrozenClock()
        self.opened = AsyncExitStack()
        self.store = self.wait(self.opened.enter_async_context(open_store(POLICIES)))
        self.engine = Engine(
            groups=self.store.groups, policies=dict(POLICIES), summarizer=Condensing("model@1"),
            fallback=Quoting("stand-in@1"), embedder=HashEmbedder(), count=count_words, clock=self.clock,
        )  # fmt: skip
        self.numbers = count()
        self.began = self.clock()
        #: What each note tells: its word, or why it tells nothing.
        self.rows: dict[str, NewMemory] = {}
        self.expired: set[str] = set()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine to its end."""
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        """Every history ends with nothing left to do."""
        try:
            self.work()
            self.nothing_is_lost()
            self.counts_are_true()
        finally:
            self.wait(self.opened.aclose())
            self.loop.close()

    def note(self, user: str, day: int) -> NewMemory:
        """A note with a word of its own, small talk, or a question."""
        number = next(self.numbers)
        word = f"zq{number:04d}".translate(str.maketrans("0123456789", "bcdfghjklm"))
        telling = f"{user} put {word} into the {PLACES[number % 3]} near the {PLACES[number % 2]}."
        more = f" Later {user} painted {word}x there." if number % 3 == 0 else ""
        text = (TALK[number % 3], QUESTIONS[number % 3], telling + more, telling, telling + more, telling)[number % 6]
        scope = Scope(tenant_id=self.tenant, user_id=user)
        created = self.began - timedelta(days=60 - day, minutes=-number)
        return new_memory(
            f"m{number:04d}", text, scope=scope, created_at=created, vector=hash_vector(""), metadata={"kind": "note"}
        )

    @initialize(many=st.integers(4, 14), keys=st.integers(0, 255))
    def begin(self, many: int, keys: int) -> None:
        """A day of notes, compacted once."""
        take_keys(self.store.tenants.keyring, self.tenant, keys)
        self.add("ada", many, 0)
        self.work()

    @rule(user=st.sampled_from(USERS), many=st.integers(1, 6), day=st.integers(0, 2))
    def add(self, user: str, many: int, day: int) -> None:
        """Notes of one day; also of one that is compacted already."""
        rows = [self.note(user, day) for _ in range(many)]
        self.wait(self.store.memories.add(self.tenant, rows, policy=POLICY, now=self.clock()))
        self.rows |= {row.memory.id: row for row in rows}

    @rule()
    def repeat(self) -> None:
        """A note says what another one says, on the same day."""
        first = next((row for row in self.rows.values() if not self.tells_nothing(row)), None)
        if first is not None:
            again = replace(first.memory, id=f"m{next(self.numbers):04d}")
            row = replace(first, memory=again)
            self.wait(self.store.memories.add(self.tenant, [row], policy=POLICY, now=self.clock()))
            self.rows[again.id] = row

    @precondition(lambda self: self.rows)
    @rule(pick=st.randoms(use_true_random=False))
    def forget(self, pick: random.Random) -> None:
        """A note goes, expired or not; what others say stays, or is said anew."""
        self.drop([pick.choice(sorted(self.rows))])

    def drop(self, ids: Collection[str]) -> None:
        """These notes are forgotten."""
        self.wait(self.store.memories.forget(self.tenant, sorted(ids), now=self.clock()))
        self.rows = {id_: row for id_, row in self.rows.items() if id_ not in ids}
        self.expired.difference_update(ids)

    @precondition(lambda self: set(self.rows) - self.expired)
    @rule(pick=st.randoms(use_true_random=False))
    def edit(self, pick: random.Random) -> None:
        """A note that is there says something else."""
        old = self.rows[pick.choice(sorted(set(self.rows) - self.expired))].memory
        other = self.note(old.scope.user_id, 0)
        row = replace(other, memory=replace(other.memory, id=old.id, created_at=old.created_at))
        self.wait(self.store.memories.edit(self.tenant, row, policy=POLICY, now=self.clock()))
        self.rows[old.id] = row

    @rule()
    def work(self) -> None:
        """Everything due is made."""
        self.clock.advance(timedelta(days=40))
        while lease := self.wait(self.store.groups.claim(self.tenant, now=self.clock(), lasts=self.engine.lease_lasts)):
            self.wait(refresh(self.engine, lease))

    @rule()
    def compact(self) -> None:
        """The pass that lets notes go."""
        done = self.wait(retire(self.engine, self.store, self.tenant, "day", Overdue()))
        self.expired |= set(done.expired)
        assert set(done.left_out) <= set(done.waiting)

    def tells_nothing(self, row: NewMemory) -> bool:
        """Small talk or a question."""
        return (row.memory.text or "") in TALK + QUESTIONS

    def words_of(self, row: NewMemory) -> set[str]:
        """The words that only this note, and who repeats it, has."""
        parts = (row.memory.text or "").replace(".", " ").split()
        return {part for part in parts if part.startswith("zq")}

    def days(self) -> Sequence[Summary]:
        """The summaries of days that are current."""
        page = self.wait(self.store.summaries.list(self.tenant, Filter(), policy="day", limit=1000, cursor=None))
        return [one for one in page.rows if not one.stale]

    @invariant()
    def nothing_is_lost(self) -> None:
        """Every expired note is said, each of its words, by the day that held it; or it told nothing."""
        for summary in self.days():
            shown = set(summary.text.replace(".", " ").split())
            for id_ in self.expired.intersection(summary.leaf_source_ids):
                assert self.words_of(self.rows[id_]) <= shown

    @invariant()
    def counts_are_true(self) -> None:
        """Represented is what a statement rests on; what tells nothing is set aside; a note nobody says is left out."""
        for summary in self.days():
            cited = {id_ for statement in summary.statements for id_ in statement.source_ids}
            mine = [id_ for id_ in summary.leaf_source_ids if id_ in self.rows]
            counts = summary.counts
            assert len(mine) == counts.read == counts.total
            assert len(cited) == counts.represented
            aside = Counter(
                "question" if self.rows[id_].memory.text in QUESTIONS else "small_talk"
                for id_ in mine
                if id_ not in cited and self.tells_nothing(self.rows[id_])
            )
            shown = set(summary.text.replace(".", " ").split())
            repeated = sum(
                not self.tells_nothing(self.rows[id_]) and self.words_of(self.rows[id_]) <= shown
                for id_ in mine
                if id_ not in cited
            )
            assert aside == {reason: counts.set_aside.get(reason, 0) for reason in aside}
            # What a segment has not said is not looked for above it: in doubt it is left out, and its original stays.
            found = counts.set_aside.get("repetition", 0)
            assert found <= repeated
            assert counts.left_out == len(mine) - len(cited) - aside.total() - found
            assert counts.left_out >= len(mine) - len(cited) - aside.total() - repeated


def small_talk_first(said: Said, talk: int, facts: int) -> None:
    """A day that begins with so much small talk that a frozen node says nothing, and of which every note expires."""
    rows = [said.note("ada", 0) for _ in range(6 * (talk + facts))]
    chosen = [row for row in rows if row.memory.text in TALK][:talk]
    chosen += [row for row in rows if not said.tells_nothing(row)][:facts]
    dated = [
        replace(row, memory=replace(row.memory, created_at=said.began - timedelta(days=60, minutes=-at)))
        for at, row in enumerate(chosen)
    ]
    said.wait(said.store.memories.add(said.tenant, dated, policy=POLICY, now=said.clock()))
    said.rows |= {row.memory.id: row for row in dated}
    for _ in range(3):
        said.work()
        said.compact()
    said.drop(set(said.rows) - said.expired)


@pytest.mark.parametrize("many", [1, 30])
def test_a_day_that_begins_with_small_talk_is_made_anew(many: int) -> None:
    """After notes of a compacted day were forgotten what is left is said; of small talk alone there is no summary."""
    said = Said()
    try:
        small_talk_first(said, 20, 30)
        facts = sorted(id_ for id_ in said.rows if not said.tells_nothing(said.rows[id_]))
        said.drop(facts[:many])
        said.work()
        said.nothing_is_lost()
        said.counts_are_true()
        (group_id, _), *_ = said.wait(
            said.store.summaries.groups(said.tenant, Filter(), policy="day", stale_only=False, limit=1000)
        )
        day = said.wait(said.store.groups.snapshot(said.tenant, group_id))
        assert (None, many < len(facts)) == (day.rejected, day.summary_id is not None)
    finally:
        said.teardown()


class LongSaid(Said):
    """The same at length; every run tries other histories."""


TestSaid = Said.TestCase
TestSaid.settings = settings(stateful_step_count=20, **BRIEF)
TestSaidAtLength = pytest.mark.soak(LongSaid.TestCase)
TestSaidAtLength.settings = settings(max_examples=200, stateful_step_count=30, **HISTORIES)
