"""S3.4: daily, weekly or every so many days; the state outlives restarts; a check runs what is due, once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from archiving import TODAY, chroma_store, fill, old_rows, on_day, pool_in, remember
from pydantic import ValidationError

from precis.app import App, app_over
from precis.app.archive import archive_pass
from precis.bootstrap import Runtime, build_passes
from precis.errors import Conflict
from precis.jobs.upkeep import run_due
from precis.jobs.worker import running_worker
from precis.policies.archive import Archive, Schedule
from precis.settings import Settings
from precis.sources.archive import PoolPass, archive_settings
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")

BLOCK = """
memory_summarization:
  enabled: false
  schedule: daily              # daily | weekly | next_run
  interval_days: 1             # for next_run: run again after this many days
  keep_original_days: 365       # TTL for raw memories; after this they are deleted (summary stays forever)
  min_age_days: 7              # only summarize memories older than this (days)
  max_memories_per_batch: 50    # max raw memories per summary batch
"""


def set_up(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Settings:
    """The settings a file gives."""
    (folder / "precis.yaml").write_text(text)
    monkeypatch.setenv("PRECIS_CONFIG", str(folder / "precis.yaml"))
    return Settings()


async def test_the_documents_block_loads_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands there, comments and all: it says what the defaults say."""
    assert Archive() == archive_settings(set_up(tmp_path, monkeypatch, BLOCK))


async def test_each_of_its_names_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With other values they arrive; a name it does not have is refused."""
    values: dict[str, Any] = {
        "enabled": True, "schedule": "next_run", "interval_days": 3, "keep_original_days": 90, "min_age_days": 2,
        "max_memories_per_batch": 9,
    }  # fmt: skip
    found = archive_settings(set_up(tmp_path, monkeypatch, yaml.safe_dump({"memory_summarization": values})))
    assert replace(Archive(**values), schedule=Schedule.NEXT_RUN) == found
    with pytest.raises(ValidationError, match=r"memory_summarization\.keep"):
        set_up(tmp_path, monkeypatch, "memory_summarization: {keep: 3}")


@pytest.mark.parametrize(
    ("schedule", "interval", "days"), [("daily", 1, 1), ("daily", 2, 2), ("weekly", 1, 7), ("next_run", 5, 5)]
)
async def test_the_next_run(app: App, schedule: str, interval: int, days: int) -> None:
    """Reckoned from the run that was made."""
    today, clock = on_day(app, enabled=True, schedule=schedule, interval_days=interval)
    clock.advance(timedelta(hours=5))
    await today.archive.run()
    state = (await today.archive.schedules())["archive"]
    assert (clock.now, clock.now + timedelta(days=days)) == (state.last_run, state.next_run)


def hourly(runtime: Runtime, clock: FrozenClock, model: Quoting | None = None) -> Runtime:
    """A process that has just started: nothing of another one is in it but the database."""
    settings = runtime.settings.model_copy(update={"archive_enabled": True})
    engine = replace(runtime.engine, clock=clock, summarizer=model or Quoting())
    return replace(runtime, engine=engine, settings=settings, passes=(archive_pass(settings),))


async def test_switched_off_it_has_no_pass() -> None:
    """Off by default; switched on there is one."""
    names = [{one.name for one in build_passes(Settings(archive_enabled=on))} for on in (False, True)]
    assert [False, True] == ["archive" in one for one in names]


async def test_a_restart_every_hour_runs_it_once_a_day(runtime: Runtime, app: App, tenant: str) -> None:
    """48 processes, one an hour: two passes, for the state is in the database."""
    today, _ = on_day(app)
    await remember(today, old_rows(5))
    clock, made = FrozenClock(TODAY), []
    for _ in range(48):
        made.append(await run_due(hourly(runtime, clock), tenant))
        clock.advance(timedelta(hours=1))
    assert [0, 24] == [hour for hour, done in enumerate(made) if done == ["archive"]]


async def test_a_missed_run_is_made_up_once(runtime: Runtime, app: App, tenant: str) -> None:
    """Down for ten days: one run at the start, and the next one a day later."""
    clock = FrozenClock(TODAY)
    assert ["archive"] == await run_due(hourly(runtime, clock), tenant)
    clock.advance(timedelta(days=10, hours=3))
    assert [["archive"], []] == [await run_due(hourly(runtime, clock), tenant) for _ in range(2)]
    state = (await runtime.store.schedules.list(tenant))["archive"]
    assert (clock.now, clock.now + timedelta(days=1)) == (state.last_run, state.next_run)


async def test_two_schedulers_at_once_do_the_work_once(runtime: Runtime, app: App, tenant: str) -> None:
    """Both look at the same moment: one makes the pass, each batch is drafted once, nothing is there twice."""
    today, clock = on_day(app)
    await remember(today, old_rows(120))
    model = Quoting()
    both = [run_due(hourly(runtime, clock, model), tenant) for _ in range(2)]
    assert [[], ["archive"]] == sorted(await asyncio.gather(*both))
    assert 3 == len(model.requests)
    assert 3 == len((await today.summaries.list(policy="archive")).rows)


async def test_two_passes_over_a_pool_at_once(app: App, tmp_path: Path) -> None:
    """One makes it, the other is told so; every memory is in one summary, drafted once."""
    store = chroma_store(tmp_path)
    fill(store, old_rows(120, newest_days=400))
    model = Quoting()
    today, _ = on_day(app, summarizer=model)
    pool = pool_in(tmp_path)
    found = await asyncio.gather(*(today.pools.archive(pool) for _ in range(2)), return_exceptions=True)
    (done,) = [one for one in found if isinstance(one, PoolPass)]
    assert [Conflict] == [type(one) for one in found if one is not done]
    assert (3, 120, 3, 3) == (done.batches, done.deletions, len(model.requests), store.count())


async def test_a_pass_on_request_and_the_timetable_do_not_meet(runtime: Runtime, app: App, tenant: str) -> None:
    """While one is made, a second request is told so, and the timetable waits; afterwards it is not due."""
    model = Quoting()
    today, clock = on_day(app, summarizer=model)
    await remember(today, old_rows(5))
    told: list[object] = []

    async def meanwhile() -> None:
        with pytest.raises(Conflict):
            await today.archive.run()
        told.append(await run_due(hourly(runtime, clock), tenant))

    model.meanwhile = meanwhile
    assert 1 == (await today.archive.run()).batches
    told.append(await run_due(hourly(runtime, clock), tenant))
    assert [[], []] == told


async def test_a_pass_that_fails_is_still_due(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives its turn back and moves nothing: whoever asks next makes it."""
    today, _ = on_day(app, enabled=True)
    await remember(today, old_rows(3))

    async def fail(*args: object, **options: object) -> None:
        raise OSError("a full disk")

    with monkeypatch.context() as broken:
        broken.setattr(type(today.parts.store.rule_groups), "put", fail)
        with pytest.raises(OSError, match="full disk"):
            await today.archive.run()
    assert (await today.archive.schedules())["archive"].last_run is None
    assert 1 == (await today.archive.run()).batches


async def test_a_worker_at_the_same_batches(runtime: Runtime, app: App) -> None:
    """A worker takes some of them up meanwhile: the answer counts them all, and each is made once."""
    await remember(app, old_rows(120))
    short = app_over(
        replace(
            app.parts,
            settings=app.parts.settings.model_copy(update={"archive_max_memories_per_batch": 10}),
        )
    )
    async with running_worker(runtime):
        done = await short.archive.run()
    assert (12, 120, 0) == (done.batches, done.memories, done.failed)
    assert 12 == len((await app.summaries.list(policy="archive")).rows)


async def test_a_memory_that_is_forgotten_between_the_steps(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found in the backlog and gone when its batch is noted: the others are archived, and it stays gone."""
    today, _ = on_day(app)
    ids = await remember(today, old_rows(6))
    real = today.parts.store.rule_groups.put

    async def late(backlog: Any, *args: Any, **options: Any) -> int:
        monkeypatch.undo()
        await today.memories.forget(ids[2])
        joined: int = await real(*args, **options)
        return joined

    monkeypatch.setattr(type(today.parts.store.rule_groups), "put", late)
    done = await today.archive.run()
    assert (1, 5) == (done.batches, done.memories)
    (summary,) = (await today.summaries.list(policy="archive")).rows
    assert [id_ for id_ in ids if id_ != ids[2]] == list(summary.parent_id)
