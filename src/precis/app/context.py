"""app.context: what an agent reads before it answers, within a token budget."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from precis.app.assembling.bound import (
    is_with_agent,
    memory_pieces,
    newer_values,
    relevant_rows,
    renewed_by,
    scopes_with_agent,
)
from precis.app.assembling.standing import LOOKED_AT, asks_standing, is_of_user, standing_pieces, tokens_for_standing
from precis.app.assembling.stating import Statements
from precis.app.parts import Parts, rows_looked_at
from precis.app.recall import Recall, Recalled, is_unsure
from precis.errors import InvalidInput
from precis.language.words import content
from precis.recall.assembly import Context, Piece, Quotas, Section, assemble
from precis.recall.headings import Headings
from precis.recall.newer.signs import asks_how_it_was
from precis.recall.question import read_question
from precis.recall.speakers import not_looked_for
from precis.store.filtering import Filter

#: Rows that recall is asked for.
_ROWS = 100
#: Where so many rows were recalled there may be more: so many are looked at that are like so many of the first, by so
#: many characters of the text of each.
_MANY, _BEYOND, _ALIKE, _LOOKED_FOR = 60, 20, 2, 300
#: A token budget.
FEWEST_TOKENS, MOST_TOKENS = 50, 200_000
#: Where the caller names none: of the API and the command line, and of an agent's context.
TOKENS, TOKENS_OF_AGENTS = 1_000, 800


class Contexts:
    """The verb that assembles a context."""

    def __init__(self, parts: Parts, recall: Recall) -> None:
        self._parts = parts
        self._recall = recall
        self._statements = Statements(parts)

    async def assemble(
        self,
        query: str,
        *,
        token_budget: int,
        quotas: Quotas | None = None,
        min_relevance: float | None = None,
        known: Collection[str] = (),
        **fields: Any,
    ) -> Context:
        """The best lines that fit, counted by the tokenizer of the model in use; ``fields`` are those of Filter.

        It holds nothing whose relevance, 0..1, is below ``min_relevance``: where nothing is relevant it is empty. None
        stands for a low bound that keeps what may matter; 0 for no bound. Where nothing is surely relevant, it is
        ``unsure`` and says so. Of the memories ``known`` by their ids the reader has the text already. Raises
        InvalidInput.
        """
        context, _ = await self.explain(
            query, token_budget=token_budget, quotas=quotas, min_relevance=min_relevance, known=known, **fields
        )
        return context

    async def explain(
        self,
        query: str,
        *,
        token_budget: int,
        quotas: Quotas | None = None,
        min_relevance: float | None = None,
        known: Collection[str] = (),
        **fields: Any,
    ) -> tuple[Context, Sequence[Recalled]]:
        """The same, and the rows that recall found for it, best first. Raises InvalidInput."""
        if not FEWEST_TOKENS <= token_budget <= MOST_TOKENS:
            message = f"token_budget: {token_budget} is not within {FEWEST_TOKENS} to {MOST_TOKENS}"
            raise InvalidInput(message, field="token_budget")
        asked = await self._recalled(query, min_relevance, fields, known, of_standing=tokens_for_standing(token_budget))
        count = self._parts.engine.count
        headings = Headings.of(query, [piece.text for piece in asked.pieces])
        above = f"{headings.unsure}\n" if asked.unsure else ""
        bounds: dict[str, Any] = {"budget": token_budget - (count(above) if above else 0), "quotas": quotas}
        # It takes longer than others may wait who are answered beside it.
        context = await asyncio.to_thread(
            assemble, asked.pieces, count=count, query=query, own=asked.own, headings=headings, **bounds
        )
        if asked.unsure:
            text = f"{above}{context.text}" if context.text else ""
            context = replace(context, unsure=True, text=text, tokens=count(text) if text else 0)
        below, results = asked.below, asked.results
        left_out = {**context.left_out, Section.MEMORIES: context.left_out[Section.MEMORIES] + below}
        return replace(context, left_out=left_out), results

    async def pieces(self, query: str, *, min_relevance: float | None = None, **fields: Any) -> list[Piece]:
        """Every line that a context for this question could have."""
        return (await self._recalled(query, min_relevance, fields)).pieces

    async def _recalled(
        self, query: str, min_relevance: float | None, fields: Mapping[str, Any], known: Collection[str] = (), *,
        of_standing: float = math.inf,
    ) -> _Gathered:  # fmt: skip
        """What was found for a question; what holds of every answer takes so many tokens."""
        filter_ = rows_looked_at(self._parts.settings, **fields)
        hits = await self._recall.search(query, limit=_ROWS, filter_=filter_)
        results = [hit for hit in hits if hit.memory.id not in known]
        with_agent = scopes_with_agent(results)
        relevant = relevant_rows(results, min_relevance, with_agent)
        is_over = asks_how_it_was(query)
        looks_on = min_relevance is None and len(hits) >= _MANY and not is_over
        beyond = await self._beyond(relevant, filter_, known) if looks_on else []
        by_agent = {hit.memory.id for hit in [*results, *beyond] if is_with_agent(hit, with_agent)}
        renewing = newer_values([*results, *beyond] if min_relevance is None else relevant, relevant, by_agent)
        kept = {hit.memory.id for hit in relevant} | renewing.keys()
        relevant = [hit for hit in results if hit.memory.id in kept]
        question = read_question(query, user_id=filter_.user_id)
        own = not_looked_for(question, [content(row.text) for row in memory_pieces(hits)])
        question = replace(question, terms=tuple(term for term in question.terms if term not in own))
        statements = await self._statements.pieces(question, relevant, filter_, bounded=bool(min_relevance))
        pieces = [*statements, *memory_pieces(relevant)]
        if min_relevance is None and (not relevant or any(is_of_user(hit) for hit in results)):
            told = await self._recall.search(
                asks_standing(query), limit=LOOKED_AT, summaries="without", filter_=filter_
            )
            standing = standing_pieces(told, of_standing, self._parts.engine.count)
            # Where nothing is known, what holds of every answer holds all the same.
            pieces += [piece for piece in standing if relevant or piece.is_lasting]
        there = {piece.id for piece in pieces}
        pieces += [
            replace(piece, score=0.0, relevance=0.0)
            for piece in memory_pieces(beyond)
            if piece.id in renewing and piece.id not in there
        ]
        pieces = [replace(piece, renews=renewed_by(piece, renewing, by_agent)) for piece in pieces]
        below = len(memory_pieces(results)) - len(memory_pieces(relevant))
        return _Gathered(pieces, results, below, own, is_unsure(hits))

    async def _beyond(self, relevant: Sequence[Recalled], filter_: Filter, known: Collection[str]) -> list[Recalled]:
        """Rows like the best of these, which may have no word of the question and give a newer value."""
        texts = [hit.memory.text[:_LOOKED_FOR] for hit in relevant if hit.memory.text and not hit.memory.is_summary]
        if not texts:
            return []
        like = "\n".join(texts[:_ALIKE])
        hits = await self._recall.search(like, limit=_BEYOND, summaries="without", filter_=filter_)
        return [hit for hit in hits if hit.memory.id not in known]


class _Gathered(NamedTuple):
    """The lines that a context could have, what recall found, and how many memories of that are not relevant enough."""

    pieces: list[Piece]
    results: Sequence[Recalled]
    below: int
    #: Stems of the question that name whose memory it is and are not looked for.
    own: frozenset[str]
    #: None of what recall found is surely relevant.
    unsure: bool
