"""Which messages that are sent are stored already: pure, over random transcripts."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.app.conversing.longest_run import common
from precis.app.conversing.matching import Buried, Sending, recognize
from precis.conversation import Line

#: Few different words, so that the same are said again and again.
WORDS = st.lists(st.sampled_from("abc"), max_size=7)


def said(words: str | list[str], *, ids: str | None = None) -> list[Line]:
    """User and assistant in turns, each with a word and, where there are any, an id."""
    return [
        Line(given=ids and f"{ids}{at}", role=("user", "assistant")[at % 2], mark=ord(word))
        for at, word in enumerate(words)
    ]


def longest(left: list[str], right: list[str]) -> int:
    """By trying all of them."""
    for length in range(min(len(left), len(right)), 0, -1):
        if set(combinations(left, length)) & set(combinations(right, length)):
            return length
    return 0


@given(WORDS, WORDS)
def test_the_longest_common_lines_are_found(left: list[str], right: list[str]) -> None:
    """In one order, each once."""
    pairs = common([Line(given=None, role="u", mark=ord(w)) for w in left],
                   [Line(given=None, role="u", mark=ord(w)) for w in right])  # fmt: skip
    assert longest(left, right) == len(pairs)
    assert all(left[at] == right[place] for at, place in pairs)
    assert all(a < b and c < d for (a, c), (b, d) in pairwise(pairs))


@given(WORDS.filter(bool), WORDS, st.sampled_from([Sending.TRANSCRIPT, Sending.SESSION]))
def test_all_of_it_under_fresh_ids_with_something_new(stored: list[str], new: list[str], sending: Sending) -> None:
    """Every stored line is recognized in its place, and every new one is new."""
    found = recognize(said([*stored, *new], ids="x"), said(stored, ids="y"), sending)
    known = [place for place in found if place is not None]
    assert list(range(len(stored))) == known
    assert len(found) == len(stored) + len(new)


@given(WORDS, WORDS)
def test_a_turn_is_new_whatever_was_said_before(stored: list[str], new: list[str]) -> None:
    """The same words under another id, or without one, are said once more."""
    assert {None} >= set(recognize(said(new, ids="x"), said(stored, ids="y"), Sending.TURN))
    whole = len(stored) > 1 and len(new) > len(stored) and new[: len(stored)] == stored
    found = recognize(said(new), said(stored, ids="y"), Sending.TURN)
    assert tuple(range(len(stored))) == found[: len(stored)] if whole else {None} >= set(found)


@given(WORDS, st.sets(st.integers(0, 6)), st.sampled_from(Sending))
def test_an_id_is_recognized_in_any_list(stored: list[str], picked: set[int], sending: Sending) -> None:
    """Wherever it stands."""
    lines = said(stored, ids="y")
    sent = [lines[at] for at in sorted(picked, reverse=True) if at < len(lines)]
    assert tuple(at for at in sorted(picked, reverse=True) if at < len(lines)) == recognize(sent, lines, sending)


@pytest.mark.parametrize(
    ("stored", "sent", "expected"),
    [
        # The same answer again: it is not known whether this is the start of a repetition, so it is kept.
        ("ab", "a", [None]),
        # Handed in again because nobody had answered.
        ("a", "a", [0]),
        # Only the end of what is stored.
        ("abcb", "cbx", [2, 3, None]),
        ("abab", "abx", [2, 3, None]),
        # What is new comes with the same answer as the last time: it is no repetition.
        ("ab", "xb", [None, None]),
        # A line that the sender tells in other words is new once, and known from then on.
        ("abcdefgh", "abcxefghn", [0, 1, 2, None, 4, 5, 6, 7, None]),
        ("abcdefghxn", "abcxefghny", [0, 1, 2, 8, 4, 5, 6, 7, 9, None]),
        # Without what is said in between.
        ("abcdef", "afx", [0, 5, None]),
    ],
)
def test_a_transcript_without_ids(stored: str, sent: str, expected: list[int | None]) -> None:
    """It has to reach the last line that is stored, or it is new."""
    lines = [Line(given=None, role="u", mark=ord(word)) for word in sent]
    there = [Line(given=f"y{at}", role="u", mark=ord(word)) for at, word in enumerate(stored)]
    assert tuple(expected) == recognize(lines, there, Sending.TRANSCRIPT)


def test_a_second_copy_behind_what_is_known_is_the_same_one() -> None:
    """A state that holds the last messages, with the whole history handed in behind them."""
    stored = said("abcdef", ids="y")
    copy = said("abcdefg", ids="x")
    assert (4, 5, 0, 1, 2, 3, 4, 5, None) == recognize([*stored[4:], *copy], stored, Sending.TRANSCRIPT)
    # The last words once more are no copy.
    assert (4, 5, None, None) == recognize([*stored[4:], *said("ef", ids="x")], stored, Sending.TRANSCRIPT)
    assert (0, None) == recognize([*said("a", ids="y"), *said("a", ids="x")], said("a", ids="y"), Sending.TRANSCRIPT)


def test_somebody_else_under_the_same_id_is_another_line_of_a_session() -> None:
    """A session is what its writer says."""
    there, sent = Line(given="m", role="user", mark=1), Line(given="m", role="assistant", mark=1)
    assert (None,) == recognize([sent], [there], Sending.SESSION)
    assert (0,) == recognize([sent], [there], Sending.TURN)


def test_a_text_that_is_gone_is_like_no_other() -> None:
    """Of two texts nobody can read nobody knows that they were the same."""
    gone = Line(given=None, role="user", mark=None)
    assert [] == common([gone], [gone])


@given(
    WORDS.filter(lambda words: len(words) > 1), st.lists(st.sampled_from("xyz"), min_size=1, max_size=4),
    st.sets(st.integers(0, 6)), st.integers(0, 2), st.sampled_from([Sending.TURN, Sending.SESSION]),
)  # fmt: skip
def test_a_history_is_recognized_without_what_was_forgotten(
    told: list[str], new: list[str], gone: set[int], prompts: int, sending: Sending
) -> None:
    """All that is stored is recognized in its place, what was forgotten stays out, and what is new is new."""
    lines = said(told, ids="y")
    stored = [line for at, line in enumerate(lines) if at not in gone]
    forgotten = {line.words for at, line in enumerate(lines) if at in gone}
    sent = [*(Line(given=None, role="system", mark=number) for number in range(prompts)), *said([*told, *new])]
    buried = Buried(whole=frozenset(at for at, line in enumerate(sent) if line.words in forgotten))
    places = recognize(sent, stored, sending, buried)
    kept = set(range(len(sent))) - buried.left_out(places, sent, stored, sending)
    assert [places[at] for at in sorted(kept) if places[at] is not None] == list(range(len(stored)))
    assert len(kept) == prompts + len(stored) + len(new)
