"""A real server on a free port, and clients that call it over TCP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio
from published import Published

from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.rest.server import listening

#: Calls the server in the name of whoever holds the key; without one, of nobody.
Client = Callable[[str | None], AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def url(runtime: Runtime) -> AsyncIterator[str]:
    """Where the server listens."""
    async with listening(runtime) as base:
        yield base


@pytest.fixture(scope="session")
def published() -> Published:
    """What the OpenAPI document says of every answer."""
    return Published()


@pytest.fixture(scope="session")
def client(url: str, published: Published) -> Client:
    """Makes clients. What they are answered is held against the OpenAPI document."""

    @asynccontextmanager
    async def calling(key: str | None) -> AsyncIterator[httpx.AsyncClient]:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        hooks = {"response": [published.check]}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60, event_hooks=hooks) as made:
            yield made

    return calling


@pytest_asyncio.fixture(loop_scope="session")
async def key(runtime: Runtime, tenant: str) -> str:
    """A key of the test's tenant."""
    return await runtime.store.tenants.create_key(tenant, name="test", now=runtime.engine.clock())


@pytest_asyncio.fixture(loop_scope="session")
async def api(client: Client, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the server as the test's tenant."""
    async with client(key) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def stranger(runtime: Runtime, client: Client) -> AsyncIterator[httpx.AsyncClient]:
    """Calls it as another tenant."""
    secret = await runtime.store.tenants.create_key(f"t-{new_id()}", name="other", now=runtime.engine.clock())
    async with client(secret) as made:
        yield made


@pytest.fixture
def coffee() -> list[dict[str, Any]]:
    """Three memories on one subject: enough for a summary."""
    texts = (
        "I switched to oat milk in my coffee.",
        "My favorite coffee is a flat white from the corner cafe.",
        "I stopped drinking coffee after noon because it kept me awake.",
    )
    return [{"id": new_id(), "text": text, "user_id": "ana", "type": "preference", "key": "coffee"} for text in texts]
