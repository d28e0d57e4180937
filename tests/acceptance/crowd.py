"""Several real precis processes over the shared database, all for one tenant."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from precis.bootstrap import Runtime, open_runtime
from precis.models.chat import ChatSummarizer
from precis.testing.model_server import ModelServer
from warm import Forked, fork

#: One call of three short memories costs about a tenth of a cent.
PRICES = {"precis-test": {"input_per_million": 1.0, "output_per_million": 4.0}}
#: What another process does: reads orders, one JSON object a line, and answers each with a line.
PROCESS = """
import asyncio, json, sys
import structlog
from precis.bootstrap import open_runtime
from precis.jobs.worker import running_worker
from precis.settings import Settings

structlog.configure(logger_factory=structlog.ReturnLoggerFactory())

async def main(settings, tenant):
    async with open_runtime(Settings(**settings)) as runtime:
        app = runtime.app(tenant)
        answer = lambda value: print(json.dumps(value), flush=True)
        answer("ready")
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            order = json.loads(line)
            if order == "work":
                async with running_worker(runtime):
                    answer("working")
                    await asyncio.to_thread(sys.stdin.readline)
            else:
                written = await asyncio.gather(*(app.memories.add(rows) for rows in order))
                answer([len(one.memories) for one in written])
        await getattr(runtime.engine.summarizer, "aclose", asyncio.sleep.__get__(0))()

asyncio.run(main(json.loads(sys.argv[1]), sys.argv[2]))
"""

#: Subjects that nobody would take for one another.
THINGS = (
    "violin bicycle kettle ladder telescope carpet lantern tractor piano umbrella camera hammer mattress canoe "
    "typewriter aquarium chessboard microscope wheelbarrow accordion saddle hammock printer snowboard teapot"
).split()


class Member:
    """One of the processes."""

    def __init__(self, process: Forked) -> None:
        self.process = process

    async def order(self, order: Any) -> Any:
        """Let it do something, and answer what it answers."""
        await self.send(order)
        return await self.hear()

    async def send(self, order: Any) -> None:
        """Let it do something."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        await self.process.stdin.drain()

    async def hear(self) -> Any:
        """The next thing it says."""
        assert self.process.stdout
        line = await asyncio.wait_for(self.process.stdout.readline(), 60)
        assert line, "the process ended"
        return json.loads(line)


@asynccontextmanager
async def crowd(
    runtime: Runtime, tenant: str, number: int, settings: dict[str, Any]
) -> AsyncIterator[Sequence[Member]]:
    """So many other processes, started at once; killed at the end."""
    given = {"data_dir": str(runtime.settings.data_dir)} | settings
    processes = [
        await fork(
            json.dumps(given), tenant, program=PROCESS, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(number)
    ]
    try:
        members = [Member(process) for process in processes]
        assert await asyncio.gather(*(one.hear() for one in members)) == ["ready"] * number
        yield members
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
            await process.communicate()


def asking(server: ModelServer, **settings: Any) -> dict[str, Any]:
    """Settings of a precis whose model is this server."""
    return {"model": "precis-test", "model_base_url": server.base_url, "prices": PRICES} | settings


@asynccontextmanager
async def with_model(runtime: Runtime, server: ModelServer, **settings: Any) -> AsyncIterator[Runtime]:
    """The shared database served from here by a precis that has a model."""
    async with open_runtime(runtime.settings.model_copy(update=asking(server, **settings))) as other:
        model = other.engine.summarizer
        assert isinstance(model, ChatSummarizer)
        try:
            yield other
        finally:
            await model.aclose()


def cost_of(server: ModelServer) -> float:
    """What the server would charge, in US dollars."""
    price = PRICES["precis-test"]
    stats = server.stats
    return (stats.tokens_in * price["input_per_million"] + stats.tokens_out * price["output_per_million"]) / 1e6


def story(user: str, thing: str = "violin", project: str | None = None) -> list[dict[str, Any]]:
    """Three memories of one subject, enough for a summary."""
    texts = (
        f"{user} bought a {thing} at the harbor market.",
        f"{user} had the {thing} repaired in spring.",
        f"{user} lent the {thing} to a neighbor for a week.",
    )
    given = {"user_id": user, "type": "fact", "key": thing} | ({"project_id": project} if project else {})
    return [{"text": text} | given for text in texts]
