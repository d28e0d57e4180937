"""Tenants and their API keys in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.errors import NotFound, Unauthorized
from precis.store.apikeys import matches, new_key, parse
from precis.store.asking import Queries
from precis.store.pool import Database, retried
from precis.store.vault import Vault

_SQL = Queries("tenants")
DEFAULT_TENANT = "default"


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    """A key as it is listed: never its secret."""

    key_id: str
    tenant_id: str
    name: str
    created_at: datetime
    revoked_at: datetime | None


class PostgresTenants:
    """The directory of tenants, and who may speak for one."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault
        self.keyring = vault.keyring

    async def create(self, tenant_id: str, *, name: str, now: datetime) -> None:
        """Make a tenant; making it again changes nothing."""
        async with self._database.directory() as connection:
            await _SQL.run(connection, "insert_tenant", tenant_id=tenant_id, name=name, now=now)

    async def list(self) -> Sequence[str]:
        """The ids of all tenants."""
        async with self._database.directory() as connection:
            rows = await _SQL.all(connection, "list_tenants")
        return [row["tenant_id"] for row in rows]

    async def create_key(self, tenant_id: str, *, name: str, now: datetime) -> str:
        """A new key of a tenant, which is made when there is none; the secret is shown this once."""
        await self.create(tenant_id, name=tenant_id, now=now)
        key = new_key(tenant_id)
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(
                connection, "insert_api_key", tenant_id=tenant_id, key_id=key.key_id, name=name, secret_hash=key.digest,
                now=now,
            )  # fmt: skip
        return key.secret

    async def keys(self, tenant_id: str) -> Sequence[ApiKey]:
        """The keys of a tenant, revoked ones included."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "list_api_keys", tenant_id=tenant_id)
        return [ApiKey(tenant_id=tenant_id, **row) for row in rows]

    async def revoke_key(self, tenant_id: str, key_id: str, *, now: datetime) -> None:
        """From now on the key opens nothing. Raises NotFound."""
        async with self._database.tenant(tenant_id) as connection:
            row = await _SQL.one(connection, "revoke_api_key", tenant_id=tenant_id, key_id=key_id, now=now)
        if row is None:
            raise NotFound(f"there is no key {key_id!r} that is still valid")

    async def tenant_of(self, secret: str) -> str:
        """Whom a key speaks for. Raises Unauthorized for an unknown or revoked one."""
        claimed = parse(secret)
        async with self._database.tenant(claimed.tenant_id) as connection:
            row = await _SQL.one(connection, "get_api_key", tenant_id=claimed.tenant_id, key_id=claimed.key_id)
        if row is None or not matches(claimed, row["secret_hash"]):
            raise Unauthorized
        return claimed.tenant_id

    @retried
    async def rotate(self, tenant_id: str) -> None:
        """A new version of the tenant's encryption key: every data key is wrapped anew, nothing is encrypted anew."""
        async with self._database.tenant(tenant_id) as connection:
            await self._vault.rotate(connection, tenant_id)
        async with self._database.tenant(tenant_id) as connection:
            await self._vault.erase(connection, tenant_id)

    async def any_keys(self) -> bool:
        """Whether the server runs with keys: some tenant has one."""
        for tenant_id in await self.list():
            if any(key.revoked_at is None for key in await self.keys(tenant_id)):
                return True
        return False
