"""Which list of a turn is a history, line by line: pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from precis.app.conversing.matching import Buried, Sending, recognize
from precis.conversation import Line


def lines(words: str, *, ids: str | None = None) -> list[Line]:
    """User and assistant in turns: a capital is a sentence, a small letter a few words."""
    return [
        Line(
            given=ids and f"{ids}{at}", role=("user", "assistant")[at % 2], mark=ord(word),
            size=30 if word.isupper() else 4,
        )
        for at, word in enumerate(words)
    ]  # fmt: skip


def known(stored: str, sent: str, *, soon: bool = True, ids: str | None = None) -> str:
    """The sent words that are stored; a dot for each new one."""
    places = recognize(lines(sent, ids=ids), lines(stored, ids="s"), Sending.TURN, soon=soon)
    return "".join("." if place is None else word for word, place in zip(sent, places, strict=True))


@pytest.mark.parametrize(
    ("stored", "sent", "expected"),
    [
        # The whole of it, and more; one sentence of it, and more; a few words alone.
        ("ab", "abc", "ab."),
        ("A", "Ab", "A."),
        ("a", "ab", ".."),
        # The end of it, and more: with two sentences, whoever says them.
        ("xyAB", "ABc", "AB."),
        ("xyAb", "Abc", "..."),
        # The same post once more: with two sentences of the user.
        ("AbCd", "AbCd", "AbCd"),
        ("AbcD", "AbcD", "...."),
        # Another last answer, another last question, neither.
        ("AbCd", "AbCe", "AbC."),
        ("AbCdEf", "AbCdGh", "AbCd.."),
        ("AbCdEfGhIj", "AbCdXy", "......"),
        ("AbCdEfGhIjKlMnOp", "AbCdEfGhIjXy", "AbCdEfGhIj.."),
        # A few words behind another answer are said anew, a sentence is not.
        ("AbCdef", "AbCxefGh", "AbC....."),
        ("AbCdEf", "AbCxEfGh", "AbC.Ef.."),
        # Of so few lines none is known where one of them is another.
        ("AbC", "AxC", "..."),
    ],
)
def test_what_of_a_list_is_stored(stored: str, sent: str, expected: str) -> None:
    """Soon after it was said."""
    assert known(stored, sent) == expected


def test_what_comes_later_may_be_said_each_day() -> None:
    """Unless there are five sentences of the user."""
    assert known("AbCd", "AbCde", soon=False) == "....."
    assert known("xyAbCd", "AbCde", soon=False) == "....."
    assert known("AbCdEfGhIj", "AbCdEfGhIjK", soon=False) == "AbCdEfGhIj."


def test_another_id_is_another_message() -> None:
    """Unless five sentences of the user say otherwise, soon after."""
    assert known("AbCdEfGh", "AbCdEfGhI", ids="t") == "........."
    assert known("AbCdEfGhIj", "AbCdEfGhIjK", ids="t") == "AbCdEfGhIj."
    assert known("AbCdEfGhIj", "AbCdEfGhIjK", ids="t", soon=False) == "..........."


def test_two_exchanges_to_the_letter_are_one_list_under_other_ids() -> None:
    """Where its client has sent the first of them before, and it goes on, soon; a date says that it was said then."""
    assert known("ABABCD", "ABCDe", ids="t") == "ABCD."
    assert known("xyABABCD", "ABCDe", ids="t") == "ABCD."
    # Sent once before, or twice alike; nothing behind it, one exchange, few words for answers, no end of the talk.
    for stored, sent in (
        ("ABCD", "ABCDe"), ("ABCDABCD", "ABCDe"),
        ("ABABCD", "ABCD"), ("ABAB", "ABc"), ("AbAbCd", "AbCde"), ("ABABCDEF", "ABCDx"),
    ):  # fmt: skip
        assert known(stored, sent, ids="t") == "." * len(sent)
    assert known("ABABCD", "ABCDe", ids="t", soon=False) == "....."
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    there = [replace(line, created_at=noon) for line in lines("ABABCD", ids="s")]
    dated = [replace(line, created_at=noon) for line in lines("ABCDe", ids="t")]
    assert recognize(dated, there, Sending.TURN) == (2, 3, 4, 5, None)
    later = [replace(line, created_at=noon + timedelta(hours=4)) for line in dated]
    assert recognize(later, there, Sending.TURN) == (None,) * 5


def test_a_call_under_its_id_counts() -> None:
    """Of a tool that is asked the same under another id it is not known whether it was asked again."""
    stored, sent = lines("xyABc", ids="s"), lines("zABcdE")[1:]
    sent = [replace(row, role=there.role) for row, there in zip(sent, [*stored[2:], *stored], strict=False)]
    called = {ids: [replace(row, calls=(ids,)) if row.mark == ord("B") else row for row in sent] for ids in "kl"}
    stored = [replace(row, calls=("k",), spoken=False) if row.mark == ord("B") else row for row in stored]
    # Not the end of the talk, since an answer is another.
    for name, expected in (("k", (2, 3)), ("l", (None, None))):
        assert recognize([*called[name][:2], *lines("qrS")], stored, Sending.TURN)[:2] == expected


def test_what_was_forgotten_counts_whoever_said_it() -> None:
    """A list that holds it among what is stored does not bring it back, whatever else was edited in it, and when."""
    for soon in (True, False):
        sent, stored = lines("ABcXyZ"), lines("acdefgh", ids="s")
        stored[0] = replace(stored[0], mark=ord("A"))
        buried = Buried(whole=frozenset({1}))
        places = recognize(sent, stored, Sending.TURN, buried, soon=soon)
        assert places[0] == 0
        assert buried.left_out(places, sent, stored, Sending.TURN) == {1}


def test_few_words_beside_what_was_forgotten() -> None:
    """All that is stored, on another day, with it in the middle."""
    sent, stored = lines("abcd"), [line for line in lines("abc", ids="s") if line.mark != ord("b")]
    buried = Buried(whole=frozenset({1}))
    places = recognize(sent, stored, Sending.TURN, buried, soon=False)
    assert places == (0, None, 1, None)
    assert buried.left_out(places, sent, stored, Sending.TURN) == {1}


def of_a_transcript(sent: list[Line], stored: list[Line]) -> list[int | None]:
    """What of it is stored."""
    return list(recognize(sent, stored, Sending.TRANSCRIPT))


def test_a_transcript_in_which_something_was_said_anew() -> None:
    """Two sentences of the user tell which conversation it is, under whatever ids, whenever it comes."""
    for sent, expected in (
        ("AbCxY", [0, 1, 2, None, None]),
        ("AbXyZ", [None] * 5),
        ("AbCdXy", [0, 1, 2, 3, None, None]),
    ):
        assert of_a_transcript(lines(sent, ids="t"), lines("AbCdEfGhIjKl", ids="s")) == expected


def test_an_answer_without_an_id_behind_a_question_with_one() -> None:
    """It is the one that stands there; where it is another, it is new."""
    stored, sent = lines("AbCd", ids="s"), lines("AbCdE", ids="s")
    for word, expected in (("d", 3), ("x", None)):
        row = replace(lines("...." + word)[4], role="assistant")
        assert of_a_transcript([*sent[:3], row, replace(sent[4], given="new")], stored) == [0, 1, 2, expected, None]
