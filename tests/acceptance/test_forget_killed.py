"""Killed between any two steps of a revival or of forgetting a user: nothing forgotten comes back, nothing is lost.

What lies outside the database, the forgotten-log and the key file, follows what the database committed.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from _pytest.mark import ParameterSet
from forgetting import NEW

from precis.bootstrap import Runtime, open_runtime
from precis.embedded import server as embedded
from precis.errors import Forgotten, NotFound
from precis.ids import new_id
from precis.jobs.worker import sweep
from precis.rest.server import listening
from precis.settings import Settings
from rooms import with_database
from warm import fork

SECRET = "The code of the box is 4711."
CUT = [f"{when} {step}" for step in ("refuse", "finish", "note") for when in ("before", "after")][1:]
#: Of a revival: whether the write had committed.
COMMITTED = {
    "after refuse": False,
    "before finish": True,
    "before note": True,
    "after note": True,
    "after finish": True,
}


@pytest.fixture
def data(rooms_folder: Path) -> Path:
    """A data folder nobody used before."""
    return with_database(rooms_folder / new_id())


async def process(data: Path, verb: str, step: str, text: str = NEW) -> None:
    """Run it in a process of its own; it dies at its step."""
    script = Path(__file__).with_name("forgetting.py")
    started = await fork(data, verb, step, text, program=script, stdout=PIPE, stderr=PIPE)
    _, err = await asyncio.wait_for(started.communicate(), 90)
    assert started.returncode == (0 if step == "never" else -signal.SIGKILL), err.decode()[-2000:]


async def stopped(data: Path) -> None:
    """Whoever was killed left the database running; nobody opens precis on it."""
    async with embedded.running(data):
        pass


def copy(source: Path, target: Path) -> None:
    """With owners and modes, as a backup does."""
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(mode=0o755, exist_ok=True)
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


async def text_of(data: Path, id_: str = "m1") -> str | None:
    """What a fresh start serves under an id."""
    async with open_runtime(Settings(data_dir=data)) as runtime:
        try:
            return (await runtime.app("default").memories.get(id_)).text
        except NotFound:
            return None


async def forgotten_once(data: Path) -> Path:
    """The memory is written, the database copied, the memory forgotten; answers where the copy is."""
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await runtime.app("default").memories.add([{"id": "m1", "user_id": "ana", "text": SECRET}])
    older = data.with_name(data.name + "-older")
    copy(data / "db", older)
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await runtime.app("default").memories.forget("m1")
    return older


# --- an id that is written again ---


@asynccontextmanager
async def served(data: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A real server over the folder, and a client that calls it."""
    async with (
        open_runtime(Settings(data_dir=data)) as runtime,
        listening(runtime) as url,
        httpx.AsyncClient(base_url=url) as api,
    ):
        yield api


async def test_a_refused_write_revives_nothing(data: Path) -> None:
    """Over REST: refused with 409, nothing is written; an older copy of the database is put back and has forgotten."""
    rows = [{"id": "m1", "user_id": "ana", "text": SECRET}, {"id": "m2", "user_id": "ben", "text": "Ben sails."}]
    async with served(data) as api:
        assert (await api.post("/v1/memories", json={"memories": rows})).status_code == 201
    older = data.with_name(data.name + "-older")
    copy(data / "db", older)
    async with served(data) as api:
        assert (await api.post("/v1/forget", json={"ids": ["m1"]})).status_code == 200
        again = [{**rows[0], "revive": True}, {**rows[1], "text": "Ben lives in Rome."}]
        assert (await api.post("/v1/memories", json={"memories": again})).status_code == 409
        assert (await api.get("/v1/memories/m1")).status_code == 404
        assert (await api.post("/v1/memories", json={"memories": rows[:1]})).status_code == 410
    copy(older, data / "db")
    async with served(data) as api:
        assert (await api.get("/v1/memories/m1")).status_code == 404
        assert (await api.get("/v1/memories/m2")).json()["text"] == "Ben sails."


def often(steps: Iterable[str], *, seldom: Collection[str]) -> list[ParameterSet]:
    """Every step as a parameter; those that say little more than another one in the long runs only."""
    return [pytest.param(step, marks=[pytest.mark.soak] if step in seldom else []) for step in steps]


@pytest.mark.parametrize("step", often(COMMITTED, seldom=["before note", "after note", "after finish"]))
async def test_a_killed_revival(data: Path, step: str) -> None:
    """What had committed is there, at the next start and in a newer copy; an older copy serves the old text never."""
    older = await forgotten_once(data)
    await process(data, "revive", step)
    await stopped(data)
    newer = data.with_name(data.name + "-newer")
    copy(data / "db", newer)
    expected = NEW if COMMITTED[step] else None
    assert await text_of(data) == expected
    if expected is None:
        with pytest.raises(Forgotten):
            async with open_runtime(Settings(data_dir=data)) as runtime:
                await runtime.app("default").memories.add([{"id": "m1", "user_id": "ana", "text": NEW}])
    copy(older, data / "db")
    assert await text_of(data) is None
    copy(newer, data / "db")
    assert await text_of(data) == expected


@pytest.mark.parametrize("step", often(["after refuse", "before finish", "after finish"], seldom=["after refuse"]))
async def test_the_same_text_written_again(data: Path, step: str) -> None:
    """An older copy that says just this keeps it once a start has found that the write was made, and not before."""
    older = await forgotten_once(data)
    await process(data, "revive", step, SECRET)
    await stopped(data)
    newer = data.with_name(data.name + "-newer")
    copy(data / "db", newer)
    copy(older, data / "db")
    assert await text_of(data) == (SECRET if step == "after finish" else None)
    copy(newer, data / "db")
    expected = SECRET if COMMITTED[step] else None
    assert await text_of(data) == expected
    copy(older, data / "db")
    assert await text_of(data) == expected


async def test_forgotten_again_before_the_log_has_heard(data: Path) -> None:
    """Killed before the note, then forgotten once more by somebody else: the note does not come after that forget."""
    older = await forgotten_once(data)
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await process(data, "revive", "before finish", SECRET)
        await runtime.app("default").memories.forget("m1")
    copy(older, data / "db")
    assert await text_of(data) is None


async def test_a_sweep_tells_the_log(data: Path) -> None:
    """While some process lives there is no start: a worker's sweep finds what a dead one left."""
    older = await forgotten_once(data)
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await process(data, "revive", "before finish", SECRET)
        await sweep(runtime)
    copy(older, data / "db")
    assert await text_of(data) == SECRET


# --- the key of a user ---


def versions(data: Path) -> list[int]:
    """Of the tenant's key, in its file."""
    return sorted(map(int, json.loads((data / "keys" / "tenants" / "default.json").read_text())["versions"]))


async def two_people(data: Path) -> None:
    """Ana and Ben, each with a key."""
    async with open_runtime(Settings(data_dir=data)) as runtime:
        rows = [{"id": "m1", "user_id": "ana", "text": SECRET}, {"id": "m2", "user_id": "ben", "text": "Ben sails."}]
        await runtime.app("default").memories.add(rows)


#: Where forgetting a user is killed, and whether the next start has the user gone.
GONE = {
    "after lock": False, "after rotate": False, "after log": True, "before finish": True, "before erase": True,
    "after erase": True,
}  # fmt: skip


@pytest.mark.parametrize("step", often(GONE, seldom=["after lock", "before erase", "after erase"]))
async def test_a_killed_forget_of_a_user(data: Path, step: str) -> None:
    """At the next start the user is whole, or gone with every version of the key from before; others read on."""
    gone = GONE[step]
    await two_people(data)
    await process(data, "forget-user", step)
    assert await text_of(data) == (None if gone else SECRET)
    assert await text_of(data, "m2") == "Ben sails."
    if gone:
        assert len(versions(data)) == 1
        assert versions(data) > [1]
        async with open_runtime(Settings(data_dir=data)) as runtime:
            with pytest.raises(NotFound):
                await runtime.app("default").memories.forget_user("ana")


async def _sweep(runtime: Runtime) -> None:
    await sweep(runtime)


async def _new_user(runtime: Runtime) -> None:
    await runtime.app("default").memories.add([{"user_id": "cleo", "text": "Cleo paints."}])


async def _rotate(runtime: Runtime) -> None:
    await runtime.store.tenants.rotate("default")


@pytest.mark.parametrize("later", [_sweep, _new_user, _rotate], ids=["sweep", "new user", "rotate"])
async def test_whoever_comes_next_erases(data: Path, later: object) -> None:
    """Without a start: the worker's sweep, the first write of another user, and a rotation each finish the erasing."""
    await two_people(data)
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await process(data, "forget-user", "before finish")
        assert versions(data) == [1, 2]
        await later(runtime)  # type: ignore[operator]
        assert 1 not in versions(data)
        assert len(versions(data)) == 1
        assert (await runtime.app("default").memories.get("m2")).text == "Ben sails."


async def test_the_last_user_leaves_no_old_version(data: Path) -> None:
    """Also where no key is left that names a version."""
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await runtime.app("default").memories.add([{"id": "m1", "user_id": "ana", "text": SECRET}])
    await process(data, "forget-user", "before finish")
    assert versions(data) == [1, 2]
    assert await text_of(data) is None
    assert versions(data) == [2]


async def test_a_copy_that_knows_no_rotation_erases_nothing(data: Path) -> None:
    """An older database, or an empty one, on the same key folder: what the living one needs stays."""
    await two_people(data)
    older = data.with_name(data.name + "-older")
    copy(data / "db", older / "db")
    await process(data, "forget-user", "after rotate")
    assert versions(data) == [1, 2]
    for folder in (older, data.with_name(data.name + "-empty")):
        settings = Settings(data_dir=folder, keys_dir=data / "keys", forgotten_dir=data / "forgotten")
        async with open_runtime(settings) as runtime:
            await sweep(runtime)
        assert versions(data) == [1, 2]
    assert await text_of(data) == SECRET
