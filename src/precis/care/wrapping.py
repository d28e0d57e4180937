"""Data keys of a restored database: an old copy has them wrapped under a version of a tenant's key that may be erased.

Forgetting a user wraps the data keys of the others anew and erases the older version, so that no copy opens what was
that user's. A data key is the same in each of its wrappings: the newest ones, from the database as it was last, open an
old copy, too. Who is not among them was forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from psycopg import AsyncConnection
from psycopg.errors import UndefinedTable
from psycopg.rows import dict_row

from precis.database.connections import Row, Tx
from precis.errors import ConfigurationError
from precis.keys.forgotten_log import ForgottenLog, entries
from precis.keys.keyring import Keyring

_LOST = (
    "this copy has users whom nobody forgot and who are not in the newer database, and the key that opens theirs was "
    "erased when somebody else was forgotten: put the key folder of that day in place, and restore again"
)
#: The wrapped data keys of users, by tenant.
Wrapped = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """What became of the data keys of a copy."""

    rewrapped: int = 0
    #: Of users who were forgotten since.
    destroyed: int = 0


async def read_wrapped(owner_dsn: str) -> Wrapped:
    """Every data key of a database; of one without tables none."""
    async with await AsyncConnection.connect(owner_dsn, row_factory=dict_row) as connection:
        try:
            tenants = [row["tenant_id"] for row in await Tx(connection, "").all("list_tenants")]
        except UndefinedTable:
            return {}
        return {tenant_id: await Tx(connection, tenant_id).all("all_user_keys") for tenant_id in tenants}


def closed(wrapped: Wrapped, keyring: Keyring) -> set[str]:
    """Tenants of whom the key folder does not open every data key. Raises ConfigurationError without their files."""
    opened = {tenant_id: keyring.open_tenant(tenant_id, create=False) for tenant_id, rows in wrapped.items() if rows}
    return {
        tenant_id for tenant_id, keys in opened.items()
        if not all(map(keys.has, {row["key_version"] for row in wrapped[tenant_id]}))
    }  # fmt: skip


async def rewrap(
    owner_dsn: str, tenants: set[str], newest: Wrapped, keyring: Keyring, log: ForgottenLog
) -> Opened:  # fmt: skip
    """Take over the newest wrappings, and drop the keys of users who were forgotten.

    Raises ConfigurationError where the newest are no better, or lack a user whom nobody forgot.
    """
    if lacking := sorted(tenants - set(newest) | closed(newest, keyring) & tenants):
        message = (
            f"the keys of tenant {lacking[0]!r} that open this copy were erased when a user was forgotten, and there "
            "is no newer database to take the others' from: put the key folder of that day in place, and restore again"
        )
        raise ConfigurationError(message)
    rewrapped = destroyed = 0
    async with await AsyncConnection.connect(owner_dsn, row_factory=dict_row) as connection:
        for tenant_id in sorted(tenants):
            tx = Tx(connection, tenant_id)
            before = {row["user_ref"] for row in await tx.all("all_user_keys")}
            latest = {row["user_ref"]: row for row in newest[tenant_id] if row["user_ref"] in before}
            lost = before - set(latest)
            if lost - {entry.user for entry in entries(log, tenant_id)}:
                raise ConfigurationError(_LOST)
            await tx.many("rewrap_user_key", list(latest.values()))
            await tx.run("delete_user_keys", refs=sorted(lost))
            rewrapped, destroyed = rewrapped + len(latest), destroyed + len(lost)
    return Opened(rewrapped=rewrapped, destroyed=destroyed)
