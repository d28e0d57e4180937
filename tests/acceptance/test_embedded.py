"""The embedded database: one server a folder, shared by processes, that survives kills."""

from __future__ import annotations

import asyncio
import asyncio.subprocess
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from precis.embedded import server as embedded
from precis.embedded.account import account_for, command_as
from precis.embedded.files import socket_folder
from precis.embedded.place import place_at
from precis.embedded.process import exclusive
from precis.errors import ConfigurationError, StoreUnavailable

ROOT = os.geteuid() == 0
#: Whether the system lets root enter a user namespace; many containers do not.
NAMESPACED = ROOT and account_for(0, Path("/")).seen_as is not None
NOBODY = 65534
#: An ordinary user: ourselves, or where we are root the one we may become.
ORDINARY = NOBODY if ROOT else os.geteuid()
UNLISTED = 54321

#: Another precis process: opens the folder as the given user, says what it does, leaves at a line of input.
#: All modules are loaded before it changes user, since that user may not be allowed to read them.
OTHER_PROCESS = """
import asyncio, concurrent.futures.thread, encodings.idna, os, pathlib, sys
import psycopg, structlog
from precis.errors import PrecisError
from precis.embedded import server as embedded
from precis.embedded.account import account_for, command_as

structlog.configure(logger_factory=structlog.ReturnLoggerFactory())

async def use(folder):
    say = lambda message: print("step", message, flush=True)
    async with embedded.running(folder, progress=say) as server:
        async with await psycopg.AsyncConnection.connect(server.dsn(user="precis_app")) as connection:
            asked = await connection.execute("SELECT current_user, pg_postmaster_start_time()")
            row = await asked.fetchone()
        print("open", row[0], row[1].isoformat(), flush=True)
        sys.stdin.readline()
    print("left", flush=True)

uid = int(sys.argv[2])
if uid != os.geteuid():
    os.setgroups([]), os.setgid(uid), os.setuid(uid)
if "no namespaces" in sys.argv:
    # As many containers do it: a filter of system calls that refuses to unshare.
    import ctypes, struct, platform
    number = {"x86_64": 272, "aarch64": 97}[platform.machine()]
    steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HL", len(steps), ctypes.addressof(code))
    assert ctypes.CDLL(None).prctl(22, 2, ctypes.create_string_buffer(program)) == 0
try:
    asyncio.run(use(pathlib.Path(sys.argv[1])))
except PrecisError as error:
    print(type(error).__name__, error, flush=True)
"""

#: Connects as another user, and says what came of it.
CONNECT = """
import os, sys
import psycopg
uid = int(sys.argv[2])
os.setgroups([]), os.setgid(uid), os.setuid(uid)
try:
    psycopg.connect(host=sys.argv[1], port=5432, dbname="precis", user="precis_app")
    print("connected")
except psycopg.OperationalError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder the server's account can reach, which pytest's own, private to root, is not."""
    folder = Path(tempfile.mkdtemp(prefix="precis-")) if ROOT else tmp_path_factory.mktemp("rooms")
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def room(rooms: Path) -> Path:
    """An empty folder of a test's own."""
    folder = rooms / f"room{len(list(rooms.iterdir()))}"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def programs(rooms: Path) -> Path:
    """PostgreSQL where every account may run it, which is not so of a checkout in a folder of root's alone."""
    package = place_at(rooms / "nothing").programs.parents[1]
    copies = rooms / "programs"
    # The libraries that the wheel brings lie in a folder beside the package.
    for part in package.parent.glob(f"{package.name}*"):
        if part.suffix != ".dist-info":
            shutil.copytree(part, copies / part.name, ignore=shutil.ignore_patterns("pginstall"), symlinks=True)
    return copies


@pytest.fixture
def open_programs(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours and those of the processes we start are that copy."""
    monkeypatch.syspath_prepend(programs)
    monkeypatch.setenv("PYTHONPATH", str(programs), prepend=os.pathsep)


@pytest.fixture(scope="module")
def made_once(rooms: Path) -> Path:
    """A database that is made once for the tests that need not see it made."""

    async def make() -> None:
        async with embedded.running(rooms / "made"):
            pass

    asyncio.run(make())
    return rooms / "made"


@pytest.fixture
def made(made_once: Path) -> Iterator[Path]:
    """The data folder of a database that nobody uses, neither before the test nor after it."""
    assert not (made_once / "db" / "postmaster.pid").exists()
    yield made_once
    assert not (made_once / "db" / "postmaster.pid").exists()


class Other:
    """Another process that uses a data folder."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    async def until(self, word: str) -> str:
        """Read what it says up to the line that begins with the word."""
        assert self.process.stdout
        while line := (await asyncio.wait_for(self.process.stdout.readline(), 20)).decode().strip():
            self.lines.append(line)
            if line.startswith(word):
                return line
        raise AssertionError(self.lines)

    async def leave(self) -> None:
        """Let it close its database and end."""
        assert self.process.stdin
        self.process.stdin.write(b"\n")
        await self.until("left")


@asynccontextmanager
async def another(folder: Path, *more: str, uid: int | None = None) -> AsyncIterator[Other]:
    """Run another process on the folder; it is killed at the end where it has not left."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OTHER_PROCESS, str(folder), str(os.geteuid() if uid is None else uid), *more,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Other(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def answer(dsn: str, query: str) -> object:
    """The first value of a query's answer."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        row = await (await connection.execute(query)).fetchone()
    assert row
    return row[0]


async def write(server: embedded.EmbeddedServer, text: str) -> None:
    """Commit a row to a table of notes."""
    async with await psycopg.AsyncConnection.connect(server.owner_dsn) as connection:
        await connection.execute("CREATE TABLE IF NOT EXISTS note (text text)")
        await connection.execute("INSERT INTO note VALUES (%s)", [text])


def server_of(folder: Path) -> int:
    """The process number in the folder's postmaster.pid."""
    return int((folder / "db" / "postmaster.pid").read_text().split()[0])


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


async def test_a_cold_start_makes_a_database_and_a_warm_start_finds_it(room: Path) -> None:
    """The first start makes the files, the second uses them, and nothing runs after either."""
    steps: list[str] = []
    for expected in (["making a new database", "starting the database"], ["starting the database"]):
        steps.clear()
        async with embedded.running(room / "d", progress=steps.append) as server:
            pid = server_of(room / "d")
            assert expected == steps
            await write(server, "kept")
        assert not is_running(pid)
    async with embedded.running(room / "d") as server:
        assert await answer(server.owner_dsn, "SELECT count(*) FROM note") == 2


async def test_the_database_is_made_as_promised(made: Path) -> None:
    """UTF-8 and the builtin locale, checksums, durable commits, no network address, pgvector with HNSW."""
    shown = {
        "server_encoding": "UTF8",
        "data_checksums": "on",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "listen_addresses": "",
        "jit": "off",
    }
    async with embedded.running(made) as server:
        for name, value in shown.items():
            assert value == await answer(server.owner_dsn, f"SHOW {name}"), name
        assert stat.S_IMODE(server.db_dir.stat().st_mode) == 0o700
        assert server.db_dir.stat().st_uid == Path(f"/proc/{server_of(made)}").stat().st_uid
        capabilities = (Path("/proc") / str(server_of(made)) / "status").read_text().partition("CapEff:")[2].split()[0]
        assert int(capabilities, 16) == 0
        provider = "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'precis'"
        assert await answer(server.owner_dsn, provider) == "bC.UTF-8"
        assert await answer(server.owner_dsn, "SELECT lower('ÜBER')") == "über"
        async with await psycopg.AsyncConnection.connect(server.owner_dsn) as connection:
            await connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            await connection.execute("CREATE TABLE v (e halfvec(3))")
            await connection.execute("CREATE INDEX ON v USING hnsw (e halfvec_cosine_ops)")


async def test_the_application_has_a_role_without_rights(made: Path) -> None:
    """Row-level security binds precis_app, which has nothing of the owner's and makes no table."""
    async with embedded.running(made) as server:
        await write(server, "the owner's")
        dsn = server.dsn(user=embedded.APPLICATION)
        rights = "SELECT rolsuper OR rolbypassrls OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
        assert await answer(dsn, rights) is False
        for refused in ("SELECT * FROM note", "CREATE TABLE mine ()", "SET ROLE precis_owner"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await answer(dsn, refused)
        with pytest.raises(psycopg.OperationalError, match="permission denied"):
            await answer(dsn.replace("dbname=precis", "dbname=postgres"), "SELECT 1")


async def test_the_server_stops_with_its_last_user(made: Path) -> None:
    """A second process joins; the one that started the server leaves first, and it stays for the other."""
    ours = await embedded.start(made)
    began = await answer(ours.owner_dsn, "SELECT pg_postmaster_start_time()::text")
    pid = server_of(made)
    async with another(made) as other:
        opened = (await other.until("open")).split(maxsplit=2)
        await embedded.stop(ours)
        assert is_running(pid)
        assert opened[1] == embedded.APPLICATION
        assert opened[2][:19] == str(began).replace(" ", "T")[:19]
        await other.leave()
    assert "step starting the database" not in other.lines
    assert not is_running(pid)


async def test_stopping_twice_does_nothing(made: Path) -> None:
    """A second stop does not end a server that somebody else in this process still uses."""
    first, second = await embedded.start(made), await embedded.start(made)
    await embedded.stop(first)
    await embedded.stop(first)
    assert await answer(second.owner_dsn, "SELECT 1") == 1
    await embedded.stop(second)


async def test_a_killed_server_recovers_what_was_committed(made: Path) -> None:
    """After kill -9 of the server, a start brings it back with every committed row."""
    killed = await embedded.start(made)
    await write(killed, "committed")
    os.kill(server_of(made), signal.SIGKILL)
    async with embedded.running(made) as server:
        assert await answer(server.owner_dsn, "SELECT count(*) FROM note WHERE text = 'committed'") == 1
        await embedded.stop(killed)
        assert await answer(server.owner_dsn, "SELECT 1") == 1
    assert "automatic recovery in progress" in (made / "log" / "postgres.log").read_text()


async def test_a_stop_in_the_middle_of_a_recovery_ends(made: Path) -> None:
    """A killed session makes the server recover; a stop that falls into it does not wait for ever."""
    for delay in (0.0, 0.02):
        async with asyncio.timeout(20), embedded.running(made) as server:
            with pytest.raises(psycopg.OperationalError):
                await crash_a_session(server.owner_dsn, "short")
            await asyncio.sleep(delay)


async def test_a_killed_user_leaves_a_server_that_the_next_one_takes_over(made: Path) -> None:
    """After kill -9 of the only precis process its server runs on; the next opener joins it and stops it."""
    async with another(made) as other:
        await other.until("open")
        pid = server_of(made)
        other.process.kill()
    assert is_running(pid)
    async with embedded.running(made):
        assert server_of(made) == pid
    assert not is_running(pid)


async def test_a_maker_killed_halfway_leaves_nothing_in_the_way(room: Path) -> None:
    """After kill -9 in the middle of making the files, the next opener makes them anew."""
    for attempt in range(5):
        folder = room / str(attempt)
        async with another(folder) as other:
            await other.until("step making")
            await asyncio.sleep(0.1)
            other.process.kill()
        # Where this process was held up meanwhile, the maker may have ended: then another one is killed.
        if not (folder / "db").exists():
            break
    assert not (folder / "db").exists()
    async with embedded.running(folder) as server:
        assert await answer(server.owner_dsn, "SELECT 1") == 1


async def test_a_pid_file_that_names_a_stranger_does_not_block(made: Path) -> None:
    """After a container restart the old process numbers belong to others, even of the server's account."""
    async with embedded.running(made):
        left = (made / "db" / "postmaster.pid").read_text()
        sockets = Path(left.splitlines()[4])
        socket_lock = (sockets / ".s.PGSQL.5432.lock").read_text()
    place = place_at(made)
    stranger = subprocess.Popen(["/bin/sleep", "60"], user=place.account.uid if place.account.dropped else None)
    try:
        for path, text in (
            (made / "db" / "postmaster.pid", left),
            (sockets / ".s.PGSQL.5432.lock", socket_lock),
        ):
            path.write_text("\n".join([str(stranger.pid), *text.splitlines()[1:], ""]))
            place.account.give(path)
        async with embedded.running(made) as server:
            assert await answer(server.owner_dsn, "SELECT 1") == 1
            assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


async def test_a_server_started_by_hand_is_left_alone(made: Path) -> None:
    """A server that precis did not start on its files is neither joined nor robbed of its pid file."""
    place = place_at(made)
    command = command_as(place.account, [str(place.programs / "postgres"), "-D", str(place.db)])
    by_hand = subprocess.Popen(
        command, stderr=subprocess.DEVNULL, cwd="/",
        user=place.account.uid if place.account.dropped else None,
    )  # fmt: skip
    try:
        # Its lines are written after the file was made.
        while not (made / "db" / "postmaster.pid").exists() or (made / "db" / "postmaster.pid").read_text() == "":
            await asyncio.sleep(0.01)
        with pytest.raises(StoreUnavailable, match=f"process {by_hand.pid} is a server"):
            await embedded.start(made)
        assert by_hand.poll() is None
    finally:
        by_hand.send_signal(signal.SIGINT)
        by_hand.wait()


async def test_a_path_too_long_for_a_socket_gets_a_private_one_elsewhere(room: Path) -> None:
    """Beyond 107 bytes the socket lies in a short folder that only the server's account can open."""
    folder = room / ("x" * 120)
    async with embedded.running(folder) as server:
        sockets = Path(str(await answer(server.owner_dsn, "SHOW unix_socket_directories")))
        assert len(str(sockets / ".s.PGSQL.5432")) <= 107
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        assert sockets.stat().st_uid == server.db_dir.stat().st_uid
        assert sockets == socket_folder(place_at(folder))
    sockets.rmdir()


def test_a_path_that_would_read_as_two_hosts_gets_its_socket_elsewhere(room: Path) -> None:
    """A comma or a quote means something in a list of sockets, so such a path is never put into one."""
    sockets = socket_folder(place_at(room / "with, comma and 'quote'"))
    assert sockets == socket_folder(place_at(room / "with, comma and 'quote'"))
    assert sockets.parent == Path(tempfile.gettempdir())
    sockets.rmdir()


async def test_a_socket_folder_that_is_open_to_others_is_refused(made: Path) -> None:
    """Somebody who made that folder first in a shared temporary directory does not get our socket."""
    (made / "run").chmod(0o777)
    with pytest.raises(ConfigurationError, match="is not a private folder"):
        await embedded.start(made)
    (made / "run").chmod(0o700)


async def test_who_joins_starts_no_program(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the account of the server may do is tried before a start; a server that runs has shown it."""
    async with embedded.running(made):
        monkeypatch.setattr("precis.embedded.account.run_as", None)
        async with embedded.running(made) as server:
            assert await answer(server.owner_dsn, "SELECT 1") == 1


async def test_two_processes_at_once_make_one_database(room: Path) -> None:
    """Of two processes that open an empty folder at the same time, one makes it and both use it."""
    async with another(room / "d") as one, another(room / "d") as two:
        opened = await asyncio.gather(one.until("open"), two.until("open"))
        assert opened[0] == opened[1]
        said = one.lines + two.lines
        assert said.count("step making a new database") == said.count("step starting the database") == 1
        await asyncio.gather(one.leave(), two.leave())
    assert not (room / "d" / "db" / "postmaster.pid").exists()


@pytest.mark.usefixtures("open_programs")
async def test_an_ordinary_user_and_root_can_share_a_database(room: Path) -> None:
    """What an ordinary user made stays that user's, also where root joins, and both use it at once."""
    if ROOT:
        os.chown(room, ORDINARY, -1)
    async with another(room / "d", uid=ORDINARY) as other:
        await other.until("open")
        async with embedded.running(room / "d") as server:
            await write(server, "we were here")
        await other.leave()
    assert {each.lstat().st_uid for each in (room / "d").rglob("*")} == {ORDINARY}
    async with embedded.running(room / "d"):
        assert Path(f"/proc/{server_of(room / 'd')}").stat().st_uid == ORDINARY


def test_a_user_without_a_name_is_told_what_to_do(tmp_path: Path) -> None:
    """PostgreSQL does not start for a user id that the user database does not list."""
    with pytest.raises(ConfigurationError, match=f"user id {UNLISTED} has no entry .* add a line"):
        account_for(UNLISTED, tmp_path)


if ROOT:

    async def test_an_unlisted_user_is_refused_before_anything_is_written(room: Path) -> None:
        """The whole way, as that user: a refusal and an empty folder."""
        os.chown(room, UNLISTED, -1)
        async with another(room / "d", uid=UNLISTED) as other:
            assert "no entry in the user database" in await other.until("ConfigurationError")
        assert list(room.iterdir()) == []


if NAMESPACED:

    async def test_a_folder_that_only_root_may_enter_holds_a_database(tmp_path: Path) -> None:
        """As in root's home on a fresh machine: every file is root's, and the server has none of root's rights."""
        private = tmp_path / "private"
        private.mkdir(mode=0o700)
        async with embedded.running(private / "d") as server:
            await write(server, "kept")
            inside, *outside = Path(f"/proc/{server_of(private / 'd')}/uid_map").read_text().split()
            assert outside == ["0", "1"]
            assert inside != "0"
            assert await answer(server.dsn(user=embedded.APPLICATION), "SELECT current_user") == "precis_app"
        async with embedded.running(private / "d") as server:
            assert await answer(server.owner_dsn, "SELECT count(*) FROM note") == 1
        assert {each.lstat().st_uid for each in private.rglob("*")} == {0}
        assert {stat.S_IMODE(each.stat().st_mode) for each in (private, private / "d", private / "d" / "run")} == {
            0o700
        }

    async def test_nobody_else_connects_to_a_server_in_a_namespace(made: Path) -> None:
        """Another user is a stranger to it, even where the folder of its socket would let that user in."""
        async with embedded.running(made) as server:
            sockets = Path(str(await answer(server.owner_dsn, "SHOW unix_socket_directories")))
            asked = [sys.executable, "-c", CONNECT, str(sockets), str(NOBODY)]
            refused = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
            assert "Permission denied" in refused
            for folder in (made, sockets):
                folder.chmod(0o711)
            (sockets / ".s.PGSQL.5432").chmod(0o777)
            refused = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
            for folder in (made, sockets):
                folder.chmod(0o700)
            assert "eer authentication failed" in refused


if ROOT:

    @pytest.mark.usefixtures("open_programs")
    async def test_without_namespaces_the_server_is_another_user(room: Path) -> None:
        """Its files are that user's, and stay so where root opens them later in a place that allows namespaces."""
        async with another(room / "d", "no namespaces") as other:
            assert embedded.APPLICATION in await other.until("open")
            await other.leave()
        (owner,) = {each.lstat().st_uid for each in (room / "d" / "db").rglob("*")}
        assert owner != 0
        async with embedded.running(room / "d") as server:
            await write(server, "still there")
            assert Path(f"/proc/{server_of(room / 'd')}").stat().st_uid == owner

    async def test_without_namespaces_a_folder_its_user_cannot_reach_is_named(tmp_path: Path) -> None:
        """A private parent, such as root's home, is named in the refusal and keeps its mode."""
        private = tmp_path / "private"
        private.mkdir(mode=0o700)
        tmp_path.chmod(0o755)
        modes = [each.stat().st_mode for each in (private, *private.parents)]
        async with another(private / "d", "no namespaces") as other:
            refused = await other.until("ConfigurationError")
        assert "may not pass through" in refused
        assert "chmod o+x" in refused
        assert modes == [each.stat().st_mode for each in (private, *private.parents)]


if NAMESPACED:

    async def test_without_namespaces_files_of_root_are_refused(made: Path) -> None:
        """A folder that was made in a namespace cannot be served without one, and nobody takes its files away."""
        async with another(made, "no namespaces") as other:
            assert "belongs to root" in await other.until("ConfigurationError")
        assert (made / "db").stat().st_uid == 0


async def test_a_folder_of_something_else_is_refused(room: Path) -> None:
    """Neither a stranger's files nor another release's database are touched."""
    (room / "db").mkdir()
    (room / "db" / "letter.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="something else than a database"):
        await embedded.start(room)
    (room / "db" / "PG_VERSION").write_text("17\n")
    with pytest.raises(ConfigurationError, match="made by PostgreSQL 17"):
        await embedded.start(room)
    assert (room / "db" / "letter.txt").read_text() == "mine"


async def test_a_server_that_cannot_start_says_why(made: Path) -> None:
    """The refusal carries the end of the server's own log, and nothing is left running."""
    control = made / "db" / "global" / "pg_control"
    control.rename(control.with_suffix(".away"))
    with pytest.raises(StoreUnavailable, match="pg_control"):
        await embedded.start(made)
    control.with_suffix(".away").rename(control)


async def test_giving_up_on_a_start_leaves_nothing_running(made: Path) -> None:
    """A start that is cancelled stops what it began, so that the next one begins afresh."""
    starting = asyncio.create_task(embedded.start(made))
    while not (made / "db" / "postmaster.pid").exists():
        await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not (made / "db" / "postmaster.pid").exists()


async def test_no_statement_and_no_value_reaches_the_log(made: Path) -> None:
    """Whatever fails, even where a session is killed in the middle of it, the log holds none of its text."""
    canary = "canary-7d1f"
    async with embedded.running(made) as server:
        for dsn in (server.owner_dsn, server.dsn(user=embedded.APPLICATION)):
            async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
                for query in ("SELECT %s::text::int", "SELECT * FROM nowhere WHERE text = %s", "SELEC %s"):
                    with pytest.raises(psycopg.Error):
                        await connection.execute(query, [canary])
                with pytest.raises(psycopg.errors.InvalidTextRepresentation, match=canary):
                    await connection.execute(f"SELECT '{canary}'::int")
        with pytest.raises(psycopg.OperationalError):
            await crash_a_session(server.owner_dsn, canary)
        while "was terminated by signal 9" not in (made / "log" / "postgres.log").read_text():
            await asyncio.sleep(0.02)
    assert canary not in (made / "log" / "postgres.log").read_text()


async def crash_a_session(dsn: str, canary: str) -> None:
    """Kill the server's process behind a session while it runs a statement."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        pid = connection.info.backend_pid
        asyncio.get_running_loop().call_later(0.2, os.kill, pid, signal.SIGKILL)
        await connection.execute(f"SELECT '{canary}', pg_sleep(20)")


async def test_a_short_wait_is_silent_and_a_long_one_is_told(made: Path) -> None:
    """Whoever waits for another process hears about it every two seconds."""
    place = place_at(made)
    steps: list[str] = []
    async with embedded.running(made):
        began = time.monotonic()
        async with exclusive(place, lambda _: None):
            waiting = asyncio.create_task(embedded.start(made, progress=steps.append))
            while not steps and time.monotonic() - began < 8:
                await asyncio.sleep(0.05)
        await embedded.stop(await waiting)
    assert time.monotonic() - began < 10
    assert steps == ["waiting for another precis process to start or stop the database (2 s so far)"]
