"""The operating system's user an embedded server runs as, and how a program is run as that user.

PostgreSQL refuses to run as root. Where root opens a folder of its own, the server runs in a user namespace: there it
is an ordinary user, outside its files are root's, so it may enter every folder that root's own mode bits open. Where
namespaces are not allowed, and where the folder belongs to somebody else, it runs as another account.
"""

import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from precis.embedded import namespace as embedded_namespace
from precis.errors import ConfigurationError

#: What root runs the server as where there are no namespaces and the data folder does not belong to somebody else.
#: A dedicated account is preferred to the shared one.
SHARED_ACCOUNT = "nobody"
_ACCOUNTS_FOR_ROOT = ("precis", SHARED_ACCOUNT)
#: What a namespace shows in place of users it does not know, unless the kernel says otherwise.
_OVERFLOW_UID = 65534
#: Listed nearly everywhere, and to look one user up is quicker than to read all of them.
_FIRST_UID = 1


@dataclass(frozen=True, kw_only=True)
class Account:
    """The operating system's user the server runs as."""

    name: str
    uid: int
    gid: int
    #: We are root, and the server is somebody else: its files have to be given to it.
    dropped: bool = False
    #: The entry of the user database as which the server sees itself, and us, in a namespace of its own.
    seen_as: pwd.struct_passwd | None = None

    def give(self, path: Path | int) -> None:
        """Make a folder or an open descriptor that we just made belong to this account."""
        if not self.dropped:
            return
        if isinstance(path, int):
            os.fchown(path, self.uid, self.gid)
        else:
            # Never through a link, which the account could have put in the folder's place.
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def clients(self) -> set[str]:
        """Names of the users the server believes: who may read its files anyway.

        That is root, who starts it, and the account unless others share it. In a namespace the server sees the users
        outside as one stranger, except us.
        """
        if self.seen_as is not None:
            return {self.seen_as.pw_name}
        uids = {os.geteuid()} | (set() if self.name == SHARED_ACCOUNT else {self.uid})
        return {"root", *(pwd.getpwuid(uid).pw_name for uid in uids)}


def account_for(uid: int, folder: Path, *, enters: Callable[[Account], bool] | None = None) -> Account:
    """The account the server of this folder runs as when user ``uid`` starts it. Raises ConfigurationError.

    Root hands the server to the owner of the folder. Where that is root as well, it runs in a namespace, or where
    that is not allowed as an unprivileged account: ``enters`` tells whether it is, unless a program that does nothing
    is to be tried.
    """
    if uid != 0:
        return _account(_passwd_of(uid))
    owner = _first_owner(folder / "db", folder)
    if owner:
        return _account(_passwd_of(owner), dropped=True)
    account = _namespaced()
    if account is not None and (enters(account) if enters else first_blocked(account, ()) is not None):
        return account
    return _unprivileged(folder)


def _account(entry: pwd.struct_passwd, *, dropped: bool = False) -> Account:
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, dropped=dropped)


def _first_owner(*paths: Path) -> int:
    return next((path.stat().st_uid for path in paths if path.exists()), 0)


def _passwd_of(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise ConfigurationError(
            f"user id {uid} has no entry in the user database and PostgreSQL does not start without one: run "
            f"as a named user, add a line such as 'precis:x:{uid}:{uid}::/nonexistent:/usr/sbin/nologin' to "
            "/etc/passwd, or name an external PostgreSQL by its URL"
        ) from None


def _namespaced() -> Account | None:
    """Ourselves, in a namespace where we are somebody the user database lists; None where there is nobody."""
    entry = _listed_user()
    if entry is None or not sys.executable:
        return None
    return Account(name="root", uid=os.geteuid(), gid=os.getegid(), seen_as=entry)


def _listed_user() -> pwd.struct_passwd | None:
    """Any user but root and the one that stands for strangers: PostgreSQL looks its own name up."""
    try:
        stranger = int(Path("/proc/sys/kernel/overflowuid").read_text())
    except OSError:
        stranger = _OVERFLOW_UID
    with suppress(KeyError):
        if stranger != _FIRST_UID:
            return pwd.getpwuid(_FIRST_UID)
    return next((entry for entry in pwd.getpwall() if entry.pw_uid not in (0, stranger)), None)


def _unprivileged(folder: Path) -> Account:
    if (folder / "db" / "PG_VERSION").exists():
        raise ConfigurationError(
            f"{folder / 'db'} belongs to root, PostgreSQL does not run as root, and this system does not let precis "
            "enter a user namespace: allow that, or give the folder to an ordinary user (chown -R) and start precis "
            "as that user"
        )
    for name in _ACCOUNTS_FOR_ROOT:
        try:
            return _account(pwd.getpwnam(name), dropped=True)
        except KeyError:
            continue
    raise ConfigurationError(
        "PostgreSQL does not run as root, this system does not let precis enter a user namespace, and there is no "
        "user 'precis' or 'nobody': add one (useradd --system precis) or start precis as an ordinary user"
    )


def top_down(path: Path) -> Iterator[str]:
    """Every folder one passes on the way to a path, and the path itself."""
    return (str(each) for each in [*reversed(path.parents), path])


def first_blocked(account: Account, folders: Iterable[str]) -> str | None:
    """The first of the folders that the account may not pass through, or an empty string; None: it runs nothing."""
    script = 'for each; do test -x "$each" || { printf %s "$each"; break; }; done'
    tried = run_as(account, ["/bin/sh", "-c", script, "sh", *folders])
    return tried.stdout if tried.returncode == 0 else None


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
            command_as(account, command),
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
        raise ConfigurationError(
            f"{command[0]} cannot be run as user {account.name!r} ({error}): "
            "start precis as an ordinary user, or as a root that may change its user"
        ) from error


def command_as(account: Account, command: list[str]) -> list[str]:
    """The command, where needed by way of a short program that enters a namespace and holds nothing of precis."""
    if account.seen_as is None:
        return command
    ids = [str(account.seen_as.pw_uid), str(account.seen_as.pw_gid)]
    return [sys.executable, "-I", "-S", str(Path(embedded_namespace.__file__).resolve()), *ids, *command]


def _environment() -> dict[str, str]:
    # Nothing of ours: PGPORT, PGOPTIONS and the like would change the server. The server takes a lock file
    # that names its grandparent for a leftover; ours is that process because a shell stands in between.
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "PG_GRANDPARENT_PID": str(os.getpid())}
