"""S3 and KMS that hang or refuse, before servers in processes of their own; and what those processes log meanwhile."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import httpx
import pytest
from shared_places import CANARY, NOTES, Place, copy_of, drop, migrated
from test_processes import BEN
from test_processes import precis as process_of
from test_s3 import place

from gates import Gate, gate_to
from precis.keys.elsewhere.keyring import LATEST
from precis.keys.elsewhere.objects import SECONDS

__all__ = ["migrated", "place"]
pytestmark = pytest.mark.asyncio(loop_scope="session")
_SERVES = re.compile(r'(?:serves at |"url": ")(http://[\d.:]+)')
#: Seconds within which whoever asks has an answer, and a probe of Kubernetes.
SOON = 5.0


@asynccontextmanager
async def precis(*words: str, env: dict[str, str], log: Path) -> AsyncIterator[Process]:
    """A process of its own that logs into a file; killed at the end."""
    with log.open("ab") as file:
        async with process_of(*words, env=env, stderr=file) as process:
            yield process


async def url_in(log: Path) -> str:
    """Where the server serves, once it does."""
    async with asyncio.timeout(120):
        while not (match := _SERVES.search(log.read_text() if log.exists() else "")):
            await asyncio.sleep(0.1)
    return match[1]


def env_of(place: Place, database: str, folder: Path, **more: str) -> dict[str, str]:
    """The settings of a machine."""
    settings = {f"PRECIS_{key.upper()}": str(value) for key, value in place.settings.items()}
    folders = {"PRECIS_DATA_DIR": str(folder), "PRECIS_DATABASE_URL": database, "PRECIS_INLINE_ROWS": "0"}
    return {**os.environ, **settings, **folders, **more}


async def asked(call: httpx.AsyncClient, method: str, path: str, **body: object) -> tuple[httpx.Response, float]:
    """The answer, and the seconds that it took."""
    began = time.monotonic()
    answer = await call.request(method, path, json=body or None)
    return answer, time.monotonic() - began


async def test_no_key_is_in_a_log(migrated: object, place: Place, tmp_path: Path, aws: str) -> None:
    """At debug level, of a server, a worker and a verb: neither a key, wrapped or not, nor a credential."""
    from databases import Scratch  # noqa: PLC0415 - of tests/sql

    assert isinstance(migrated, Scratch)
    database, kms = await copy_of(migrated), boto3.client("kms")
    env = env_of(place, database.serving, tmp_path, PRECIS_LOG_LEVEL="debug", PRECIS_LOG_FORMAT="json")
    log, secrets = tmp_path / "log", []
    try:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(precis("serve", "--port", "0", "--no-worker", env=env, log=log))
            await stack.enter_async_context(precis("worker", env=env, log=log))
            call = await stack.enter_async_context(httpx.AsyncClient(base_url=await url_in(log), timeout=60))
            (await call.post("/v1/memories", json={"memories": [*NOTES, BEN]})).raise_for_status()
            for path in ("/readyz", "/v1/users/ben"):
                secrets += [json.loads(body)["wrapped"] for body in place.copy("keys/").values()]
                (await call.request("GET" if path == "/readyz" else "DELETE", path)).raise_for_status()
            secrets += [json.loads(body)["wrapped"] for body in place.copy("keys/").values()]
            async with precis("recall", "clinic", env=env, log=log) as verb:
                assert await verb.wait() == 0
    finally:
        await drop(database)
    lines = log.read_text()
    assert '"level": "info"' in lines
    for wrapped in set(secrets):
        blob = base64.urlsafe_b64decode(wrapped)
        key = kms.decrypt(CiphertextBlob=blob, EncryptionContext={"precis": "keys of a tenant"})["Plaintext"]
        for secret in (blob, key):
            spellings = (base64.b64encode(secret), base64.urlsafe_b64encode(secret), secret.hex().encode())
            assert not [1 for spelling in spellings if spelling.decode().rstrip("=") in lines]
    for word in ("Plaintext", "CiphertextBlob", "Authorization", "AWS4-HMAC", CANARY):
        assert word not in lines


@asynccontextmanager
async def served_behind_gates(
    migrated: object, place: Place, folder: Path, aws: str
) -> AsyncIterator[tuple[httpx.AsyncClient, Gate, Gate]]:
    """A server with some memories, and the gates before S3 and KMS."""
    from databases import Scratch  # noqa: PLC0415 - of tests/sql

    assert isinstance(migrated, Scratch)
    database, moto, log = await copy_of(migrated), urlsplit(aws), folder / "log"
    target = (str(moto.hostname), int(moto.port or 0))
    try:
        with gate_to(target) as s3, gate_to(target) as kms:
            urls = {f"AWS_ENDPOINT_URL_{name}": f"http://127.0.0.1:{gate.port}" for name, gate in
                    (("S3", s3), ("KMS", kms))}  # fmt: skip
            env = env_of(place, database.serving, folder, **urls)
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(precis("serve", "--port", "0", "--no-worker", env=env, log=log))
                call = await stack.enter_async_context(httpx.AsyncClient(base_url=await url_in(log), timeout=120))
                (await call.post("/v1/memories", json={"memories": [*NOTES, BEN]})).raise_for_status()
                yield call, s3, kms
    finally:
        await drop(database)


QUESTION = {"query": "Where is the clinic?", "user_id": "ana"}


async def test_storage_that_hangs_keeps_nobody_waiting(
    migrated: object, place: Place, tmp_path: Path, aws: str
) -> None:
    """What is served goes on for half a minute; then all is refused at once, and comes back by itself."""
    async with served_behind_gates(migrated, place, tmp_path, aws) as (call, s3, _):
        s3.hang()
        began = time.monotonic()
        ready, seconds = await asked(call, "GET", "/readyz")
        assert (ready.status_code, seconds < SOON) == (200, True)
        assert any(line.startswith("keys: s3 does not answer") for line in ready.json()["wrong"])
        forget, seconds = await asked(call, "DELETE", "/v1/memories/n0")
        assert (forget.status_code, forget.headers["retry-after"], seconds < SOON) == (503, "5", True)
        assert (await asked(call, "POST", "/v1/recall", **QUESTION))[0].status_code == 200
        while time.monotonic() - began < LATEST + 1:  # as a balancer does
            await asyncio.sleep(2)
            assert (await asked(call, "GET", "/readyz"))[1] < SOON
        many = [asked(call, "POST", "/v1/recall", **QUESTION) for _ in range(30)]
        many += [asked(call, "GET", "/v1/memories") for _ in range(10)]
        many += [asked(call, "POST", "/v1/memories", memories=[BEN]) for _ in range(10)]
        answers = await asyncio.gather(*many)
        assert {(answer.status_code, answer.headers.get("retry-after")) for answer, _ in answers} == {(503, "5")}
        assert max(seconds for _, seconds in answers) < SOON
        ready, seconds = await asked(call, "GET", "/readyz")
        assert (ready.status_code, seconds < SOON) == (503, True)
        assert "s3 does not answer" in ready.json()["detail"]
        assert (await asked(call, "GET", "/healthz"))[1] < 1
        s3.open()
        async with asyncio.timeout(SOON):
            while (await asked(call, "POST", "/v1/recall", **QUESTION))[0].status_code != 200:
                await asyncio.sleep(0.2)
        assert (await asked(call, "GET", "/readyz"))[0].status_code == 200
        assert (await asked(call, "DELETE", "/v1/memories/n0"))[0].status_code == 200


@pytest.mark.parametrize("how", ["hang", "refuse"])
async def test_a_key_service_that_is_away_takes_no_server_down(
    migrated: object, place: Place, tmp_path: Path, aws: str, how: str
) -> None:
    """Opened keys go on: 200, and the reason is named. Who has to have a key wrapped is refused soon."""
    async with served_behind_gates(migrated, place, tmp_path, aws) as (call, _, kms):
        getattr(kms, how)()
        for _ in range(2):
            ready, seconds = await asked(call, "GET", "/readyz")
            assert (ready.status_code, seconds < SOON) == (200, True)
            (line,) = [line for line in ready.json()["wrong"] if line.startswith("keys: kms ")]
            assert ("does not answer" in line) == (how == "hang")
        assert (await asked(call, "POST", "/v1/recall", **QUESTION))[0].status_code == 200
        new = {"id": "c1", "user_id": "ana", "text": "The clinic has a garden."}
        assert (await asked(call, "POST", "/v1/memories", memories=[new]))[0].status_code == 201
        assert (await asked(call, "DELETE", "/v1/memories/n0"))[0].status_code == 200
        forget, seconds = await asked(call, "DELETE", "/v1/users/ben")
        assert (forget.status_code, forget.headers["retry-after"], seconds < SOON) == (503, "5", True)
        kms.open()
        async with asyncio.timeout(2 * SECONDS):
            while [line for line in (await asked(call, "GET", "/readyz"))[0].json()["wrong"] if "keys" in line]:
                await asyncio.sleep(0.2)
        assert (await asked(call, "DELETE", "/v1/users/ben"))[0].status_code == 200
