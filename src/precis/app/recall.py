"""app.recall: find what matters for a question, raw rows and summaries together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from precis.app.parts import Parts
from precis.errors import InvalidInput
from precis.memory import Memory
from precis.recall.ranking import Figures, Score, rank
from precis.store.ports import Filter, Hit

SummariesMode = Literal["with", "only", "without"]
#: Candidates each arm brings, at least.
_BREADTH = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One row of an answer, best first."""

    memory: Memory
    score: Score
    #: For a summary: its direct sources, to expand.
    source_ids: tuple[str, ...] = ()
    #: Those rows, when the caller asked to expand.
    sources: tuple[Memory, ...] = ()


class Recall:
    """Verbs over everything a tenant remembers."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def search(
        self, query: str, *, limit: int = 10, expand: bool = False, summaries: SummariesMode = "with", **fields: Any
    ) -> list[Result]:
        """The best rows for a query in the scope the fields of Filter give.

        ``summaries``: ``with`` mixes them in, ``without`` leaves them out, ``only`` answers summaries, and raw rows
        where no summary stands. A summary never lowers its sources' score.
        """
        if not query.strip():
            raise InvalidInput("query: it is empty; say what to look for", field="query")
        if "\0" in query:
            raise InvalidInput("query: it holds a null character, which is not valid text", field="query")
        if not 1 <= limit <= 100:
            raise InvalidInput(f"limit: {limit} is not within 1 to 100", field="limit")
        hits = {hit.memory.id: hit for hit in await self._hits(query, summaries, limit, fields)}
        scores = rank([_figures(hit) for hit in hits.values()], now=self._parts.engine.clock())[:limit]
        chosen = [hits[score.id] for score in scores]
        sources = await self._sources(chosen) if expand else {}
        return [
            Result(
                memory=hit.memory,
                score=score,
                source_ids=hit.source_ids,
                sources=tuple(sources[id_] for id_ in hit.source_ids if id_ in sources),
            )
            for hit, score in zip(chosen, scores, strict=True)
        ]

    async def _hits(self, query: str, mode: SummariesMode, limit: int, fields: dict[str, Any]) -> Sequence[Hit]:
        engine = self._parts.engine
        vector = np.asarray((await engine.embedder.embed([query]))[0], dtype=np.float32)
        hits = await self._parts.store.search.search(
            self._parts.tenant_id,
            Filter(**fields, is_summary=False if mode == "without" else None),
            query=query,
            vector=vector,
            embedding_version=engine.embedder.version,
            limit=max(_BREADTH, 3 * limit),
        )
        if mode == "only":
            return [hit for hit in hits if hit.memory.is_summary or not hit.summarized]
        return hits

    async def _sources(self, chosen: Sequence[Hit]) -> dict[str, Memory]:
        ids = list(dict.fromkeys(id_ for hit in chosen for id_ in hit.source_ids))
        return dict(await self._parts.store.memories.get(self._parts.tenant_id, ids))


def _figures(hit: Hit) -> Figures:
    return Figures(
        id=hit.memory.id,
        similarity=hit.similarity,
        bm25=hit.bm25,
        importance=hit.memory.importance,
        created_at=hit.memory.updated_at if hit.memory.is_summary else hit.memory.created_at,
    )
