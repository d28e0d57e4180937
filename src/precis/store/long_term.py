"""Long-term memory as the wire reads it, in PostgreSQL: pages by offset, counts, second ids, and times of reading."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from precis.database.connections import Database, Tx, retried
from precis.database.replicas import from_replicas
from precis.engine.grouping import Vector
from precis.keys.vault import Vault
from precis.language.words import index_terms
from precis.memory import Memory
from precis.store.filtering import Filter, filter_parameters
from precis.store.memories import read_memories
from precis.store.rows import halved, text_hash


def twin_key(memory: Memory) -> tuple[object, ...]:
    """Memories alike in this say the same of the same: one of them is enough."""
    kind = memory.metadata.get("kind")
    return (
        memory.scope,
        memory.namespace,
        memory.session_id,
        memory.memory_type,
        str(kind),
        memory.source_class,
        memory.event_date,
        memory.text,
    )


class PostgresLongTerm:
    """Rows with a text as the wire reads them: by offset, counted, under second ids, and when they were read."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    @from_replicas
    async def page(
        self, tenant_id: str, filter_: Filter, *, limit: int, offset: int, oldest_first: bool = False
    ) -> Sequence[Memory]:
        """The rows from ``offset`` on, newest first, or oldest first."""
        parameters = self._parameters(tenant_id, filter_) | {"limit": limit, "offset": offset}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered("oldest" if oldest_first else "newest", **parameters)
            return list((await self._read(tx, [row["memory_id"] for row in rows])).values())

    async def count(self, tenant_id: str, filter_: Filter) -> int:
        """How many there are."""
        return await self._count(tenant_id, "count_rows", self._parameters(tenant_id, filter_))

    async def count_matches(
        self, tenant_id: str, filter_: Filter, *, words: str, vector: Vector | None, embedding_version: str,
        distance: float | None,
    ) -> int:  # fmt: skip
        """How many lie within the cosine distance (None: any) of the vector, or hold one of the words."""
        parameters = self._parameters(tenant_id, filter_) | {
            "vector": halved(vector), "version": embedding_version, "distance": distance,
            "terms": sorted(set(self._vault.keys(tenant_id).terms(index_terms(words)))),
        }  # fmt: skip
        return await self._count(tenant_id, "count_matches", parameters)

    async def accessed(self, tenant_id: str, ids: Collection[str], *, now: datetime, before: datetime) -> None:
        """Count one more reading of those last read before ``before``; no summary becomes stale by it."""
        parameters = {"ids": list(ids), "now": now, "before": before}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("accessed", **parameters)

    @retried
    async def accessed_at(self, tenant_id: str, moments: Mapping[str, datetime]) -> None:
        """Note when imported rows were last read in the store they come from; a later reading in precis stays."""
        ids = sorted(moments)
        parameters = {"ids": ids, "moments": [moments[id_] for id_ in ids]}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("accessed_at", **parameters)

    async def same_text(self, tenant_id: str, memories: Sequence[Memory]) -> Mapping[str, str]:
        """For each of these that is stored already, by ``twin_key``: its id and the id of the oldest stored one."""
        keys = self._vault.keys(tenant_id)
        hashes = sorted({text_hash(memory.text or "", keys) for memory in memories})
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("same_text", hashes=hashes)
            stored = await self._read(tx, [row["memory_id"] for row in rows])
        standing = {twin_key(stored[id_]): id_ for id_ in reversed(stored)}
        return {memory.id: standing[twin_key(memory)] for memory in memories if twin_key(memory) in standing}

    async def repeated(self, tenant_id: str, filter_: Filter) -> Sequence[Sequence[str]]:
        """Ids that say the same, by ``twin_key``, the oldest first in each."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered("repeated_texts", **self._parameters(tenant_id, filter_))
        return [row["ids"] for row in rows]

    @retried
    async def alias(self, tenant_id: str, aliases: Mapping[str, str], *, now: datetime) -> None:
        """Give memories further ids; an alias goes with its memory."""
        async with self._database.tx(tenant_id) as tx:
            for alias_id in sorted(aliases):
                parameters = {"alias_id": alias_id, "memory_id": aliases[alias_id]}
                await tx.run("insert_alias", **parameters, now=now)
                await tx.run("move_aliases", **parameters)

    @retried
    async def unalias(self, tenant_id: str, ids: Collection[str]) -> None:
        """Take these aliases away; the ids are free again."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("delete_aliases", ids=sorted(ids))

    async def resolve(self, tenant_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """Which memories these aliases name; other ids are left out."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("resolve", ids=list(ids))
        return {row["alias_id"]: row["memory_id"] for row in rows}

    async def _read(self, tx: Tx, ids: Sequence[str]) -> dict[str, Memory]:
        """The rows of these ids, in their order."""
        rows = await tx.all("get_memories", ids=list(ids))
        memories = {read_memory.id: read_memory for read_memory in await read_memories(tx, self._vault, rows)}
        return {id_: memories[id_] for id_ in ids if id_ in memories}

    def _parameters(self, tenant_id: str, filter_: Filter) -> dict[str, Any]:
        return {**filter_parameters(filter_, self._vault.keys(tenant_id)), "tenant_id": tenant_id}

    async def _count(self, tenant_id: str, query: str, parameters: Mapping[str, Any]) -> int:
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.filtered(query, **parameters)
        return int(rows[0]["rows"])
