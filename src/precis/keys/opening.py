"""Keys and forgotten-log as the settings name them: in folders, or where several machines reach them."""

from collections.abc import Iterator
from importlib.util import find_spec

import structlog

from precis.errors import ConfigurationError
from precis.keys.cipher import decode_key
from precis.keys.elsewhere import objects, providers
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.elsewhere.log import RemoteLog
from precis.keys.forgotten_log import ForgottenLog, every_line, file_of
from precis.keys.keyring import Keyring
from precis.keys.vault import refuse_strange_log
from precis.settings import Settings

_log = structlog.get_logger(__name__)
_SCHEMES = ("postgresql://", "postgres://")
_NO_PLACE = "{} has to be s3://BUCKET/PREFIX or postgresql://...; what is set is neither"
_NEEDS_URL = "PRECIS_KEY_PROVIDER={} needs PRECIS_KEYS_URL"


def open_objects(url: str, setting: str = "PRECIS_KEYS_URL") -> objects.Objects:
    """The place that a URL in this setting names. Raises ConfigurationError, StoreUnavailable."""
    if url.startswith("s3://"):
        from precis.keys.elsewhere.s3 import S3Objects  # noqa: PLC0415 - its package is an extra

        return S3Objects.at(url, setting)
    if url.startswith(_SCHEMES):
        return objects.PostgresObjects(url)
    raise ConfigurationError(_NO_PLACE.format(setting))


def faults_of_places(settings: Settings) -> list[str]:
    """What the settings of keys and forgotten-log lack, or have wrong: found without asking anybody."""
    return list(_faults_of(settings))


def _faults_of(settings: Settings) -> Iterator[str]:
    places = {"PRECIS_KEYS_URL": settings.keys_url, "PRECIS_FORGOTTEN_URL": settings.forgotten_url}
    for name, url in places.items():
        if url is not None and not url.startswith(("s3://", *_SCHEMES)):
            yield _NO_PLACE.format(name)
    try:
        if settings.master_key is not None:
            decode_key(settings.master_key.get_secret_value())
        if settings.keys_url is not None:
            providers.refuse_half(settings)
    except ConfigurationError as error:
        yield str(error)
    if settings.keys_url is None and settings.key_provider != "folder":
        yield _NEEDS_URL.format(settings.key_provider)
    needs_aws = settings.key_provider == "aws-kms" or any((url or "").startswith("s3://") for url in places.values())
    if needs_aws and find_spec("boto3") is None:
        yield objects.NEEDS_AWS
    if settings.key_provider == "vault" and find_spec("hvac") is None:
        yield providers.NEEDS_VAULT


def wrapped_by_another(other: str) -> str:
    """What is told where documents of keys are wrapped by another key than the one that wraps the next."""
    return (
        f"they are wrapped by another key, {other}, and what is written next by the one that is set; where that is "
        "meant, `precis keys rotate --master` wraps all of them anew, else correct PRECIS_KMS_KEY"
    )


def open_keyring(settings: Settings) -> Keyring | RemoteKeyring:
    """The keys. Raises ConfigurationError, StoreUnavailable."""
    if settings.keys_url is not None:
        return RemoteKeyring(open_objects(settings.keys_url), providers.open_provider(settings))
    if settings.key_provider != "folder":
        raise ConfigurationError(_NEEDS_URL.format(settings.key_provider))
    master = decode_key(settings.master_key.get_secret_value()) if settings.master_key else None
    return Keyring(settings.keys_folder, master)


def move_from_folders(settings: Settings) -> tuple[int, int]:
    """Copy keys and forgotten-log of the data folder to where the URLs point; the folders stay as they are.

    Answers of how many tenants. Begun again after an interruption, it goes on. Raises ConfigurationError.
    """
    keyring, log = open_keyring(settings), open_log(settings)
    if not isinstance(keyring, RemoteKeyring) or not isinstance(log, RemoteLog):
        raise ConfigurationError("set PRECIS_KEYS_URL and PRECIS_FORGOTTEN_URL first: that is where to move to")
    keyring.check()
    log.check()
    folders = settings.model_copy(update={"keys_url": None, "forgotten_url": None, "key_provider": "folder"})
    has_file = (settings.keys_folder / "master.key").exists()
    keys = open_keyring(folders.model_copy(update={"master_key": None}) if has_file else folders)
    past = ForgottenLog(settings.forgotten_folder)
    files = keys.every_file() if isinstance(keys, Keyring) else []
    for tenant_id in past.tenants():
        log.take_over(tenant_id, every_line(file_of(settings.forgotten_folder, tenant_id)))
    for file in files:
        keyring.take_over(file)
    return len(files), len(past.tenants())


def open_log(settings: Settings) -> ForgottenLog:
    """The forgotten-log. Raises ConfigurationError."""
    if settings.forgotten_url is not None:
        return RemoteLog(open_objects(settings.forgotten_url, "PRECIS_FORGOTTEN_URL"))
    return ForgottenLog(settings.forgotten_folder)


def open_checked(settings: Settings) -> tuple[ForgottenLog, Keyring | RemoteKeyring]:
    """Forgotten-log and keys, once they answer. Raises ConfigurationError, StoreUnavailable."""
    log, keyring = open_log(settings), open_keyring(settings)
    log.check()
    if isinstance(keyring, RemoteKeyring):
        keyring.check()
        other = keyring.watch.other_key()
        if other is not None:
            _log.warning("keys_wrapped_by_another", what=wrapped_by_another(other))
    return log, keyring


def refuse_strange_logs(settings: Settings) -> None:
    """Before a database is made: raise ConfigurationError over the forgotten-log of other keys, or of lost ones."""
    log = open_log(settings)
    for tenant_id in log.tenants():
        refuse_strange_log(open_keyring(settings), log, tenant_id)
