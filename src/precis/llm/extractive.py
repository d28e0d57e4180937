"""The offline summarizer: statements are sentences of the items, chosen and made to stand alone. No key, no model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from precis.engine.ports import Aim, Draft, DraftStatement, Item, Request, TokenCounter
from precis.llm.aims import settled
from precis.llm.centrality import central
from precis.llm.conflicts import judge
from precis.llm.coverage import cover
from precis.llm.standalone import Candidate, candidates, rendered
from precis.llm.weights import weigh
from precis.llm.tokens import count as count_tokens

NAME = "extractive@1"
#: From how many items on the work leaves the event loop.
_LARGE = 40


class Extractive:
    """A ``Summarizer`` that needs nothing but the items."""

    name = NAME

    def __init__(self, count: TokenCounter = count_tokens) -> None:
        self._count = count

    async def summarize(self, request: Request) -> Draft:
        """One draft; the same request gives the same draft."""
        if len(request.items) < _LARGE:
            return summarize(request, self._count)
        return await asyncio.to_thread(summarize, request, self._count)


def summarize(request: Request, count: TokenCounter) -> Draft:
    """Choose statements worth at most ``max_tokens`` when assembled."""
    weights = weigh(item.text for item in request.items)
    aim = settled(request.aim, request.items, weights)
    found = candidates(request.items, judge(request.items), whole=aim is Aim.OPINION)
    budget = _Budget(found, request.max_tokens, count)
    chosen = central(found, budget.take) if aim is Aim.OPINION else cover(found, weights, budget.take)
    statements = [(rendered(group), group) for group in _grouped(found, sorted(chosen))]
    while statements and count(" ".join(text for text, _ in statements)) > request.max_tokens:
        statements.pop()
    return Draft(
        statements=tuple(
            DraftStatement(
                text=text,
                importance=0.5,
                sources=tuple(dict.fromkeys(source for one in group for source in one.sources)),
            )
            for text, group in statements
        ),
        made_by=NAME,
    )


class _Budget:
    def __init__(self, found: Sequence[Candidate], limit: int, count: TokenCounter) -> None:
        self._found, self._left, self._count = found, limit, count
        self._opened: set[int] = set()

    def take(self, together: Sequence[int]) -> bool:
        """Book the candidates if their tokens are left."""
        opened = self._found[together[0]].item in self._opened
        said = " ".join(self._found[index].text for index in together)
        cost = self._count(f" {said}" if opened else f" {self._found[together[0]].lead}{said}")
        if cost > self._left:
            return False
        self._left -= cost
        self._opened.add(self._found[together[0]].item)
        return True


def _grouped(found: Sequence[Candidate], chosen: Sequence[int]) -> list[list[Candidate]]:
    groups: dict[int, list[Candidate]] = {}
    for index in chosen:
        groups.setdefault(found[index].item, []).append(found[index])
    return list(groups.values())
