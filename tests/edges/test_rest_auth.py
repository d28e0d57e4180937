"""Who is served: keys in headers and in the base URL, and the one default tenant where there are no keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import structlog

from precis.bootstrap import Runtime, open_runtime
from precis.errors import ConfigurationError
from precis.ids import new_id
from precis.keys.tenants import DEFAULT_TENANT
from precis.rest.auth import BELIEVED
from precis.rest.callers import FREE, SECONDS, Attempts
from precis.rest.server import listening
from precis.settings import Settings
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")
LIST = "/v1/memories"
ROW = {"id": "m", "text": "I live in Oslo.", "user_id": "ana"}


@dataclass(kw_only=True)
class Timer:
    """Seconds that pass when they are told to."""

    now: float = 0.0

    def __call__(self) -> float:
        """The seconds so far."""
        return self.now


@dataclass(frozen=True, kw_only=True)
class Served:
    """A server of its own, whose memory of keys is at the test's command."""

    runtime: Runtime
    timer: Timer
    call: httpx.AsyncClient

    async def status(self, **headers: str) -> int:
        """What listing the memories answers."""
        return (await self.call.get(LIST, headers=headers)).status_code


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def keyless(rooms_folder: Path) -> AsyncIterator[Runtime]:
    """A precis without any key."""
    async with open_runtime(Settings(data_dir=with_database(rooms_folder / f"keyless-{new_id()}"))) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def served(keyless: Runtime) -> AsyncIterator[Served]:
    """It over HTTP; keys that a test makes are revoked after it."""
    timer = Timer()
    async with listening(keyless, timer=timer) as url, httpx.AsyncClient(base_url=url) as call:
        yield Served(runtime=keyless, timer=timer, call=call)
    tenants, now = keyless.store.tenants, keyless.engine.clock()
    for tenant_id in await tenants.list():
        for one in await tenants.keys(tenant_id):
            if one.revoked_at is None:
                await tenants.revoke_key(tenant_id, one.key_id, now=now)


async def _new_key(runtime: Runtime, tenant_id: str) -> str:
    return await runtime.store.tenants.create_key(tenant_id, name="test", now=runtime.engine.clock())


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key"])
async def test_a_key_in_a_header_names_the_tenant(url: str, key: str, header: str) -> None:
    """Either header; the scheme is read in any case."""
    value = f"bearer {key}" if header == "Authorization" else key
    async with httpx.AsyncClient(base_url=url, headers={header: value}) as call:
        assert (await call.post(LIST, json={"memories": [ROW]})).status_code == 201
        assert (await call.get("/v1/memories/m")).json()["user_id"] == "ana"


async def test_a_key_in_the_base_url_names_the_tenant(url: str, key: str, api: httpx.AsyncClient) -> None:
    """For clients that cannot send headers; it goes before a header such a client sends anyway."""
    await api.post(LIST, json={"memories": [ROW]})
    async with httpx.AsyncClient(base_url=f"{url}/t/{key}/") as call:
        assert (await call.get("v1/memories/m")).status_code == 200
        assert (await call.get("v1/memories/m", headers={"Authorization": "Bearer sk-none"})).status_code == 200


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer"}, {"Authorization": "Basic YTpi"}, {"X-API-Key": ""}]
)
async def test_no_key_is_a_401(url: str, key: str, headers: dict[str, str]) -> None:
    """Once somebody has a key, nobody is served without one; the answer says how to send it."""
    async with httpx.AsyncClient(base_url=url) as call:
        answer = await call.get(LIST, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "Authorization: Bearer" in answer.json()["detail"]


@pytest.mark.parametrize("where", ["bearer", "x-api-key", "path"])
async def test_a_bad_key_is_a_401_that_does_not_repeat_it(url: str, key: str, where: str) -> None:
    """Altered, of another tenant, or no key at all."""
    other = f"pk_{DEFAULT_TENANT}_{'0' * 16}_{'a' * 52}"
    for bad in (key[:-4] + "aaaa", other, "sk-12345", "x"):
        headers = {"bearer": {"Authorization": f"Bearer {bad}"}, "x-api-key": {"X-API-Key": bad}}.get(where, {})
        prefix = f"/t/{bad}" if where == "path" else ""
        async with httpx.AsyncClient(base_url=url, headers=headers) as call:
            answer = await call.get(prefix + LIST)
        assert answer.status_code == 401, bad
        assert answer.headers["www-authenticate"]
        assert "revoked" in answer.json()["detail"]
        assert f"{bad} " not in answer.text + " "


async def test_an_empty_key_in_the_base_url_is_a_401(served: Served) -> None:
    """A base URL that was meant to hold a key never falls back to the default tenant."""
    assert (await served.call.get("/t//v1/memories")).status_code == 401


async def test_nothing_is_read_before_the_key(url: str, key: str) -> None:
    """A stranger learns neither what a body should look like nor which paths exist."""
    async with httpx.AsyncClient(base_url=url) as call:
        assert (await call.post(LIST, content=b"{", headers={"Content-Type": "application/json"})).status_code == 401
        assert (await call.get("/nothing")).status_code == 401


async def test_a_revoked_key_closes_within_seconds(served: Served) -> None:
    """It is believed for a few seconds at most."""
    tenant_id = f"t-{new_id()}"
    secret = await _new_key(served.runtime, tenant_id)
    assert await served.status(Authorization=f"Bearer {secret}") == 200
    (known,) = await served.runtime.store.tenants.keys(tenant_id)
    await served.runtime.store.tenants.revoke_key(tenant_id, known.key_id, now=served.runtime.engine.clock())
    served.timer.now += BELIEVED
    assert await served.status(Authorization=f"Bearer {secret}") == 401
    assert BELIEVED <= 5


async def test_without_keys_the_default_tenant_is_served(served: Served) -> None:
    """And the first key that is made closes the door to everybody without one, while the server runs."""
    assert await served.status() == 200
    assert (await served.call.post(LIST, json={"memories": [ROW]})).status_code in {200, 201}
    assert (await served.runtime.app(DEFAULT_TENANT).memories.get("m")).text == ROW["text"]
    secret = await _new_key(served.runtime, "somebody")
    served.timer.now += BELIEVED
    assert await served.status() == 401
    assert await served.status(Authorization=f"Bearer {secret}") == 200


async def test_a_bad_key_is_refused_also_without_keys(served: Served) -> None:
    """Somebody who sends a key means a tenant, not the default one."""
    assert await served.status(Authorization="Bearer sk-12345") == 401


@pytest.mark.parametrize("name", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[", ""])
async def test_without_keys_a_foreign_host_name_is_refused(served: Served, name: str) -> None:
    """A page of another site may point its own name at this computer."""
    assert await served.status(Host=name) in {400, 421}
    assert await served.status(Host="localhost:1") == 200


async def test_without_keys_only_this_computer_may_connect(keyless: Runtime, served: Served) -> None:
    """Listening elsewhere is refused before a port is open, and the message says what to do."""
    for host in ("0.0.0.0", "::", "192.0.2.1"):  # noqa: S104 - that it is refused is the point
        with pytest.raises(ConfigurationError, match="precis keys create"):
            async with listening(keyless, host=host):
                pytest.fail("it listens")


async def test_figures_are_told_to_this_computer_until_there_is_a_key(served: Served) -> None:
    """They are of all tenants, so from then on they ask for a key of their own."""
    assert "precis_http_requests_total" in (await served.call.get("/metrics")).text
    key = await _new_key(served.runtime, "somebody")
    served.timer.now += BELIEVED
    for headers in ({}, {"X-API-Key": key}):
        assert (await served.call.get("/metrics", headers=headers)).status_code == 401


async def test_elsewhere_nobody_is_served_once_the_last_key_is_gone(keyless: Runtime, served: Served) -> None:
    """A server that others can reach stays shut when its keys are revoked."""
    await _new_key(keyless, "somebody")
    timer = Timer()
    async with listening(keyless, host="0.0.0.0", timer=timer) as url:  # noqa: S104 - with a key it may
        (known,) = [one for one in await keyless.store.tenants.keys("somebody") if one.revoked_at is None]
        await keyless.store.tenants.revoke_key("somebody", known.key_id, now=keyless.engine.clock())
        assert await keyless.store.tenants.any_keys() is False
        async with httpx.AsyncClient(base_url=url.replace("0.0.0.0", "127.0.0.1")) as call:  # noqa: S104 - as above
            assert (await call.get(LIST)).status_code == 401


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json"])
async def test_some_paths_need_no_key(url: str, key: str, path: str) -> None:
    """They tell nothing of anybody."""
    async with httpx.AsyncClient(base_url=url) as call:
        assert (await call.get(path)).status_code == 200
        assert (await call.get(f"/t/{key}{path}")).status_code == 200


async def test_no_key_and_no_query_reaches_the_log(
    url: str, key: str, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The access log has the route's template, not the path that was asked for."""
    caplog.set_level("DEBUG", logger="uvicorn")
    caplog.set_level("DEBUG", logger="uvicorn.error")
    tried = [f"/t/{key}{LIST}?user_id=ana", f"/t/{key}/nothing", f"/t/{key}", f"/x/{key}", "/t/pk_wrong_key/v1/costs"]
    with structlog.testing.capture_logs() as logged:
        async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call:
            for path in tried:
                await call.get(path)
            await call.get("/v1/memories/secret-id")
    lines: list[dict[str, Any]] = [dict(one) for one in logged if one["event"] == "request"]
    assert len(tried) + 1 == len(lines)
    assert (LIST, 200, tenant) == (lines[0]["route"], lines[0]["status"], lines[0]["tenant_id"])
    assert lines[-1]["route"] == "/v1/memories/{memory_id}"
    ours = str(logged) + " ".join(one.getMessage() for one in caplog.records if one.name.startswith("uvicorn"))
    for hidden in (key, "pk_wrong_key", "ana", "secret-id"):
        assert hidden not in ours


@pytest_asyncio.fixture(loop_scope="session")
async def behind_a_proxy(served: Served) -> AsyncIterator[Served]:
    """It once more, where this computer is a proxy that is believed."""
    await _new_key(served.runtime, "somebody")
    settings = served.runtime.settings.model_copy(update={"trusted_proxies": ["127.0.0.1"]})
    runtime = replace(served.runtime, settings=settings)
    async with listening(runtime, timer=served.timer) as url, httpx.AsyncClient(base_url=url) as call:
        yield replace(served, call=call)


async def test_bad_keys_slow_their_own_address_down(behind_a_proxy: Served) -> None:
    """After some unknown keys an address waits, then is told to come back; who comes from elsewhere does not wait."""
    served = behind_a_proxy
    secret = await _new_key(served.runtime, "somebody")
    fresh = await _new_key(served.runtime, "somebody")

    def sent(key: str, address: str = "192.0.2.7") -> Awaitable[httpx.Response]:
        return served.call.get(LIST, headers={"X-API-Key": key, "X-Forwarded-For": address})

    assert (await sent(secret)).status_code == 200
    many = [(await sent(f"sk-{number}")).status_code for number in range(FREE)]
    assert many == [401] * FREE
    started = time.perf_counter()
    later = [answer.status_code for answer in await asyncio.gather(*(sent(f"sk-x{number}") for number in range(40)))]
    assert later.count(429) >= 25
    assert time.perf_counter() - started >= SECONDS
    refused = await sent(fresh)
    assert (refused.status_code, int(refused.headers["retry-after"])) >= (429, 1)
    started = time.perf_counter()
    assert (await sent(secret)).status_code == 200, "a key that was good before"
    assert (await sent(fresh, "192.0.2.8")).status_code == 200, "another address"
    assert time.perf_counter() - started < SECONDS * 4
    served.timer.now += 60
    assert (await sent("sk-1")).status_code == 401, "forgiven"


async def test_the_memory_of_bad_keys_is_bounded() -> None:
    """Of many addresses the one that was quiet longest is forgotten; a block of IPv6 is one address."""
    attempts = Attempts(Timer())
    for number in range(FREE):
        attempts.take(f"2001:db8::{number:x}")
    assert attempts.take("2001:db8::ffff") == SECONDS
    assert attempts.take("2001:db8:0:1::1") == 0.0
    for number in range(2**13):
        attempts.take(f"10.0.{number >> 8}.{number & 255}")
    assert attempts.take("2001:db8::ffff") == 0.0
