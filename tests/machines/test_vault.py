"""Keys that Vault wraps, by its own client over a small server that speaks the API of the transit engine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import hvac
import pytest
from shared_places import Place, ring_of

from gates import gate_to
from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.elsewhere.objects import SECONDS
from precis.settings import Settings
from precis.watch.outside import State, check_keys
from vault_server import VaultServer, vault_server


@pytest.fixture
def vault() -> Iterator[VaultServer]:
    """One with a key."""
    with vault_server() as server:
        admin = hvac.Client(url=server.url, token="root")
        admin.secrets.transit.create_key(name="precis")
        yield server


@pytest.fixture
def place(bucket: str, vault: VaultServer) -> Place:
    """A bucket for the documents."""
    s3, url = boto3.client("s3"), f"s3://{bucket}"
    settings = {"keys_url": url, "forgotten_url": url, "key_provider": "vault", "vault_url": vault.url}
    return Place(
        settings={**settings, "vault_token": "root"},
        remove=lambda name: s3.delete_object(Bucket=bucket, Key=name),
        put=lambda name, body: s3.put_object(Bucket=bucket, Key=name, Body=body),
    )


def test_keys_are_wrapped_by_vault(place: Place) -> None:
    """And open at the next machine."""
    seed = ring_of(place).open_tenant("acme").signing_seed()
    (body,) = place.copy("keys/").values()
    assert b"vault:v1:" in body
    assert ring_of(place).open_tenant("acme").signing_seed() == seed


def test_a_rotated_key_wraps_anew(place: Place, vault: VaultServer) -> None:
    """After that Vault may refuse the old version for ever, and with it every older copy of the documents."""
    admin = hvac.Client(url=vault.url, token="root").secrets.transit
    ring = ring_of(place)
    seed, older = ring.open_tenant("acme").signing_seed(), place.copy("keys/")
    admin.rotate_key(name="precis")
    ring.rotate_master()
    admin.update_key_configuration(name="precis", min_decryption_version=2)
    assert ring_of(place).open_tenant("acme").signing_seed() == seed
    place.put_back("keys/", older)
    with pytest.raises(ConfigurationError, match="min_decryption_version"):
        ring_of(place).open_tenant("acme")


def test_what_vault_refuses_is_told(place: Place, vault: VaultServer, tmp_path: Path) -> None:
    """Sealed, expired, no such key, deleted, nobody there; and a machine that has its keys goes on meanwhile."""
    ring = ring_of(place)
    keys = ring.open_tenant("acme")
    vault.is_sealed = True
    assert keys.wrap(b"r" * 32, b"k" * 32)[0] == 1
    with pytest.raises(StoreUnavailable, match="sealed"):
        ring.check()
    settings = Settings(data_dir=tmp_path, **place.settings)
    assert "sealed" in check_keys(settings, has_rows=True).message
    vault.is_sealed = False
    vault.tokens.clear()
    with pytest.raises(StoreUnavailable, match="expired"):
        ring.check()
    vault.tokens.add("root")
    ring.check()
    with pytest.raises(ConfigurationError, match="no such key"):
        ring_of(place, vault_key="other").check()
    admin = hvac.Client(url=vault.url, token="root").secrets.transit
    with pytest.raises(hvac.exceptions.InvalidRequest):
        admin.delete_key(name="precis")
    admin.update_key_configuration(name="precis", deletion_allowed=True)
    admin.delete_key(name="precis")
    with pytest.raises(ConfigurationError, match="deleted"):
        ring.check()
    assert check_keys(settings, has_rows=True).state is State.FAIL


def test_a_renewed_token_is_read_again(place: Place, vault: VaultServer, tmp_path: Path) -> None:
    """From the file that an agent of Vault writes."""
    file = tmp_path / "token"
    file.write_text("first\n")
    vault.tokens.add("first")
    ring = ring_of(place, vault_token=None, vault_token_file=file)
    ring.open_tenant("acme")
    vault.tokens.remove("first")
    vault.tokens.add("second")
    file.write_text("second\n")
    ring.check()


def test_a_vault_that_hangs_is_not_waited_for(place: Place, vault: VaultServer) -> None:
    """The first who asks waits for seconds, the next ones not; it is found again by itself."""
    address = urlsplit(vault.url)
    with gate_to((str(address.hostname), int(address.port or 0))) as gate:
        ring = ring_of(place, vault_url=f"http://127.0.0.1:{gate.port}")
        ring.open_tenant("acme")
        for close, message in ((gate.hang, "does not answer"), (gate.refuse, "cannot be asked")):
            close()
            began = time.monotonic()
            with pytest.raises(StoreUnavailable, match=f"Vault {message}"):
                ring.begin_rotation("acme")
            assert time.monotonic() - began < SECONDS + 1
            began = time.monotonic()
            for _ in range(5):
                with pytest.raises(StoreUnavailable, match="Vault"):
                    ring.begin_rotation("acme")
            assert time.monotonic() - began < SECONDS
            gate.open()
            time.sleep(1.5)
            ring.check()
