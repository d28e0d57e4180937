"""app.context: what an agent reads before it answers, within a token budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from precis.app.parts import Parts
from precis.app.recall import Recall, Result
from precis.errors import InvalidInput
from precis.lineage import Statement
from precis.memory import Tier
from precis.recall.assembly import Context, Piece, Quotas, Section, assemble
from precis.recall.question import read_question
from precis.store.ports import Filter
from precis.summary import Summary
from precis.words import content

#: Rows that recall is asked for.
_ROWS = 100
#: Summaries of each period that insights are taken from, the newest first.
_PERIODS = 6
MOST_TOKENS = 200_000


class Contexts:
    """The verb that assembles a context."""

    def __init__(self, parts: Parts, recall: Recall) -> None:
        self._parts = parts
        self._recall = recall

    async def assemble(self, query: str, *, token_budget: int, quotas: Quotas | None = None, **fields: Any) -> Context:
        """The best lines that fit, counted by the tokenizer of the model in use; ``fields`` are those of Filter.

        Raises InvalidInput.
        """
        if not 50 <= token_budget <= MOST_TOKENS:
            message = f"token_budget: {token_budget} is not within 50 to {MOST_TOKENS}"
            raise InvalidInput(message, field="token_budget")
        pieces = await self.pieces(query, **fields)
        return assemble(pieces, budget=token_budget, count=self._parts.engine.count, quotas=quotas)

    async def pieces(self, query: str, **fields: Any) -> list[Piece]:
        """Every line that a context for this question could have."""
        results = await self._recall.search(query, limit=_ROWS, **fields)
        return [*await self._insights(query, Filter(**fields)), *await self._statements(results), *_memories(results)]

    async def _statements(self, results: Sequence[Result]) -> list[Piece]:
        """What current summaries say of the rows, each statement as good as the best row it rests on."""
        rows = [one.memory.id for one in results if not one.memory.is_summary]
        ids = await self._parts.store.search.over(self._parts.tenant_id, rows)
        scores = {one.memory.id: one.score.total for one in results}
        found = await self._parts.store.summaries.get(self._parts.tenant_id, ids)
        return [
            Piece(
                section=Section.SUMMARIES,
                id=summary.id,
                text=said.text,
                created_at=summary.updated_at,
                source_ids=said.source_ids,
                score=max((scores.get(source, 0.0) for source in said.source_ids), default=0.0),
            )
            for summary in found.values()
            if not summary.stale
            for said in _served(summary)
            if scores.keys() & set(said.source_ids)
        ]

    async def _insights(self, query: str, chosen: Filter) -> list[Piece]:
        """Important statements of the newest weeks and months that have to do with the question, the closest first."""
        asked = frozenset(read_question(query).terms)
        store, least = self._parts.store.summaries, self._parts.settings.rollups_min_importance
        pages = [
            await store.list(self._parts.tenant_id, chosen, policy=tier.value, limit=_PERIODS, cursor=None)
            for tier in (Tier.WEEK, Tier.MONTH)
        ]
        return [
            Piece(
                section=Section.INSIGHTS,
                id=summary.id,
                text=said.text,
                created_at=summary.updated_at,
                source_ids=said.source_ids,
                score=len(asked & content(said.text)) / len(asked) + said.importance,
            )
            for page in pages
            for summary in page.rows
            for said in _served(summary)
            if said.importance >= least and asked & content(said.text)
        ]


def _served(summary: Summary) -> Iterable[Statement]:
    return (said for said in summary.statements if said.superseded_by is None)


def _memories(results: Sequence[Result]) -> list[Piece]:
    return [
        Piece(
            section=Section.MEMORIES,
            id=one.memory.id,
            text=one.memory.text,
            created_at=one.memory.event_date or one.memory.created_at,
            source_ids=(one.memory.id,),
            score=one.score.total,
            speaker=one.memory.speaker,
        )
        for one in results
        if not one.memory.is_summary and one.memory.text
    ]
