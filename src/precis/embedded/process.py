"""The embedded server as a process: its locks, whether it truly runs, how it starts and how it stops.

A lock here is a ``flock``: the kernel drops it when its holder dies, however it dies. The server itself holds
one, through a descriptor it inherits, so "nothing of this database is alive" is a fact and not a guess from a
process number that may long belong to somebody else.
"""

import asyncio
import fcntl
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import psycopg

from precis.embedded.account import Account, run_as
from precis.embedded.files import keep_log_short, make_files, socket_folder, write_settings
from precis.embedded.place import OWNER, Place, Postmaster, serves
from precis.errors import StoreUnavailable

Say = Callable[[str], None]

_POLL_S = 0.02
#: How often something slow is reported.
_REPORT_S = 2.0
#: How long a database may be held by something we cannot see before we say so.
_UNSEEN_LIMIT_S = 60.0
#: How long the processes of a dead server may take to end by themselves: one in the middle of a long statement does not
#: notice. Whatever they did is not committed, and the next start recovers without them.
_ORPHANS_LIMIT_S = 1.0
#: How long a server that calls itself ready may turn connections away.
_REFUSING_LIMIT_S = 10.0
#: How long a stop may write out what is in memory; beyond it the next start recovers from the log instead.
_STOP_LIMIT_S = 60.0
#: How long a stop waits for processes that outlive their server.
_STRAGGLER_LIMIT_S = 5.0


class FileLock:
    """A lock on a file, shared or exclusive, kept until it is closed or its process ends."""

    def __init__(self, path: Path, account: Account) -> None:
        flags = os.O_RDWR | os.O_NOFOLLOW
        try:
            self.descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            self.descriptor = os.open(path, flags)
        else:
            account.give(self.descriptor)

    def take(self, *, shared: bool = False) -> bool:
        """Take it at once or not at all; a shared lock may be turned into an exclusive one."""
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self.descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Let go; a process that inherited the descriptor keeps the lock. A second call does nothing."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def lies_at(self, path: Path) -> bool:
        """Whether this is still the file of that name; a folder may have been removed and made anew."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), path.stat())
        except FileNotFoundError:
            return False

    @property
    def closed(self) -> bool:
        """Whether this holder has let go."""
        return self.descriptor < 0


@asynccontextmanager
async def exclusive(place: Place, say: Say) -> AsyncIterator[None]:
    """Be the only process that starts or stops this database."""
    with closing(FileLock(place.lock("start"), place.account)) as lock:
        report = _Slowly(say)
        while not lock.take():
            report("waiting for another precis process to start or stop the database")
            await asyncio.sleep(_POLL_S)
        yield


class _Slowly:
    """Passes on a message every two seconds, with the time it has lasted."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._began = self._spoke = asyncio.get_running_loop().time()

    @property
    def lasted(self) -> float:
        """Seconds since the wait began."""
        return asyncio.get_running_loop().time() - self._began

    def __call__(self, message: str) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._spoke >= _REPORT_S:
            self._spoke = now
            self._say(f"{message} ({self.lasted:.0f} s so far)")


async def make_cluster(place: Place, say: Say) -> None:
    """Make a new database, once nothing of an earlier attempt is alive. Call it within ``exclusive``."""
    with closing(FileLock(place.lock("server"), place.account)) as lock:
        report = _Slowly(say)
        while not lock.take():
            report("waiting for the processes of a killed precis to end")
            _refuse_unseen(place, report.lasted)
            await asyncio.sleep(_POLL_S)
        say("making a new database")
        # The lock goes along: should we be killed meanwhile, the next opener waits for these programs to end.
        await asyncio.to_thread(make_files, place, lock.descriptor)


async def ensure_running(place: Place, say: Say) -> Postmaster:
    """Join the server of this folder, or start it, and wait until it answers. Call it within ``exclusive``.

    Raises:
        StoreUnavailable: it ended instead; the message carries the end of its log.
    """
    while True:
        spawned = _spawn_if_free(place, say)
        postmaster = await _answering(place, say, ours=spawned)
        if postmaster:
            return postmaster
        if spawned:
            raise StoreUnavailable(f"the embedded database did not start; the end of {place.log}:\n{end_of(place.log)}")


def _spawn_if_free(place: Place, say: Say) -> bool:
    with closing(FileLock(place.lock("server"), place.account)) as lock:
        if not lock.take():
            return False
        _refuse_stranger(place)
        say("starting the database")
        _spawn(place, lock)
        return True


def _refuse_stranger(place: Place) -> None:
    postmaster = place.postmaster()
    if postmaster:
        message = f"process {postmaster.pid} is a server on {place.db} that precis did not start: stop it first"
        raise StoreUnavailable(message)


def _spawn(place: Place, lock: FileLock) -> None:
    sockets = socket_folder(place)
    write_settings(place, sockets)
    # We hold the lock, so whatever these name is not a server of this folder; PostgreSQL alone would take any
    # living process with that number for one and refuse for ever.
    for leftover in (place.db / "postmaster.pid", *sockets.glob(".s.PGSQL.*")):
        leftover.unlink(missing_ok=True)
    keep_log_short(place)
    # The shell leaves at once, so the server is nobody's child: no zombie of it can stay with us.
    script = '"$0" -D "$1" >>"$2" 2>&1 &'
    command = ["/bin/sh", "-c", script, str(place.programs / "postgres"), str(place.db), str(place.log)]
    run_as(place.account, command, keep_open=(lock.descriptor,))


async def _answering(place: Place, say: Say, *, ours: bool) -> Postmaster | None:
    """Wait for a server that accepts a connection; None once nothing of it is alive. ``ours`` was just started by us.

    Recovery after a kill takes as long as it takes; only a server that we cannot see, or that says it is
    ready and then refuses, has a limit.
    """
    waiting, refusing = _Slowly(say), _Slowly(say)
    while is_alive(place):
        postmaster = place.postmaster()
        if postmaster and postmaster.status == "ready":
            problem = await _problem(postmaster)
            if problem is None:
                return postmaster
            _refuse_refusing(postmaster, problem, refusing.lasted)
        else:
            refusing = _Slowly(say)
        if not postmaster:
            if not ours and waiting.lasted > _ORPHANS_LIMIT_S:
                _end_orphans(place)
            _refuse_unseen(place, waiting.lasted)
        waiting("the database is starting, or recovering what was not yet in its files")
        await asyncio.sleep(_POLL_S)
    return None


def _end_orphans(place: Place) -> None:
    """End the processes that a dead server left behind. Call it within ``exclusive``, when no server is to be seen."""
    for process in Path("/proc").iterdir():
        # Processes end while we look, and some systems hide those of others.
        with suppress(OSError):
            if process.name.isdigit() and serves(int(process.name), place.db, place.account.uid):
                os.kill(int(process.name), signal.SIGKILL)


def is_alive(place: Place) -> bool:
    """Whether any process of this folder's server lives, even one we cannot see. Ask within ``exclusive``."""
    with closing(FileLock(place.lock("server"), place.account)) as probe:
        return not probe.take()


async def _problem(postmaster: Postmaster) -> str | None:
    dsn = postmaster.dsn(user=OWNER)
    try:
        async with await psycopg.AsyncConnection.connect(dsn, connect_timeout=10) as connection:
            await connection.execute("SELECT")
    except psycopg.OperationalError as error:
        return str(error)
    return None


def _refuse_refusing(postmaster: Postmaster, problem: str, lasted: float) -> None:
    if lasted > _REFUSING_LIMIT_S:
        raise StoreUnavailable(f"the embedded database (process {postmaster.pid}) runs but refuses us: {problem}")


def _refuse_unseen(place: Place, lasted: float) -> None:
    if lasted > _UNSEEN_LIMIT_S:
        raise StoreUnavailable(
            f"{place.folder} is held by a process that is not seen from here: stop the other container that "
            "uses this folder, or the PostgreSQL processes that a killed server left behind"
        )


def end_of(log: Path) -> str:
    """The last lines of a server's log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-8:]) if log.exists() else "(no log)"


async def shut_down(place: Place, say: Say) -> None:
    """Stop the server and wait until nothing of it is alive. Call it within ``exclusive``.

    Processes that outlive their server are left to end by themselves: the next opener waits for them.
    """
    report = _Slowly(say)
    signaled: set[tuple[int, bool]] = set()
    while is_alive(place):
        postmaster = place.postmaster()
        late = report.lasted > _STOP_LIMIT_S
        if postmaster and (postmaster.pid, late) not in signaled:
            signaled.add((postmaster.pid, late))
            await _ask_to_stop(postmaster, at_once=late)
        if not postmaster and report.lasted > _STRAGGLER_LIMIT_S:
            say("some of the database's processes have not ended yet")
            return
        report("the database is writing out what it holds, and stops")
        await asyncio.sleep(_POLL_S)


async def _ask_to_stop(postmaster: Postmaster, *, at_once: bool) -> None:
    """Ask for an orderly stop of a server that answers, and for one without farewell of any other.

    PostgreSQL 18 can wait for ever when it is asked to stop in order while it recovers (seen after a session
    was killed). Stopping at once loses nothing: all that was committed is in the log the next start reads.
    """
    # The socket's folder is written last, so only a server that calls itself ready has surely named one.
    ready = postmaster.status == "ready"
    orderly = ready and not at_once and await _problem(postmaster) is None
    with suppress(ProcessLookupError):  # it may just have gone by itself
        os.kill(postmaster.pid, signal.SIGINT if orderly else signal.SIGQUIT)
