"""app.context: what an agent reads before it answers, within a token budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from precis.app.parts import Parts
from precis.app.recall import Recall, Result
from precis.errors import InvalidInput
from precis.lineage import Statement
from precis.memory import Memory, RetentionState, Tier
from precis.recall.assembly import Context, Piece, Quotas, Section, assemble
from precis.recall.question import read_question
from precis.store.ports import Filter
from precis.summary import Summary
from precis.words import content

#: Rows that recall is asked for.
_ROWS = 100
#: Summaries of each period that insights are taken from, the newest first.
_PERIODS = 6
#: Without a word of the question a statement that rests on no row that was found is worth this share of its summary.
_ALONE = 0.25
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
        asked = frozenset(read_question(query).terms)
        said = [*await self._insights(asked, Filter(**fields)), *await self._statements(asked, results)]
        return [*await self._dated(said, results), *_memories(results)]

    async def _statements(self, asked: frozenset[str], results: Sequence[Result]) -> list[_Said]:
        """What current summaries say: of the rows that were found, and what summaries that were found say besides.

        A statement is as good as the best row it rests on. Where none of these was found it is as good as its summary,
        in so far as it holds the words of the question; then it may be all that is left, so its summary need not be
        current.
        """
        scores = {one.memory.id: one.score.total for one in results}
        over = await self._parts.store.search.over(
            self._parts.tenant_id, [one.memory.id for one in results if not one.memory.is_summary]
        )
        hits = [one.memory.id for one in results if one.memory.is_summary]
        found = await self._parts.store.summaries.get(self._parts.tenant_id, list(dict.fromkeys([*over, *hits])))
        resting, alone = [], []
        for summary in found.values():
            for statement in _served(summary):
                best = [scores[source] for source in statement.source_ids if source in scores]
                if best and not summary.stale:
                    resting.append(_Said(Section.SUMMARIES, summary, statement, max(best)))
                elif not best and summary.id in scores:
                    share = _ALONE + (1 - _ALONE) * _held(asked, statement)
                    alone.append(_Said(Section.SUMMARIES, summary, statement, scores[summary.id] * share))
        return [*resting, *sorted(alone, key=lambda one: -one.score)[:_ROWS]]

    async def _insights(self, asked: frozenset[str], chosen: Filter) -> list[_Said]:
        """Important statements of the newest weeks and months that have to do with the question, the closest first."""
        store, least = self._parts.store.summaries, self._parts.settings.rollups_min_importance
        pages = [
            await store.list(self._parts.tenant_id, chosen, policy=tier.value, limit=_PERIODS, cursor=None)
            for tier in (Tier.WEEK, Tier.MONTH)
        ]
        return [
            _Said(Section.INSIGHTS, summary, statement, _held(asked, statement) + statement.importance)
            for page in pages
            for summary in page.rows
            for statement in _served(summary)
            if statement.importance >= least and _held(asked, statement) > 0
        ]

    async def _dated(self, said: Sequence[_Said], results: Sequence[Result]) -> list[Piece]:
        """Statements as pieces, each of the day of the newest memory it rests on, expired or not.

        What rests on rows that were not found speaks for those that have expired; of the others recall has said that
        they do not matter.
        """
        rows = {one.memory.id: one.memory for one in results}
        alone = [one.statement for one in said if rows.keys().isdisjoint(one.statement.source_ids)]
        unknown = {id_ for statement in alone for id_ in statement.source_ids}
        rows |= await self._parts.store.memories.get(self._parts.tenant_id, sorted(unknown))

        def newest(one: _Said) -> datetime:
            known = [_when(rows[id_]) for id_ in one.statement.source_ids if id_ in rows]
            return max(known, default=one.summary.updated_at)

        def wanted(one: _Said) -> bool:
            there = [rows[id_] for id_ in one.statement.source_ids if id_ in unknown and id_ in rows]
            gone = any(row.retention_state is RetentionState.EXPIRED for row in there)
            return one.section is Section.INSIGHTS or gone or not there

        return [
            Piece(
                section=one.section,
                id=one.summary.id,
                text=one.statement.text,
                created_at=newest(one),
                source_ids=one.statement.source_ids,
                score=one.score,
                tier=one.summary.tier,
            )
            for one in said
            if wanted(one)
        ]


class _Said(NamedTuple):
    """A statement that a context could have, and where it is from."""

    section: Section
    summary: Summary
    statement: Statement
    score: float


def _held(asked: frozenset[str], statement: Statement) -> float:
    """The share of the question's words that a statement holds."""
    return len(asked & content(statement.text)) / max(1, len(asked))


def _when(memory: Memory) -> datetime:
    return memory.event_date or memory.created_at


def _served(summary: Summary) -> Iterable[Statement]:
    return (said for said in summary.statements if said.superseded_by is None)


def _memories(results: Sequence[Result]) -> list[Piece]:
    return [
        Piece(
            section=Section.MEMORIES,
            id=one.memory.id,
            text=one.memory.text,
            created_at=_when(one.memory),
            source_ids=(one.memory.id,),
            score=one.score.total,
            speaker=one.memory.speaker,
        )
        for one in results
        if not one.memory.is_summary and one.memory.text
    ]
