"""Fitting items into a prompt: by tokens, long ones first."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.engine.budget import fit, shorten
from precis.makers import Item
from precis.models.tokens import counter
from precis.testing.fakes import count_words

WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def items(*texts: str) -> list[Item]:
    """Items of these texts, each resting on a memory of its own."""
    return [Item(text=text, source_ids=(f"m{at}",), created_at=WHEN) for at, text in enumerate(texts)]


def of_words(*many: int) -> list[Item]:
    """Items of so many words."""
    return items(*(" ".join(f"w{at}" for at in range(n)) for n in many))


def test_what_fits_is_left_alone() -> None:
    """Nothing is cut and nothing is counted as capped."""
    given_items = of_words(10, 20, 30)
    fitted = fit(given_items, prompt_tokens=60, item_tokens=30, count=count_words)
    assert (tuple(given_items), frozenset()) == (fitted.items, fitted.capped)


def test_a_long_item_is_capped_and_named() -> None:
    """One item may not be longer than its limit, however much room there is."""
    fitted = fit(of_words(10, 50), prompt_tokens=1000, item_tokens=30, count=count_words)
    assert {"m1"} == fitted.capped
    assert [10, True] == [count_words(fitted.items[0].text), count_words(fitted.items[1].text) <= 30]


def test_the_long_ones_give_way_first() -> None:
    """Short items keep every word; what they leave is shared evenly."""
    fitted = fit(of_words(5, 100, 200), prompt_tokens=65, item_tokens=1000, count=count_words)
    sizes = [count_words(item.text) for item in fitted.items]
    assert 5 == sizes[0]
    assert all(20 <= size <= 30 for size in sizes[1:])
    assert {"m1", "m2"} == fitted.capped


def test_head_and_tail_are_kept() -> None:
    """What is cut is the middle, and it shows."""
    text = " ".join(f"w{at}" for at in range(100))
    short = shorten(text, 21, count_words)
    assert short.startswith("w0 w1")
    assert short.endswith("w98 w99")
    assert "[…]" in short
    assert count_words(short) <= 21


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_no_room_is_no_text(limit: int) -> None:
    """Below the length of the cut mark nothing is left, and nothing raises."""
    assert count_words(shorten("one two three four", limit, count_words)) <= limit


def test_statements_capped_name_all_their_sources() -> None:
    """A statement of a node rests on several memories: all of them were read in part."""
    long = Item(text="word " * 50, source_ids=("a", "b"), created_at=WHEN, derived=True)
    fitted = fit([long], prompt_tokens=10, item_tokens=1000, count=count_words)
    assert {"a", "b"} == fitted.capped


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 120), max_size=12), st.integers(0, 400), st.integers(1, 100))
def test_the_budget_holds(sizes: list[int], prompt: int, item: int) -> None:
    """Together within the prompt, each within its own limit, none lost, and exactly the cut ones named."""
    given_items = of_words(*sizes)
    fitted = fit(given_items, prompt_tokens=prompt, item_tokens=item, count=count_words)
    assert len(given_items) == len(fitted.items)
    assert sum(count_words(one.text) for one in fitted.items) <= prompt
    assert all(count_words(one.text) <= item for one in fitted.items)
    changed = {one.source_ids[0] for one, was in zip(fitted.items, given_items, strict=True) if one.text != was.text}
    assert changed == fitted.capped


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=50, max_size=400), st.integers(0, 40))
def test_any_script_fits(text: str, limit: int) -> None:
    """With a real tokenizer and any characters, the limit holds."""
    count = counter()
    assert count(shorten(text, limit, count)) <= limit
