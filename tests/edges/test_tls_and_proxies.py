"""HTTPS by a certificate of one's own, and proxies of which some are believed: over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from cli_room import warm_precis
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pydantic import ValidationError
from structlog.testing import capture_logs

from precis.bootstrap import Runtime, open_runtime
from precis.errors import ConfigurationError
from precis.rest.callers import FREE
from precis.rest.server import listening
from precis.rest.sockets import Limits
from precis.settings import Settings
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")


def _write_certificate(folder: Path, serial: int, *, days: float = 1) -> tuple[Path, Path]:
    """A certificate that 127.0.0.1 signed for itself, good for so long, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "precis")]), datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(serial).not_valid_before(now - timedelta(days=2))
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    signed = builder.not_valid_after(now + timedelta(days=days)).add_extension(names, critical=False)
    certificate, private = folder / "tls.pem", folder / "tls.key"
    certificate.write_bytes(signed.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(*form))
    return certificate, private


@asynccontextmanager
async def _served(runtime: Runtime, limits: Limits | None = None, **settings: Any) -> AsyncIterator[str]:
    used = runtime.settings.model_copy(update=settings)
    async with listening(replace(runtime, settings=used), limits=limits) as url:
        yield url


async def test_https(runtime: Runtime, key: str, tmp_path: Path) -> None:
    """Requests and pages over TLS; plain HTTP is no longer answered, nor an old version of TLS."""
    certificate, private = _write_certificate(tmp_path, 1)
    trust = ssl.create_default_context(cafile=certificate)
    async with _served(runtime, tls_certificate=certificate, tls_key=private) as url:
        assert url.startswith("https://127.0.0.1:")
        async with httpx.AsyncClient(base_url=url, verify=trust, headers={"X-API-Key": key}, timeout=60) as call:
            answer = await call.post(
                "/v1/memories", json={"memories": [{"id": "s", "user_id": "u", "text": "Sealed."}]}
            )
            assert answer.status_code == 201
            assert [row["id"] for row in (await call.get("/v1/memories")).json()["memories"]] == ["s"]
            page = await call.get("/page/")
            assert "Secure" in page.headers["set-cookie"]
        with pytest.raises(httpx.HTTPError):
            await httpx.AsyncClient().get(url.replace("https", "http") + "/healthz")
        with pytest.raises(httpx.ConnectError):
            await httpx.AsyncClient().get(f"{url}/healthz")
        old = ssl.create_default_context(cafile=certificate)
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(httpx.ConnectError):
            await httpx.AsyncClient(verify=old).get(f"{url}/healthz")


async def test_who_is_slow_to_agree_stops_nobody(runtime: Runtime, tmp_path: Path) -> None:
    """Connections that say nothing are dropped after the time for a head, and others are served meanwhile."""
    certificate, private = _write_certificate(tmp_path, 1)
    trust = ssl.create_default_context(cafile=certificate)
    limits = Limits(connections=8, head=1.0)
    async with _served(runtime, limits, tls_certificate=certificate, tls_key=private) as url:
        parts = urlsplit(url)
        # More than there may be, and at once: the first give way before anything was begun for them.
        silent = [socket.create_connection((str(parts.hostname), parts.port or 0)) for _ in range(20)]
        async with httpx.AsyncClient(verify=trust) as call:
            assert (await call.get(f"{url}/healthz", timeout=0.9)).status_code == 200
        for connection in silent:
            connection.settimeout(10)
            assert await asyncio.to_thread(connection.recv, 1) == b""
            connection.close()


async def test_a_renewed_certificate_is_used(runtime: Runtime, tmp_path: Path) -> None:
    """The next connection sees it; files that are none leave the one before."""

    async def serial() -> int:
        parts = urlsplit(url)
        pem = await asyncio.to_thread(ssl.get_server_certificate, (str(parts.hostname), parts.port or 0))
        return x509.load_pem_x509_certificate(pem.encode()).serial_number

    certificate, private = _write_certificate(tmp_path, 11)
    async with _served(runtime, tls_certificate=certificate, tls_key=private) as url:
        assert await serial() == 11
        _write_certificate(tmp_path, 12)
        assert await serial() == 12
        certificate.write_text("no certificate")
        with capture_logs() as logs:
            assert [await serial(), await serial()] == [12, 12]
            certificate.unlink()
            assert [await serial(), await serial()] == [12, 12]
        faults = [line for line in logs if line["event"] == "certificate_unusable"]
        assert [str(certificate)] * 2 == [line["certificate"] for line in faults], "each fault is told once"


@pytest.mark.parametrize(("days", "state"), [(-1, "fail"), (5, "warn"), (60, "ok")])
async def test_a_certificate_that_ends_is_told(tmp_path: Path, days: float, state: str) -> None:
    """By the doctor, before clients refuse it."""
    certificate, private = _write_certificate(tmp_path, 7, days=days)
    variables = {"PRECIS_TLS_CERTIFICATE": str(certificate), "PRECIS_TLS_KEY": str(private)}
    done = warm_precis("doctor", "--data-dir", tmp_path / "data", "--json", **variables)
    (finding,) = [row for row in json.loads(done.stdout)["findings"] if row["part"] == "certificate"]
    assert state == finding["state"]
    assert ("renew it" in finding["message"]) == (state != "ok")


async def test_what_is_no_certificate_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    """Before anybody is served, with what to do: a missing file, a key of another certificate, a key alone."""
    certificate, private = _write_certificate(tmp_path, 1)
    (tmp_path / "other").mkdir()
    _, foreign = _write_certificate(tmp_path / "other", 2)
    for files in ((tmp_path / "none", None), (certificate, foreign)):
        with pytest.raises(ConfigurationError, match="PEM files, the key without a passphrase"):
            async with _served(runtime, tls_certificate=files[0], tls_key=files[1]):
                pass
    with pytest.raises(ValidationError, match="a key needs its certificate"):
        Settings(tls_key=private)


async def test_only_trusted_proxies_are_believed(runtime: Runtime, key: str) -> None:
    """X-Forwarded-For and -Proto of somebody else change nothing: not the address, not the scheme."""
    headers = {"X-Forwarded-Proto": "https"}
    for trusted, is_believed in (([], False), (["192.0.2.0/24"], False), (["127.0.0.0/8"], True)):
        async with _served(runtime, trusted_proxies=trusted) as url, httpx.AsyncClient(base_url=url) as call:
            page = await call.get("/page/", headers=headers)
            assert is_believed == ("Secure" in page.headers["set-cookie"])
            # Each pretends to come from elsewhere: an address that is not believed has tried too many keys.
            tries = (
                call.get("/v1/memories", headers={"X-API-Key": f"k{at}", "X-Forwarded-For": f"9.9.{at}.1"})
                for at in range(FREE + 20)
            )
            statuses = [answer.status_code for answer in await asyncio.gather(*tries)]
            assert is_believed == (statuses.count(429) == 0)
            assert (await call.get("/v1/memories", headers={"X-API-Key": key})).status_code == 200


async def test_networks_are_read(rooms_folder: Path) -> None:
    """Addresses and networks are; anything else is refused, and so is a server behind a proxy without a key."""
    assert Settings(trusted_proxies=["10.1.2.3/8", "::1"]).trusted_proxies == ["10.0.0.0/8", "::1/128"]
    for wrong in ("*", "proxy.example", ""):
        with pytest.raises(ValidationError):
            Settings(trusted_proxies=[wrong])
    settings = Settings(data_dir=with_database(rooms_folder / "behind"), trusted_proxies=["127.0.0.1"])
    async with open_runtime(settings) as runtime:
        with pytest.raises(ConfigurationError, match="not behind a proxy"):
            async with listening(runtime):
                pass
