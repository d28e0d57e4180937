"""Data keys: which cipher seals and opens the rows of a user."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from precis.store.asking import Queries
from precis.store.cipher import Cipher, new_data_key
from precis.store.keyring import Keyring, TenantKeys
from precis.store.pool import Connection

_SQL = Queries("tenants")


class Vault:
    """The ciphers of users, each under its own data key, wrapped by the tenant's key, wrapped by the master key."""

    def __init__(self, keyring: Keyring) -> None:
        self.keyring = keyring
        self._opened: dict[bytes, Cipher] = {}

    def keys(self, tenant_id: str) -> TenantKeys:
        """The tenant's own keys; made at its first use."""
        return self.keyring.open_tenant(tenant_id)

    async def ciphers(
        self,
        connection: Connection,
        tenant_id: str,
        user_ids: Collection[str],
        *,
        hold: bool = False,
        create: bool = False,
    ) -> Mapping[str, Cipher]:
        """A cipher for each user that has a key; with ``create``, for every one.

        With ``hold`` the key rows are held until the transaction ends: for a writer, so that nothing is sealed under a
        key that is being destroyed.
        """  # fmt: skip
        keys = self.keys(tenant_id)
        refs = {keys.user_ref(user_id): user_id for user_id in user_ids}
        query = "hold_user_keys" if hold else "user_keys"
        rows = await _SQL.all(connection, query, tenant_id=tenant_id, refs=list(refs))
        missing = sorted(set(refs) - {row["user_ref"] for row in rows})
        if create and missing:
            await _SQL.run(connection, "share_key_lock", tenant_id=tenant_id)
            for ref in missing:
                version, wrapped = keys.wrap(ref, new_data_key())
                await _SQL.run(
                    connection, "insert_user_key", tenant_id=tenant_id, user_ref=ref, key_version=version,
                    wrapped=wrapped,
                )  # fmt: skip
            return await self.ciphers(connection, tenant_id, user_ids, hold=hold, create=create)
        return {refs[r["user_ref"]]: self._open(keys, r["user_ref"], r["key_version"], r["wrapped"]) for r in rows}

    async def lock(self, connection: Connection, tenant_id: str, user_id: str) -> None:
        """Hold a user's key alone until the transaction ends: nothing is sealed under it meanwhile."""
        ref = self.keys(tenant_id).user_ref(user_id)
        await _SQL.run(connection, "lock_user_key", tenant_id=tenant_id, user_ref=ref)

    def _open(self, keys: TenantKeys, ref: bytes, version: int, wrapped: bytes) -> Cipher:
        cipher = self._opened.get(wrapped)
        if cipher is None:
            if len(self._opened) > 10_000:
                self._opened.clear()
            cipher = self._opened[wrapped] = Cipher(keys.unwrap(ref, version, wrapped))
        return cipher

    async def destroy(self, connection: Connection, tenant_id: str, user_id: str) -> None:
        """Forget the data key of a user: the others are wrapped under a new version of the tenant's key.

        The caller erases the older versions with ``erase`` once the transaction has committed.
        """
        ref = self.keys(tenant_id).user_ref(user_id)
        await _SQL.run(connection, "delete_user_key", tenant_id=tenant_id, user_ref=ref)
        await self.rotate(connection, tenant_id)

    async def rotate(self, connection: Connection, tenant_id: str) -> None:
        """Wrap every data key under a new version of the tenant's key; nothing is encrypted anew. Then ``erase``."""
        await _SQL.run(connection, "take_key_lock", tenant_id=tenant_id)
        rows = await _SQL.all(connection, "all_user_keys", tenant_id=tenant_id)
        await asyncio.to_thread(self.keyring.begin_rotation, tenant_id)
        keys = self.keys(tenant_id)
        rewrapped = []
        for row in rows:
            data_key = keys.unwrap(row["user_ref"], row["key_version"], row["wrapped"])
            version, wrapped = keys.wrap(row["user_ref"], data_key)
            rewrapped.append(
                {"tenant_id": tenant_id, "user_ref": row["user_ref"], "key_version": version, "wrapped": wrapped}
            )
        await _SQL.many(connection, "rewrap_user_key", rewrapped)

    async def erase(self, connection: Connection, tenant_id: str) -> None:
        """Erase the versions of the tenant's key under which nothing is wrapped any more, also after a crash."""
        await _SQL.run(connection, "take_key_lock", tenant_id=tenant_id)
        rows = await _SQL.all(connection, "key_versions", tenant_id=tenant_id)
        self._opened.clear()
        # The current version is needed by whoever comes next, also when no user is left.
        needed = {row["key_version"] for row in rows} | {self.keys(tenant_id).current_version}
        await asyncio.to_thread(self.keyring.collect, tenant_id, needed)
