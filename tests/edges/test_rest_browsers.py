"""Without keys: what a page of another site makes a browser send changes nothing and reads nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio

from precis.bootstrap import Runtime, open_runtime
from precis.ids import new_id
from precis.keys.tenants import DEFAULT_TENANT
from precis.rest.server import listening
from precis.settings import Settings
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")
ROW = {"id": "m", "text": "I live in Oslo.", "user_id": "ana"}
READS = frozenset({"GET", "HEAD", "OPTIONS"})
#: What browsers put on a request of somebody else's page.
FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Origin": "file://"},
    {"Origin": "http://[evil"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Content-Type": "text/plain"},
]


@dataclass(frozen=True, kw_only=True)
class Served:
    """A server without keys, over HTTP."""

    runtime: Runtime
    url: str
    call: httpx.AsyncClient

    async def ids(self) -> list[str]:
        """The memories that are stored."""
        return [row["id"] for row in (await self.call.get("/v1/memories")).json()["memories"]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def keyless(rooms_folder: Path) -> AsyncIterator[Runtime]:
    """A precis without any key, which may also be called by one other name."""
    settings = Settings(data_dir=with_database(rooms_folder / f"browsed-{new_id()}"), allowed_hosts=["memory.test"])
    async with open_runtime(settings) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def served(keyless: Runtime) -> AsyncIterator[Served]:
    """It over HTTP, with one memory."""
    async with listening(keyless) as url, httpx.AsyncClient(base_url=url) as call:
        assert (await call.post("/v1/memories", json={"memories": [ROW]})).status_code in {200, 201}
        yield Served(runtime=keyless, url=url, call=call)


async def _routes(call: httpx.AsyncClient) -> list[tuple[str, str]]:
    """Every method and path that is described."""
    paths = (await call.get("/openapi.json")).json()["paths"]
    return [(verb.upper(), path.replace("{", "").replace("}", "")) for path, verbs in paths.items() for verb in verbs]


@pytest.mark.parametrize("headers", FOREIGN, ids=[json.dumps(one) for one in FOREIGN])
async def test_a_page_of_another_site_changes_nothing(served: Served, headers: dict[str, str]) -> None:
    """Each route that may change something is a 403, before its body is read; also one that asks for no JSON."""
    changing = [(verb, path) for verb, path in await _routes(served.call) if verb not in READS]
    assert len(changing) >= 25
    for verb, path in changing:
        answer = await served.call.request(verb, path, content=b"{}", headers=headers)
        assert answer.status_code == 403, (verb, path)
        assert "another site" in answer.json()["detail"]
    assert "m" in await served.ids()


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8766", "10.0.0.1", "evil@x.example", "2130706433"]
)
async def test_a_foreign_name_reads_nothing(served: Served, host: str) -> None:
    """A page whose name points at this computer is answered 421 on every route, also open ones."""
    for verb, path in [*await _routes(served.call), ("GET", "/openapi.json"), ("GET", "/t/x/healthz")]:
        answer = await served.call.request(verb, path, headers={"Host": host})
        assert answer.status_code == 421, (verb, path)
        assert "m" not in answer.text.split()
    assert "PRECIS_ALLOWED_HOSTS" in answer.json()["detail"]


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST.", "127.0.0.1", "127.8.9.1", "[::1]", "memory.test"])
async def test_the_names_of_this_computer_are_served(served: Served, name: str) -> None:
    """Reading and writing, as a program and as a page of the server's own."""
    host = f"{name}:{urlsplit(served.url).port}"
    own = {"Host": host, "Origin": f"http://{host}".lower(), "Sec-Fetch-Site": "same-origin"}
    assert (await served.call.get("/v1/memories", headers={"Host": host})).status_code == 200
    for headers in ({"Host": host}, own, {"Host": host, "Sec-Fetch-Site": "none"}):
        answer = await served.call.post("/v1/recall", json={"query": "Oslo", "user_id": "ana"}, headers=headers)
        assert answer.status_code == 200, headers


async def test_an_allowed_name_may_stand_behind_tls(served: Served) -> None:
    """The page says https and no port, and so does the name it asked for."""
    headers = {"Host": "memory.test", "Origin": "https://memory.test", "Sec-Fetch-Site": "same-origin"}
    answer = await served.call.post("/v1/recall", json={"query": "Oslo", "user_id": "ana"}, headers=headers)
    assert answer.status_code == 200


async def test_two_names_or_none_are_refused(served: Served) -> None:
    """What a proxy and we might read differently is not read at all."""
    port = urlsplit(served.url).port
    for head in (b"GET /v1/memories HTTP/1.0\r\n\r\n", b"GET /v1/memories HTTP/1.0\r\nHost:\r\n\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head)
        status = (await reader.readline()).split()[1]
        writer.close()
        await writer.wait_closed()
        assert status in {b"400", b"421"}


async def test_with_a_key_a_browser_is_like_any_program(served: Served) -> None:
    """No page can send a key that it does not know, so who has one may send it from any page and by any name."""
    tenants, now = served.runtime.store.tenants, served.runtime.engine.clock()
    secret = await tenants.create_key(DEFAULT_TENANT, name="test", now=now)
    async with listening(served.runtime) as url, httpx.AsyncClient(base_url=url) as call:
        headers = {"X-API-Key": secret, "Origin": "https://app.example", "Host": "api.example"}
        answer = await call.post("/v1/recall", json={"query": "Oslo", "user_id": "ana"}, headers=headers)
        assert answer.status_code == 200
        del headers["X-API-Key"]
        assert (await call.post("/v1/recall", json={"query": "Oslo"}, headers=headers)).status_code == 401
        assert (await call.get("/healthz", headers=headers)).status_code == 200
    (known,) = [one for one in await tenants.keys(DEFAULT_TENANT) if one.revoked_at is None]
    await tenants.revoke_key(DEFAULT_TENANT, known.key_id, now=now)
