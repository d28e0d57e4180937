"""A summarizer for sources of any length: what no prompt holds is read in parts, and nothing of it is skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.language.sentences import sentences
from precis.makers import Draft, DraftStatement, Item, Request, Summarizer, TokenCounter, Usage


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
        usage = sum((draft.usage for draft in drafts), start=Usage())
        return Draft(
            statements=tuple(one for draft in drafts for one in draft.statements),
            made_by=drafts[0].made_by,
            usage=usage,
            fallback=any(draft.fallback for draft in drafts),
        )

    def _pieces(self, item: Item) -> list[Item]:
        if self._count(item.text) <= self._item_tokens:
            return [item]
        return [replace(item, text=text) for text in split(item.text, self._item_tokens, self._count)]

    def _back(self, draft: Draft, batch: Sequence[tuple[int, Item]]) -> Draft:
        statements = [
            DraftStatement(
                text=one.text,
                importance=one.importance,
                sources=tuple(dict.fromkeys(batch[index][0] for index in one.sources if 0 <= index < len(batch))),
            )
            for one in draft.statements
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
