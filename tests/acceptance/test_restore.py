"""A database restored from an old copy is not served before it has forgotten again what was forgotten since."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from precis.bootstrap import open_runtime
from precis.errors import ConfigurationError, Forgotten
from precis.settings import Settings
from rooms import with_database

NOTES = [
    {"id": f"n{at}", "user_id": "ana", "type": "fact", "key": "clinic", "text": text}
    for at, text in enumerate(
        (
            "I go to the Thornvale clinic.",
            "My clinic is near the harbor.",
            "The clinic opens at nine.",
            "It has two doctors.",
        )
    )
]


async def test_what_was_forgotten_since_the_backup_stays_forgotten(rooms_folder: Path) -> None:
    """Memories and whole users that the backup still has leave it at its first start; revived ones stay.

    An id that was forgotten since is refused as before, whether the backup ever held it or not. What was cut out of a
    memory by a request in words is cut out again.
    """
    data = with_database(rooms_folder / "restored")
    settings = Settings(data_dir=data)
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        await app.memories.add(NOTES)
        await app.memories.add([{"id": "b1", "user_id": "ben", "text": "Ben moved to Riga."}])
        await app.memories.add([{"id": "c1", "user_id": "cleo", "text": "Odd lives in Visby, and Runa plays chess."}])
    _copy(data / "db", rooms_folder / "backup-db")
    _copy(data / "keys", rooms_folder / "backup-keys")
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        await app.memories.forget(["n0", "n3"])
        await app.memories.add([{**NOTES[3], "revive": True}])
        await app.memories.forget_user("ben")
        receipt = await app.memories.forget(await app.memories.find_to_forget("everything about Odd", user_id="cleo"))
        assert getattr(receipt, "edited", ()) == ("c1",)
        await app.memories.add([{**NOTES[0], "id": since} for since in ("since", "since-revived")])
        await app.memories.forget(["since", "since-revived"])
        await app.memories.add([{**NOTES[0], "id": "since-revived", "revive": True}])
    shutil.rmtree(data / "db")
    shutil.rmtree(data / "keys")
    _copy(rooms_folder / "backup-db", data / "db")
    _copy(rooms_folder / "backup-keys", data / "keys")
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        found = {memory.id: memory.text for memory in (await app.memories.list(is_summary=False)).rows}
        assert {"n1", "n2", "n3", "c1"} == set(found)
        assert found["c1"] == "Runa plays chess."
        assert [row["what"] for row in (await app.receipts.list(memory_id="c1")).receipts] == ["part of a memory"]
        assert (await app.receipts.verify()).holds
        summaries = await app.summaries.list()
        assert not any("Thornvale" in summary.text for summary in summaries.rows)
        assert not any("n0" in summary.parent_id for summary in summaries.rows)
        for id_ in ("n0", "b1", "since"):
            with pytest.raises(Forgotten):
                await app.memories.add([{**NOTES[0], "id": id_}])
        await app.memories.add([{**NOTES[0], "id": "since-revived"}])


async def test_a_damaged_log_is_refused(rooms_folder: Path) -> None:
    """Nothing is served while it is unknown what must not be."""
    data = with_database(rooms_folder / "damaged")
    settings = Settings(data_dir=data)
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(NOTES)
        await runtime.app("default").memories.forget("n0")
        await runtime.app("default").memories.forget("n1")
    (log,) = (data / "forgotten").iterdir()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"{broken\n" + b"".join(lines[1:]))
    with pytest.raises(ConfigurationError, match="damaged at byte 0"):
        async with open_runtime(settings):
            pass


async def test_a_torn_last_line_is_a_forget_that_never_was(rooms_folder: Path) -> None:
    """A crash while the line was written came before the commit."""
    data = with_database(rooms_folder / "torn")
    settings = Settings(data_dir=data)
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(NOTES)
        await runtime.app("default").memories.forget("n0")
    (log,) = (data / "forgotten").iterdir()
    log.write_bytes(log.read_bytes() + b'{"receipt":"x","mem')
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.forget("n1")
        assert {"n2", "n3"} == {m.id for m in (await runtime.app("default").memories.list(is_summary=False)).rows}
    async with open_runtime(settings) as runtime:
        assert {"n2", "n3"} == {m.id for m in (await runtime.app("default").memories.list(is_summary=False)).rows}


def _copy(source: Path, target: Path) -> None:
    """With owners and modes, as a backup does."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)
