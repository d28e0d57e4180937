"""Long-term memory as the wire reads it, in memory: pages by offset, counts, second ids, and when rows were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from precis.memory import Memory
from precis.store.ports import Filter, Vector, twin_key
from precis.testing.memory_paging import matches
from precis.testing.memory_rows import Rows, TenantRows, keyed_terms
from precis.testing.memory_search import cosine, readable


class MemoryLongTerm:
    """Implements ``precis.store.ports.LongTerm``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def page(
        self, tenant_id: str, chosen: Filter, *, limit: int, offset: int, oldest_first: bool = False
    ) -> Sequence[Memory]:
        """The rows from ``offset`` on."""
        async with self._rows.lock:
            rows = [memory for memory, _ in _chosen(self._rows.of(tenant_id), chosen)]
        rows.sort(key=lambda memory: (memory.created_at, memory.id), reverse=not oldest_first)
        return rows[offset : offset + limit]

    async def count(self, tenant_id: str, chosen: Filter) -> int:
        """How many there are."""
        async with self._rows.lock:
            return len(_chosen(self._rows.of(tenant_id), chosen))

    async def count_matches(
        self, tenant_id: str, chosen: Filter, *, words: str, vector: Vector | None, embedding_version: str,
        distance: float | None,
    ) -> int:  # fmt: skip
        """How many lie within the distance of the vector, or hold one of the words."""
        async with self._rows.lock:
            rows = _chosen(self._rows.of(tenant_id), chosen)
        asked = keyed_terms([words])

        def near(memory: Memory, there: Vector | None) -> bool:
            at = cosine(vector, there) if memory.embedding_version == embedding_version else None
            return at is not None and (distance is None or 1 - at <= distance)

        return sum(bool(asked & keyed_terms([m.text or ""])) or near(m, v) for m, v in rows)

    async def accessed(self, tenant_id: str, ids: Collection[str], *, now: datetime, before: datetime) -> None:
        """One more reading of those last read before."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            for id_ in tenant.memories.keys() & set(ids):
                row = tenant.memories[id_]
                if row.memory.last_accessed is None or row.memory.last_accessed <= before:
                    count = row.memory.access_count + 1
                    row.memory = replace(row.memory, last_accessed=now, access_count=count)

    async def accessed_at(self, tenant_id: str, moments: Mapping[str, datetime]) -> None:
        """A later reading stays."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            for id_ in tenant.memories.keys() & moments.keys():
                row = tenant.memories[id_]
                if row.memory.last_accessed is None or row.memory.last_accessed < moments[id_]:
                    row.memory = replace(row.memory, last_accessed=moments[id_])

    async def same_text(self, tenant_id: str, memories: Sequence[Memory]) -> Mapping[str, str]:
        """Which of these stand already."""
        async with self._rows.lock:
            rows = _chosen(self._rows.of(tenant_id), Filter(is_summary=False))
        standing = {twin_key(m): m.id for m, _ in sorted(rows, key=lambda row: _age(row[0]), reverse=True)}
        return {one.id: standing[twin_key(one)] for one in memories if twin_key(one) in standing}

    async def repeated(self, tenant_id: str, chosen: Filter) -> Sequence[Sequence[str]]:
        """Those that say the same."""
        async with self._rows.lock:
            rows = _chosen(self._rows.of(tenant_id), replace(chosen, is_summary=False))
        twins: dict[tuple[object, ...], list[str]] = defaultdict(list)
        for memory, _ in sorted(rows, key=lambda row: _age(row[0])):
            twins[twin_key(memory)].append(memory.id)
        return [ids for ids in twins.values() if len(ids) > 1]

    async def alias(self, tenant_id: str, aliases: Mapping[str, str], *, now: datetime) -> None:
        """More ids for memories."""
        del now
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            for alias_id, memory_id in aliases.items():
                moved = [one for one, named in tenant.aliases.items() if named == alias_id]
                tenant.aliases |= dict.fromkeys([alias_id, *moved], memory_id)

    async def unalias(self, tenant_id: str, ids: Collection[str]) -> None:
        """These ids are free again."""
        async with self._rows.lock:
            for id_ in ids:
                self._rows.of(tenant_id).aliases.pop(id_, None)

    async def resolve(self, tenant_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """Which memories these aliases name."""
        async with self._rows.lock:
            aliases = self._rows.of(tenant_id).aliases
            return {id_: aliases[id_] for id_ in ids if id_ in aliases}

    async def forgotten(self, tenant_id: str, ids: Collection[str]) -> Collection[str]:
        """Which of these ids a person forgot."""
        async with self._rows.lock:
            return self._rows.of(tenant_id).tombstones.intersection(ids)


def _chosen(tenant: TenantRows, chosen: Filter) -> list[tuple[Memory, Vector | None]]:
    return [(memory, vector) for memory, vector in readable(tenant) if matches(memory, chosen)]


def _age(memory: Memory) -> tuple[datetime, str]:
    return memory.created_at, memory.id
