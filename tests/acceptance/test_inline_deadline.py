"""The deadline of an inline refresh binds all of it: the call, the wait for a slot, the lease, and giving them back."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from pathlib import Path

import httpx
import living

from precis.testing.model_server import model_server
from rooms import with_database

DEADLINE = 2.0
#: What a write itself may take beside eleven others on a busy computer.
GRACE = 4.0
WRITERS = 12
SUBJECTS = ("kettle", "garden", "violin", "harbor")


async def _write(client: httpx.AsyncClient, writer: int, until: float, pace: living.Pace) -> list[float]:
    """Write three memories of a subject at once, again and again; how long each answer took.

    A server that gets no time may refuse; one that has it may not.
    """
    took: list[float] = []
    for turn in count():
        if time.monotonic() > until:
            return took
        subject = SUBJECTS[turn % len(SUBJECTS)]
        rows = [
            {"id": f"{writer}-{turn}-{n}", "user_id": f"user{writer % 5}", "type": "fact", "key": subject,
             "text": f"The {subject} of writer {writer} has mark {turn}.{n}."}
            for n in range(3)
        ]  # fmt: skip
        began = time.monotonic()
        answered = await client.post("/v1/memories", json={"memories": rows})
        took.append(time.monotonic() - began)
        assert answered.status_code == 201 or (answered.status_code == 503 and pace.slowness > 3), answered.text
    raise AssertionError


async def test_no_write_outlasts_the_deadline_where_the_model_stalls(rooms_folder: Path) -> None:
    """Twelve writers, a model that never answers, three slots: each write is answered in time, and none is lost."""
    async with model_server() as model:
        model.behave("stall", seconds=600)
        settings = {
            "PRECIS_MODEL": "precis-test",
            "PRECIS_MODEL_BASE_URL": model.base_url,
            "PRECIS_INLINE_DEADLINE": str(DEADLINE),
            "PRECIS_COOLDOWN": "0",
            # None waits for a turn: while others do, a write leaves its summaries to the worker and asks no model.
            "PRECIS_WRITES_AT_ONCE": str(WRITERS),
        }
        async with (
            living.serving(with_database(rooms_folder / "stalled"), **settings) as server,
            httpx.AsyncClient(base_url=server.url, timeout=300) as client,
        ):
            until, pace = time.monotonic() + 20, living.Pace()
            took = await asyncio.gather(*(_write(client, writer, until, pace) for writer in range(WRITERS)))
            times = [seconds for each in took for seconds in each]
            assert max(times) > DEADLINE, "the model was not waited for at all"
            assert max(times) < DEADLINE + pace.within(GRACE)
        model.close()
