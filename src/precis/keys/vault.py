"""Data keys: which cipher seals and opens the rows of a user."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from precis.database.connections import beside
from precis.database.queries import Connection, Queries, Row
from precis.keys.cipher import Cipher, new_data_key
from precis.keys.keyring import Keyring, TenantKeys

_SQL = Queries("tenants")


class Vault:
    """The ciphers of users, each under its own data key, wrapped by the tenant's key, wrapped by the master key."""

    def __init__(self, keyring: Keyring) -> None:
        self.keyring = keyring
        self._opened: dict[bytes, Cipher] = {}
        #: Of the key files under which those were opened, by tenant.
        self._stamps: dict[str, tuple[int, ...] | None] = {}

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
            await self.erase(connection, tenant_id)
            for ref in missing:
                version, wrapped = keys.wrap(ref, new_data_key())
                await _SQL.run(
                    connection, "insert_user_key", tenant_id=tenant_id, user_ref=ref, key_version=version,
                    wrapped=wrapped,
                )  # fmt: skip
            return await self.ciphers(connection, tenant_id, user_ids, hold=hold, create=create)
        self._drop_outdated(keys)
        if not all(keys.has(version) for version in {row["key_version"] for row in rows}):
            rows = await self._rows_of_now(connection, tenant_id, refs)
        return {refs[r["user_ref"]]: self._open(keys, r["user_ref"], r["key_version"], r["wrapped"]) for r in rows}

    async def _rows_of_now(self, connection: Connection, tenant_id: str, refs: Collection[bytes]) -> Sequence[Row]:
        """The keys as they are committed now: the caller's moment may be older than a rotation that has ended.

        A data key is the same in each of its wrappings. A user who was forgotten since then has none.
        """
        async with beside(connection, tenant_id) as other:
            return await _SQL.all(other, "user_keys", tenant_id=tenant_id, refs=list(refs))

    async def lock(self, connection: Connection, tenant_id: str, user_id: str) -> None:
        """Hold a user's key alone until the transaction ends: nothing is sealed under it meanwhile."""
        ref = self.keys(tenant_id).user_ref(user_id)
        await _SQL.run(connection, "lock_user_key", tenant_id=tenant_id, user_ref=ref)

    def _drop_outdated(self, keys: TenantKeys) -> None:
        """Let go of every opened key once the tenant's file was replaced, by whichever process.

        What is opened again is what that file still opens: an erased version opens no row, wherever the row was read.
        """
        stamp = keys.stamp
        if self._stamps.setdefault(keys.tenant_id, stamp) != stamp:
            self._stamps[keys.tenant_id] = stamp
            self._opened.clear()

    def _open(self, keys: TenantKeys, ref: bytes, version: int, wrapped: bytes) -> Cipher:
        cipher = self._opened.get(wrapped)
        if cipher is None:
            if len(self._opened) > 10_000:
                self._opened.clear()
            cipher = self._opened[wrapped] = Cipher(keys.unwrap(ref, version, wrapped))
        return cipher

    async def destroy(self, connection: Connection, tenant_id: str, user_id: str) -> bool:
        """Forget the data key of a user: the others are wrapped under a new version of the tenant's key.

        The caller erases the older versions with ``erase`` once the transaction has committed. Answers whether there
        was a key; without one nothing is done.
        """
        return await self.destroy_refs(connection, tenant_id, [self.keys(tenant_id).user_ref(user_id)])

    async def destroy_refs(self, connection: Connection, tenant_id: str, refs: Sequence[bytes]) -> bool:
        """The same for users whose ids nobody knows any more."""
        if not await _SQL.run(connection, "delete_user_keys", tenant_id=tenant_id, refs=list(refs)):
            return False
        await self.rotate(connection, tenant_id)
        return True

    async def rotate(self, connection: Connection, tenant_id: str) -> None:
        """Wrap every data key under a new version of the tenant's key; nothing is encrypted anew. Then ``erase``.

        The transaction notes that the older versions are to be erased, so that whoever comes after a crash does it.
        """
        await _SQL.run(connection, "take_key_lock", tenant_id=tenant_id)
        rows = await _SQL.all(connection, "all_user_keys", tenant_id=tenant_id)
        newest = await asyncio.to_thread(self.keyring.begin_rotation, tenant_id)
        keys = self.keys(tenant_id)
        rewrapped = []
        for row in rows:
            data_key = keys.unwrap(row["user_ref"], row["key_version"], row["wrapped"])
            version, wrapped = keys.wrap(row["user_ref"], data_key)
            rewrapped.append(
                {"tenant_id": tenant_id, "user_ref": row["user_ref"], "key_version": version, "wrapped": wrapped}
            )
        await _SQL.many(connection, "rewrap_user_key", rewrapped)
        await _SQL.run(connection, "insert_erasure", tenant_id=tenant_id, key_version=newest)

    async def erase(self, connection: Connection, tenant_id: str) -> None:
        """Erase the versions of the tenant's key that a committed rotation left behind; does nothing without one.

        Nothing is wrapped under them, so no lock is needed. A key file older than the database is left alone.
        """
        rows = await _SQL.all(connection, "erasures", tenant_id=tenant_id)
        keep = max((row["key_version"] for row in rows), default=0)
        if keep and self.keys(tenant_id).current_version >= keep:
            await asyncio.to_thread(self.keyring.finish_rotation, tenant_id, keep=keep)
            await _SQL.run(connection, "delete_erasures", tenant_id=tenant_id, key_version=keep)
