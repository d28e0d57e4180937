"""Long-term memory as the wire reads it, in PostgreSQL: pages by offset, counts, second ids, and times of reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from precis.database.connections import Database, retried
from precis.database.tx import Tx
from precis.keys.vault import Vault
from precis.language.words import index_terms
from precis.memory import Memory
from precis.store.filtering import filter_parameters
from precis.store.memories import read_memories
from precis.store.ports import Filter, Vector, twin_key
from precis.store.rows import halved, text_hash


class PostgresLongTerm:
    """See precis.store.ports.LongTerm."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def page(
        self, tenant_id: str, chosen: Filter, *, limit: int, offset: int, oldest_first: bool = False
    ) -> Sequence[Memory]:
        """See the port."""
        parameters = self._chosen(tenant_id, chosen) | {"limit": limit, "offset": offset}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered("oldest" if oldest_first else "newest", **parameters)
            return list((await self._read(tx, [row["memory_id"] for row in rows])).values())

    async def count(self, tenant_id: str, chosen: Filter) -> int:
        """See the port."""
        return await self._count(tenant_id, "count_rows", self._chosen(tenant_id, chosen))

    async def count_matches(
        self, tenant_id: str, chosen: Filter, *, words: str, vector: Vector | None, embedding_version: str,
        distance: float | None,
    ) -> int:  # fmt: skip
        """See the port."""
        parameters = self._chosen(tenant_id, chosen) | {
            "vector": halved(vector), "version": embedding_version, "distance": distance,
            "terms": sorted(set(self._vault.keys(tenant_id).terms(index_terms(words)))),
        }  # fmt: skip
        return await self._count(tenant_id, "count_matches", parameters)

    async def accessed(self, tenant_id: str, ids: Collection[str], *, now: datetime, before: datetime) -> None:
        """See the port."""
        parameters = {"ids": list(ids), "now": now, "before": before}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("accessed", **parameters)

    @retried
    async def accessed_at(self, tenant_id: str, moments: Mapping[str, datetime]) -> None:
        """See the port."""
        ids = sorted(moments)
        parameters = {"ids": ids, "moments": [moments[id_] for id_ in ids]}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("accessed_at", **parameters)

    async def same_text(self, tenant_id: str, memories: Sequence[Memory]) -> Mapping[str, str]:
        """See the port."""
        keys = self._vault.keys(tenant_id)
        hashes = sorted({text_hash(memory.text or "", keys) for memory in memories})
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            found = await tx.all("same_text", hashes=hashes)
            there = await self._read(tx, [row["memory_id"] for row in found])
        standing = {twin_key(there[id_]): id_ for id_ in reversed(there)}
        return {one.id: standing[twin_key(one)] for one in memories if twin_key(one) in standing}

    async def repeated(self, tenant_id: str, chosen: Filter) -> Sequence[Sequence[str]]:
        """See the port."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered("repeated_texts", **self._chosen(tenant_id, chosen))
        return [row["ids"] for row in rows]

    @retried
    async def alias(self, tenant_id: str, aliases: Mapping[str, str], *, now: datetime) -> None:
        """See the port."""
        async with self._database.tx(tenant_id) as tx:
            for alias_id in sorted(aliases):
                here = {"alias_id": alias_id, "memory_id": aliases[alias_id]}
                await tx.run("insert_alias", **here, now=now)
                await tx.run("move_aliases", **here)

    @retried
    async def unalias(self, tenant_id: str, ids: Collection[str]) -> None:
        """See the port."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("delete_aliases", ids=sorted(ids))

    async def resolve(self, tenant_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """See the port."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("resolve", ids=list(ids))
        return {row["alias_id"]: row["memory_id"] for row in rows}

    async def forgotten(self, tenant_id: str, ids: Collection[str]) -> Collection[str]:
        """See the port."""
        keys = self._vault.keys(tenant_id)
        hashes = {keys.tombstone(id_): id_ for id_ in ids}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("tombstoned", hashes=list(hashes))
        return {hashes[row["memory_hash"]] for row in rows if not row["renewable"]}

    async def _read(self, tx: Tx, ids: Sequence[str]) -> dict[str, Memory]:
        """The rows of these ids, in their order."""
        rows = await tx.all("get_memories", ids=list(ids))
        found = {one.id: one for one in await read_memories(tx, self._vault, rows)}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def _chosen(self, tenant_id: str, chosen: Filter) -> dict[str, Any]:
        return {**filter_parameters(chosen, self._vault.keys(tenant_id)), "tenant_id": tenant_id}

    async def _count(self, tenant_id: str, query: str, parameters: Mapping[str, Any]) -> int:
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.filtered(query, **parameters)
        return int(rows[0]["rows"])
