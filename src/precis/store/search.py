"""Recall's two arms in PostgreSQL: exact vectors and BM25 over keyed words, within one scope."""

from __future__ import annotations

from collections.abc import Sequence

from precis.store.memories import filter_parameters, read_memories
from precis.store.pool import Database
from precis.store.ports import Filter, Hit, Vector
from precis.store.sql import queries
from precis.store.vault import Vault
from precis.words import terms

_SQL = queries("search")


class PostgresSearch:
    """See precis.store.ports.Search."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def search(
        self,
        tenant_id: str,
        chosen: Filter,
        *,
        query: str,
        vector: Vector | None,
        embedding_version: str,
        limit: int,
    ) -> Sequence[Hit]:
        """See the port."""
        words = sorted(set(self._vault.keys(tenant_id).terms(terms(query))))
        parameters = {
            **filter_parameters(chosen), "tenant_id": tenant_id, "terms": words,
            "vector": vector if vector is not None and vector.any() else None,
            "embedding_version": embedding_version, "limit": limit,
        }  # fmt: skip
        async with self._database.tenant(tenant_id, one_moment=True) as connection:
            rows = await (await connection.execute(_SQL["search"], parameters)).fetchall()
            memories = {m.id: m for m in await read_memories(connection, self._vault, tenant_id, rows)}
        return [
            Hit(
                memory=memories[row["memory_id"]],
                similarity=row["similarity"],
                bm25=row["bm25"],
                source_ids=memories[row["memory_id"]].parent_id,
                summarized=row["summarized"],
            )
            for row in rows
            if row["memory_id"] in memories
        ]
