"""Who holds the key that wraps the tenants' keys: PRECIS_MASTER_KEY, AWS KMS, or Vault's transit engine."""

import base64
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from precis.errors import ConfigurationError, StoreUnavailable, Undecryptable
from precis.keys.cipher import Cipher, decode_key, encode_key, name_of, new_data_key
from precis.keys.elsewhere.objects import CONNECT_SECONDS, READ_SECONDS, Service, away_words
from precis.settings import Settings

#: What KMS binds a wrapped key to, and writes into its own log.
_CONTEXT = {"precis": "keys of a tenant"}


class Provider(Protocol):
    """Wraps keys under one that never leaves it. Raises StoreUnavailable."""

    @property
    def where(self) -> str:
        """How a person would find it; without a secret."""

    def wrap(self, key: bytes) -> str:
        """The key wrapped, as text."""

    def unwrap(self, wrapped: str) -> bytes:
        """The key that was wrapped. Raises ConfigurationError where another key wrapped it."""

    def other_key(self, wrapped: str) -> str | None:
        """The key that wrapped this, where it opens and is another one than that which wraps what comes next."""


NEEDS_VAULT = "Vault needs pip install 'precis-memory[vault]'"


def refuse_half(settings: Settings) -> None:
    """Refuse settings that name no provider whole. Raises ConfigurationError."""
    if settings.key_provider == "aws-kms":
        if not settings.kms_key:
            raise ConfigurationError("PRECIS_KEY_PROVIDER=aws-kms needs PRECIS_KMS_KEY: an id, an ARN or an alias")
    elif settings.key_provider == "vault":
        if not settings.vault_url or not (settings.vault_token or settings.vault_token_file):
            reason = "PRECIS_KEY_PROVIDER=vault needs PRECIS_VAULT_URL"
            raise ConfigurationError(f"{reason} and PRECIS_VAULT_TOKEN or PRECIS_VAULT_TOKEN_FILE")
    elif not settings.master_key:
        reason = "PRECIS_KEYS_URL needs somebody who wraps the keys"
        raise ConfigurationError(f"{reason}: set PRECIS_KEY_PROVIDER to aws-kms or vault, or set PRECIS_MASTER_KEY")


def open_provider(settings: Settings) -> Provider:
    """The one that the settings name. Raises ConfigurationError, StoreUnavailable."""
    refuse_half(settings)
    if settings.key_provider == "aws-kms":
        return KmsProvider(settings.kms_key or "")
    if settings.key_provider == "vault":
        return VaultProvider(settings)
    return MasterProvider(decode_key(settings.master_key.get_secret_value() if settings.master_key else ""))


class MasterProvider:
    """A master key that every process was given."""

    where = "PRECIS_MASTER_KEY"

    def __init__(self, master: bytes) -> None:
        self._cipher = Cipher(master)
        self._place = {"tenant_id": "", "row_id": name_of(master), "column": "document key"}

    def wrap(self, key: bytes) -> str:
        """See Provider."""
        return encode_key(self._cipher.seal(key, **self._place))

    def unwrap(self, wrapped: str) -> bytes:
        """See Provider."""
        try:
            return self._cipher.open(base64.urlsafe_b64decode(wrapped), **self._place)
        except Undecryptable as error:
            raise ConfigurationError("the keys are wrapped by another master key: check PRECIS_MASTER_KEY") from error

    def other_key(self, wrapped: str) -> str | None:
        """See Provider: what another one wrapped does not open."""
        del wrapped
        return None


class KmsProvider:
    """A symmetric key of AWS KMS."""

    def __init__(self, key: str) -> None:
        from precis.keys.elsewhere.s3 import Aws, client, code_of  # noqa: PLC0415 - an extra

        self._key, self._code_of = key, code_of
        # What nobody wrapped is refused, and that is an answer.
        self._kms = Aws(
            "kms", client("kms"), "PRECIS_KMS_KEY", lambda api: api.decrypt(CiphertextBlob=b"precis", KeyId=key)
        )

    @property
    def where(self) -> str:
        """Its id."""
        return f"AWS KMS key {self._key}"

    def wrap(self, key: bytes) -> str:
        """See Provider."""
        return base64.urlsafe_b64encode(self._encrypted(key)["CiphertextBlob"]).decode()

    def unwrap(self, wrapped: str) -> bytes:
        """See Provider. KMS reads from the ciphertext which key it was, so one that replaced another opens both."""
        return bytes(self._decrypted(wrapped)["Plaintext"])

    def other_key(self, wrapped: str) -> str | None:
        """See Provider. A key that several regions have is one key."""
        used, named = str(self._decrypted(wrapped)["KeyId"]), str(self._encrypted(new_data_key())["KeyId"])
        return None if used.rpartition("/")[2] == named.rpartition("/")[2] else f"AWS KMS key {used}"

    def _encrypted(self, key: bytes) -> Any:
        return self._kms.ask(
            lambda api: api.encrypt(KeyId=self._key, Plaintext=key, EncryptionContext=_CONTEXT),
        )

    def _decrypted(self, wrapped: str) -> Any:
        blob = base64.urlsafe_b64decode(wrapped)
        try:
            return self._kms.ask(lambda api: api.decrypt(CiphertextBlob=blob, EncryptionContext=_CONTEXT))
        except StoreUnavailable as error:
            if self._code_of(error.__cause__) == "InvalidCiphertextException":
                raise ConfigurationError(f"{self.where} did not wrap these keys") from error
            raise


class VaultProvider:
    """A key of Vault's transit engine."""

    def __init__(self, settings: Settings) -> None:
        try:
            import hvac  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise ConfigurationError(NEEDS_VAULT) from error
        self._hvac, self._key, self._mount = hvac, settings.vault_key, settings.vault_mount
        self._token = settings.vault_token.get_secret_value() if settings.vault_token else ""
        self._token_file: Path | None = settings.vault_token_file
        for logger in ("hvac", "urllib3"):
            logging.getLogger(logger).setLevel(max(logging.INFO, logging.getLogger(logger).level))
        patience = (CONNECT_SECONDS, READ_SECONDS)
        self._client = hvac.Client(url=settings.vault_url, token=self._read_token(), timeout=patience)
        # An error of requests is an OSError. Whether Vault is sealed it says to everybody.
        self._service = Service("Vault", lambda: self._client.seal_status, away=(OSError,), words=_vault_away)

    @property
    def where(self) -> str:
        """Its path."""
        return f"Vault key {self._mount}/keys/{self._key}"

    def wrap(self, key: bytes) -> str:
        """See Provider."""
        plaintext = base64.b64encode(key).decode()
        answer = self._asked("encrypt_data", plaintext=plaintext)
        return str(answer["data"]["ciphertext"])

    def unwrap(self, wrapped: str) -> bytes:
        """See Provider. Vault reads from the ciphertext which version of the key it was."""
        answer = self._asked("decrypt_data", ciphertext=wrapped)
        return base64.b64decode(answer["data"]["plaintext"])

    def other_key(self, wrapped: str) -> str | None:
        """See Provider: what another one wrapped does not open."""
        del wrapped
        return None

    def _asked(self, call: str, **values: str) -> Any:
        def ask() -> Any:
            return getattr(self._client.secrets.transit, call)(name=self._key, mount_point=self._mount, **values)

        with self._errors():
            try:
                return self._service.ask(ask)
            except self._hvac.exceptions.Forbidden:
                if self._token_file is None:
                    raise
                # Whoever renews the token has written another one meanwhile.
                self._client.token = self._read_token()
                return self._service.ask(ask)

    def _read_token(self) -> str:
        try:
            return self._token_file.read_text().strip() if self._token_file is not None else self._token
        except OSError as error:
            raise ConfigurationError(f"PRECIS_VAULT_TOKEN_FILE cannot be read ({error.strerror})") from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        errors = self._hvac.exceptions
        try:
            yield
        except errors.Forbidden as error:
            reason = "Vault refused: the token has expired, or its policy does not allow"
            raise StoreUnavailable(f"{reason} encrypt and decrypt with the key of precis") from error
        except errors.VaultDown as error:
            raise StoreUnavailable("Vault is sealed, or in maintenance: unseal it") from error
        except (errors.InvalidRequest, errors.InvalidPath) as error:
            reason = f"{self.where} cannot be used for these keys: there is no such key, it was deleted, its"
            raise ConfigurationError(
                f"{reason} min_decryption_version is higher, or another key wrapped them"
            ) from error
        except (errors.VaultError, OSError) as error:  # an error of requests is an OSError
            raise StoreUnavailable(_vault_away(error)) from error


def _vault_away(error: BaseException) -> str:
    return f"{away_words('Vault', error)}: check PRECIS_VAULT_URL and the network"
