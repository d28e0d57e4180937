"""Runs of summary views: their tasks always end, simultaneous ones share the work, and failures keep what stood."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from view_rooms import ROOT, Body, Room, opened

from precis.app import app_over
from precis.app.parts import Background
from precis.app.runs import LASTS
from precis.bootstrap import Runtime, open_runtime
from precis.errors import ModelUnavailable
from precis.jobs.worker import running_worker
from precis.rest.server import listening
from precis.settings import Settings
from precis.store.tasks import NEXT, PostgresTasks, Status
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def room(runtime: Runtime, tenant: str, key: str) -> AsyncIterator[Room]:
    """With a model that quotes."""
    async with opened(runtime, tenant, key) as made:
        yield made


# --- better: failures ---


async def test_a_failed_call_keeps_the_last_good_summary_and_fails_the_task(room: Room) -> None:
    """The error is in the task, never in the summary."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    (before,) = await room.results(view)
    await room.tell("Ana sold the cello.")
    room.model.error = ModelUnavailable("The model could not be reached.")
    task = await room.run(view)
    assert task["status"] == "failed"
    assert "1 of 1 partitions failed, what stood there stays: The model could not be reached." == task["error_message"]
    (after,) = await room.results(view)
    assert before | {"stale": True, "memory_count": 3} == after
    alone = await room.api.post(f"{ROOT}/{view}/partitions/run", json={"group": {"user_id": "ana"}})
    assert alone.status_code == 503
    assert "what stood stays" in alone.json()["detail"]
    room.model.error = None
    assert (await room.run(view))["status"] == "success"
    assert "sold the cello" in (await room.results(view))[0]["summary"]


async def test_one_bad_partition_does_not_stop_the_others(room: Room) -> None:
    """They are done, and the task says how many are not."""
    await room.tell("Ana drinks green tea.")
    await room.tell("Ben drinks mate.", user_id="ben")
    view = await room.view()
    room.model.error = ValueError("Ana drinks green tea.")
    task = await room.run(view)
    assert task["error_message"] == "2 of 2 partitions failed, what stood there stays: ValueError"
    assert task["done"] == task["total"] == 2


# --- tasks ---


async def test_a_late_word_on_how_far_it_is_does_not_overtake_the_last(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that has ended has done all of it, however long an earlier word took to be written down."""
    note, end = PostgresTasks.progress, PostgresTasks.finish

    last_word = asyncio.Event()

    async def slow(self: PostgresTasks, *names: str, done: int, total: int, **fields: Any) -> frozenset[str]:
        if last_word.is_set():
            await asyncio.sleep(1)
        elif done < total:
            with suppress(TimeoutError):
                await asyncio.wait_for(last_word.wait(), 2)
        followers = await note(self, *names, done=done, total=total, **fields)
        if done == total > 0:
            last_word.set()
        return followers

    async def slower(self: PostgresTasks, *names: Any, **fields: Any) -> bool:
        await asyncio.sleep(0.2)
        return await end(self, *names, **fields)

    monkeypatch.setattr("precis.app.runs._TELL", 0.001)
    monkeypatch.setattr(PostgresTasks, "progress", slow)
    monkeypatch.setattr(PostgresTasks, "finish", slower)
    await room.tell("Ana drinks green tea.")
    await room.tell("Ben drinks mate.", user_id="ben")
    task = await room.run(await room.view())
    assert (task["status"], task["done"], task["total"]) == ("success", 2, 2)


async def test_two_runs_at_once_do_the_work_once(room: Room) -> None:
    """Each has its own task; they follow one piece of work and end with it."""
    for user in ("ana", "ben", "eve"):
        await room.tell(f"{user} drinks green tea.", user_id=user)
    view = await room.view()
    paused = asyncio.Event()
    room.model.meanwhile = paused.wait
    first = (await room.api.post(f"{ROOT}/{view}/run", json={})).json()
    second = (await room.api.post(f"{ROOT}/{view}/run", json={"task_id": "mine"})).json()
    assert (second["id"], second["run_id"]) == ("mine", first["id"])
    paused.set()
    ended = [await room.ended(task["id"]) for task in (first, second)]
    assert [task["status"] for task in ended] == ["success", "success"]
    assert ended[0]["completed_at"] == ended[1]["completed_at"]
    assert len(room.model.requests) == 3


async def test_who_follows_a_run_gets_what_was_written_before_it_asked(room: Room) -> None:
    """A partition that changed after it was looked at is looked at again."""
    await room.tell("Ana drinks green tea.")
    await room.tell("Ben drinks mate.", user_id="ben")
    view = await room.view()
    followers: list[Body] = []

    async def meanwhile() -> None:
        await room.tell("Ana sold the cello.")
        await room.tell("Ben bought a cello.", user_id="ben")
        followers.append((await room.api.post(f"{ROOT}/{view}/run", json={})).json())

    room.model.meanwhile = meanwhile
    await room.run(view)
    assert (await room.ended(followers[0]["id"]))["status"] == "success"
    assert [(one["included_count"], one["stale"]) for one in await room.results(view)] == [(2, False), (2, False)]


async def test_a_task_id_in_use_is_a_409(room: Room) -> None:
    """Also when that task has ended."""
    view = await room.view()
    await room.run(view, task_id="nightly")
    again = await room.api.post(f"{ROOT}/{view}/run", json={"task_id": "nightly"})
    assert again.status_code == 409
    assert "nightly" in again.json()["detail"]


async def test_a_forced_run_joins_one_that_has_not_begun(room: Room) -> None:
    """And that one is forced from then on."""
    app = room.app
    view = await room.view()
    tasks, tenant, now = app.parts.store.tasks, app.parts.tenant_id, app.parts.engine.clock()
    waiting = await tasks.begin(tenant, "waiting", view, forced=False, now=now, lasts=LASTS)
    forced = await tasks.begin(tenant, "forced", view, forced=True, now=now, lasts=LASTS)
    assert (forced.run_id, forced.forced) == (waiting.id, True)
    assert await tasks.start(tenant, waiting, ungrouped=0, now=now, lasts=LASTS) is True


async def test_a_task_whose_worker_died_has_failed(room: Room) -> None:
    """No sign of life for a minute: it is failed, never running for ever, and the next run is a new one."""
    app = room.app
    await room.tell("Ana drinks green tea.")
    view = await room.view()
    tasks, tenant, now = app.parts.store.tasks, app.parts.tenant_id, app.parts.engine.clock()
    task = await tasks.begin(tenant, "orphan", view, forced=False, now=now, lasts=LASTS)
    assert await tasks.start(tenant, task, ungrouped=0, now=now, lasts=LASTS) is False
    assert (await tasks.get(tenant, "orphan", now=now + LASTS / 2)).status is Status.RUNNING
    dead = await tasks.get(tenant, "orphan", now=now + LASTS)
    assert (dead.status, "no sign of life" in str(dead.error_message)) == (Status.FAILED, True)
    assert (await room.run(view))["status"] == "success"
    assert not await tasks.progress(tenant, "orphan", done=1, total=1, now=now, lasts=LASTS)
    assert (await tasks.get(tenant, "orphan", now=now)).status is Status.FAILED


async def test_a_run_that_takes_too_long_has_failed(room: Room) -> None:
    """What was done until then stays."""
    await room.tell("Ana drinks green tea.")
    view = await room.view()
    room.model.meanwhile = asyncio.Event().wait
    settings = room.app.parts.settings.model_copy(update={"view_run_seconds": 0.3})
    hurried = app_over(replace(room.app.parts, settings=settings))
    task = await hurried.tasks.wait((await hurried.views.run(view)).id, seconds=20)
    assert (task.status, task.error_message) == (Status.FAILED, "the run took longer than 0 seconds")
    assert (await room.run(view))["status"] == "success"


async def test_stopping_precis_ends_its_runs(room: Room) -> None:
    """The task says so; the group is free for the next run."""
    await room.tell("Ana drinks green tea.")
    view = await room.view()
    started, background = asyncio.Event(), Background()

    async def wait() -> None:
        started.set()
        await asyncio.Event().wait()

    room.model.meanwhile = wait
    stopping = app_over(replace(room.app.parts, background=background))
    task = await stopping.views.run(view)
    await started.wait()
    await background.aclose()
    ended = await room.ended(task.id)
    assert (ended["status"], "was stopped" in ended["error_message"]) == ("failed", True)
    assert (await room.run(view))["status"] == "success"


async def test_deleting_a_view_ends_its_run(room: Room) -> None:
    """The task is failed at once, and the work stops."""
    await room.tell("Ana drinks green tea.")
    view = await room.view()
    started = asyncio.Event()

    async def wait() -> None:
        started.set()
        await asyncio.Event().wait()

    room.model.meanwhile = wait
    task = (await room.api.post(f"{ROOT}/{view}/run", json={})).json()
    await started.wait()
    await room.api.delete(f"{ROOT}/{view}")
    ended = await room.ended(task["id"])
    assert (ended["status"], ended["error_message"]) == ("failed", "the view was deleted")


async def test_what_has_ended_does_not_change(room: Room) -> None:
    """Only pending and running tasks become anything."""
    assert {one for one, after in NEXT.items() if not after} == {Status.SUCCESS, Status.FAILED}
    view = await room.view()
    ended = await room.run(view)
    tasks, tenant, now = room.app.parts.store.tasks, room.app.parts.tenant_id, room.app.parts.engine.clock()
    task = await room.app.tasks.get(ended["id"])
    assert await tasks.start(tenant, task, ungrouped=9, now=now, lasts=LASTS) is None
    await tasks.finish(tenant, task, error="later", known=None, now=now + timedelta(days=1))
    assert ended == (await room.api.get(f"/v1/tasks/{task.id}")).json()


async def test_a_continuous_view_is_filled_when_it_is_declared(room: Room) -> None:
    """Within seconds, long before its first hour is over, and with no worker; one that is not waits to be asked."""
    await room.tell("Ana drinks green tea.", "Ana sold the cello.")
    view, other = await room.view(continuous=True), await room.view()
    async with asyncio.timeout(30):
        while not (results := (await room.api.get(f"{ROOT}/{view}/partitions")).json()):
            await asyncio.sleep(0.05)
    assert 2 == results[0]["included_count"]
    assert [] == (await room.api.get(f"{ROOT}/{other}/partitions")).json()


async def test_continuous_views_refresh_with_no_worker_to_start(rooms_folder: Path) -> None:
    """A server as it is started, with a short interval: the result is there, and it follows."""
    hurried = Settings(data_dir=with_database(rooms_folder / "continuous"), lease_seconds=1, view_refresh_minutes=0.02)
    async with AsyncExitStack() as stack:
        runtime = await stack.enter_async_context(open_runtime(hurried))
        await stack.enter_async_context(running_worker(runtime))
        url = await stack.enter_async_context(listening(runtime))
        api = await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=60))
        body = {"source": "long_term", "group_by": ["user_id"], "continuous": True}
        view = (await api.post(ROOT, json=body)).json()["id"]
        for text in ("Ana drinks green tea.", "Ana sold the cello."):
            await api.post("/v1/memories", json={"memories": [{"text": text, "user_id": "ana"}]})
            async with asyncio.timeout(30):
                while text not in (await api.get(f"{ROOT}/{view}/partitions")).text:
                    await asyncio.sleep(0.1)
