"""Tenants and their API keys: of a key, the database holds the hash."""

import asyncio
import base64
import binascii
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from precis.database.connections import Call, Database, Row, retried
from precis.errors import InvalidInput, NotFound, Unauthorized
from precis.ids import checked_name
from precis.keys import forgotten_log, keyring
from precis.keys.vault import Vault, refuse_strange_log

DEFAULT_TENANT = "default"


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    """A key as it is listed: never its secret."""

    key_id: str
    tenant_id: str
    name: str
    created_at: datetime
    revoked_at: datetime | None
    #: The id of the key that it was made with, on the page; it is revoked with it.
    made_with: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """Who shows a key that is good."""

    tenant_id: str
    #: The name that the key was given, for receipts.
    key: str
    #: Names the key in lists; not secret.
    key_id: str


class PostgresTenants:
    """The directory of tenants, and who may speak for one."""

    def __init__(self, database: Database, vault: Vault, log: forgotten_log.ForgottenLog) -> None:
        self._database = database
        self._vault = vault
        self._log = log
        self.keyring = vault.keyring

    async def create(self, tenant_id: str, *, name: str, now: datetime) -> None:
        """Make a tenant, and its keys; making it again changes nothing. Raises InvalidInput, ConfigurationError."""
        checked_tenant(tenant_id)
        async with self._database.tx() as tx:
            await tx.run("insert_tenant", tenant_id=tenant_id, name=name, now=now)
        await self._tie(tenant_id)

    async def prove(self, tenant_id: str) -> None:
        """Compare a tenant's keys with its rows, and the forgotten-log with what this database has heard of it.

        Raises ConfigurationError.
        """
        head, mark = await self._tie(tenant_id)
        heard, signed = None if mark is None else forgotten_log.Mark(**mark["body"]), head["logged"] if head else 0
        if heard is not None or signed:
            await asyncio.to_thread(self._log.prove, tenant_id, signed=signed, heard=heard)
        else:  # it has told the log nothing
            await asyncio.to_thread(refuse_strange_log, self.keyring, self._log, tenant_id)

    async def _tie(self, tenant_id: str) -> tuple[Row | None, Row | None]:
        """Compare a tenant's keys with those that its rows are sealed with, and note them where it has none yet.

        Keys are made for a tenant that has nothing, and for no other. Whoever comes at the same time waits. Answers
        what the database has heard of the forgotten-log: the head of the receipts, and the mark. Raises
        ConfigurationError.
        """
        calls: list[Call] = [
            ("hold_tenant", {}), ("read_head", {}), ("read_mark", {"receipt_id": self._log.mark}), ("key_versions", {})
        ]  # fmt: skip
        async with self._database.tx(tenant_id, first=calls) as tx:
            tenant, head, heard, _ = (next(iter(rows), None) for rows in tx.answers)
            mark = tenant["keys_mark"] if tenant else None
            versions = [row["key_version"] for row in tx.answers[-1]]
            wrapped = await tx.all("some_user_keys") if mark is None else ()
            if mark is None and not wrapped and head is None:
                current = await asyncio.to_thread(self._vault.begin, tenant_id, self._log)
            else:
                current = await asyncio.to_thread(
                    self._vault.prove, tenant_id, mark=mark, versions=versions, wrapped=wrapped
                )
            if mark is None:
                await tx.run("tie_tenant", mark=current)
        self._vault.registered.add(tenant_id)
        return head, heard

    async def list(self) -> Sequence[str]:
        """The ids of all tenants."""
        async with self._database.tx() as tx:
            rows = await tx.all("list_tenants")
        self._vault.registered.update(row["tenant_id"] for row in rows)
        return [row["tenant_id"] for row in rows]

    async def create_key(self, tenant_id: str, *, name: str, now: datetime, made_with: str | None = None) -> str:
        """A new key of a tenant, which is made when there is none; the secret is shown this once.

        ``made_with`` is the id of the key that asks for it. Raises InvalidInput before anything is made, and
        Unauthorized where that key is revoked.
        """
        key = new_key(checked_tenant(tenant_id))
        await self.create(tenant_id, name=tenant_id, now=now)
        async with self._database.tx(tenant_id) as tx:
            if made_with is not None and not await tx.all("hold_api_key", key_id=made_with):
                raise Unauthorized
            await tx.run(
                "insert_api_key", key_id=key.key_id, name=name, secret_hash=key.digest, now=now, made_with=made_with
            )
        return key.secret

    async def keys(self, tenant_id: str) -> Sequence[ApiKey]:
        """The keys of a tenant, revoked ones included."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("list_api_keys")
        return [ApiKey(tenant_id=tenant_id, **row) for row in rows]

    async def revoke_key(self, tenant_id: str, key_id: str, *, now: datetime) -> Sequence[str]:
        """From now on the key opens nothing, nor do those made with it, whose ids are answered. Raises NotFound."""
        made: list[str] = []
        async with self._database.tx(tenant_id) as tx:
            revoked = [row["key_id"] for row in await tx.all("revoke_api_key", key_id=key_id, now=now)]
            if not revoked:
                raise NotFound(f"there is no key {key_id!r} that is still valid")
            # One that makes another is held until it has: each look sees all that those of the last one made.
            while revoked := [row["key_id"] for row in await tx.all("revoke_made_keys", key_ids=revoked, now=now)]:
                made += revoked
        return made

    async def holder_of(self, secret: str) -> Holder:
        """Whom a key speaks for. Raises Unauthorized for an unknown or revoked one."""
        claimed = parse(secret)
        async with self._database.tx(claimed.tenant_id) as tx:
            row = await tx.one("get_api_key", key_id=claimed.key_id)
        if row is None or not matches(claimed, row["secret_hash"]):
            raise Unauthorized
        self._vault.registered.add(claimed.tenant_id)
        await self._vault.look_ahead(claimed.tenant_id)
        return Holder(tenant_id=claimed.tenant_id, key=row["name"], key_id=claimed.key_id)

    async def holder(self, tenant_id: str, key_id: str) -> Holder:
        """Whom a key speaks for that was shown before. Raises Unauthorized once it is revoked."""
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("get_api_key", key_id=key_id)
        if row is None:
            raise Unauthorized
        self._vault.registered.add(tenant_id)
        await self._vault.look_ahead(tenant_id)
        return Holder(tenant_id=tenant_id, key=row["name"], key_id=key_id)

    @retried
    async def rotate(self, tenant_id: str) -> None:
        """A new version of the tenant's encryption key: every data key is wrapped anew, nothing is encrypted anew."""
        async with self._database.tx(tenant_id) as tx:
            await self._vault.rotate(tx)
        async with self._database.tx(tenant_id) as tx:
            await self._vault.erase(tx)

    async def any_keys(self) -> bool:
        """Whether the server runs with keys: some tenant has one."""
        for tenant_id in await self.list():
            if any(key.revoked_at is None for key in await self.keys(tenant_id)):
                return True
        await self._vault.look_ahead(DEFAULT_TENANT)  # whose requests are served without a key
        return False


_SECRET_BYTES = 32
_KEY = re.compile(r"pk_(?P<tenant>[a-z0-9][a-z0-9_-]{0,63}|~[a-z2-7]{1,1000})_(?P<key_id>[0-9a-f]{16})_[a-z2-7]{52}")


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """A key just made. The secret is shown once and never stored."""

    #: What the client sends.
    secret: str = field(repr=False)
    #: Names the key in lists and when it is revoked; not secret.
    key_id: str
    #: What the database keeps.
    digest: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimedKey:
    """What a client's key says of itself. Nothing is proven until the digest equals the stored one."""

    tenant_id: str
    key_id: str
    digest: bytes


def checked_tenant(tenant_id: str) -> str:
    """The id of a tenant, if it can be kept and written in a key. Raises InvalidInput."""
    checked_name(tenant_id, "tenant_id")
    if not tenant_id.strip():
        raise InvalidInput("the tenant has no name: --tenant and tenant_id take an id such as acme", field="tenant_id")
    new_key(tenant_id)
    return tenant_id


def new_key(tenant_id: str) -> NewKey:
    """A fresh key for a tenant."""
    key_id = secrets.token_hex(8)
    secret = f"pk_{_written(tenant_id)}_{key_id}_{_base32(secrets.token_bytes(_SECRET_BYTES))}"
    if _KEY.fullmatch(secret) is None:
        message = f"the tenant id {tenant_id[:50]!r} cannot be written in a key: it is empty or too long"
        raise InvalidInput(message, field="tenant_id")
    return NewKey(secret=secret, key_id=key_id, digest=digest(secret))


def parse(secret: str) -> ClaimedKey:
    """The tenant and the key id a key claims. Raises Unauthorized, without repeating the key."""
    match = _KEY.fullmatch(secret)
    if match is None:
        raise Unauthorized
    return ClaimedKey(tenant_id=_read(match["tenant"]), key_id=match["key_id"], digest=digest(secret))


def digest(secret: str) -> bytes:
    """SHA-256 of the key.

    A slow hash defends what people choose, because that can be guessed. Here 256 bits are random, so nobody
    finds a key from its hash at any speed, and each request would pay for the slowness.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def matches(claimed: ClaimedKey, stored: bytes) -> bool:
    """Whether the digests are equal; takes equally long wherever they differ."""
    return hmac.compare_digest(claimed.digest, stored)


def _written(tenant_id: str) -> str:
    if keyring.PLAIN_NAME.fullmatch(tenant_id):
        return tenant_id
    return "~" + _base32(tenant_id.encode("utf-8", "surrogatepass"))


def _read(written: str) -> str:
    if not written.startswith("~"):
        return written
    letters = written[1:].upper()
    try:
        return base64.b32decode(letters + "=" * (-len(letters) % 8)).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Unauthorized from error


def _base32(value: bytes) -> str:
    # Not base64: its alphabet has the "_" that parts a key.
    return base64.b32encode(value).decode().rstrip("=").lower()
