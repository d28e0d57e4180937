"""Sources of any length: read in parts, none of them skipped, with sources as they were asked about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.engine.budget import Splitting, split
from precis.makers import Item, Request
from precis.testing.fakes import Quoting, count_words

NOW = datetime(2026, 1, 5, tzinfo=UTC)


def request(*texts: str, max_tokens: int = 100) -> Request:
    """What is asked."""
    items = tuple(Item(text=text, source_ids=(f"m{at}",), created_at=NOW) for at, text in enumerate(texts))
    return Request(items=items, max_tokens=max_tokens, prompt="Sum up.")


def splitting(inner: Quoting) -> Splitting:
    """Ten words a call, five an item."""
    return Splitting(inner, count=count_words, prompt_tokens=10, item_tokens=5)


async def test_what_fits_is_handed_on_as_it_is() -> None:
    """One call, the same request."""
    inner = Quoting()
    asked = request("One two three.", "Four five.")
    await splitting(inner).summarize(asked)
    assert inner.requests == [asked]


async def test_everything_is_read_and_cited_by_its_source() -> None:
    """A source of twenty-five words between two short ones: five parts in four calls, and every word arrives."""
    inner = Quoting()
    long = " ".join(f"Word{n} is a word {n}." for n in range(5))
    draft = await splitting(inner).summarize(request("First.", long, "Last."))
    assert len(inner.requests) == 4
    assert all(sum(count_words(i.text) for i in one.items) <= 10 for one in inner.requests)
    said = " ".join(one.text for one in draft.statements)
    assert all(f"Word{n} is a word {n}." in said for n in range(5))
    assert [(0,), *[(1,)] * 5, (2,)] == [one.sources for one in draft.statements]
    assert draft.usage.calls == 4


@pytest.mark.parametrize("text", ["word " * 40, "x" * 200, "One. " * 30, "a" * 50 + " " + "b" * 50])
def test_a_text_is_cut_without_loss(text: str) -> None:
    """Between sentences, else words, else anywhere."""

    def tokens(part: str) -> int:
        return -(-len(part) // 4)

    parts = split(text, 6, tokens)
    assert all(tokens(part) <= 6 for part in parts)
    assert "".join(text.split()) == "".join("".join(parts).split())
