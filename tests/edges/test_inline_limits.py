"""What a write waits for, whatever the summarizer does; and what an outage of the database counts for."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from precis.app import App
from precis.app.inputs import read_inputs
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.errors import StoreUnavailable
from precis.jobs.worker import Alarm, wake
from precis.makers import Draft, Request
from precis.store.rows import HEAD_START
from precis.testing.fakes import Quoting
from precis.work import alongside, ended

pytestmark = pytest.mark.asyncio(loop_scope="session")

DEADLINE = 0.5


class Stubborn(Quoting):
    """Loses a cancellation, as `asyncio.wait_for` does where it comes together with a result, and goes on."""

    def __init__(self) -> None:
        super().__init__("stubborn@1")
        self.lost = False

    async def summarize(self, request: Request) -> Draft:
        """Answers after ten seconds, or when it is cancelled twice."""
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            self.lost = True
            await asyncio.sleep(10)
        return await super().summarize(request)


def _app(runtime: Runtime, tenant: str, summarizer: Quoting, deadline: float) -> App:
    settings = runtime.settings.model_copy(update={"inline_deadline": deadline})
    return replace(runtime, settings=settings, engine=replace(runtime.engine, summarizer=summarizer)).app(tenant)


def _rows(subject: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"{subject}-{n}",
            "user_id": "ida",
            "type": "fact",
            "key": subject,
            "text": f"Ida's {subject} has part {n}.",
        }
        for n in range(3)
    ]


async def test_a_lost_cancellation_does_not_hold_a_write(runtime: Runtime, tenant: str) -> None:
    """The write is answered at its deadline; its cluster still waits, and the lease is given back."""
    summarizer = Stubborn()
    app = _app(runtime, tenant, summarizer, DEADLINE)
    # The first write of a process loads what it embeds with.
    await app.memories.add(_rows("shuttle")[:1])
    began = time.monotonic()
    written = await app.memories.add(_rows("loom"))
    # Ten seconds are what it would wait for; a busy computer may take some of its own.
    assert time.monotonic() - began < DEADLINE + 8
    assert summarizer.lost
    (waiting,) = written.waiting
    await ended(20)
    assert waiting in [job.group_id for job in await app.jobs.list()]
    lease = await runtime.engine.groups.claim(
        tenant, now=runtime.engine.clock(), lasts=runtime.engine.lease_lasts, group_id=waiting
    )
    assert lease is not None


async def test_outages_are_not_failures_of_a_group(runtime: Runtime, tenant: str) -> None:
    """However often the database was away, the group waits for no person, and no attempt is counted."""
    summarizer = Quoting("away@1")
    summarizer.error = StoreUnavailable()
    app = _app(runtime, tenant, summarizer, 30)
    for turn in range(7):
        await app.memories.add([row | {"id": f"{row['id']}-{turn}"} for row in _rows("anvil")])
    (job,) = await app.jobs.list()
    assert (job.state, job.attempts) == ("waiting", 0)
    summarizer.error = None
    written = await app.memories.add([row | {"id": f"{row['id']}-last"} for row in _rows("anvil")])
    assert written.waiting == ()


async def test_a_writer_is_before_a_worker(runtime: Runtime, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However eager a worker is, each inline write is answered with its summary."""
    # A second is enough for a writer on a computer that has time for it.
    for module in ("membership", "groups"):
        monkeypatch.setattr(f"precis.store.{module}.HEAD_START", timedelta(minutes=1))
    app, engine = runtime.app(tenant), runtime.engine
    await app.memories.add(_rows("shuttle")[:1])

    async def work_eagerly() -> None:
        while True:
            await work(engine, tenant, until=engine.clock() + timedelta(seconds=1))
            await asyncio.sleep(0)

    async with alongside(work_eagerly()), alongside(work_eagerly()):
        written = [await app.memories.add(_rows(subject)) for subject in ("barge", "kite", "anvil", "loom", "lute")]
    assert [(1, ())] * 5 == [(len(write.summaries), write.waiting) for write in written]


async def test_what_a_writer_left_is_a_workers_soon(runtime: Runtime, tenant: str) -> None:
    """A writer that died after its write is waited for no longer than its head start; a deferred write not at all."""
    app, engine, store = runtime.app(tenant), runtime.engine, runtime.store
    inputs = read_inputs(_rows("barge"), clock=engine.clock, max_text_chars=1000, max_batch=10)
    rows = [replace(row, awaited=True) for row in await app.memories.prepare(inputs)]
    now = engine.clock()
    await store.memories.add(tenant, rows, policy=engine.policies["clusters"], now=now)
    alarm = Alarm(engine.clock)
    assert await runtime.runs.claim(tenant, now=now, lasts=engine.lease_lasts) is None
    assert not await wake(runtime, tenant, alarm)
    assert [tenant] == await alarm.rung(HEAD_START.total_seconds() + 5)
    assert await wake(runtime, tenant, alarm)
    assert await runtime.runs.claim(tenant, now=engine.clock(), lasts=engine.lease_lasts) is not None
    await app.memories.add(_rows("kite"), summarize="deferred")
    assert await engine.groups.claim(tenant, now=engine.clock(), lasts=engine.lease_lasts) is not None
