"""The offline summarizer: statements are sentences of the items, chosen and made to stand alone. No key, no model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.engine.checks.orders import spoiled_in
from precis.engine.checks.quoting import quotes
from precis.engine.ports import Aim, Draft, DraftStatement, Item, Request, TokenCounter
from precis.llm.aims import settled
from precis.llm.centrality import central
from precis.llm.conflicts import judge
from precis.llm.coverage import cover
from precis.llm.cuts import is_turned_by_cut
from precis.llm.standalone import Candidate, candidates, rendered
from precis.llm.tokens import count as count_tokens
from precis.llm.weights import weigh
from precis.sentences import is_question, sentences

NAME = "extractive@1"
#: Who speaks, written into the text: one or two capitalized words before a colon.
_SPOKEN = re.compile(r"([A-Z][\w'-]{0,30}(?: [A-Z][\w'-]{0,30})?): +(?=\S)")
#: From how many items on the work leaves the event loop.
_LARGE = 40
#: A statement that tells this much (the summed weight of its words) is of middle importance.
_MIDDLE = 20.0
#: What a question tells less.
_ASKS = 5.0
#: Words a statement must keep when even the shortest has to be cut.
_SHORTEST_CUT = 3


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
    """Choose statements worth at most ``max_tokens`` when assembled; the pure function behind the class."""
    items = tuple(_attributed(_obeyed_by_nobody(item)) for item in request.items)
    weights = weigh(item.text for item in items)
    aim = settled(request.aim, items, weights)
    verdict = judge(items)
    found = candidates(items, verdict, whole=aim is Aim.OPINION) or candidates(items, verdict, whole=True)
    budget = _Budget(found, request.max_tokens, count)
    chosen = central(found, budget.take) if aim is Aim.OPINION else cover(found, weights, budget.take)
    groups = _fitting([found[index] for index in chosen], request.max_tokens, count)
    texts = [(rendered(group), group) for group in groups] or _cut(found, request.max_tokens, count)
    statements = [_statement(text, group, items, weights) for text, group in texts]
    # Where nothing is worth choosing, what may tell something all the same is quoted: a question is in doubt kept.
    return Draft(statements=tuple(statements or quotes(items, (), room=request.max_tokens, count=count)), made_by=NAME)


def _obeyed_by_nobody(item: Item) -> Item:
    """An item without the sentences that an order to a model is in, or near."""
    spoiled = spoiled_in(item.text)
    if not spoiled:
        return item
    return replace(item, text=" ".join(said for at, said in enumerate(sentences(item.text)) if at not in spoiled))


def _attributed(item: Item) -> Item:
    """An item whose text opens with its speaker ("Ana: ...") as if that were told apart.

    Else a sentence from its middle would stand without the name, next to what somebody else said.
    """
    opening = None if item.derived or item.speaker else _SPOKEN.match(item.text)
    return item if opening is None else replace(item, speaker=opening[1], text=item.text[opening.end() :])


class _Budget:
    """Tokens that are left. An estimate by parts: the assembled text is counted once more at the end."""

    def __init__(self, found: Sequence[Candidate], limit: int, count: TokenCounter) -> None:
        self._found, self._left, self._count = found, limit, count
        self._opened: set[int] = set()

    def take(self, together: Sequence[int]) -> bool:
        """Book the candidates if their tokens are left."""
        first = self._found[together[0]]
        said = " ".join(self._found[index].text for index in together)
        cost = self._count(f" {said}" if first.item in self._opened else f" {first.lead}{said}")
        if cost > self._left:
            return False
        self._left -= cost
        self._opened.add(first.item)
        return True


def _fitting(chosen: Sequence[Candidate], limit: int, count: TokenCounter) -> list[list[Candidate]]:
    """The choice by item, oldest first, without the last ones chosen if the assembled text is over the limit."""
    kept = list(chosen)
    while kept:
        groups: dict[int, list[Candidate]] = {}
        for one in sorted(kept, key=lambda one: (one.item, one.sentence, one.clause)):
            groups.setdefault(one.item, []).append(one)
        if count(" ".join(map(rendered, groups.values()))) <= limit:
            return list(groups.values())
        kept.pop()
    return []


def _cut(found: Sequence[Candidate], limit: int, count: TokenCounter) -> list[tuple[str, list[Candidate]]]:
    """The beginning of the shortest candidate, where none fits whole and the rest does not turn what it says."""
    for one in sorted(found, key=lambda one: (one.length + one.lead_length, one.item))[:1]:
        said = rendered([one]).split()
        for size in range(min(len(said), limit), _SHORTEST_CUT - 1, -1):
            text = " ".join(said[:size]) + " \u2026"
            if count(text) <= limit:
                return [] if is_turned_by_cut(text, [one.text]) else [(text, [one])]
    return []


def _statement(
    text: str, group: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]
) -> DraftStatement:
    """A draft statement with its sources and importance: what it tells, moved by how important its item is."""
    item = items[group[0].item]
    told = sum(weights.get(term, 0.0) for term in sorted(frozenset().union(*(one.terms for one in group))))
    told = max(0.0, told - (_ASKS if is_question(text) else 0.0))
    importance = item.importance if group[0].derived else told / (told + _MIDDLE) + item.importance - 0.5
    sources = tuple(dict.fromkeys(source for one in group for source in one.sources))
    return DraftStatement(text=text, importance=round(min(1.0, max(0.0, importance)), 3), sources=sources)
