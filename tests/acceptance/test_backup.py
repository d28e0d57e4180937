"""Copies of the embedded database, taken while it serves, and restored: now, and as of a moment."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tarfile
import time
from asyncio.subprocess import DEVNULL
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from psycopg import AsyncConnection

from precis.app import App
from precis.bootstrap import open_runtime
from precis.care.contents import bring, verify
from precis.care.copying import back_up, copies_in
from precis.care.restoring import restore
from precis.embedded.files import named_archive, original_of
from precis.embedded.server import running
from precis.errors import ConfigurationError, Conflict, Forgotten, InvalidInput, NotFound, StoreUnavailable
from precis.ids import system_clock
from precis.settings import Settings
from precis.testing.temporary import stop_syncing
from precis.watch.doctor import check_archive, check_database
from precis.watch.health import wrongs
from precis.watch.outside import State
from rooms import with_database
from warm import fork, run_warm

_TEXTS = ("The ferry to Vlieland leaves at noon.", "I take the ferry with my bicycle.", "The ferry has a small cafe.")


def _rows(user: str) -> list[dict[str, str]]:
    return [{"id": f"{user}{at}", "user_id": user, "type": "fact", "key": "ferry", "text": text}
            for at, text in enumerate(_TEXTS)]  # fmt: skip


async def _texts(app: App) -> dict[str, str | None]:
    return {memory.id: memory.text for memory in (await app.memories.list(is_summary=False, limit=100)).rows}


async def _take(settings: Settings, target: Path, **options: object) -> Path:
    return (await back_up(settings, target, clock=system_clock, say=lambda _: None, **options)).path  # type: ignore[arg-type]


async def _put(settings: Settings, source: Path, *, to: datetime | None = None) -> None:
    await restore(settings, source, to=to, is_replacing=True, say=lambda _: None)


async def test_a_file_taken_while_it_serves_comes_back(rooms_folder: Path) -> None:
    """With what was written before; a memory and two users that were forgotten since stay away.

    The others' texts open by the keys of today, no key is in the copy, and what was written after it is gone.
    """
    settings = Settings(data_dir=with_database(rooms_folder / "copied"))
    file = rooms_folder / "copy.tar.gz"
    async with running(settings.data_dir) as server:
        stop_syncing(server)
        async with open_runtime(settings) as runtime:
            app = runtime.app("default")
            for user in ("ada", "bo", "cy", "di"):
                await app.memories.add(_rows(user))
            writing = asyncio.create_task(app.memories.add([{"id": "late", "user_id": "ada", "text": "It rains."}]))
            assert await _take(settings, file, keys_to=rooms_folder / "apart") == file
            await writing
            _has_no_key(file, settings, rooms_folder / "apart")
            await app.memories.forget("ada0")
            await app.memories.forget_user("bo")
            await app.memories.forget_user("cy")
            await app.memories.add([{"id": "after", "user_id": "ada", "text": "It snows."}])
            await app.memories.add(_rows("ed"))
            newer = await _take(settings, rooms_folder / "newer.tar")
    await _put(settings, file)
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        texts = await _texts(app)
        assert {"ada1", "ada2", "di0", "di1", "di2"} == set(texts) - {"late"}
        assert texts["di0"] == _TEXTS[0]
        assert not any("Vlieland" in row.text for row in (await app.summaries.list(user_id="ada")).rows)
        with pytest.raises(Forgotten):
            await app.memories.add([{"id": "bo0", "user_id": "bo", "text": "The ferry is late."}])
        await app.memories.add([{"id": "new", "user_id": "di", "text": "The ferry is blue."}])
        await app.memories.forget_user("di")
        assert (await app.receipts.verify()).holds
    # Nobody forgot ed, whose key no newer database has, and di's forgetting closed the copy.
    with pytest.raises(ConfigurationError, match="users whom nobody forgot"):
        await _put(settings, newer)
    async with open_runtime(settings) as runtime:
        assert "ada1" in await _texts(runtime.app("default"))


async def test_a_restore_tells_of_tenants_that_came_after_the_copy(rooms_folder: Path) -> None:
    """Their keys are here and their memories are not; of a copy that has all tenants nothing is told."""
    settings = Settings(data_dir=with_database(rooms_folder / "grown"))
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(_rows("ada"))
        file = await _take(settings, rooms_folder / "before.tar")
        for name in ("harbor", "bakery"):
            await runtime.store.tenants.create(name, name=name, now=system_clock())
            await runtime.app(name).memories.add(_rows("ivo"))
        whole = await _take(settings, rooms_folder / "whole.tar")
    restored = await restore(settings, whole, is_replacing=True, say=lambda _: None)
    assert restored.keys.missing_tenants == ()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")}
    verb = ["restore", str(file), "--replace", "--data-dir", str(settings.data_dir)]
    done = run_warm(verb, env=clean | {"PRECIS_CONFIG": "/dev/null"}, timeout=120)
    assert done.stdout.rstrip().endswith("; tenants that came after it, and of whom it has nothing: bakery, harbor.")


async def test_as_of_a_moment(rooms_folder: Path) -> None:
    """Between two writes; a user who was forgotten later is not shown, and the keys of the others are taken over.

    Then to the end of the log; then once more to a moment of the branch that the first restore began.
    """
    settings = Settings(data_dir=with_database(rooms_folder / "moments"))
    folder = rooms_folder / "with-log"
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        await app.memories.add(_rows("ada"))
        await _take(settings, folder, continuous=True)
        for user in ("bo", "cy"):
            await app.memories.add(_rows(user))
        await asyncio.sleep(0.2)
        moment = datetime.now(UTC)
        await asyncio.sleep(0.2)
        await app.memories.forget(["ada0", "ada1", "ada2"])
        await app.memories.forget_user("bo")
        await app.memories.add([{"id": "after", "user_id": "ada", "text": "It snows."}])
    await _put(settings, folder, to=moment)
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        assert {"cy0", "cy1", "cy2"} == set(await _texts(app))
        await app.memories.add([{"id": "branch", "user_id": "cy", "text": "The ferry is on time."}])
    with pytest.raises(NotFound, match="the log ends before"):
        await _put(settings, folder, to=datetime.now(UTC) + timedelta(hours=1))
    shutil.rmtree(settings.data_dir / "db")
    await _put(settings, folder)
    async with open_runtime(settings) as runtime:
        assert {"cy0", "cy1", "cy2", "branch"} == set(await _texts(runtime.app("default")))


async def test_a_log_that_breaks_off_is_told(rooms_folder: Path) -> None:
    """A file of it that is damaged, or lacking before the newest, would lose without a word all that came after."""
    settings = Settings(data_dir=with_database(rooms_folder / "broken-off"))
    folder, apart = rooms_folder / "of-the-broken-off", rooms_folder / "keys-of-the-broken-off"
    for user in ("ada", "bo", "cy"):
        async with open_runtime(settings) as runtime:
            await runtime.app("default").memories.add(_rows(user))
            if user == "ada":
                await _take(settings, folder, continuous=True, keys_to=apart)
    (copy,), log = copies_in(folder), sorted((folder / "wal").glob("0*[0-9A-F].gz"))
    newest, middle = log[-1], next(path for path in log if path.name[8:24] > copy.first_segment)
    assert middle != newest
    for file, content in ((newest, newest.read_bytes()[:200]), (middle, middle.read_bytes()[:200]), (middle, None)):
        whole = file.read_bytes()
        file.unlink() if content is None else file.write_bytes(content)
        trial = Settings(data_dir=rooms_folder / "broken-off-trial")
        with pytest.raises(InvalidInput, match=f"breaks off at {file}, which is missing or damaged"):
            await restore(trial, folder, say=lambda _: None, keys_from=apart)
        assert not (trial.data_dir / "db").exists()
        file.write_bytes(whole)
    await restore(trial, folder, say=lambda _: None, keys_from=apart)
    async with open_runtime(trial) as runtime:
        assert 9 == len(await _texts(runtime.app("default")))


async def test_what_is_refused(rooms_folder: Path) -> None:
    """A folder in use, one with a database unless it is given up, a damaged copy, places that lie in each other."""
    settings = Settings(data_dir=rooms_folder / "refusing")
    file, folder = rooms_folder / "refused.tar", rooms_folder / "refused"
    with pytest.raises(NotFound, match="there is no database"):
        await _take(settings, file)
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(_rows("ada"))
        await _take(settings, file)
        first = await _take(settings, folder)
        assert (await _take(settings, folder, keep=1)).exists()
        assert not first.exists()
        for target, keys_to in (
            (settings.data_dir / "x", None),
            (settings.keys_folder / "x", None),
            (folder, folder / "k"),
        ):
            with pytest.raises(InvalidInput, match="lie in each other"):
                await _take(settings, target, keys_to=keys_to)
        missing = rooms_folder / "not mounted"
        for target, keys_to in ((missing / "a.tar", None), (missing / "copies", None), (folder, missing / "keys")):
            with pytest.raises(NotFound, match=r"there is no folder .*: make it, mount its disk"):
                await _take(settings, target, keys_to=keys_to)
        assert not missing.exists()
        with pytest.raises(Conflict, match="in use"):
            await _put(settings, file)
    with pytest.raises(Conflict, match="--replace"):
        await restore(settings, file, say=lambda _: None)
    with pytest.raises(InvalidInput, match="no log"):
        await _put(settings, folder, to=datetime.now(UTC))
    with pytest.raises(NotFound, match="after that moment"):
        await _put(settings, folder, to=datetime(2020, 1, 1, tzinfo=UTC))
    (copy,) = copies_in(folder)
    for damage in (_flip, Path.unlink):
        damage(copy.folder / "global" / "1262")
        with pytest.raises(InvalidInput, match="missing or was altered"):
            await _put(settings, folder)
    file.write_bytes(file.read_bytes()[:-2_000_000])
    with pytest.raises(InvalidInput):
        await _put(settings, file)
    assert not (settings.data_dir / "restore.new").exists()
    settings.keys_folder.rename(rooms_folder / "away")
    with pytest.raises(NotFound, match="there are no keys"):
        await _put(settings, folder)
    (rooms_folder / "away").rename(settings.keys_folder)
    # As a restore is killed between its two renames.
    (settings.data_dir / "db").rename(settings.data_dir / "db.replaced")
    async with open_runtime(settings) as runtime:
        assert len(await _texts(runtime.app("default"))) == 3


def _has_no_key(file: Path, settings: Settings, apart: Path) -> None:
    """Neither a file of the key folder nor its content, nor the forgotten-log; the keys are where they were to go."""
    secrets = [path.read_bytes() for path in settings.keys_folder.rglob("*") if path.is_file() and path.stat().st_size]
    assert len(secrets) == 2
    with tarfile.open(file) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        contents = [read.read() for member in members if (read := archive.extractfile(member))]
    assert not [member.name for member in members if member.name.endswith((".key", ".log"))]
    assert not any(secret in content for secret in secrets for content in contents)
    kept = [path for path in apart.rglob("*") if path.is_file()]
    assert sorted(secrets) == sorted(path.read_bytes() for path in kept)
    assert {0o600} == {path.stat().st_mode & 0o777 for path in kept}


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)


async def test_killed_at_any_moment(disk_folder: Path) -> None:
    """A backup that was killed leaves no copy, or a whole one; a restore the database as it was, or as it is to be."""
    settings = Settings(data_dir=with_database(disk_folder / "killed"))
    folder = disk_folder / "copies-killed"
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(_rows("ada"))
        took = await _killed("backup", str(folder), data=settings.data_dir, after=None)
        assert len(copies_in(folder)) == 1
        await runtime.app("default").memories.add(_rows("bo"))
        for _ in range(3):
            await _killed("backup", str(folder), data=settings.data_dir, after=random.uniform(0.05, 1) * took)  # noqa: S311
            for copy in copies_in(folder):
                verify(copy.folder)
        await _take(settings, folder, keep=5)
        assert not list((folder / "copies").glob("*.new"))
    first = copies_in(folder)[0].folder
    took = 0.0
    for at in range(4):
        after = random.uniform(0.05, 1) * took if at else None  # noqa: S311
        began = await _killed("restore", str(first), "--replace", data=settings.data_dir, after=after)
        took = took or began
        async with open_runtime(settings) as runtime:
            app = runtime.app("default")
            assert not list(settings.data_dir.glob("restore.*"))
            assert not (settings.data_dir / "db.replaced").exists()
            assert set(await _texts(app)) in ({"ada0", "ada1", "ada2"}, {"ada0", "ada1", "ada2", "bo0"})
            await app.memories.add(_rows("bo")[:1])


async def _killed(*arguments: str, data: Path, after: float | None) -> float:
    """Run a verb, and kill it after so many seconds unless it ends before; answers how long it ran."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")}
    env |= {"PRECIS_DATA_DIR": str(data), "PRECIS_CONFIG": "/dev/null"}
    began = time.monotonic()
    process = await fork(*arguments, env=env, stdout=DEVNULL, stderr=DEVNULL)
    try:
        await asyncio.wait_for(process.wait(), after)
    except TimeoutError:
        process.kill()
        # It may have ended by itself between the limit and the kill.
        assert await process.wait() in (0, -signal.SIGKILL)
    else:
        assert process.returncode == 0
    return time.monotonic() - began


async def test_a_damaged_file_touches_nothing(rooms_folder: Path) -> None:
    """Wherever it is damaged: at its beginning, in the middle, at its end; packed or not."""
    settings = Settings(data_dir=with_database(rooms_folder / "undamaged"))
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(_rows("ada"))
        copies = [await _take(settings, rooms_folder / name) for name in ("damaged.tar.gz", "damaged.tar")]
    for copy in copies:
        content = copy.read_bytes()
        # Behind its middle lies log, whose unused end nobody reads.
        for share in (0, 0.3, 0.5, 0.9) if copy.suffix == ".gz" else (0, 0.3):
            at = int(share * len(content))
            damage = bytes(5_000) if copy.suffix == ".gz" else b"\xff" * 5_000
            copy.write_bytes(content[:at] + damage + content[at + 5_000 :])
            with pytest.raises(InvalidInput, match="is damaged or is no copy: take another one") as raised:
                await _put(settings, copy)
            assert re.fullmatch(rf"{copy} is damaged [^()]+ \([^()]+\)", str(raised.value))
            assert "Error" not in str(raised.value)
            assert not (settings.data_dir / "restore.new").exists()
    async with open_runtime(settings) as runtime:
        assert len(await _texts(runtime.app("default"))) == 3


async def test_a_disk_without_room_is_no_damage_of_the_copy(rooms_folder: Path) -> None:
    """Whoever is told to take another copy gives up the good one; of a folder one file is told, not each."""
    settings = Settings(data_dir=with_database(rooms_folder / "no-room"))
    file, folder = rooms_folder / "no-room.tar.gz", rooms_folder / "no-room-copies"
    for target in (file, folder):
        await _take(settings, target)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for copy in (file, folder):
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
        try:
            with pytest.raises(
                StoreUnavailable, match=r"takes as much room as the database: .*File too large"
            ) as raised:
                bring(copy if copy == file else copies_in(copy)[0].folder, rooms_folder / f"unpacked-{copy.name}")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert len(str(raised.value)) < 800


async def test_a_trial_uses_up_no_keys(rooms_folder: Path) -> None:
    """A user was forgotten since: the trial forgets again with keys of its own, so that the copy opens once more."""
    settings = Settings(data_dir=with_database(rooms_folder / "tried-often"))
    file, apart = rooms_folder / "monday.tar.gz", rooms_folder / "keys-of-monday"
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        for user in ("ada", "bo"):
            await app.memories.add(_rows(user))
        await _take(settings, file, keys_to=apart)
        await app.memories.forget_user("bo")
    before = {path: path.read_bytes() for path in apart.rglob("*") if path.is_file()}
    for name in ("first", "second"):
        trial = Settings(data_dir=rooms_folder / name)
        shutil.copytree(settings.forgotten_folder, trial.forgotten_folder)
        with pytest.raises(NotFound, match="there are no keys"):
            await restore(trial, file, say=lambda _: None, keys_from=rooms_folder / "nowhere")
        await restore(trial, file, say=lambda _: None, keys_from=apart)
        async with open_runtime(trial) as runtime:
            assert set(await _texts(runtime.app("default"))) == {"ada0", "ada1", "ada2"}
        assert {path: path.read_bytes() for path in apart.rglob("*") if path.is_file()} == before
    with pytest.raises(Conflict, match="put them aside"):
        await restore(trial, file, say=lambda _: None, keys_from=apart, is_replacing=True)


async def test_what_was_restored_is_copied_and_restored_again(rooms_folder: Path) -> None:
    """As often as anybody likes: a database has nothing of the copy that it came from, also where an older one had."""
    settings = Settings(data_dir=with_database(rooms_folder / "again"))
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(_rows("ada"))
    for turn in range(3):
        file = rooms_folder / f"again-{turn}.tar"
        await _take(settings, file)
        await _put(settings, file)
        if turn == 1:
            (settings.data_dir / "db" / "precis.json").write_text("{}")
        async with open_runtime(settings) as runtime:
            app = runtime.app("default")
            await app.memories.add([{"id": f"turn{turn}", "user_id": "ada", "text": f"It rained {turn} times."}])
            assert set(await _texts(app)) == {"ada0", "ada1", "ada2", *(f"turn{before}" for before in range(turn + 1))}


async def test_a_restore_follows_the_branch_past_copies_that_are_not_on_it(rooms_folder: Path) -> None:
    """Nothing goes on from a copy that was taken after the moment that was restored; later ones are chosen again."""
    settings = Settings(data_dir=with_database(rooms_folder / "branches"))
    folder = rooms_folder / "of-branches"
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        await app.memories.add(_rows("ada"))
        await _take(settings, folder, continuous=True)
        await asyncio.sleep(0.2)
        moment = datetime.now(UTC)
        await asyncio.sleep(0.2)
        await app.memories.add(_rows("bo"))
        await _take(settings, folder)
    await _put(settings, folder, to=moment)
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add([{"id": "branch", "user_id": "ada", "text": "It snows."}])
    await _put(settings, folder)
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        assert set(await _texts(app)) == {"ada0", "ada1", "ada2", "branch"}
        newest = await _take(settings, folder)
        await app.memories.add([{"id": "later", "user_id": "ada", "text": "It thaws."}])
    await _put(settings, folder)
    async with open_runtime(settings) as runtime:
        assert set(await _texts(runtime.app("default"))) == {"ada0", "ada1", "ada2", "branch", "later"}
    assert newest in [copy.folder for copy in copies_in(folder)]


async def test_a_copied_data_folder_leaves_the_archive_of_the_first_alone(rooms_folder: Path) -> None:
    """It does not write its own log there and says so; the first goes on, also moved. What is not archived is told."""
    settings = Settings(data_dir=with_database(rooms_folder / "archived"))
    folder = rooms_folder / "of-the-archived"
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add(_rows("ada"))
        await _take(settings, folder, continuous=True)
    copied = Settings(data_dir=rooms_folder / "archived-copy")
    subprocess.run(["cp", "-a", settings.data_dir, copied.data_dir], check=True)
    moved = Settings(data_dir=settings.data_dir.rename(rooms_folder / "archived-moved"))
    assert await _switched(copied) == []
    (finding,) = check_archive(copied)
    assert (finding.state, str(settings.data_dir) in finding.message) == (State.WARN, True)
    async with open_runtime(moved) as runtime:
        await runtime.app("default").memories.add(_rows("bo"))
        assert "log archive" not in [fault.part for fault in await wrongs(runtime)]
    name = (await _switched(moved))[-1]
    ahead = folder / "wal" / f"{int(name[:24], 16) + 1:024X}.gz"
    ahead.write_bytes(gzip.compress(b"of another database"))
    async with running(moved.data_dir) as server, open_runtime(moved) as runtime:
        async with await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner:
            await owner.execute("SELECT pg_switch_wal()")
            await _until(owner, "SELECT true FROM pg_stat_archiver WHERE last_failed_wal IS NOT NULL")
        assert "log archive" in [fault.part for fault in await wrongs(runtime)]
        (finding,) = [finding for finding in (await check_database(moved))[0] if finding.part == "log archive"]
        assert (finding.state, ahead.name[:24] in finding.message) == (State.FAIL, True)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")}
        verb = ["doctor", "--data-dir", str(moved.data_dir), "--json"]
        document = json.loads(run_warm(verb, env=clean | {"PRECIS_CONFIG": "/dev/null"}, timeout=120).stdout)
        assert [told["state"] for told in document["findings"] if told["part"] == "log archive"] == ["fail"]
    ahead.unlink()
    await _switched(moved)
    restored = await restore(moved, folder, is_replacing=True, say=lambda _: None)
    assert restored.last_write is not None
    async with open_runtime(moved) as runtime:
        assert {"ada0", "bo0"} <= set(await _texts(runtime.app("default")))


async def _switched(settings: Settings) -> list[str]:
    """The files that come into the archive that its folder names, when a file of the log was ended."""
    archive = named_archive(settings.data_dir)
    assert archive is not None
    before = set(archive.glob("*.gz"))
    async with (
        running(settings.data_dir) as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        await owner.execute("CREATE TABLE IF NOT EXISTS written ()")
        await owner.execute("SELECT pg_switch_wal()")
        waits = 10 if original_of(settings.data_dir) else 300
        for _ in range(waits):
            if set(archive.glob("*.gz")) != before:
                break
            await asyncio.sleep(0.1)
    return sorted(path.name for path in set(archive.glob("*.gz")) - before)


async def _until(owner: AsyncConnection, query: str) -> None:
    for _ in range(300):
        if await (await owner.execute(query)).fetchone():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(query)
