"""The first request in words that a server gets: others are answered while it reads its tables of words."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from datetime import date

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.finding.request import read_request
from precis.rest.server import listening

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Reads a request as the first thing a process does, and prints the longest that another thread had to wait.
_FIRST = """
import threading, time
from datetime import date
from precis.app.in_words.forgetting import _read_twice
began, longest = time.perf_counter(), 0.0
reading = threading.Thread(target=_read_twice, args=("everything about oat milk", date(2026, 1, 1)))
reading.start()
while reading.is_alive():
    before = time.perf_counter()
    time.sleep(0.001)
    longest = max(longest, time.perf_counter() - before)
print(time.perf_counter() - began, longest)
"""


async def test_others_are_served_meanwhile(runtime: Runtime, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the reading takes, it is not on the event loop: this one ends once somebody else was answered."""
    began, answered = asyncio.Event(), threading.Event()
    waited: list[bool] = []
    loop = asyncio.get_running_loop()

    def slow(what: str, today: date) -> object:
        loop.call_soon_threadsafe(began.set)
        waited.append(answered.wait(20))
        return original(what, today)

    original = read_request
    monkeypatch.setattr("precis.app.in_words.forgetting.read_request", slow)
    key = await runtime.store.tenants.create_key(tenant, name="first", now=runtime.engine.clock())
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        listening(runtime) as base,
        httpx.AsyncClient(base_url=base, headers=headers, timeout=60) as client,
    ):
        asked = asyncio.create_task(client.post("/v1/forget", json={"what": "all about tea", "user_id": "nobody-1"}))
        await asyncio.wait_for(began.wait(), 30)
        assert (await client.get("/healthz")).status_code == 200
        assert not asked.done()
        answered.set()
        await asked
    assert all(waited)


async def test_the_tables_are_read_in_seconds() -> None:
    """A third of what it was; no thread waits longer than a collection of garbage takes on a busy computer."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _FIRST, stdout=subprocess.PIPE)
    out, _ = await process.communicate()
    _, longest = map(float, out.split())
    assert longest < 1.0
