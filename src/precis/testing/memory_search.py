"""Search in memory: cosine similarity and BM25 over one scope."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from precis.language.words import index_terms
from precis.memory import Memory
from precis.recall.question import spoken_names
from precis.recall.ranking import K1, B, Candidate, Pool
from precis.store.ports import Asked, Choose, Filter, Hit, Vector
from precis.testing.memory_paging import matches
from precis.testing.memory_rows import Rows, TenantRows, memory_of


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
            rows = [(m, v) for m, v in readable(self._rows.of(tenant_id)) if matches(m, chosen)]
        words = bm25(query, {memory.id: memory.text or "" for memory, _ in rows})
        near = {m.id: cosine(vector, v) if m.embedding_version == embedding_version else None for m, v in rows}
        nearest = sorted((id_ for id_, at in near.items() if at is not None), key=lambda id_: (-(near[id_] or 0), id_))
        wordiest = sorted((id_ for id_, score in words.items() if score > 0), key=lambda id_: (-words[id_], id_))
        found = {memory.id: memory for memory, _ in rows}
        return [
            Hit(memory=found[id_], similarity=near[id_], bm25=words[id_])
            for id_ in dict.fromkeys([*nearest[:limit], *wordiest[:limit]])
        ]

    async def read(self, tenant_id: str, chosen: Filter, asked: Asked, choose: Choose) -> Mapping[str, Memory]:
        """The rows that are chosen of the candidates, or named by id."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            everything = {m.id: m for m, _ in readable(tenant)}
            scope = [(m, v) for m, v in readable(tenant) if matches(m, chosen)]
            found = _pool(tenant, scope, everything, asked, summaries=chosen.is_summary is True)
            stubs = {id_: row.memory for id_, row in tenant.memories.items()}
            return {id_: (stubs | everything)[id_] for id_ in choose(found) if id_ in stubs or id_ in everything}

    async def over(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Ids of the summaries that stand over these rows."""
        async with self._rows.lock:
            standing = self._rows.of(tenant_id).summarized()
            return sorted(summary.root.id for group, summary in standing if set(ids) & group.members.keys())


def _pool(
    tenant: TenantRows,
    scope: Sequence[tuple[Memory, Vector | None]],
    everything: Mapping[str, Memory],
    asked: Asked,
    *,
    summaries: bool,
) -> Pool:
    """Both arms, raw rows and summaries apart, and their neighbors."""
    counted = {m.id: Counter(index_terms(m.text or "")) for m, _ in scope}
    standing = [counted[m.id] for m, _ in scope if m.is_summary is summaries]
    holding = tuple(float(sum(term in count for count in standing)) for term in asked.question.terms)
    mean = max(1.0, sum(count.total() for count in standing) / max(1, len(standing)))
    near = {m.id: cosine(asked.vector, v) if m.embedding_version == asked.embedding_version else None for m, v in scope}
    words = _bm25(asked.question.terms, counted, len(standing), holding, mean)
    chosen: set[str] = set()
    for kind in (False, True):
        ids = [m.id for m, _ in scope if m.is_summary is kind and not (asked.only and _summarized(m, everything))]
        chosen.update(_best({i: near[i] for i in ids}, asked.breadth))
        chosen.update(_best({i: words[i] or None for i in ids}, asked.breadth))
    runs = [_run(everything, id_) for id_ in chosen]
    rows = {m.id: m for m, _ in scope if m.id in chosen or any(m.id in run for run in runs)}
    links = [pair for run in runs for pair in pairwise(run) if pair[0] in rows and pair[1] in rows]
    return Pool(
        rows={id_: _candidate(tenant, m, asked, counted[id_], near[id_], everything) for id_, m in rows.items()},
        before={after: before for before, after in links},
        after=dict(links),
        documents=float(len(standing)),
        holding=holding,
        mean_length=mean,
    )


def _best(figures: Mapping[str, float | None], limit: int) -> list[str]:
    known = [(-figure, id_) for id_, figure in figures.items() if figure is not None]
    return [id_ for _, id_ in sorted(known)[:limit]]


def _run(everything: Mapping[str, Memory], id_: str) -> list[str]:
    """The row between its neighbors, in order."""
    row = everything[id_]
    if row.session_id is None or row.is_summary:
        return [id_]
    place = (row.session_id, row.scope, row.namespace)
    session = sorted(
        (m.created_at, m.id)
        for m in everything.values()
        if not m.is_summary and (m.session_id, m.scope, m.namespace) == place
    )
    at = session.index((row.created_at, id_))
    return [other for _, other in session[max(0, at - 1) : at + 2]]


def _candidate(
    tenant: TenantRows,
    row: Memory,
    asked: Asked,
    count: Counter[str],
    similarity: float | None,
    everything: Mapping[str, Memory],
) -> Candidate:
    stub = tenant.memories.get(row.id)
    person = stub.person if stub else None
    names = spoken_names(row.speaker or person) if stub else ()
    newest = tenant.memories.get(row.parent_id[-1]) if row.is_summary and row.parent_id else None
    return Candidate(
        id=row.id,
        similarity=similarity,
        frequencies=tuple(count[term] for term in asked.question.terms),
        length=count.total(),
        importance=row.importance,
        created_at=row.created_at,
        is_summary=row.is_summary,
        spoken=bool(set(names) & set(asked.question.names)),
        subject=_subject(row, person),
        event_date=row.event_date,
        sources=row.parent_id if row.is_summary else (),
        newest_source_at=newest.memory.created_at if newest else None,
        summarized=asked.only and _summarized(row, everything),
    )


def _summarized(row: Memory, everything: Mapping[str, Memory]) -> bool:
    """Whether a summary of its user has read this raw row."""
    return not row.is_summary and any(
        row.id in one.parent_id for one in everything.values() if one.scope.user_id == row.scope.user_id
    )


def _subject(row: Memory, person: str | None) -> tuple[object, ...] | None:
    key = row.extracted_key
    return None if key is None else (row.scope.user_id, row.extracted_type, key, person)


def bm25(query: str, texts: Mapping[str, str]) -> dict[str, float]:
    """The BM25 score of each text, by its key; 0 where no word of the query is in it."""
    counts = {key: Counter(index_terms(text)) for key, text in texts.items()}
    asked = tuple(dict.fromkeys(index_terms(query)))
    holding = [float(sum(term in count for count in counts.values())) for term in asked]
    mean = max(1.0, sum(count.total() for count in counts.values()) / max(1, len(counts)))
    return _bm25(asked, counts, len(counts), holding, mean)


def _bm25(
    asked: Sequence[str], counted: Mapping[str, Counter[str]], documents: int, holding: Iterable[float], mean: float
) -> dict[str, float]:
    rarity = [math.log(1 + (documents - n + 0.5) / (n + 0.5)) for n in holding]

    def score(count: Counter[str]) -> float:
        damping = K1 * (1 - B + B * count.total() / mean)
        pairs = zip(asked, rarity, strict=True)
        return sum(weight * count[t] * (K1 + 1) / (count[t] + damping) for t, weight in pairs if count[t])

    return {id_: score(count) for id_, count in counted.items()}


def readable(tenant: TenantRows) -> list[tuple[Memory, Vector | None]]:
    """Rows with a text, summaries included."""
    raw = [(row.memory, row.vector) for row in tenant.memories.values() if row.live]
    return [*raw, *((memory_of(group, summary), summary.vector) for group, summary in tenant.summarized())]


def cosine(one: Vector | None, other: Vector | None) -> float | None:
    """None where either has no direction."""
    if one is None or other is None or not one.any() or not other.any():
        return None
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
