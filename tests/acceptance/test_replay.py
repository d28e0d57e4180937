"""Four weeks of the packaged conversation as notes, and five of silence: every period once, and the store shrinks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.recall.assembly import Section
from precis.testing.clock import FrozenClock
from replay import Replay, end_state, expected, frozen, packaged, sizes, wrong_with

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_every_period_exists_once_and_the_store_shrinks(runtime: Runtime) -> None:
    """The calendar alone says which periods there must be; they hold all notes, and most of those have gone."""
    notes = [note for note in packaged() if note["created_at"] < packaged()[0]["created_at"] + timedelta(days=28)]
    clock = FrozenClock(notes[0]["created_at"])
    tenant = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant, name="replay", now=clock())
    told = Replay(runtime=frozen(runtime, clock), tenant=tenant, clock=clock, notes=notes)
    await told.run(idle_days=35)
    state = await end_state(told.app, notes)
    assert [] == wrong_with(state, notes)
    assert len(notes) == sum(len(ids) for ids in state.periods["week"].values())
    size = await sizes(told.runtime, tenant, notes)
    assert size.live < 0.6 * size.written
    # Of the days whose notes have gone, each says it in less, speakers counted.
    count = told.runtime.engine.count
    gone = {key: ids for key, ids in expected(notes)["day"].items() if ids <= state.expired}
    texts = {note["id"]: f"{note['metadata']['speaker']}: {note['text']}" for note in notes}
    assert state.expired
    for key, ids in gone.items():
        assert count(state.texts["day"][key]) < sum(count(texts[id_]) for id_ in ids)
    await _speaks_of_what_has_gone(told, state.expired)


async def _speaks_of_what_has_gone(told: Replay, expired: frozenset[str]) -> None:
    """A context begins with insights; what has no original left is said by summaries, dated as it was said."""
    for question, answer in (
        ("When is the public launch?", "1 July"),
        ("What is the marketing budget?", "6,000 pounds"),
    ):
        made = await told.app.context.assemble(question, token_budget=400, user_id="studio")
        (line, *_) = [line for line in made.lines if answer in line.text]
        assert line.piece.section is not Section.MEMORIES
        assert expired.issuperset(line.piece.source_ids)
        assert line.piece.created_at.date() == min(n["created_at"] for n in told.notes if answer in n["text"]).date()
        assert made.tokens <= 400
        texts = [line.piece.text for line in made.lines]
        assert len(texts) == len(set(texts))  # day, week and month say it once
    wedding = await told.app.context.assemble("When is Jonah's wedding?", token_budget=400, user_id="studio")
    assert wedding.lines[0].piece.section is Section.INSIGHTS
