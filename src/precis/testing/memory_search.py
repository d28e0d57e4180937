"""Search in memory: cosine similarity and BM25 over one scope."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from precis.memory import Memory
from precis.store.ports import Filter, Hit, Vector
from precis.testing.memory_paging import matches
from precis.testing.memory_rows import Rows, TenantRows, memory_of
from precis.words import terms

#: How soon a repeated word stops counting, and how much a long text is held back (Robertson and Zaragoza 2009).
K1, B = 1.5, 0.75


class MemorySearch:
    """Implements ``precis.store.ports.Search``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

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
        """The union of both arms, nearest first."""
        async with self._rows.lock:
            rows = [(m, v) for m, v in _readable(self._rows.of(tenant_id)) if matches(m, chosen)]
        words = bm25(query, {memory.id: memory.text or "" for memory, _ in rows})
        near = {m.id: _cosine(vector, v) if m.embedding_version == embedding_version else None for m, v in rows}
        nearest = sorted((id_ for id_, at in near.items() if at is not None), key=lambda id_: (-(near[id_] or 0), id_))
        wordiest = sorted((id_ for id_, score in words.items() if score > 0), key=lambda id_: (-words[id_], id_))
        found = {memory.id: memory for memory, _ in rows}
        return [
            Hit(memory=found[id_], similarity=near[id_], bm25=words[id_], source_ids=found[id_].parent_id)
            for id_ in dict.fromkeys([*nearest[:limit], *wordiest[:limit]])
        ]


def bm25(query: str, texts: Mapping[str, str]) -> dict[str, float]:
    """The BM25 score of each text, by its key; 0 where no word of the query is in it."""
    counts = {key: Counter(terms(text)) for key, text in texts.items()}
    asked = set(terms(query))
    frequency = Counter(term for count in counts.values() for term in asked & count.keys())
    average = max(1.0, sum(count.total() for count in counts.values()) / max(1, len(counts)))
    rarity = {t: math.log(1 + (len(counts) - n + 0.5) / (n + 0.5)) for t, n in frequency.items()}

    def score(count: Counter[str]) -> float:
        damping = K1 * (1 - B + B * count.total() / average)
        return sum(rarity[t] * count[t] * (K1 + 1) / (count[t] + damping) for t in asked & count.keys())

    return {key: score(count) for key, count in counts.items()}


def _readable(tenant: TenantRows) -> list[tuple[Memory, Vector | None]]:
    """Rows with a text, summaries included."""
    raw = [(row.memory, row.vector) for row in tenant.memories.values() if row.live]
    return [*raw, *((memory_of(group, summary), summary.vector) for group, summary in tenant.summarized())]


def _cosine(one: Vector | None, other: Vector | None) -> float | None:
    """None where either has no direction."""
    if one is None or other is None or not one.any() or not other.any():
        return None
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
