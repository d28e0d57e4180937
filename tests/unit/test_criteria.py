"""Conditions mean one thing: on a word, on a list of words, on a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.memory import Moments, Words

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
WORD = st.sampled_from(["a", "ab", "b"])
SOME = st.lists(WORD, max_size=3).map(tuple)


@pytest.mark.parametrize(
    ("words", "holds", "fails"),
    [
        (Words(), [(), ("a",)], []),
        (Words(any=("a", "b")), [("a",), ("c", "b")], [(), ("c",)]),
        (Words(any=()), [], [(), ("a",)]),
        (Words(all=("a", "b")), [("a", "b", "c")], [("a",), ()]),
        (Words(none=("a",)), [(), ("b",)], [("a",), ("b", "a")]),
        (Words(startswith="ab"), [("abc",), ("x", "ab")], [("a",), ()]),
        (Words(any=("a",), none=("b",)), [("a",)], [("a", "b")]),
    ],
)
def test_words(words: Words, holds: list[tuple[str, ...]], fails: list[tuple[str, ...]]) -> None:
    """Everything that is given must hold."""
    assert all(words.hold(one) for one in holds)
    assert not any(words.hold(one) for one in fails)


@given(any_=st.none() | SOME, all_=SOME, word=WORD)
def test_a_field_of_one_word_is_a_list_of_one(any_: tuple[str, ...] | None, all_: tuple[str, ...], word: str) -> None:
    """``one_of`` says of a single word what ``hold`` says of a list with it."""
    words = Words(any=any_, all=all_)
    allowed = words.one_of()
    assert (allowed is None or word in allowed) == words.hold([word])


@pytest.mark.parametrize(
    ("moments", "holds", "fails"),
    [
        (Moments(), [NOON, None], []),
        (Moments(gt=NOON), [NOON + HOUR], [NOON, None]),
        (Moments(gte=NOON, lt=NOON + HOUR), [NOON], [NOON + HOUR, NOON - HOUR]),
        (Moments(lte=NOON), [NOON], [NOON + HOUR, None]),
        (Moments(none=(NOON,)), [None, NOON + HOUR], [NOON]),
    ],
)
def test_moments(moments: Moments, holds: list[datetime | None], fails: list[datetime | None]) -> None:
    """What has no time is within no bounds."""
    assert all(moments.hold(one) for one in holds)
    assert not any(moments.hold(one) for one in fails)
