"""A server with a model that can be told to fail, and what clients of summary views do to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from precis.app import App
from precis.app.parts import Background
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.rest.server import listening
from precis.testing.fakes import Quoting

Body = dict[str, Any]
ROOT = "/v1/summary-views"


@dataclass(frozen=True, kw_only=True)
class Room:
    """A server whose model can be told to fail, and the same tenant without HTTP."""

    api: httpx.AsyncClient
    model: Quoting
    app: App

    async def tell(self, *texts: str, **fields: Any) -> list[str]:
        """Write memories of one person; answers their ids."""
        rows = [{"id": new_id(), "text": text, "user_id": "ana"} | fields for text in texts]
        await self.app.memories.add(rows, summarize="deferred")
        return [row["id"] for row in rows]

    async def view(self, **fields: Any) -> str:
        """Declare a view; answers its id."""
        answer = await self.api.post(ROOT, json={"source": "long_term", "group_by": ["user_id"]} | fields)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    async def run(self, view: str, **how: Any) -> Body:
        """Run it all; answers the task that ended."""
        answer = await self.api.post(f"{ROOT}/{view}/run", json=how)
        assert answer.status_code == 200, answer.text
        return await self.ended(answer.json()["id"])

    async def ended(self, task_id: str) -> Body:
        """The task once it has ended."""
        while True:
            task: Body = (await self.api.get(f"/v1/tasks/{task_id}")).json()
            if task["status"] in ("success", "failed"):
                return task
            await asyncio.sleep(0.02)

    async def one(self, view: str, **group: str) -> Body:
        """Run one group, which has to succeed."""
        answer = await self.api.post(f"{ROOT}/{view}/partitions/run", json={"group": group})
        assert answer.status_code == 200, answer.text
        found: Body = answer.json()
        return found

    async def results(self, view: str, **group: str) -> list[Body]:
        """The results that stand."""
        answer = await self.api.get(f"{ROOT}/{view}/partitions", params=group)
        assert answer.status_code == 200, answer.text
        found: list[Body] = answer.json()
        return found


@asynccontextmanager
async def opened(runtime: Runtime, tenant: str, key: str) -> AsyncIterator[Room]:
    """With a model that quotes."""
    model, background = Quoting("model@1"), Background()
    told = replace(runtime, engine=replace(runtime.engine, summarizer=model), background=background)
    async with listening(told) as url:
        headers = {"X-API-Key": key}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as api:
            yield Room(api=api, model=model, app=told.app(tenant))
    await background.aclose()
