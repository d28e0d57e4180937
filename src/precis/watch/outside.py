"""What the doctor finds of one part, and of what lies outside the database: settings, keys and forgotten-log."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys import cipher, forgotten_log, opening
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.keyring import Keyring
from precis.keys.vault import refuse_strange_log
from precis.models import tokens
from precis.settings import Settings


class State(StrEnum):
    """How one part is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One line of the doctor."""

    part: str
    state: State
    #: How it is; where it is not well, also what to do.
    message: str


def well(part: str, message: str) -> Finding:
    """Nothing to do."""
    return Finding(part=part, state=State.OK, message=message)


def doubtful(part: str, message: str) -> Finding:
    """It works, and should be looked at."""
    return Finding(part=part, state=State.WARN, message=message)


def broken(part: str, message: str) -> Finding:
    """It does not work."""
    return Finding(part=part, state=State.FAIL, message=message)


def contradictions(settings: Settings) -> Iterator[str]:
    """Settings that a start refuses, or that would lose something."""
    asks = {
        "PRECIS_EXTRACTION=model": settings.extraction == "model",
        "PRECIS_CONVERSATION_EXTRACTION=model": settings.conversation_extraction == "model",
        "PRECIS_JUDGE": settings.judge != "off",
    }
    if settings.model is None:
        yield from (f"{name} needs a model: set PRECIS_MODEL" for name, is_set in asks.items() if is_set)
    if settings.database_owner_url is not None and settings.database_url is None:
        yield "PRECIS_DATABASE_OWNER_URL without PRECIS_DATABASE_URL: the embedded database is used; set both, or none"
    within = (settings.data_dir / "db").absolute()
    if settings.keys_folder.absolute().is_relative_to(within):
        yield "the keys lie within the database's folder, and any copy of it would hold both: move PRECIS_KEYS_DIR"
    if settings.forgotten_folder.absolute().is_relative_to(within):
        yield "the forgotten-log lies within the database's folder, and goes with it: move PRECIS_FORGOTTEN_DIR"
    if settings.model is not None and not settings.model_base_url.startswith(("http://", "https://")):
        yield "PRECIS_MODEL_BASE_URL is no address of a model: write one as https://HOST/v1"
    yield from _unreadable(lambda: tokens.tokenizers_for(settings.model, settings.tokenizer))
    yield from _unreadable(lambda: tokens.Prices.of(settings.prices))


def _unreadable(read: Callable[[], object]) -> Iterator[str]:
    try:
        read()
    except ConfigurationError as error:
        yield str(error)


_NOT_LOOKED_AT = "not looked at: the settings have to be mended first"


def check_keys(settings: Settings, *, has_rows: bool | None) -> Finding:
    """Whether only their owner reads them, they open, and others could be wrapped.

    ``has_rows``: there is a database that needs them; None where it could not be asked.
    """
    if opening.faults_of_places(settings):
        return doubtful("keys", _NOT_LOOKED_AT)
    if settings.keys_url is not None or settings.key_provider != "folder":
        return _check_shared_keys(settings)
    return _check_folder(settings, has_rows=has_rows)


def open_to_others(settings: Settings) -> Finding | None:
    """That others than its owner may enter the key folder. Look before it is opened: who opens it shuts it."""
    folder = settings.keys_folder
    if settings.keys_url is None and folder.is_dir() and folder.stat().st_mode & 0o077:
        return broken("keys", f"other users of this machine may enter {folder}: run chmod 700 on it")
    return None


def _check_folder(settings: Settings, *, has_rows: bool | None) -> Finding:
    folder = settings.keys_folder
    try:
        if not folder.exists():
            if has_rows is None:
                unknown = "a database that was used before does not open without it: restore its copy there"
                return doubtful("keys", f"{folder} is missing; {unknown}")
            missing = broken("keys", f"{folder} is missing, and no memory opens without it: restore its copy")
            return missing if has_rows else well("keys", f"none yet: the first use makes them in {folder}")
        if finding := open_to_others(settings):
            return finding
        master = settings.master_key
        if master is None and not (folder / "master.key").exists():
            return broken("keys", f"{folder} has no master.key: restore it from its copy, or set PRECIS_MASTER_KEY")
        Keyring(folder, cipher.decode_key(master.get_secret_value()) if master else None).check()
    except (ConfigurationError, OSError) as error:
        return broken("keys", str(error))
    return well("keys", f"{folder} opens; keep a copy of it, apart from those of the database")


def _check_shared_keys(settings: Settings) -> Finding:
    try:
        keyring = opening.open_keyring(settings)
        keyring.check()
        other = keyring.watch.other_key() if isinstance(keyring, RemoteKeyring) else None
    except (ConfigurationError, StoreUnavailable) as error:
        return broken("keys", str(error))
    if other is not None:
        return doubtful("keys", f"{keyring.where}: {opening.wrapped_by_another(other)}")
    return well("keys", f"{keyring.where}: they open; keep a copy of them, apart from those of the database")


def check_log(settings: Settings, marks: Mapping[str, forgotten_log.Mark | None]) -> Finding:
    """Whether every line can be read, and each log is the one that the database has heard of."""
    if opening.faults_of_places(settings):
        return doubtful("forgotten-log", _NOT_LOOKED_AT)
    try:
        log = opening.open_log(settings)
        log.check()
        lines = sum(1 for tenant_id in log.tenants() for _ in forgotten_log.entries(log, tenant_id))
        strange = sorted(name for name, mark in marks.items() if mark and not log.has(name, mark))
        if not strange:
            _refuse_strange_logs(settings, log, [name for name in log.tenants() if marks.get(name) is None])
    except (ConfigurationError, StoreUnavailable, OSError, ValueError) as error:
        return broken("forgotten-log", str(error))
    message = (
        f"{log.where} lacks what the database has heard of, for {', '.join(strange[:5])}: it was replaced or cut; "
        "put the newest copy of it back, it must never be restored with the database"
    )
    fine = well("forgotten-log", f"{lines:,} lines are readable; keep it out of every backup")
    return broken("forgotten-log", message) if strange else fine


def _refuse_strange_logs(settings: Settings, log: forgotten_log.ForgottenLog, tenants: Sequence[str]) -> None:
    """Raise ConfigurationError where a start would: logs of which the database has heard nothing, of other keys."""
    try:
        keyring = opening.open_keyring(settings)
    except (ConfigurationError, StoreUnavailable):
        return  # the keys say so themselves
    for tenant_id in tenants:
        refuse_strange_log(keyring, log, tenant_id)
