"""POST /memory/summarize where it takes long: a task with progress and a result, which ends whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from precis.app.parts import Background
from precis.app.runs import LASTS
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.rest.server import listening
from precis.store.tasks import PostgresTasks, Task
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
USERS = tuple(f"user-{at}" for at in range(4))


class Slow(Quoting):
    """A model that answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()

    async def summarize(self, request: Any) -> Any:
        """As the others do, later."""
        await self.open.wait()
        return await super().summarize(request)


def long_ago(user_id: str) -> list[dict[str, Any]]:
    """Two memories from 2020."""
    return [
        {"id": new_id(), "text": f"{user_id} sold canoe {at} in Turin.", "user_id": user_id,
         "created_at": f"2020-03-0{at + 1}T10:00:00Z"}
        for at in range(2)
    ]  # fmt: skip


@asynccontextmanager
async def serving(runtime: Runtime, key: str, model: Quoting, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A server of its own over the shared database, with this model."""
    background = Background()
    own = replace(
        runtime, engine=replace(runtime.engine, summarizer=model), background=background,
        settings=runtime.settings.model_copy(update=settings),
    )  # fmt: skip
    async with AsyncExitStack() as stack:
        stack.push_async_callback(background.aclose)
        url = await stack.enter_async_context(listening(own))
        headers = {"Authorization": f"Bearer {key}"}
        yield await stack.enter_async_context(httpx.AsyncClient(base_url=url, headers=headers, timeout=60))


async def write(api: httpx.AsyncClient) -> None:
    """Old memories of several users: as many batches."""
    rows = [row for user_id in USERS for row in long_ago(user_id)]
    assert 201 == (await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})).status_code


async def ended(api: httpx.AsyncClient, task_id: str, seconds: float = 30) -> dict[str, Any]:
    """The task when it has ended."""
    for _ in range(int(seconds / 0.05)):
        task: dict[str, Any] = (await api.get(f"/v1/tasks/{task_id}")).json()
        if task["status"] in ("success", "failed"):
            return task
        await asyncio.sleep(0.05)
    raise AssertionError(task)


async def test_what_takes_long_is_a_task(runtime: Runtime, key: str) -> None:
    """202 with its id; it says how far it is and of what; in the end it has what the request would have answered."""
    model = Slow()
    async with serving(runtime, key, model, summarize_wait_seconds=0.2) as api:
        await write(api)
        answer = await api.post("/memory/summarize")
        assert 202 == answer.status_code
        assert answer.json()["status"] in ("pending", "running")
        task_id = answer.json()["task_id"]
        assert f"/v1/tasks/{task_id}" == answer.headers["Location"]
        async with asyncio.timeout(30):
            while not (task := (await api.get(f"/v1/tasks/{task_id}")).json())["total"]:
                await asyncio.sleep(0.05)
        assert "running" == task["status"]
        assert ("memory_summarize", None, 0, 4, "batches") == tuple(
            task[name] for name in ("type", "view_id", "done", "total", "what")
        )
        model.open.set()
        task = await ended(api, task_id)
        assert ("success", 4, 4, None) == tuple(task[name] for name in ("status", "done", "total", "error_message"))
        said = task["result"].pop("counts")
        assert (8, 8, 8, 0) == tuple(said[name] for name in ("total", "read", "represented", "left_out"))
        assert {
            "batches": 4, "memories": 8, "deletions": 8, "waiting": 0, "left_out": 0, "failed": 0, "next_run": None
        } == task["result"]  # fmt: skip


async def test_the_same_request_follows_the_one_under_way(runtime: Runtime, key: str) -> None:
    """Nothing is done twice; both end together, with the same result. Another request is another piece of work."""
    model = Slow()
    async with serving(runtime, key, model, summarize_wait_seconds=0.1) as api:
        await write(api)
        begun = [(await api.post("/memory/summarize")).json() for _ in range(3)]
        assert 3 == len({one["task_id"] for one in begun})
        waiting = asyncio.create_task(api.post("/memory/summarize"))
        refused = await api.post("/memory/summarize", json={"userId": USERS[0]})
        assert 409 == refused.status_code
        model.open.set()
        tasks = [await ended(api, one["task_id"]) for one in begun]
        assert 1 == len({one["run_id"] for one in tasks})
        assert 4 == len(model.requests)
        assert [tasks[0]["result"]] * 3 == [one["result"] for one in tasks]
        assert (await waiting).status_code in (200, 202)


async def test_wait_false_answers_at_once(runtime: Runtime, key: str) -> None:
    """However short it is; a period as well as a pass."""
    async with serving(runtime, key, Quoting()) as api:
        await write(api)
        rows = [
            {"id": new_id(), "text": f"Ida pruned pear tree number {at}.", "user_id": "ida", "memory_type": "episodic",
             "metadata": {"kind": "note"}, "created_at": f"2020-03-0{at + 2}T10:00:00Z"}
            for at in range(3)
        ]  # fmt: skip
        await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
        for body, expected in (
            ({"wait": False, "store": "precis"}, {"batches": 5, "memories": 8}),
            ({"wait": False, "userId": "ida", "period": "weekly", "day": "2020-03-03"},
             {"period": "weekly", "status": "complete", "notesConsolidated": 3}),
        ):  # fmt: skip
            answer = await api.post("/memory/summarize", json=body)
            assert 202 == answer.status_code, answer.text
            task = await ended(api, answer.json()["task_id"])
            assert "success" == task["status"]
            assert (
                expected["period" if "period" in body else "batches"]
                == task["result"]["period" if "period" in body else "batches"]
            )


async def test_a_failure_is_the_tasks(runtime: Runtime, key: str, tenant: str) -> None:
    """A pass that somebody else makes: 409 for whoever waits, a failed task for whoever does not."""
    schedules, now = runtime.store.schedules, runtime.engine.clock()
    await schedules.ensure(tenant, "archive", next_run=now)
    mine = await schedules.claim(tenant, "archive", now=now, lasts=timedelta(minutes=1), requested=True)
    assert mine is not None
    async with serving(runtime, key, Quoting()) as api:
        assert 409 == (await api.post("/memory/summarize")).status_code
        begun = (await api.post("/memory/summarize", json={"wait": False, "store": "precis"})).json()
        task = await ended(api, begun["task_id"])
        assert ("failed", None) == (task["status"], task["result"])
        assert "being made right now" in task["error_message"]


async def test_who_does_not_wait_gets_a_task_however_soon_it_fails(
    runtime: Runtime, key: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody looks at the task before it has failed: that is told by the task, not by the answer."""
    schedules, now = runtime.store.schedules, runtime.engine.clock()
    await schedules.ensure(tenant, "archive", next_run=now)
    assert await schedules.claim(tenant, "archive", now=now, lasts=timedelta(minutes=1), requested=True) is not None
    get = PostgresTasks.get

    async def once_ended(tasks: PostgresTasks, *names: Any, **named: Any) -> Task:
        while not (task := await get(tasks, *names, **named)).ended:
            await asyncio.sleep(0.01)
        return task

    monkeypatch.setattr(PostgresTasks, "get", once_ended)
    async with serving(runtime, key, Quoting()) as api:
        answer = await api.post("/memory/summarize", json={"wait": False})
        assert 202 == answer.status_code, answer.text
        assert "failed" == (await ended(api, answer.json()["task_id"]))["status"]


async def test_a_server_that_stops_ends_its_tasks(runtime: Runtime, key: str) -> None:
    """Never running for ever; the next request does what is left."""
    async with serving(runtime, key, Slow(), summarize_wait_seconds=0.1) as api:
        await write(api)
        begun = (await api.post("/memory/summarize")).json()
    async with serving(runtime, key, Quoting()) as api:
        task = await ended(api, begun["task_id"])
        assert ("failed", True) == (task["status"], "stopped" in task["error_message"])
        assert 4 == (await api.post("/memory/summarize")).json()["batches"]


async def test_a_task_without_a_sign_of_life_has_failed(runtime: Runtime, key: str, tenant: str) -> None:
    """Its process was killed: nothing ended it, and its time ran out."""
    tasks, now = runtime.store.tasks, runtime.engine.clock() - LASTS - timedelta(seconds=1)
    task = await tasks.begin(tenant, "orphan", "memory_summarize:x", forced=False, now=now, lasts=LASTS,
                             type_="memory_summarize")  # fmt: skip
    await tasks.start(tenant, task, ungrouped=None, now=now, lasts=LASTS)
    async with serving(runtime, key, Quoting()) as api:
        found = (await api.get("/v1/tasks/orphan")).json()
    assert ("failed", True) == (found["status"], "goes on where it stopped" in found["error_message"])
