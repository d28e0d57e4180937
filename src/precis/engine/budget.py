"""What fits a limit, by count of tokens, whatever the script: items of a prompt, statements of a node, parts of a text.

Items that do not fit are capped, evenly, and counted as such; where a policy splits, they are read in several calls and
nothing of them is skipped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from precis.engine.drafted import total
from precis.language.sentences import sentences
from precis.makers import Draft, DraftStatement, Item, Request, Summarizer, TokenCounter
from precis.summary import Statement, arranged, assemble, served_of

_CUT = " […] "


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """Items within the budget, and which base memories were cut to get there."""

    items: tuple[Item, ...]
    capped: frozenset[str]


def fit(items: Sequence[Item], *, prompt_tokens: int, item_tokens: int, count: TokenCounter) -> Fitted:
    """Cap each item at ``item_tokens``, then all of them evenly until together they fit ``prompt_tokens``."""
    sizes = [count(item.text) for item in items]
    limit = min(item_tokens, _even_limit(sizes, prompt_tokens))
    fitted = []
    capped: set[str] = set()
    for item, size in zip(items, sizes, strict=True):
        if size <= limit:
            fitted.append(item)
        else:
            fitted.append(replace(item, text=shorten(item.text, limit, count)))
            capped.update(item.source_ids)
    return Fitted(items=tuple(fitted), capped=frozenset(capped))


def shorten(text: str, limit: int, count: TokenCounter) -> str:
    """Head and tail of a text, together at most ``limit`` tokens."""
    low, high = 0, len(text) // 2
    while low < high:
        half = (low + high + 1) // 2
        if count(text[:half] + _CUT + text[-half:]) <= limit:
            low = half
        else:
            high = half - 1
    return (text[:low] + _CUT + text[-low:]) if low else ""


def _even_limit(sizes: Sequence[int], budget: int) -> int:
    """The largest cap under which the sum fits: the long ones give way first."""
    if sum(sizes) <= budget:
        return max(sizes, default=0)
    rest, waiting = budget, len(sizes)
    for size in sorted(sizes):
        share = rest // waiting
        if size > share:
            return share
        rest -= size
        waiting -= 1
    return max(sizes, default=0)


def within_limit(
    statements: Sequence[Statement], *, limit: int, count: TokenCounter, dates: Mapping[str, datetime]
) -> tuple[Statement, ...]:
    """What is worth most of what a node says, worth at most ``limit`` tokens, whatever a model wrote.

    A displaced statement stays where the newer one does, so that it comes back when that is forgotten.
    """
    served = served_of(statements)
    # As it is read: a speaker of several statements is named once.
    if count(assemble(served)) <= limit:
        return tuple(statements)
    fitting = bounded(served, limit=limit, count=count, dates=dates)
    newest = {at: at if s.superseded_by is None else s.superseded_by for at, s in enumerate(statements)}
    kept = [at for at in newest if statements[newest[at]] in fitting]
    return arranged(statements, kept)


def bounded(
    statements: Sequence[Statement], *, limit: int, count: TokenCounter, dates: Mapping[str, datetime]
) -> tuple[Statement, ...]:
    """Those that are worth most, in their order, worth at most ``limit`` tokens: importance first, then how recent."""
    sizes = [count(statement.text) for statement in statements]
    if sum(sizes) <= limit:
        return tuple(statements)
    by_age = sorted(range(len(statements)), key=lambda at: (_dated(statements[at], dates), at))
    # The newest counts for as much as a fifth of importance: recent enough to break near ties, no more.
    recency = {at: place / max(1, len(statements) - 1) for place, at in enumerate(by_age)}
    worth = sorted(range(len(statements)), key=lambda at: statements[at].importance + 0.2 * recency[at], reverse=True)
    fitting, rest = set(), limit
    for at in worth:
        if sizes[at] <= rest:
            fitting.add(at)
            rest -= sizes[at]
    return tuple(statement for at, statement in enumerate(statements) if at in fitting)


def _dated(statement: Statement, dates: Mapping[str, datetime]) -> float:
    return max((dates[id_].timestamp() for id_ in statement.source_ids if id_ in dates), default=0.0)


class Splitting:
    """Asks another summarizer as often as it takes to read everything; a request that fits is handed on as it is.

    ``prompt_tokens`` is for the items of one call, ``item_tokens`` for one item.
    """

    def __init__(self, inner: Summarizer, *, count: TokenCounter, prompt_tokens: int, item_tokens: int) -> None:
        self.name = inner.name
        self._inner = inner
        self._count = count
        self._prompt_tokens = prompt_tokens
        self._item_tokens = item_tokens

    async def summarize(self, request: Request) -> Draft:
        """One draft over all parts; sources are indices into the items as they were asked about."""
        pieces = [(at, part) for at, item in enumerate(request.items) for part in self._pieces(item)]
        batches = packed(pieces, [self._count(part.text) for _, part in pieces], self._prompt_tokens)
        if len(batches) <= 1:
            return self._back(await self._inner.summarize(_asking(request, pieces)), pieces)
        limit = max(60, request.max_tokens // len(batches))
        drafts = [
            self._back(await self._inner.summarize(_asking(request, batch, max_tokens=limit)), batch)
            for batch in batches
        ]
        return Draft(
            statements=tuple(statement for draft in drafts for statement in draft.statements),
            made_by=drafts[0].made_by,
            usage=total(draft.usage for draft in drafts),
            fallback=any(draft.fallback for draft in drafts),
            quoted=all(draft.quoted for draft in drafts),
        )

    def _pieces(self, item: Item) -> list[Item]:
        if self._count(item.text) <= self._item_tokens:
            return [item]
        return [replace(item, text=text) for text in split(item.text, self._item_tokens, self._count)]

    def _back(self, draft: Draft, batch: Sequence[tuple[int, Item]]) -> Draft:
        statements = [
            DraftStatement(
                text=statement.text,
                importance=statement.importance,
                sources=tuple(dict.fromkeys(batch[at][0] for at in statement.sources if 0 <= at < len(batch))),
            )
            for statement in draft.statements
        ]
        return replace(draft, statements=tuple(statements))


def _asking(request: Request, batch: Sequence[tuple[int, Item]], *, max_tokens: int | None = None) -> Request:
    items = tuple(item for _, item in batch)
    return replace(request, items=items, max_tokens=max_tokens or request.max_tokens)


def split(text: str, limit: int, count: TokenCounter) -> list[str]:
    """A text in parts of at most ``limit`` tokens, cut between sentences, else between words, else anywhere."""
    parts: list[str] = []
    for unit in (piece for sentence in sentences(text) for piece in _within(sentence, limit, count)):
        together = f"{parts[-1]} {unit}" if parts else unit
        if parts and count(together) <= limit:
            parts[-1] = together
        else:
            parts.append(unit)
    return parts or [text]


def _within(text: str, limit: int, count: TokenCounter) -> list[str]:
    if count(text) <= limit:
        return [text]
    if len(text) < 2:
        return [text]
    middle = len(text) // 2
    at = text.find(" ", middle)
    at = at if 0 < at < len(text) - 1 else middle
    return _within(text[:at].strip(), limit, count) + _within(text[at:].strip(), limit, count)


def packed(pieces: Sequence[tuple[int, Item]], sizes: Sequence[int], limit: int) -> list[list[tuple[int, Item]]]:
    """The pieces in order, in batches of at most ``limit`` tokens."""
    batches: list[list[tuple[int, Item]]] = []
    weight = 0
    for piece, size in zip(pieces, sizes, strict=True):
        if not batches or weight + size > limit:
            batches.append([])
            weight = 0
        batches[-1].append(piece)
        weight += size
    return batches
