"""The temporary database of precis.testing: all of precis for the length of a block, and nothing after it."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import pytest

from precis.embedded.account import account_for
from precis.errors import ConfigurationError
from precis.ids import new_id
from precis.testing import temporary
from warm import fork, shared

#: Whether the server runs as the account that starts it, and so enters what that account alone may enter.
AS_OURSELVES = os.geteuid() != 0 or account_for(0, Path("/")).seen_as is not None
#: A process that opens one and waits to be killed.
KILLED = """
import asyncio, precis.testing

async def main():
    async with precis.testing.temporary():
        print("open", flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture
def temp(rooms_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made, for this process and those it starts."""
    shared()  # its own folder is not to lie in ours
    folder = rooms_folder / new_id()
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def servers_in(folder: Path) -> list[int]:
    """The processes that were started on a folder below this one."""
    lines = {int(each.parent.name): _read(each) for each in Path("/proc").glob("[0-9]*/cmdline")}
    return [pid for pid, line in lines.items() if b"postgres" in line and os.fsencode(folder) in line]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


async def test_it_is_precis_and_leaves_nothing(temp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories, a summary and recall, in a folder of mode 0700; no setting of the environment counts."""
    temp.chmod(0o700 if AS_OURSELVES else 0o711)
    monkeypatch.setenv("PRECIS_DATABASE_URL", "postgresql://nobody@localhost:1/nothing")
    monkeypatch.setenv("PRECIS_MAX_BATCH", "1")
    async with temporary(refresh_after=3) as app:
        rows = [
            f"The violin lesson number {at} is in the {place}." for at, place in enumerate(("attic", "mill", "bus"))
        ]
        await app.memories.add([{"text": text, "user_id": "ana", "type": "fact", "key": "violin"} for text in rows])
        (summary,) = (await app.summaries.list(user_id="ana", limit=5)).rows
        assert 3 == len(summary.leaf_source_ids)
        hits = await app.recall.search("violin mill", user_id="ana", limit=3)
        assert any(hit.memory.text == rows[1] for hit in hits)
        async with app.parts.store.database.directory() as connection:
            answer = await (await connection.execute("SHOW fsync")).fetchone()
        assert {"fsync": "off"} == answer
        assert 1 == len(list(temp.iterdir()))
        assert servers_in(temp)
    assert [] == list(temp.iterdir())
    assert [] == servers_in(temp)


async def test_a_block_that_raises_leaves_nothing(temp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the path is too long for a socket, which then lies elsewhere."""
    deep = temp / ("a-rather-long-name" * 5)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    sockets = []

    async def fail() -> None:
        async with temporary() as app:
            async with app.parts.store.database.directory() as connection:
                sockets.append(Path(connection.info.host))
            assert sockets[0].is_dir()
            raise RuntimeError("of the test")

    with pytest.raises(RuntimeError, match="of the test"):
        await fail()
    assert deep not in sockets[0].parents
    assert not sockets[0].exists()
    assert [] == list(deep.iterdir())
    assert [] == servers_in(deep)


async def test_what_a_killed_process_left_the_next_one_removes(temp: Path) -> None:
    """Its server and its folder; those of a process that lives stay."""
    async with temporary() as app:
        (mine,) = temp.iterdir()
        process = await fork(program=KILLED, stdout=asyncio.subprocess.PIPE)
        assert process.stdout
        while (await process.stdout.readline()).strip() != b"open":
            assert process.returncode is None
        os.kill(process.pid, signal.SIGKILL)
        await process.communicate()
        (abandoned,) = set(temp.iterdir()) - {mine}
        assert servers_in(abandoned)
        async with temporary():
            assert not abandoned.exists()
            assert [] == servers_in(abandoned)
        assert [mine] == list(temp.iterdir())
        await app.memories.add([{"text": "I sold the canoe.", "user_id": "ana"}])
    assert [] == list(temp.iterdir())


@pytest.mark.parametrize(
    "setting", [{"data_dir": "."}, {"database_url": "postgresql://localhost"}, {"keys_dir": "."}], ids=str
)
async def test_settings_that_lead_elsewhere_are_refused(temp: Path, setting: dict[str, Any]) -> None:
    """By name, and before anything is made."""
    with pytest.raises(ConfigurationError, match=next(iter(setting))):
        async with temporary(**setting):
            pytest.fail("it started")
    assert [] == list(temp.iterdir())
