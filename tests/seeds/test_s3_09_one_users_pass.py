"""S3.9: a pass for one user, on every backend: precis's own store, Chroma and Cognee."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from archiving import TODAY, batches_of, chroma_store, fill, ids_in, old_rows, on_day, pool_in, remember

from precis.app import App
from precis.errors import Conflict
from precis.policies.archive import MARKER, Archive
from precis.sources.cognee import CogneePool
from precis.store.filtering import Filter
from precis.testing.fakes import FakeCognee

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_in_precis(app: App) -> None:
    """Only that user's memories are summarized, and only theirs go; the timetable is where it was."""
    today, clock = on_day(app, enabled=True)
    await today.archive.run()
    before = (await today.archive.schedules())["archive"]
    clock.advance(timedelta(hours=3))
    mine = await remember(today, old_rows(4, newest_days=400))
    others = await remember(today, old_rows(4, newest_days=400, user_id="ben"))
    done = await today.archive.run(user_id="ana")
    assert (1, 4, 4) == (done.batches, done.memories, done.deletions)
    assert ["ana"] == [batch.scope.user_id for batch in await batches_of(today)]
    gone = {id_ for id_ in (*mine, *others) if (await today.memories.get(id_)).text is None}
    assert set(mine) == gone
    assert before == (await today.archive.schedules())["archive"]
    assert 1 == (await today.archive.run()).batches


async def test_not_while_the_whole_pass_is_made(app: App) -> None:
    """One pass over a store at a time, whoever it is of."""
    today, clock = on_day(app)
    schedules, tenant = app.parts.store.schedules, app.parts.tenant_id
    await schedules.ensure(tenant, "archive", next_run=clock())
    turn = await schedules.claim(tenant, "archive", now=clock(), lasts=timedelta(minutes=1), requested=True)
    assert turn is not None
    with pytest.raises(Conflict):
        await today.archive.run(user_id="ana")


async def test_in_chroma(app: App, tmp_path: Path) -> None:
    """The other's memories lie there as before."""
    store = chroma_store(tmp_path)
    mine = fill(store, old_rows(4, newest_days=400))
    others = fill(store, old_rows(4, newest_days=400, user_id="ben"))
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path), user_id="ana")
    assert (1, 4, 4, ["ana"]) == (done.batches, done.memories, done.deletions, [one.user_id for one in done.users])
    assert not set(mine) & ids_in(store)
    assert set(others) < ids_in(store)


async def test_in_cognee(app: App) -> None:
    """A user is a data set there."""
    library = FakeCognee()
    library.now = (TODAY - timedelta(days=400)).replace(tzinfo=None)
    for user, thing in (("ana", "harp"), ("ben", "cello")):
        for at in range(3):
            await library.add(f"{user.title()} tuned {thing} number {at}.", dataset_name=user)
    today, _ = on_day(app)
    library.now = TODAY.replace(tzinfo=None)
    pool = CogneePool(library, marker=MARKER, marks=Archive().marks, read_text=library.read)
    done = await today.pools.archive(pool, user_id="ana")
    assert (1, 3, ["ana"]) == (done.batches, done.memories, [one.user_id for one in done.users])
    assert 3 == len(await pool.list("ben"))


async def test_over_the_settings_pools_as_well(app: App) -> None:
    """``app.archiving`` takes a user for every store it is of."""
    today, _ = on_day(app)
    await remember(today, old_rows(3))
    await remember(today, old_rows(3, user_id="ben"))
    done = await today.archiving.run(user_id="ben", store="precis")
    assert done.own is not None
    assert (1, 3) == (done.own.batches, done.own.memories)
    groups = await app.parts.store.summaries.groups(
        app.parts.tenant_id, Filter(), policy="archive", stale_only=False, limit=10
    )
    assert 1 == len(groups)
