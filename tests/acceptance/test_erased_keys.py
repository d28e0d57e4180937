"""An erased key opens nothing, in no process that has used it before, wherever the row is read; others read on."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import warm
from precis.bootstrap import Runtime, open_runtime
from precis.errors import Undecryptable
from precis.ids import new_id
from precis.keys.vault import Vault
from precis.settings import Settings
from rooms import with_database
from warm import run_warm

SECRET = "The code of the box is 4711."
ROWS = [{"id": "m1", "user_id": "ana", "text": SECRET}, {"id": "m2", "user_id": "ben", "text": "Ben sails."}]


def environment(**more: str) -> dict[str, str]:
    """Ours without any setting of precis."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")} | more


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[httpx.Client]:
    """``precis serve`` over a folder, as a process of its own, and a client that calls it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [warm.command(), "serve", "--data-dir", str(data), "--port", str(port)]
    process = subprocess.Popen(
        command, env=environment(**settings), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as api:
            wait_for(api)
            yield api
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def wait_for(api: httpx.Client) -> None:
    """Until the server answers."""
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        try:
            if api.get("/v1/memories").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def test_a_process_that_opened_the_key_before(rooms_folder: Path) -> None:
    """A server over an old copy of the database has read Ana; another process forgets her; it reads her no more."""
    data, old = with_database(rooms_folder / new_id()), rooms_folder / new_id()
    run(data, "import", written(rooms_folder))
    old.mkdir(mode=0o755)
    subprocess.run(["cp", "-a", str(data / "db"), str(old / "db")], check=True)
    with serving(old, PRECIS_KEYS_DIR=str(data / "keys")) as api:
        assert api.get("/v1/memories/m1").json()["text"] == SECRET
        assert api.get("/v1/memories/m2").json()["text"] == "Ben sails."
        assert "key is destroyed" in run(data, "forget", "--user-id", "ana", "--yes")
        answer = api.get("/v1/memories/m1")
        assert answer.status_code >= 400
        assert SECRET not in answer.text
        assert SECRET not in api.post("/v1/recall", json={"query": "the code of the box"}).text
    shutil.rmtree(old)


def written(folder: Path) -> Path:
    """The two memories as a file to import."""
    path = folder / f"{new_id()}.jsonl"
    path.write_text(
        "".join(f'{{"id": "{r["id"]}", "user_id": "{r["user_id"]}", "text": "{r["text"]}"}}\n' for r in ROWS)
    )
    return path


def run(data: Path, *arguments: str | Path) -> str:
    """A verb, to its end."""
    command = [*map(str, arguments), "--data-dir", str(data)]
    done = run_warm(command, env=environment(COLUMNS="200"), timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.asyncio(loop_scope="session")
async def test_every_opened_key_is_let_go_of(runtime: Runtime, tenant: str) -> None:
    """Whichever process rotates: the next use of the tenant's keys drops what was opened under the file of before."""
    await runtime.app(tenant).memories.add([{**row, "id": new_id()} for row in ROWS])
    vault = Vault(runtime.store.tenants.keyring)
    ref = vault.keys(tenant).user_ref("ana")
    async with runtime.database.tx(tenant) as tx:
        assert set(await vault.ciphers(tx, ["ana", "ben"])) == {"ana", "ben"}
        asked = await tx.connection.execute("SELECT key_version, wrapped FROM user_keys WHERE user_ref = %s", [ref])
        copied = await asked.fetchone()
    assert copied is not None
    await runtime.app(tenant).memories.forget_user("ana")
    async with runtime.database.tx(tenant) as tx:
        assert set(await vault.ciphers(tx, ["ana", "ben"])) == {"ben"}
        await tx.connection.execute(
            "INSERT INTO user_keys (tenant_id, user_ref, key_version, wrapped) VALUES (%s, %s, %s, %s)",
            [tenant, ref, copied["key_version"], copied["wrapped"]],
        )
    async with runtime.database.tx(tenant) as tx:
        # As a copy from before would answer.
        with pytest.raises(Undecryptable):
            await vault.ciphers(tx, ["ana"])
        await tx.connection.execute("DELETE FROM user_keys WHERE tenant_id = %s AND user_ref = %s", [tenant, ref])


@pytest.mark.asyncio(loop_scope="session")
async def test_a_read_that_began_before_a_rotation(runtime: Runtime, tenant: str) -> None:
    """It sees the keys as they were wrapped then: who is still there opens, who was forgotten meanwhile does not."""
    await runtime.app(tenant).memories.add([{**row, "id": new_id()} for row in ROWS])
    vault = Vault(runtime.store.tenants.keyring)
    async with runtime.database.tx(tenant, one_moment=True) as tx:
        await tx.connection.execute("SELECT count(*) FROM memories")
        await runtime.app(tenant).memories.forget_user("ana")
        assert set(await vault.ciphers(tx, ["ana", "ben"])) == {"ben"}


async def test_reads_go_on_while_users_are_forgotten(rooms_folder: Path) -> None:
    """Ben is read again and again by another runtime, with a cold and a warm cache; not one read fails."""
    settings = Settings(data_dir=with_database(rooms_folder / new_id()))
    async with open_runtime(settings) as here, open_runtime(settings) as elsewhere:
        await here.app("default").memories.add(ROWS[1:])
        for number in range(8):
            await here.app("default").memories.add([{"user_id": f"u{number}", "text": f"Note {number}."}])
            await here.app("default").memories.forget_user(f"u{number}")
            assert (await elsewhere.app("default").memories.get("m2")).text == "Ben sails."
