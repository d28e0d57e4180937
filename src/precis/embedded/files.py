"""The files of an embedded database: how they are made, its settings, the folder of its socket, and its archived log.

``DATA_DIR/wal-archive`` names it. The server packs each file of the log as soon as it is full, or after five minutes;
a name that lies there without ``.new`` is complete and on the disk. The archive says in ``.owner`` whose log it has: a
copy of a data folder names the same archive, and does not write its own log over that of the first.
"""

import gzip
import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from precis.embedded.account import Account, first_blocked, run_as, top_down
from precis.embedded.place import APPLICATION, DATABASE, OWNER, PORT, Place
from precis.errors import ConfigurationError

#: ``sockaddr_un.sun_path`` holds 108 bytes, the closing NUL included.
_SOCKET_PATH_LIMIT = 107
#: Characters that mean something inside a list of hosts or of socket folders.
_LIST_CHARACTERS = frozenset(",'\"\\")
_LOG_LIMIT_BYTES = 10_000_000


def make_files(place: Place, lock_descriptor: int) -> None:
    """Make the files of a new, empty database with its two roles, whole or not at all.

    They are made beside their final name, so what a killed process leaves is never used, and written to the disk in one
    go before they get that name. ``lock_descriptor`` is a descriptor that stays open in every program that works on
    them. A database that a killed restore had moved aside is put back instead.
    """
    if place.replaced.exists():
        place.replaced.replace(place.db)
        return
    fresh = place.folder / "db.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    place.account.give(fresh)
    _run(place, lock_descriptor, _initdb(place, fresh))
    _run(place, lock_descriptor, _single_user(place, fresh), statements=_ROLES)
    _run(place, lock_descriptor, _to_disk(place, fresh))
    fresh.replace(place.db)
    _sync(place.folder)


def _run(place: Place, lock_descriptor: int, command: list[str], *, statements: str = "") -> None:
    result = run_as(place.account, command, statements=statements, keep_open=(lock_descriptor,))
    if result.returncode != 0:
        name = Path(command[0]).name
        raise ConfigurationError(f"{name} failed in {place.folder}: {(result.stderr or result.stdout).strip()}")


def _initdb(place: Place, fresh: Path) -> list[str]:
    locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8"]
    access = [f"--username={OWNER}", "--auth-local=peer", "--auth-host=reject"]
    flags = ["--data-checksums", "--no-instructions", "--no-sync"]
    return [str(place.programs / "initdb"), "-D", str(fresh), *locale, *access, *flags]


def _single_user(place: Place, fresh: Path) -> list[str]:
    # Without exit_on_error a failed statement would only be printed.
    settings = ["-c", "exit_on_error=on", "-c", "log_checkpoints=off", "-c", "fsync=off"]
    return [str(place.programs / "postgres"), "--single", "-D", str(fresh), *settings, "postgres"]


def _to_disk(place: Place, fresh: Path) -> list[str]:
    # One call for the whole file system: a thousand small files one by one take seconds.
    return [str(place.programs / "initdb"), "--sync-only", "--sync-method=syncfs", "-D", str(fresh)]


#: One statement a line: the single-user server reads it so.
_ROLES = f"""\
CREATE ROLE {APPLICATION} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0 ENCODING 'UTF8'
REVOKE ALL ON DATABASE {DATABASE}, postgres, template1 FROM PUBLIC
GRANT CONNECT ON DATABASE {DATABASE} TO {APPLICATION}
"""


def _sync(folder: Path) -> None:
    """Make a rename in the folder survive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def socket_folder(place: Place) -> Path:
    """Make, or find and check, the private folder for the server's socket.

    It lies in the data folder unless that path is too long for a socket; then in the temporary directory,
    under a name that follows from the data folder.
    """
    name = f"precis-{hashlib.sha256(os.fsencode(place.db)).hexdigest()[:16]}"
    temporary = Path(tempfile.gettempdir()).resolve()
    for folder in (place.folder / "run", temporary / name, Path("/tmp") / name):  # noqa: S108 - checked below
        # The data folder itself is known to be within reach.
        reached = folder.parent == place.folder
        if _fits(folder) and (reached or not first_blocked(place.account, top_down(folder.parent))):
            return _private(folder, place.account)
    raise ConfigurationError(f"no folder for the database's socket: {temporary} and /tmp cannot be used")


def _fits(folder: Path) -> bool:
    socket = folder / f".s.PGSQL.{PORT}"
    return len(os.fsencode(socket)) <= _SOCKET_PATH_LIMIT and not _LIST_CHARACTERS & set(str(folder))


def _private(folder: Path, account: Account) -> Path:
    """In a shared temporary directory somebody may have been there first: look before using it."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        status = folder.lstat()
        private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
        if not private or status.st_uid not in (account.uid, os.geteuid()):
            message = f"{folder} exists and is not a private folder of user {account.name!r}: remove it"
            raise ConfigurationError(message) from None
    account.give(folder)
    return folder


def write_settings(place: Place, sockets: Path) -> None:
    """Write the server's three files anew, so that a new release of precis brings its own settings."""
    _write(place, place.db / "postgresql.conf", _SETTINGS.format(sockets=sockets, port=PORT) + archive_settings(place))
    # The second line is for copies of the whole database.
    _write(place, place.db / "pg_hba.conf", "local all all peer map=precis\nlocal replication all peer map=precis\n")
    lines = [f'precis "{user}" {role}\n' for user in sorted(place.account.clients()) for role in (OWNER, APPLICATION)]
    _write(place, place.db / "pg_ident.conf", "".join(lines))


def _write(place: Place, path: Path, text: str, *, encoding: str | None = None) -> None:
    # Beside it and then renamed: a link planted in the account's folder must not lead root elsewhere.
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding=encoding) as file:
        place.account.give(descriptor)
        file.write(text)
    fresh.replace(path)


def keep_log_short(place: Place) -> None:
    """Before a start: a log past 10 MB is set aside as ``postgres.log.1``, over the one before."""
    if place.log.exists() and place.log.stat().st_size > _LOG_LIMIT_BYTES:
        place.log.replace(place.log.with_suffix(".log.1"))


#: A segment of the write-ahead log that is no longer needed is removed: kept for later under a new name
#: (``wal_recycle``), it would still hold forgotten bytes.
#: No statement reaches the server's log by any road: the message of an ERROR quotes values ("invalid input syntax"),
#: so ``log_min_messages = log`` drops those (LOG ranks above ERROR there), and terse drops the DETAIL that a
#: crashed session's last statement would be in. Clients still receive everything.
_SETTINGS = """\
listen_addresses = ''
port = {port}
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 128MB
fsync = on
synchronous_commit = on
wal_compression = on
wal_recycle = off
autovacuum = on
# Figures of a table that was just filled: without them plans take it to be empty, and an import is read over and over.
autovacuum_naptime = 5s
jit = off
timezone = 'UTC'
lc_messages = 'C'
logging_collector = off
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_statement = none
log_min_duration_statement = -1
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_checkpoints = off
"""


#: The file in a data folder that names it.
MARKER = "wal-archive"
#: The file in an archive with the number of the file that names it, and the data folder of that.
_OWNER = ".owner"
#: These mean something to the shell, to the server's settings, or to both.
_REFUSED = frozenset("'\"\\%$`\n")
#: %p is the file, %f its name. What is there already has to be the same: after a crash the server asks twice.
_ARCHIVE = (
    'f="{folder}/%f.gz"; if test -f "$f"; then gzip -dc "$f" | cmp -s - "%p"; else gzip -1c "%p" >"$f.new" '
    '&& sync "$f.new" && mv "$f.new" "$f" && sync "{folder}"; fi'
)
_ARCHIVED = """\
archive_mode = on
archive_timeout = 300s
archive_command = '{command}'
"""


def archive_of(place: Place) -> Path | None:
    """Where the log of this database is copied to; None where it is not."""
    folder = named_archive(place.folder)
    return None if folder is None or original_of(place.folder) else folder


def named_archive(data_dir: Path) -> Path | None:
    """The archive that a data folder names; None where it names none."""
    try:
        return Path((data_dir / MARKER).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None


def original_of(data_dir: Path) -> Path | None:
    """The data folder whose log the named archive has, where this one is a copy of it; else None.

    A folder that is moved on its disk keeps the file that names the archive; a copy has a new one.
    """
    archive = named_archive(data_dir)
    try:
        number, _, original = (archive / _OWNER).read_text(encoding="utf-8").partition(" ") if archive else ("", "", "")
    except FileNotFoundError:
        return None
    return Path(original) if number and number != _number(data_dir) else None


def _number(data_dir: Path) -> str:
    return str((data_dir / MARKER).stat().st_ino)


def _claim(place: Place, archive: Path) -> None:
    """Write down whose log the archive has."""
    _write(place, archive / _OWNER, f"{_number(place.folder)} {place.folder}", encoding="utf-8")


def set_archive(place: Place, folder: Path | None) -> None:
    """Copy the log there from the server's next start on; None: no longer. Raises ConfigurationError."""
    marker = place.folder / MARKER
    if folder is None:
        marker.unlink(missing_ok=True)
        return
    _refuse_odd(folder)
    if not folder.exists():
        folder.mkdir(mode=0o700)
        place.account.give(folder)
    blocked = first_blocked(place.account, top_down(folder))
    if blocked:
        message = f"the database's user {place.account.name!r} may not pass through {blocked}: name another folder"
        raise ConfigurationError(message)
    fresh = marker.with_suffix(".new")
    fresh.write_text(str(folder), encoding="utf-8")
    fresh.replace(marker)
    _claim(place, folder)


def archive_settings(place: Place) -> str:
    """The lines of the server's settings that have its log copied; none for a copy of a data folder."""
    folder = archive_of(place)
    if folder is None:
        return ""
    if folder.is_dir() and not (folder / _OWNER).exists():  # of a release that did not write that down
        _claim(place, folder)
    return _ARCHIVED.format(command=_ARCHIVE.format(folder=folder))


#: Beside the database that recovers: the name of a file of the log that is there, and cannot be read.
DAMAGED = "damaged"


def fetch_command(*folders: Path) -> str:
    """What a server that recovers asks for a file of the log: the archive, or else a folder that has it unpacked."""
    archive, *others = folders
    for folder in folders:
        _refuse_odd(folder)
    tries = [f'gzip -dc "{archive}/%f.gz" >"%p"', *(f'cp "{folder}/%f" "%p"' for folder in others)]
    return " || ".join([*tries, f'(test -e "{archive}/%f.gz" && echo "%f.gz" >../{DAMAGED}; false)'])


def keep_history(archive: Path, log: Path) -> None:
    """Tell the archive where a restored log branched off: the next restore follows this branch."""
    for path in log.glob("*.history"):
        target = archive / f"{path.name}.gz"
        if not target.exists():
            fresh = target.with_suffix(".gz.new")
            fresh.write_bytes(gzip.compress(path.read_bytes()))
            fresh.chmod(0o600)
            os.chown(fresh, path.stat().st_uid, path.stat().st_gid)
            fresh.replace(target)


def _refuse_odd(folder: Path) -> None:
    if _REFUSED & set(str(folder)):
        raise ConfigurationError(f"the name of the folder {folder} has a quote, a backslash, % or $: name another one")
