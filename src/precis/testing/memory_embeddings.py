"""Vectors of another embedder, in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.store.ports import Outdated, Vector
from precis.testing.memory_nodes import GroupRow, SummaryRow
from precis.testing.memory_rows import Rows, TenantRows, memory_of


class MemoryEmbeddings:
    """Implements ``precis.store.ports.Embeddings``; centroids are the means of the living whenever they are read."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def versions(self, tenant_id: str) -> Mapping[str, int]:
        """Rows by the embedder that read them."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            raw = [row.memory.embedding_version for row in tenant.memories.values()]
            derived = [one.embedding_version for _, one in tenant.summarized()]
            return Counter(version for version in (*raw, *derived) if version is not None)

    async def outdated(self, tenant_id: str, version: str, *, after: str, limit: int) -> Sequence[Outdated]:
        """Rows that another embedder read, by id."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            found = [*_raw(tenant, version), *_derived(tenant, version)]
            return sorted((row for row in found if row.id > after), key=lambda row: row.id)[:limit]

    async def renew(self, tenant_id: str, version: str, rows: Sequence[tuple[Outdated, Vector]]) -> int:
        """Put the vectors in place."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            there = {one.id: one for one in (*_raw(tenant, version), *_derived(tenant, version))}
            able = [(row, vector) for row, vector in rows if there.get(row.id) == row]
            for row, vector in able:
                raw = tenant.memories.get(row.id)
                if raw is not None:
                    raw.memory, raw.vector = replace(raw.memory, embedding_version=version), vector
                    continue
                found = tenant.summary(row.id)
                if found is not None:
                    found[1].vector, found[1].embedding_version = vector, version
            return len(able)


def _raw(tenant: TenantRows, version: str) -> list[Outdated]:
    return [
        Outdated(
            id=row.memory.id, text=row.memory.text or "", fingerprint=row.memory.fingerprint,
            updated_at=row.memory.updated_at,
        )
        for row in tenant.memories.values()
        if row.live and row.memory.embedding_version not in (None, version)
    ]  # fmt: skip


def _derived(tenant: TenantRows, version: str) -> list[Outdated]:
    def of(group: GroupRow, row: SummaryRow) -> Outdated:
        memory = memory_of(group, row)
        return Outdated(
            id=memory.id, text=memory.text or "", fingerprint=memory.fingerprint, updated_at=memory.updated_at
        )

    return [of(group, row) for group, row in tenant.summarized() if row.embedding_version not in (None, version)]
