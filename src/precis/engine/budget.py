"""Fit items into a prompt by count of tokens, whatever the script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from precis.makers import Item, TokenCounter

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
    left, waiting = budget, len(sizes)
    for size in sorted(sizes):
        share = left // waiting
        if size > share:
            return share
        left -= size
        waiting -= 1
    return max(sizes, default=0)
