"""A deployment under traffic whose processes are killed at random: server, worker and database."""

from __future__ import annotations

import asyncio
import random
import re
from asyncio.subprocess import PIPE
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx
import living

from warm import Forked

SUBJECTS = ("orchard", "sailing", "pottery", "astronomy")
#: How many write at the same time, each for itself.
ACTORS = 4


def word(chance: random.Random) -> str:
    """A word that occurs nowhere else."""
    return "zq" + "".join(chance.choices("bcdfghklmnprstvw", k=14))


@dataclass(kw_only=True)
class Deployment:
    """One server and one worker over a folder, each started again when it ended."""

    folder: Path
    url: str = ""
    server: Forked | None = None
    worker: Forked | None = None
    kills: dict[str, int] = field(default_factory=dict)
    #: Lines of the servers' logs; the last of them are shown where an answer is wrong.
    log: deque[str] = field(default_factory=lambda: deque(maxlen=2_000))
    _keeping: list[asyncio.Task[None]] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        self._keeping = [asyncio.create_task(self._keep_server()), asyncio.create_task(self._keep_worker())]
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in self._keeping:
            task.cancel()
        await asyncio.gather(*self._keeping, return_exceptions=True)
        for process in (self.server, self.worker):
            if process is not None:
                await living.end(process)

    async def _keep_server(self) -> None:
        while True:
            self.server = await living.begin("serve", "--data-dir", self.folder, "--port", "0", stderr=PIPE)
            assert self.server.stderr is not None
            while line := (await self.server.stderr.readline()).decode():
                self.log.append(line)
                if address := re.search(r"precis serves at (http://\S+?),", line):
                    self.url = address[1]
            await self.server.wait()
            self.url = ""

    async def _keep_worker(self) -> None:
        while True:
            self.worker = await living.begin("worker", "--data-dir", self.folder)
            await self.worker.wait()

    def kill(self, chance: random.Random) -> bool:
        """Kill something; False where it is down already."""
        victim = chance.choice(["server", "worker", "database", "backend", "all of the database"])
        pids = self._pids(victim, chance)
        living.kill(pids)
        if pids:
            self.kills[victim] = self.kills.get(victim, 0) + 1
        return bool(pids)

    def _pids(self, victim: str, chance: random.Random) -> list[int]:
        if victim in ("server", "worker"):
            process = self.server if victim == "server" else self.worker
            return [process.pid] if process is not None and process.returncode is None else []
        processes = living.database_processes(self.folder)
        if victim == "backend":
            return [chance.choice(processes)] if processes else []
        if victim == "all of the database":
            return processes
        with suppress(FileNotFoundError, IndexError):
            server = living.postmaster(self.folder)
            return [server] if living.is_running(server) else []
        return []


@dataclass(kw_only=True)
class Actor:
    """Writes, edits and forgets, each until it is answered; knows what must be readable and what must not."""

    name: str
    deployment: Deployment
    client: httpx.AsyncClient
    chance: random.Random
    texts: dict[str, str] = field(default_factory=dict)
    #: Words of texts that were forgotten or replaced.
    canaries: list[str] = field(default_factory=list)
    answered: int = 0
    _written: int = 0

    async def act(self) -> None:
        """One deed, until it is answered."""
        deed = self.chance.random()
        if deed < 0.55 or len(self.texts) < 4:
            await self._write()
        elif deed < 0.75:
            await self._edit()
        else:
            await self._forget()
        self.answered += 1

    async def _ask(self, method: str, path: str, body: Any = None) -> tuple[httpx.Response, bool]:
        """The first definite answer, and whether an earlier attempt may have been carried out already."""
        doubtful = False
        while True:
            url = self.deployment.url
            if not url:
                await asyncio.sleep(0.05)
                continue
            try:
                answer = await self.client.request(method, url + path, json=body)
            except httpx.TransportError:
                doubtful = True
                await asyncio.sleep(0.05)
                continue
            if answer.status_code != 503:
                return answer, doubtful
            doubtful = True
            await asyncio.sleep(0.05)

    def _text(self, canary: str) -> str:
        return f"{self.name.title()} noted {canary} about the {self.chance.choice(SUBJECTS)}."

    async def _write(self) -> None:
        rows = []
        for _ in range(self.chance.randint(1, 3)):
            self._written += 1
            subject = self.chance.choice(SUBJECTS)
            rows.append({
                "id": f"{self.name}-{self._written}", "user_id": f"user-{self.name}", "type": "fact", "key": subject,
                "text": self._text(word(self.chance)),
            })  # fmt: skip
        answer, _ = await self._ask("POST", "/v1/memories", {"memories": rows})
        assert answer.status_code == 201, answer.text
        self.texts |= {row["id"]: row["text"] for row in rows}

    async def _edit(self) -> None:
        id_ = self.chance.choice(sorted(self.texts))
        text = self._text(word(self.chance))
        answer, _ = await self._ask("PATCH", f"/v1/memories/{id_}", {"text": text})
        assert answer.status_code == 200, answer.text
        self._gone(self.texts[id_])
        self.texts[id_] = text

    async def _forget(self) -> None:
        id_ = self.chance.choice(sorted(self.texts))
        answer, doubtful = await self._ask("DELETE", f"/v1/memories/{id_}")
        assert answer.status_code == 200 or (doubtful and answer.status_code in (404, 410)), answer.text
        self._gone(self.texts.pop(id_))

    def _gone(self, text: str) -> None:
        self.canaries += [part for part in text.split() if part.startswith("zq")]


@asynccontextmanager
async def acting(deployment: Deployment, seed: int) -> AsyncIterator[list[Actor]]:
    """Traffic for the length of a block; at its end everybody finishes what was begun."""
    async with httpx.AsyncClient(timeout=30) as client:
        actors = [
            Actor(name=f"actor{n}", deployment=deployment, client=client, chance=random.Random(seed + n))  # noqa: S311
            for n in range(ACTORS)
        ]
        stopping = asyncio.Event()
        # A wrong answer ends the block at once.
        async with asyncio.TaskGroup() as group:
            for actor in actors:
                group.create_task(_until(actor, stopping))
            yield actors
            stopping.set()


async def _until(actor: Actor, stopping: asyncio.Event) -> None:
    """One deed after the other, so that none is left undecided."""
    while not stopping.is_set():
        await actor.act()
