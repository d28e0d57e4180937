"""Vector indexes over single large scopes: which there should be, and making it so as the owner of the tables.

One index over everybody's vectors answers too few rows for a small user, and each write pays for it. So a scope that is
too large to be compared row by row has an index of its own. Its name and its condition hold keyed hashes: they name
nobody, and an index that outlives its user says nothing of them.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

import structlog
from psycopg import AsyncConnection, Error, sql
from psycopg.rows import DictRow, dict_row

from precis.database.connections import Database, Tx, retried
from precis.database.queries import query
from precis.engine.grouping import Vector
from precis.errors import ConfigurationError
from precis.keys.cipher import TenantKeys
from precis.keys.vault import Vault

_log = structlog.get_logger(__name__)
#: A scope of more rows is searched by the postings and by its vector index.
LARGE = 20_000
#: An index stays until its scope has this share of that many rows.
_STAYS = 0.5
_OF_USER, _OF_TENANT = "memories_near_", "memories_near_all_"
_WAIT_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class ScopeIndex:
    """The index of a scope: its name, and the condition ``md5(salt || ids) = digest`` of its rows."""

    name: str
    salt: str
    digest: str
    of_tenant: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """The names of what was created and of what was dropped."""

    created: tuple[str, ...]
    dropped: tuple[str, ...]


def scope_index(keys: TenantKeys, user_id: str | None, version: str) -> ScopeIndex:
    """The index over the vectors that this embedder made of a user's rows; of the tenant's, where the user is None."""
    named = hashlib.blake2b(keys.user_ref(user_id) + version.encode(), digest_size=24).hexdigest()
    ids = keys.tenant_id if user_id is None else f"{keys.tenant_id} {user_id}"
    digest = hashlib.md5(f"{named[24:]}{ids}".encode(), usedforsecurity=False).hexdigest()
    prefix = _OF_TENANT if user_id is None else _OF_USER
    return ScopeIndex(name=f"{prefix}{named[:24]}", salt=named[24:], digest=digest, of_tenant=user_id is None)


class ScopeIndexes:
    """The indexes of a deployment. Without ``owner_dsn`` they are only looked at: the role that serves makes none."""

    def __init__(self, database: Database, vault: Vault, owner_dsn: str | None, *, large: int = LARGE) -> None:
        self._database = database
        self._vault = vault
        self._owner_dsn = owner_dsn
        self._large = large

    @property
    def can_make(self) -> bool:
        """Whether this process knows how to connect as the owner."""
        return self._owner_dsn is not None

    async def large(self, tenant_id: str) -> Mapping[str, int]:
        """Users with more rows than a search reads whole, the largest first."""
        return await self._larger(tenant_id, self._large)

    async def indexed(self, tenant_id: str, user_ids: Iterable[str], version: str) -> set[str]:
        """Which of these users have their index, ready to be used."""
        async with self._database.directory() as connection:
            standing = await _standing(connection)
        keys = self._vault.keys(tenant_id)
        return {user_id for user_id in user_ids if standing.get(scope_index(keys, user_id, version).name)}

    async def make(self, tenant_id: str, user_id: str | None, *, version: str, dimensions: int) -> str:
        """Make the index of a user, or of a whole tenant, unless it is there; answers its name.

        Raises ConfigurationError where this process cannot connect as the owner.
        """
        index = scope_index(self._vault.keys(tenant_id), user_id, version)
        async with self._as_owner() as connection, _turn(connection):
            await _make(connection, index, await _standing(connection), version=version, dimensions=dimensions)
        return index.name

    async def drop(self, tenant_id: str, user_id: str | None, *, version: str) -> str:
        """Take an index away; answers its name. Raises ConfigurationError as ``make`` does."""
        name = scope_index(self._vault.keys(tenant_id), user_id, version).name
        async with self._as_owner() as connection, _turn(connection):
            await _run(connection, query("drop_index"), name)
        return name

    async def settle(self, tenants: Sequence[str], *, version: str, dimensions: int) -> Settled | None:
        """An index for every large user of all these tenants, and none for users who are not, or are no more.

        Indexes over whole tenants are made on request alone; they stay while their tenant and the embedder do. What
        fails for one tenant or one index is logged and left to the next time; none is dropped while a tenant cannot be
        read. None when another process is at it. Raises ConfigurationError as ``make`` does.
        """
        async with self._as_owner() as connection, _turn(connection, wait=False) as mine:
            return await self._settle(connection, tenants, version, dimensions) if mine else None

    async def _settle(
        self, connection: AsyncConnection[DictRow], tenants: Sequence[str], version: str, dimensions: int
    ) -> Settled:
        standing = await _standing(connection)
        indexes: dict[ScopeIndex, bool] = {}
        unread = 0
        for tenant_id in tenants:
            try:
                indexes |= await self._wanted(tenant_id, version)
            except Exception as error:  # noqa: BLE001 - one tenant's users must not keep those of others waiting
                _log.warning("scopes_unread", tenant_id=tenant_id, error=type(error).__name__)
                unread += 1
        lacking = [index for index, large in indexes.items() if large and not standing.get(index.name)]
        created = [
            index.name
            for index in lacking
            if await _tried(index.name, _make(connection, index, standing, version=version, dimensions=dimensions))
        ]
        # A name tells nobody whose it is: what belongs to a tenant that was not read must not be taken for left over.
        left_over = set() if unread else {*standing} - {index.name for index in indexes}
        dropped = [
            name for name in sorted(left_over) if await _tried(name, _run(connection, query("drop_index"), name))
        ]
        return Settled(created=tuple(created), dropped=tuple(dropped))

    async def _wanted(self, tenant_id: str, version: str) -> Mapping[ScopeIndex, bool]:
        """The indexes that may stay of a tenant, and whether each is of a user who is to have one."""
        keys = self._vault.keys(tenant_id)
        users = await self._larger(tenant_id, int(self._large * _STAYS))
        indexes = {scope_index(keys, user_id, version): rows > self._large for user_id, rows in users.items()}
        return {scope_index(keys, None, version): False} | indexes

    async def _larger(self, tenant_id: str, than: int) -> Mapping[str, int]:
        async with self._database.tenant(tenant_id) as connection:
            rows = await Tx(connection, tenant_id).all("large_scopes", than=than)
        return {row["user_id"]: row["rows"] for row in rows}

    @asynccontextmanager
    async def _as_owner(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        if self._owner_dsn is None:
            raise ConfigurationError("indexes are made by the owner of the tables: set PRECIS_DATABASE_OWNER_URL")
        connection = await AsyncConnection.connect(self._owner_dsn, autocommit=True, row_factory=dict_row)
        async with connection:
            yield connection


@asynccontextmanager
async def _turn(connection: AsyncConnection[DictRow], *, wait: bool = True) -> AsyncIterator[bool]:
    """Whether nobody else makes indexes meanwhile; waits for whoever does."""
    while not (mine := await _mine(connection)) and wait:  # noqa: ASYNC110 - it is another process's
        await asyncio.sleep(_WAIT_SECONDS)
    try:
        yield mine
    finally:
        if mine and not connection.closed:
            await Tx(connection, "").one("end_turn")


async def _mine(connection: AsyncConnection[DictRow]) -> bool:
    row = await Tx(connection, "").one("take_turn")
    return row is not None and bool(row["mine"])


async def _tried(name: str, work: Awaitable[None]) -> bool:
    """Whether it was done: one index that cannot be made or dropped must not keep the others waiting."""
    try:
        await work
    except Error as error:
        _log.warning("index_failed", name=name, error=type(error).__name__)
        return False
    return True


async def _standing(connection: AsyncConnection[DictRow]) -> Mapping[str, bool]:
    """Every index by name, and whether it is whole."""
    return {row["name"]: row["whole"] for row in await Tx(connection, "").all("standing")}


async def _make(
    connection: AsyncConnection[DictRow], index: ScopeIndex, standing: Mapping[str, bool], *, version: str,
    dimensions: int,
) -> None:  # fmt: skip
    """Unless it stands; in the place of one whose making was broken off."""
    if standing.get(index.name):
        return
    if index.name in standing:
        await _run(connection, query("drop_index"), index.name)
    await Tx(connection, "").one("for_making")
    await _run(
        connection, query("index_tenant" if index.of_tenant else "index_user"), index.name,
        dimensions=sql.Literal(dimensions), salt=sql.Literal(index.salt), digest=sql.Literal(index.digest),
        version=sql.Literal(version),
    )  # fmt: skip


async def _run(connection: AsyncConnection[Any], statement: LiteralString, name: str, **parts: sql.Composable) -> None:
    """A statement about the index of this name."""
    await connection.execute(sql.SQL(statement).format(name=sql.Identifier(name), **parts))


@dataclass(frozen=True, kw_only=True, slots=True)
class Outdated:
    """A row that another embedder read, whether it could make a vector of it or not."""

    id: str
    text: str
    #: What tells that the row is still the one that was read.
    fingerprint: bytes
    updated_at: datetime


class PostgresEmbeddings:
    """The vectors of a tenant, after a change of the embedder."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def versions(self, tenant_id: str) -> Mapping[str, int]:
        """How many rows each embedder read, by its version. Rows that take no vector are not counted."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("embedded")
        return {row["version"]: row["rows"] for row in rows}

    async def outdated(self, tenant_id: str, version: str, *, after: str, limit: int) -> Sequence[Outdated]:
        """Rows that another embedder than this read, by id from ``after`` on."""
        parameters = {"version": version, "after": after, "limit": limit}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("outdated", **parameters)
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        outdated = []
        for row in rows:
            column, name = ("summary_ciphertext", "summary") if row["is_summary"] else ("text_ciphertext", "text")
            cipher = ciphers.get(row["user_id"])
            if cipher is not None and row[column] is not None:
                text = cipher.open_text(row[column], tenant_id=tenant_id, row_id=row["memory_id"], column=name)
                outdated.append(
                    Outdated(
                        id=row["memory_id"], text=text, fingerprint=row["fingerprint"], updated_at=row["updated_at"]
                    )
                )
        return outdated

    @retried
    async def renew(self, tenant_id: str, version: str, rows: Sequence[tuple[Outdated, Vector]]) -> int:
        """Put these vectors in place, but for rows that changed or went meanwhile; answers how many.

        The centroids of their groups are those of the members that the new embedder has read.
        """
        renewed = 0
        async with self._database.tx(tenant_id) as tx:
            for row, vector in sorted(rows, key=lambda pair: pair[0].id):
                renewed += await tx.run(
                    "renew", version=version, memory_id=row.id,
                    updated_at=row.updated_at, fingerprint=row.fingerprint, vector=vector if vector.any() else None,
                )  # fmt: skip
            ids = [row.id for row, _ in rows]
            clusters = await tx.all("hold_clusters", ids=ids)
            groups = [group["group_id"] for group in clusters]
            await tx.run("recenter", version=version, groups=groups)
        return renewed
