"""Vector indexes of large scopes: which there should be, and making it so; and vectors after a change of the embedder.

A scope that is too large to be compared row by row has an index. It is a set of lists (store/upkeep/lists.py) in tables
that all scopes share, so that neither a plan nor the write of a small user knows how many large users there are.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

import structlog
from psycopg import Error

from precis.database.connections import Database, Tx, retried
from precis.engine.grouping import Vector
from precis.errors import PrecisError
from precis.keys.vault import Vault
from precis.store.changes.posting import relisted
from precis.store.upkeep.lists import WHOLE, ScopeLists

_log = structlog.get_logger(__name__)
#: A scope of more rows is searched by the postings and by its vector index.
LARGE = 20_000
#: An index stays until its scope has this share of that many rows.
_STAYS = 0.5
_WAIT_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """Of whom an index was made, and of whom one was dropped."""

    created: tuple[str, ...]
    dropped: tuple[str, ...]


class ScopeIndexes:
    """The indexes of a deployment."""

    def __init__(self, database: Database, *, large: int = LARGE) -> None:
        self._database = database
        self._large = large

    async def large(self, tenant_id: str) -> Mapping[str, int]:
        """Users with more rows than a search reads whole, the largest first."""
        return await self._larger(tenant_id, self._large)

    async def indexed(self, tenant_id: str, user_ids: Iterable[str], version: str) -> set[str]:
        """Which of these users have their index, ready to be used."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("vector_scopes")
        return {row["scope"] for row in rows if row["ready"] and row["embedding_version"] == version} & {*user_ids}

    async def make(self, tenant_id: str, user_id: str | None, *, version: str) -> str:
        """Make the index of a user, or of a whole tenant, unless it is there; answers whose it is."""
        async with self._turn():
            await self._lists(tenant_id, user_id).make(version)
        return _named(tenant_id, user_id or WHOLE)

    async def drop(self, tenant_id: str, user_id: str | None) -> str:
        """Take an index away; answers whose it was."""
        async with self._turn():
            await self._lists(tenant_id, user_id).drop()
        return _named(tenant_id, user_id or WHOLE)

    async def settle(self, tenants: Sequence[str], *, version: str) -> Settled | None:
        """An index for every large user of these tenants, none for their other users; and each as it should be.

        The index of a whole tenant is made on request alone. What fails for one tenant or one index is logged and left
        to the next time. None when another process is at it.
        """
        async with self._turn(wait=False) as mine:
            if not mine:
                return None
            created: list[str] = []
            dropped: list[str] = []
            for tenant_id in tenants:
                await _tried(tenant_id, "", self._settle(tenant_id, version, created, dropped))
            return Settled(created=tuple(created), dropped=tuple(dropped))

    async def _settle(self, tenant_id: str, version: str, created: list[str], dropped: list[str]) -> None:
        users = await self._larger(tenant_id, int(self._large * _STAYS))
        async with self._database.tx(tenant_id) as tx:
            ready = {row["scope"]: row["ready"] for row in await tx.all("vector_scopes")}
        for scope in [*(user for user, rows in users.items() if rows > self._large or user in ready), *ready]:
            index = ScopeLists(self._database, tenant_id, scope)
            if scope != WHOLE and scope not in users:
                done, work = dropped, index.drop()
            else:
                done, work = [] if ready.get(scope) else created, index.make(version)
            if await _tried(tenant_id, scope, work):
                done.append(_named(tenant_id, scope))
            ready.setdefault(scope, False)

    async def _larger(self, tenant_id: str, than: int) -> Mapping[str, int]:
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("large_scopes", than=than)
        return {row["user_id"]: row["rows"] for row in rows}

    def _lists(self, tenant_id: str, user_id: str | None) -> ScopeLists:
        return ScopeLists(self._database, tenant_id, WHOLE if user_id is None else user_id)

    @asynccontextmanager
    async def _turn(self, *, wait: bool = True) -> AsyncIterator[bool]:
        """Whether nobody else makes indexes meanwhile; waits for whoever does."""
        async with self._database.tx() as tx:
            while not (mine := await _mine(tx)) and wait:  # noqa: ASYNC110 - it is another process's
                await asyncio.sleep(_WAIT_SECONDS)
            yield mine


async def _mine(tx: Tx) -> bool:
    row = await tx.one("take_turn")
    return row is not None and bool(row["mine"])


def _named(tenant_id: str, scope: str) -> str:
    return f"{tenant_id}: user {scope}" if scope else f"{tenant_id}: all users"


async def _tried(tenant_id: str, scope: str, work: Awaitable[None]) -> bool:
    """Whether it was done: one index that cannot be made or dropped must not keep the others waiting."""
    try:
        await work
    except (Error, PrecisError) as error:
        _log.warning("index_failed", tenant_id=tenant_id, whole=not scope, error=type(error).__name__)
        return False
    return True


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
            ids = [row.id for row, _ in rows]
            await tx.run("hold_memories", ids=ids)
            async with relisted(tx, ids):
                for row, vector in sorted(rows, key=lambda pair: pair[0].id):
                    renewed += await tx.run(
                        "renew", version=version, memory_id=row.id,
                        updated_at=row.updated_at, fingerprint=row.fingerprint,
                        vector=vector if vector.any() else None,
                    )  # fmt: skip
            clusters = await tx.all("hold_clusters", ids=ids)
            groups = [group["group_id"] for group in clusters]
            await tx.run("recenter", version=version, groups=groups)
        return renewed
