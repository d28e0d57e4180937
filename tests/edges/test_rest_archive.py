"""/memory/summarize over HTTP, as an outside cron and a person call it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.store.tasks import PostgresTasks
from precis.store.timetables import PassClaim
from precis.summary import SET_ASIDE

pytestmark = pytest.mark.asyncio(loop_scope="session")
TEXTS = (
    "Ana bought a harp in Oslo.",
    "Ana sold her canoe in Turin.",
    "Ana repaired a lantern in Lima.",
    "Ana lost a violin in Cork.",
)


def long_ago(**fields: Any) -> list[dict[str, Any]]:
    """Four memories from 2020."""
    return [
        {"id": new_id(), "text": text, "user_id": "ana", "created_at": f"2020-03-0{at + 1}T10:00:00Z", **fields}
        for at, text in enumerate(TEXTS)
    ]


async def write(api: httpx.AsyncClient, rows: list[dict[str, Any]]) -> list[str]:
    """Through the door everybody uses."""
    answer = await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    assert 201 == answer.status_code
    return [row["id"] for row in rows]


async def test_a_pass_without_a_body(api: httpx.AsyncClient) -> None:
    """As cron sends it: nothing but the method. Old memories are summarized, and those over a year go."""
    ids = await write(api, long_ago(agent_id="helper"))
    answer = await api.post("/memory/summarize")
    assert 200 == answer.status_code
    counts = {
        "total": 4,
        "read": 4,
        "represented": 4,
        "set_aside": dict.fromkeys(SET_ASIDE, 0),
        "left_out": 0,
        "capped": 0,
    }
    assert {
        "batches": 1, "memories": 4, "deletions": 4, "waiting": 0, "left_out": 0, "failed": 0, "next_run": None,
        "counts": counts,
    } == answer.json()  # fmt: skip
    (summary,) = (await api.get("/v1/summaries", params={"policy": "archive"})).json()["summaries"]
    assert (ids, "2020-03-04", "archive") == (
        summary["summarized_memory_ids"], summary["summarized_until"], summary["tier"]
    )  # fmt: skip
    memory = (await api.get(f"/v1/memories/{summary['id']}")).json()
    assert (True, ids, "helper") == (memory["is_summary"], memory["summarized_memory_ids"], memory["agent_id"])
    assert "2020-03-04" == memory["summarized_until"]
    original = (await api.get(f"/v1/memories/{ids[0]}")).json()
    assert [None, None] == [original[name] for name in ("summarized_memory_ids", "summarized_until")]
    for text in TEXTS:
        assert text in memory["text"]
    assert [None] * 4 == [(await api.get(f"/v1/memories/{id_}")).json()["text"] for id_ in ids]


async def test_again_finds_nothing(api: httpx.AsyncClient) -> None:
    """However often cron calls."""
    await write(api, long_ago())
    await api.post("/memory/summarize")
    again = (await api.post("/memory/summarize")).json()
    assert (0, 0, 0) == (again["batches"], again["memories"], again["deletions"])


async def test_when_it_ran_and_runs_next(api: httpx.AsyncClient) -> None:
    """Before the first pass, and after it; switched off, nothing is due."""
    assert {"last_run": None, "next_run": None} == (await api.get("/memory/summarize")).json()["policies"]["archive"]
    await api.post("/memory/summarize")
    state = (await api.get("/memory/summarize")).json()["policies"]["archive"]
    assert datetime.fromisoformat(state["last_run"]).tzinfo is not None
    assert state["next_run"] is None


async def test_one_at_a_time(api: httpx.AsyncClient, runtime: Runtime, tenant: str) -> None:
    """While somebody makes the pass the answer is a 409 that says what to do."""
    schedules, now = runtime.store.schedules, runtime.engine.clock()
    await schedules.ensure(tenant, "archive", next_run=now)
    mine = await schedules.claim(tenant, "archive", now=now, lasts=timedelta(minutes=1), requested=True)
    assert isinstance(mine, PassClaim)
    answer = await api.post("/memory/summarize")
    assert (409, True) == (answer.status_code, "try again" in answer.json()["detail"])
    await schedules.finish(mine, last_run=None, next_run=None)
    assert 200 == (await api.post("/memory/summarize")).status_code


async def test_after_a_refusal_it_can_be_asked_for_at_once(
    api: httpx.AsyncClient, runtime: Runtime, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal is answered once its task has ended, however long that takes: the next request begins a new one."""
    schedules, now = runtime.store.schedules, runtime.engine.clock()
    await schedules.ensure(tenant, "archive", next_run=now)
    mine = await schedules.claim(tenant, "archive", now=now, lasts=timedelta(minutes=1), requested=True)
    assert isinstance(mine, PassClaim)
    finish = type(runtime.store.tasks).finish

    async def slowly(tasks: PostgresTasks, *arguments: Any, **named: Any) -> bool:
        await asyncio.sleep(0.5)
        return await finish(tasks, *arguments, **named)

    monkeypatch.setattr(PostgresTasks, "finish", slowly)
    assert 409 == (await api.post("/memory/summarize")).status_code
    await schedules.finish(mine, last_run=None, next_run=None)
    assert 200 == (await api.post("/memory/summarize")).status_code


async def test_with_a_body_it_is_a_period(api: httpx.AsyncClient) -> None:
    """The same address makes a user's week: here there are no notes."""
    answer = await api.post("/memory/summarize", json={"userId": "ana", "period": "weekly"})
    assert {"summaryId": None, "period": "weekly", "notesConsolidated": 0, "status": "empty"} == answer.json()


@pytest.mark.parametrize("body", [{}, {"period": "weekly"}, {"userId": "ana", "period": "yearly"}, {"user": "ana"}, []])
async def test_a_body_that_is_no_request_is_refused(api: httpx.AsyncClient, body: Any) -> None:
    """It is not taken for none: somebody meant something else than a pass."""
    assert 422 == (await api.post("/memory/summarize", json=body)).status_code


async def test_a_parameter_is_refused(api: httpx.AsyncClient) -> None:
    """Nothing that would be ignored is taken."""
    assert 422 == (await api.post("/memory/summarize", params={"dry_run": "true"})).status_code
