"""``precis restore``: a copy in place of the embedded database, as it was when it was taken or at a later moment.

The copy is unpacked and recovered in ``DATA_DIR/restore.new``, with a server of its own. Only then it takes the place
of the database, which a killed restore therefore leaves as it was. The keys stay those of today, and the forgotten-log
is not touched: what was forgotten since the copy goes again before anybody is served.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from psycopg import AsyncConnection, OperationalError

from precis.care import contents
from precis.care.copying import copies_in, is_file, key_files, to_disk, write_keys
from precis.database.queries import queries
from precis.embedded import server as embedded
from precis.embedded.files import DAMAGED, archive_of, fetch_command, keep_history
from precis.embedded.place import Place, place_at
from precis.embedded.process import FileLock, Say, end_of, ensure_running, exclusive, is_alive, shut_down
from precis.embedded.server import NEWEST, STAGING, remove_leftovers
from precis.errors import Conflict, InvalidInput, NotFound, StoreUnavailable
from precis.keys import cipher, forgotten_log
from precis.keys.keyring import Keyring
from precis.settings import Settings

_SQL = queries("session")
_SIGNAL = "recovery.signal"
_AUTO = "postgresql.auto.conf"
_POLL_S = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class Restored:
    """What stands in the data folder now."""

    #: When the copy ended.
    copy_of: datetime
    #: The moment that was asked for; None: the latest that there is.
    to: datetime | None
    #: When the last write was acknowledged that the log behind the copy has; None: there is no log, or none in it.
    last_write: datetime | None
    keys: contents.Opened


@dataclass(frozen=True, kw_only=True, slots=True)
class _Source:
    """What is restored."""

    #: A folder or a file.
    copy: Path
    #: Folders that have the log after it.
    log: tuple[Path, ...] = ()
    to: datetime | None = None


async def restore(
    settings: Settings, folder: Path, *, say: Say, to: datetime | None = None, is_replacing: bool = False,
    keys_from: Path | None = None,
) -> Restored:  # fmt: skip
    """Put a copy in the place of the database; with ``keys_from`` the keys of a backup first, which stay as they are.

    Raises NotFound, InvalidInput, Conflict, ConfigurationError.
    """
    if settings.database_url is not None:
        raise InvalidInput("an external database is restored by its own tools")
    place = place_at(settings.data_dir)
    source = _chosen(folder, place, to)
    async with exclusive(place, say):
        with _nobody_else(place):
            if (place.db / "PG_VERSION").exists() and not is_replacing:
                raise Conflict(f"there is a database in {place.folder}: add --replace to give it up for the copy")
            with _keys_in_place(settings, keys_from):
                _keyring(settings)
                await remove_leftovers(place, say)
                async with _staging(place, STAGING) as staging:
                    say("unpacking and checking the copy")
                    copy = await asyncio.to_thread(_unpack, source.copy, place, staging)
                    last_write = await _recover(staging, source.log, to, say)
                    if source.log and to is None:
                        _refuse_break(staging, source, copy, last_write)
                    keys = await _open_keys(place, staging, settings, source, say)
                    _replace(place, staging)
    return Restored(copy_of=copy.ended_at, to=to, last_write=last_write, keys=keys)


def _chosen(folder: Path, place: Place, to: datetime | None) -> _Source:
    """The copy that is nearest before a moment, and the log that follows it."""
    if is_file(folder) or (folder / "backup_manifest").exists():
        if not folder.exists():
            raise NotFound(f"there is no copy {folder}")
        if to is not None:
            raise InvalidInput("--to needs a folder of copies with the log, see `precis backup --continuous`")
        return _Source(copy=folder)
    copies = copies_in(folder)
    if not copies:
        raise NotFound(f"there is no copy in {folder}")
    before = [copy for copy in copies if to is None or copy.ended_at <= to]
    if not before:
        raise NotFound(f"the first copy in {folder} ended at {copies[0].ended_at.isoformat()}, after that moment")
    wal = folder.absolute() / "wal"
    if not wal.exists():
        if to is not None:
            raise InvalidInput(f"{folder} has copies but no log: they were not made with --continuous")
        return _Source(copy=before[-1].folder)
    # What the archive does not have yet lies with the database itself, unless that is lost.
    log = (wal, place.db / "pg_wal")
    branch = contents.branch_in(log)
    going_on = [copy for copy in before if contents.is_on(copy, branch)]
    if not going_on:
        message = f"the log in {folder} goes on from an earlier moment than any copy there: restore one by its own path"
        raise NotFound(message)
    return _Source(copy=going_on[-1].folder, log=log, to=to)


@contextmanager
def _nobody_else(place: Place) -> Iterator[None]:
    """Refuse where any process uses the database; whoever comes meanwhile waits. Call it within ``exclusive``."""
    with closing(FileLock(place.lock("users"), place.account)) as users:
        if not users.take() or is_alive(place):
            raise Conflict(f"{place.folder} is in use: stop every precis that uses it, then restore")
        yield


@contextmanager
def _keys_in_place(settings: Settings, keys_from: Path | None) -> Iterator[None]:
    """Copy the keys of a backup to where keys are looked for; a restore that fails leaves none there.

    What is forgotten again changes them there, and the backup still has those that open its copy.
    """
    if keys_from is None:
        yield
        return
    files, folder = key_files(keys_from), settings.keys_folder
    if settings.keys_url is not None:
        raise InvalidInput(f"--keys-from copies into a key folder, and the keys are at {settings.keys_url}")
    if not any(path.suffix == ".json" for path in files):
        raise NotFound(f"there are no keys in {keys_from}: name what --keys-to of a backup wrote")
    if key_files(folder) == files:  # of a restore that was killed
        yield
        return
    if folder.exists():
        raise Conflict(f"there are keys in {folder}: put them aside, or restore without --keys-from to use them")
    write_keys(files, folder.absolute())
    try:
        yield
    except BaseException:
        shutil.rmtree(folder)
        raise


def _keyring(settings: Settings) -> Keyring:
    """The keys of today. Raises NotFound where there are none: made now, they would open nothing."""
    master = cipher.decode_key(settings.master_key.get_secret_value()) if settings.master_key else None
    if not any((settings.keys_folder / "tenants").glob("*.json")):
        raise NotFound(f"there are no keys in {settings.keys_folder}: put their copy there first, with its modes")
    return Keyring(settings.keys_folder, master)


@asynccontextmanager
async def _staging(place: Place, name: str) -> AsyncIterator[Place]:
    """An empty folder beside the database, gone at the end."""
    folder = place.folder / name
    folder.mkdir(mode=0o700)
    place.account.give(folder)
    try:
        yield place_at(folder)
    finally:
        shutil.rmtree(folder)


def _unpack(copy: Path, place: Place, staging: Place) -> contents.Copy:
    """Bring the copy into the staging folder, and compare it with its manifest there."""
    contents.bring(copy, staging.db)
    unpacked = _verified(copy, staging.db)
    for path in (staging.db, *staging.db.rglob("*")):
        if path.is_symlink():
            raise InvalidInput(f"{path.relative_to(staging.db)} of this copy is a link: take another one")
        place.account.give(path)
    staging.db.chmod(0o700)
    return unpacked


def _verified(copy: Path, unpacked: Path) -> contents.Copy:
    """What is known of a copy, each file of which is as it was taken. Raises InvalidInput, which names the copy."""
    try:
        known = contents.read_copy(unpacked)
        contents.verify(unpacked)
    except InvalidInput as error:
        if copy.is_dir():
            raise InvalidInput(str(error).replace(str(unpacked), str(copy))) from error
        what = str(error).partition(": this copy")[0].replace(f"{unpacked}/", "").replace(str(unpacked), "it")
        raise InvalidInput(f"{copy} is damaged or is no copy: take another one ({what})") from error
    return known


def _refuse_break(staging: Place, source: _Source, copy: contents.Copy, last_write: datetime | None) -> None:
    """Raise InvalidInput where the log has more than could be read: it would be lost without a word."""
    mark, archive = staging.folder / DAMAGED, source.log[0]
    if name := mark.read_text().strip() if mark.exists() else contents.gap_in(source.log, copy):
        last = f"the last write before it is of {last_write.isoformat()}" if last_write else "no write is before it"
        advice = "put a copy of it there, or restore up to an earlier moment by --to, or the copy alone by its own path"
        raise InvalidInput(f"the log breaks off at {archive / name}, which is missing or damaged; {last}: {advice}")


async def _recover(
    staging: Place, folders: Sequence[Path], to: datetime | None, say: Say
) -> datetime | None:  # fmt: skip
    """Have a server of its own read the log to its end, or to a moment: when its last write was.

    Raises StoreUnavailable.
    """
    auto = staging.db / _AUTO
    settings = auto.read_text()
    if folders:
        lines = [f"restore_command = '{fetch_command(*folders)}'", "recovery_target_action = 'promote'"]
        lines += [f"recovery_target_time = '{to.isoformat()}'"] if to else []
        auto.write_text("\n".join([settings, *lines, ""]))
        (staging.db / _SIGNAL).touch(mode=0o600)
        staging.account.give(staging.db / _SIGNAL)
    say("recovering the copy")
    try:
        last_write = await _until_recovered(staging.folder, say)
    except StoreUnavailable as error:
        if "before configured recovery target was reached" in str(error):
            raise NotFound(f"the log ends before {to}: what was written last may not have been copied yet") from error
        raise
    auto.write_text(settings)
    return last_write if folders else None


async def _until_recovered(folder: Path, say: Say) -> datetime | None:
    server = await embedded.start(folder, progress=say)
    try:
        async with await AsyncConnection.connect(server.owner_dsn, autocommit=True) as connection:
            while not await (await connection.execute(_SQL["is_recovered"])).fetchone():  # noqa: ASYNC110 - a server
                await asyncio.sleep(_POLL_S)
            row = await (await connection.execute(_SQL["last_write"])).fetchone()
            return row[0] if row else None
    except OperationalError as error:  # it ended while it recovered
        raise StoreUnavailable(f"{error}\n{end_of(server.place.log)}") from error
    finally:
        await embedded.stop(server, progress=say)


async def _open_keys(place: Place, staging: Place, settings: Settings, source: _Source, say: Say) -> contents.Opened:
    """Where forgetting erased the keys of the copy, bring in those of the database as it was last."""
    keyring, log = _keyring(settings), forgotten_log.ForgottenLog(settings.forgotten_folder)
    async with embedded.running(staging.folder) as server:
        await contents.prove_log(server.owner_dsn, log)
        wrapped = await contents.read_wrapped(server.owner_dsn)
        missing = tuple(sorted({file.tenant_id for file in keyring.every_file()} - wrapped.keys()))
        tenants = contents.closed(wrapped, keyring)
        if not tenants:
            return contents.Opened(missing_tenants=missing)
        say("bringing in the newest keys")
        opened = await contents.rewrap(server.owner_dsn, tenants, await _newest(place, source, say), keyring, log)
        return replace(opened, missing_tenants=missing)


async def _newest(place: Place, source: _Source, say: Say) -> contents.Wrapped:
    """The wrapped keys of the database that is to be replaced; where there is none, as the end of the log has them.

    Call it within ``exclusive``, when nobody uses the database.
    """
    if (place.db / "PG_VERSION").exists():
        with suppress(StoreUnavailable):
            postmaster = await ensure_running(place, say)
            try:
                return await contents.read_wrapped(postmaster.dsn(user=embedded.OWNER))
            finally:
                await shut_down(place, say)
    if source.to is None:
        return {}
    async with _staging(place, NEWEST) as staging:
        await asyncio.to_thread(_unpack, source.copy, place, staging)
        await _recover(staging, source.log, None, say)
        async with embedded.running(staging.folder) as server:
            return await contents.read_wrapped(server.owner_dsn)


def _replace(place: Place, staging: Place) -> None:
    """Put the recovered database in the place of the other, which is there until then, and gone afterwards."""
    archive = archive_of(place)
    if archive is not None:
        keep_history(archive, staging.db / "pg_wal")
    contents.unlabel(staging.db)
    to_disk(staging.db)
    if place.db.exists():
        place.db.replace(place.replaced)
    staging.db.replace(place.db)
    to_disk(place.db)
    if place.replaced.exists():
        shutil.rmtree(place.replaced)
