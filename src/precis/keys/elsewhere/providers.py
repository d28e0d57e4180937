"""Who holds the key that wraps the tenants' keys: PRECIS_MASTER_KEY, AWS KMS, or Vault's transit engine."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from precis.errors import ConfigurationError, StoreUnavailable, Undecryptable
from precis.keys.cipher import Cipher, decode_key, encode_key, name_of
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


def open_provider(settings: Settings) -> Provider:
    """The one that the settings name. Raises ConfigurationError, StoreUnavailable."""
    if settings.key_provider == "aws-kms":
        if not settings.kms_key:
            raise ConfigurationError("PRECIS_KEY_PROVIDER=aws-kms needs PRECIS_KMS_KEY: an id, an ARN or an alias")
        return KmsProvider(settings.kms_key)
    if settings.key_provider == "vault":
        if not settings.vault_url or not (settings.vault_token or settings.vault_token_file):
            reason = "PRECIS_KEY_PROVIDER=vault needs PRECIS_VAULT_URL"
            raise ConfigurationError(f"{reason} and PRECIS_VAULT_TOKEN or PRECIS_VAULT_TOKEN_FILE")
        return VaultProvider(settings)
    if settings.master_key is None:
        reason = "PRECIS_KEYS_URL needs somebody who wraps the keys"
        raise ConfigurationError(f"{reason}: set PRECIS_KEY_PROVIDER to aws-kms or vault, or set PRECIS_MASTER_KEY")
    return MasterProvider(decode_key(settings.master_key.get_secret_value()))


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


class KmsProvider:
    """A symmetric key of AWS KMS."""

    def __init__(self, key: str) -> None:
        from precis.keys.elsewhere.s3 import aws_errors, client, code_of  # noqa: PLC0415 - an extra

        self._key, self._kms, self._errors = key, client("kms"), aws_errors
        self._code_of = code_of

    @property
    def where(self) -> str:
        """Its id."""
        return f"AWS KMS key {self._key}"

    def wrap(self, key: bytes) -> str:
        """See Provider."""
        with self._errors("kms"):
            answer = self._kms.encrypt(KeyId=self._key, Plaintext=key, EncryptionContext=_CONTEXT)
        return base64.urlsafe_b64encode(answer["CiphertextBlob"]).decode()

    def unwrap(self, wrapped: str) -> bytes:
        """See Provider. KMS reads from the ciphertext which key it was, so one that replaced another opens both."""
        blob = base64.urlsafe_b64decode(wrapped)
        try:
            with self._errors("kms"):
                return bytes(self._kms.decrypt(CiphertextBlob=blob, EncryptionContext=_CONTEXT)["Plaintext"])
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
            raise ConfigurationError("Vault needs pip install 'precis-memory[vault]'") from error
        self._hvac, self._key, self._mount = hvac, settings.vault_key, settings.vault_mount
        self._token = settings.vault_token.get_secret_value() if settings.vault_token else ""
        self._token_file: Path | None = settings.vault_token_file
        self._client = hvac.Client(url=settings.vault_url, token=self._read_token(), timeout=10)

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

    def _asked(self, call: str, **values: str) -> Any:
        def ask() -> Any:
            return getattr(self._client.secrets.transit, call)(name=self._key, mount_point=self._mount, **values)

        with self._errors():
            try:
                return ask()
            except self._hvac.exceptions.Forbidden:
                if self._token_file is None:
                    raise
                # Whoever renews the token has written another one meanwhile.
                self._client.token = self._read_token()
                return ask()

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
            raise StoreUnavailable(f"Vault cannot be asked ({type(error).__name__})") from error
