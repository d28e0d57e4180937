"""What the tests of the wire share: its published client with a base URL alone, and calls of its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from agent_memory_client import MemoryAPIClient, MemoryClientConfig, create_memory_client

Body = dict[str, Any]
ROOT = "/v1/long-term-memory"
TEXTS = {
    "tea": "Ana drinks green tea every morning",
    "bike": "Ana repairs old bicycles on Sundays",
    "trip": "Ana travels to Bruges by night train",
}


@asynccontextmanager
async def connected(url: str, key: str, **config: Any) -> AsyncIterator[MemoryAPIClient]:
    """The client as its own factory makes it, or with a config."""
    base = f"{url}/t/{key}"
    client = (
        MemoryAPIClient(MemoryClientConfig(base_url=base, **config)) if config else await create_memory_client(base)
    )
    async with client:
        yield client


def record(id_: str, text: str | None = None, **fields: Any) -> Body:
    """A memory as a client writes it."""
    return {"id": id_, "text": text or TEXTS[id_], "user_id": "ana"} | fields


async def create(api: httpx.AsyncClient, *memories: Body, **fields: Any) -> None:
    """Write memories."""
    answer = await api.post(f"{ROOT}/", json={"memories": list(memories)} | fields)
    assert (200, {"status": "ok"}) == (answer.status_code, answer.json()), answer.text


async def three(api: httpx.AsyncClient) -> None:
    """The three texts, an hour apart, the trip last."""
    now = datetime.now(UTC)
    await create(
        api,
        *(
            record(id_, created_at=(now - timedelta(hours=3 - at)).isoformat(), last_accessed=now.isoformat())
            for at, id_ in enumerate(TEXTS)
        ),
    )


async def search(api: httpx.AsyncClient, **body: Any) -> Body:
    """A search that succeeds."""
    answer = await api.post(f"{ROOT}/search", json=body, params={"optimize_query": "false"})
    assert answer.status_code == 200, answer.text
    found: Body = answer.json()
    return found


def ids(found: Body) -> list[str]:
    """Which memories were found."""
    return [one["id"] for one in found["memories"]]
