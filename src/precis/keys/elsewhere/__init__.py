"""Keys and forgotten-log as the settings name them: in folders, or where several machines reach them."""

from precis.errors import ConfigurationError
from precis.keys.cipher import decode_key
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.elsewhere.log import RemoteLog
from precis.keys.elsewhere.objects import Objects, PostgresObjects
from precis.keys.elsewhere.providers import open_provider
from precis.keys.forgotten_log import ForgottenLog, every_line, file_of
from precis.keys.keyring import Keyring
from precis.settings import Settings


def open_objects(url: str) -> Objects:
    """The place that a URL names. Raises ConfigurationError, StoreUnavailable."""
    if url.startswith("s3://"):
        from precis.keys.elsewhere.s3 import S3Objects  # noqa: PLC0415 - its package is an extra

        return S3Objects.at(url)
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresObjects(url)
    raise ConfigurationError("a place of keys or of the forgotten-log is s3://BUCKET/PREFIX or postgresql://...")


def open_keyring(settings: Settings) -> Keyring | RemoteKeyring:
    """The keys. Raises ConfigurationError, StoreUnavailable."""
    if settings.keys_url is not None:
        return RemoteKeyring(open_objects(settings.keys_url), open_provider(settings))
    if settings.key_provider != "folder":
        raise ConfigurationError(f"PRECIS_KEY_PROVIDER={settings.key_provider} needs PRECIS_KEYS_URL")
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
        return RemoteLog(open_objects(settings.forgotten_url))
    return ForgottenLog(settings.forgotten_folder)
