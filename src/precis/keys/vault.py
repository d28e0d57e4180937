"""Data keys: which cipher seals and opens the rows of a user."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from precis.database.connections import Call, Row, Tx, beside
from precis.errors import ConfigurationError, StoreUnavailable, Undecryptable
from precis.keys.cipher import Cipher, TenantKeys, new_data_key
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.forgotten_log import ForgottenLog, entries
from precis.keys.keyring import Keyring
from precis.keys.receipts import Signer, is_signed_by

_PUT_BACK = (
    "Put back the key folder that this database was begun with, or name it (PRECIS_KEYS_DIR, PRECIS_DATA_DIR, "
    "PRECIS_MASTER_KEY, PRECIS_KEYS_URL): none are made in its place, for they would open nothing"
)


class Vault:
    """The ciphers of users, each under its own data key, wrapped by the tenant's key, wrapped by the master key."""

    def __init__(self, keyring: Keyring | RemoteKeyring) -> None:
        self.keyring = keyring
        #: By the wrapped key. Another copy of the database may have it wrapped under a version of before.
        self.opened: dict[bytes, Cipher] = {}
        #: Tenants that the database knows: keys of theirs that are missing were lost.
        self.registered: set[str] = set()
        #: Of the key files under which those were opened, by tenant.
        self._stamps: dict[str, tuple[int, ...] | None] = {}

    def keys(self, tenant_id: str) -> TenantKeys:
        """The tenant's own keys. Raises ConfigurationError where a tenant lost them that the database knows.

        For one that nobody has registered they are made on first use.
        """
        return self.keyring.open_tenant(tenant_id, create=tenant_id not in self.registered)

    async def look_ahead(self, tenant_id: str) -> None:
        """Look at a tenant's keys beside the event loop, where whoever uses them next would have to wait for them.

        Whatever keeps them away is told then.
        """
        keyring = self.keyring
        if isinstance(keyring, RemoteKeyring) and not keyring.is_fresh(tenant_id):
            with suppress(StoreUnavailable, ConfigurationError):
                await asyncio.to_thread(keyring.open_tenant, tenant_id, create=False)

    def begin(self, tenant_id: str, log: ForgottenLog) -> bytes:
        """The mark of the keys of a tenant that has no rows yet; they are made where there are none.

        Raises ConfigurationError over the forgotten-log of other keys.
        """
        refuse_strange_log(self.keyring, log, tenant_id)
        return self.keyring.open_tenant(tenant_id).mark

    def prove(
        self, tenant_id: str, *, mark: bytes | None, versions: Collection[int], wrapped: Sequence[Row]
    ) -> bytes:  # fmt: skip
        """The mark of a tenant's keys, if they are those that its rows are sealed with.

        ``mark`` is what the database knows of them; None where an earlier release noted nothing. Then one of the
        ``wrapped`` data keys has to open. ``versions`` are those under which data keys are wrapped. Raises
        ConfigurationError.
        """
        if not self.keyring.has_tenant(tenant_id):
            raise self._strange(f"there are none of tenant {tenant_id!r}", _PUT_BACK)
        keys = self.keyring.open_tenant(tenant_id, create=False)
        known = [row for row in wrapped if keys.has(row["key_version"])]
        is_other = (
            mark != keys.mark if mark is not None else bool(known) and not any(_opens(keys, row) for row in known)
        )
        if is_other:
            raise self._strange(f"those of tenant {tenant_id!r} are others, and open none of its rows", _PUT_BACK)
        # In a folder versions of before may be gone: an older copy of the database opens, and what it has under them
        # stays shut. Places that several machines share move on together.
        together = isinstance(self.keyring, RemoteKeyring)
        missing = [it for it in versions if not keys.has(it) and (together or it > keys.current_version)]
        if missing:
            lacking = f"those of tenant {tenant_id!r} lack version {', '.join(map(str, missing))}"
            raise self._strange(lacking, "Put back the copy that is as old as the database")
        return keys.mark

    def _strange(self, reason: str, advice: str) -> ConfigurationError:
        return ConfigurationError(
            f"the keys in {self.keyring.where} are not those of this database: {reason}. {advice}"
        )

    async def ciphers(
        self,
        tx: Tx,
        user_ids: Collection[str],
        *,
        hold: bool = False,
        create: bool = False,
        rows: Sequence[Row] | None = None,
    ) -> Mapping[str, Cipher]:
        """A cipher for each user that has a key; with ``create``, for every one.

        With ``hold`` the key rows are held until the transaction ends: for a writer, so that nothing is sealed under a
        key that is being destroyed. ``rows`` are the answer to ``request``, where that was read.
        """  # fmt: skip
        keys = self.keys(tx.tenant_id)
        refs = {keys.user_ref(user_id): user_id for user_id in user_ids}
        if rows is None:
            rows = await tx.all("hold_user_keys" if hold else "user_keys", refs=list(refs))
        missing = sorted(set(refs) - {row["user_ref"] for row in rows})
        if create and missing:
            await tx.run("share_key_lock")
            await self.erase(tx)
            await asyncio.to_thread(keys.renew)  # another machine may have rotated a moment ago
            for ref in missing:
                version, wrapped = keys.wrap(ref, new_data_key())
                await tx.run("insert_user_key", user_ref=ref, key_version=version, wrapped=wrapped)
            return await self.ciphers(tx, user_ids, hold=hold, create=create)
        self._drop_outdated(keys)
        if not all(keys.has(version) for version in {row["key_version"] for row in rows}):
            rows = await self._rows_of_now(tx, refs)
        return {refs[r["user_ref"]]: self._open(keys, r["user_ref"], r["key_version"], r["wrapped"]) for r in rows}

    def request(self, tenant_id: str, user_ids: Collection[str], *, hold: bool = False) -> Call:
        """Asks for the rows that ``ciphers`` opens."""
        keys = self.keys(tenant_id)
        return "hold_user_keys" if hold else "user_keys", {"refs": [keys.user_ref(user_id) for user_id in user_ids]}

    async def _rows_of_now(self, tx: Tx, refs: Collection[bytes]) -> Sequence[Row]:
        """The keys as they are committed now: the caller's moment may be older than a rotation that has ended.

        A data key is the same in each of its wrappings. A user who was forgotten since then has none.
        """
        async with beside(tx) as other:
            return await other.all("user_keys", refs=list(refs))

    async def lock(self, tx: Tx, *user_ids: str, refs: Collection[bytes] = ()) -> None:
        """Hold the keys of users alone until the transaction ends: nothing is sealed under them meanwhile.

        Users whose ids nobody knows go by their references. The lock on all keys comes first: who destroys a key takes
        it, and would wait for the key that is held here.
        """
        keys = self.keys(tx.tenant_id)
        await tx.run("take_key_lock")
        await tx.run("lock_user_keys", refs=sorted({*refs, *map(keys.user_ref, user_ids)}))

    def _drop_outdated(self, keys: TenantKeys) -> None:
        """Let go of every opened key once the tenant's file was replaced, by whichever process.

        What is opened again is what that file still opens: an erased version opens no row, wherever the row was read.
        """
        stamp = keys.stamp
        if self._stamps.setdefault(keys.tenant_id, stamp) != stamp:
            self._stamps[keys.tenant_id] = stamp
            self.opened.clear()

    def _open(self, keys: TenantKeys, ref: bytes, version: int, wrapped: bytes) -> Cipher:
        cipher = self.opened.get(wrapped)
        if cipher is None:
            if len(self.opened) > 10_000:
                self.opened.clear()
            cipher = self.opened[wrapped] = Cipher(keys.unwrap(ref, version, wrapped))
        return cipher

    async def destroy(self, tx: Tx, refs: Sequence[bytes]) -> bool:
        """Forget the data keys of these users: the others are wrapped under a new version of the tenant's key.

        Users go by their references, since the ids of some are known to nobody any more. The caller erases the older
        versions with ``erase`` once the transaction has committed. Answers whether there was a key; without one nothing
        is done.
        """
        if not await tx.run("delete_user_keys", refs=list(refs)):
            return False
        await self.rotate(tx)
        return True

    async def rotate(self, tx: Tx) -> None:
        """Wrap every data key under a new version of the tenant's key; nothing is encrypted anew. Then ``erase``.

        The transaction notes that the older versions are to be erased, so that whoever comes after a crash does it.
        """
        await tx.run("take_key_lock")
        rows = await tx.all("all_user_keys")
        newest = await asyncio.to_thread(self.keyring.begin_rotation, tx.tenant_id)
        keys = self.keys(tx.tenant_id)
        rewrapped = []
        for row in rows:
            data_key = keys.unwrap(row["user_ref"], row["key_version"], row["wrapped"])
            version, wrapped = keys.wrap(row["user_ref"], data_key)
            rewrapped.append({"user_ref": row["user_ref"], "key_version": version, "wrapped": wrapped})
        await tx.many("rewrap_user_key", rewrapped)
        await tx.run("insert_erasure", key_version=newest)

    async def erase(self, tx: Tx) -> None:
        """Erase the versions of the tenant's key that a committed rotation left behind; does nothing without one.

        Nothing is wrapped under them, so no lock is needed. A key file older than the database is left alone.
        """
        rows = await tx.all("erasures")
        keep = max((row["key_version"] for row in rows), default=0)
        if keep and self.keys(tx.tenant_id).current_version >= keep:
            await asyncio.to_thread(self.keyring.finish_rotation, tx.tenant_id, keep=keep)
            await tx.run("delete_erasures", key_version=keep)


def refuse_strange_log(keyring: Keyring | RemoteKeyring, log: ForgottenLog, tenant_id: str) -> None:
    """Raise ConfigurationError where a forgotten-log of which a database has heard nothing is that of other keys.

    New ones would sign anew what is signed there, and nobody could prove the true chain by it any more.
    """
    past, strange = entries(log, tenant_id), ""
    if not keyring.has_tenant(tenant_id):
        strange = f"and {keyring.where} has no keys of it" if next(past, None) else ""
    elif signed := next((entry.signed for entry in past if entry.signed is not None), None):
        keys = keyring.open_tenant(tenant_id, create=False)
        is_ours = is_signed_by(signed, Signer(keys).public_key)
        strange = "" if is_ours else f"signed by other keys than those in {keyring.where}"
    if strange:
        raise ConfigurationError(
            f"the forgotten-log in {log.where} has what was forgotten in a store of tenant {tenant_id!r} that is not "
            f"here, {strange}. Put the database and its keys back (`precis restore COPY --keys-from KEYS`); for an "
            "empty store, name another PRECIS_DATA_DIR or PRECIS_FORGOTTEN_DIR, and keep this log with the copies "
            "that it guards"
        )


async def ciphers_of(
    vault: Vault, tx: Tx, rows: Sequence[Row], likely: Collection[str], keys: Sequence[Row]
) -> Mapping[str, Cipher]:
    """A cipher for each user of these rows that has a key; ``keys`` answer ``request`` for the likely users."""
    ciphers = await vault.ciphers(tx, likely, rows=keys)
    users = {row["user_id"] for row in rows}
    return ciphers if users.issubset(likely) else await vault.ciphers(tx, users)


def _opens(keys: TenantKeys, row: Row) -> bool:
    """Whether these keys open a wrapped data key."""
    try:
        keys.unwrap(row["user_ref"], row["key_version"], row["wrapped"])
    except Undecryptable:
        return False
    return True
