"""Four weeks of the packaged conversation as notes, and five of silence: every period once, and the store shrinks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from precis.bootstrap import Runtime
from precis.ids import new_id
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
    assert size.live < size.written / 2
    # Of the days whose notes have gone, each says it in less.
    count = told.runtime.engine.count
    gone = {key: ids for key, ids in expected(notes)["day"].items() if ids <= state.expired}
    texts = {note["id"]: note["text"] for note in notes}
    assert gone
    for key, ids in gone.items():
        assert count(state.texts["day"][key]) < sum(count(texts[id_]) for id_ in ids)
