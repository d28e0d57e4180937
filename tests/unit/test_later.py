"""Which notes are put before the first of an answer."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from precis.recall.later import asks_how_it_is, newer_first
from precis.recall.ranking import Score
from precis.recall.telling import Told

DAY = date(2026, 3, 1)
OLD = "The choir rehearses in the parish hall."


def order(question: str, *texts: str, days: int = 20, behind: float = 0.1) -> str:
    """The rows that say so, each so many days after the one before and so much behind it, by their letters."""
    ids = "abcdefgh"[: len(texts)]
    scores = [Score(id=id_, keyword=0.9 - behind * at) for at, id_ in enumerate(ids)]
    told = {
        id_: Told(text, DAY + timedelta(days=days * at)) for at, (id_, text) in enumerate(zip(ids, texts, strict=True))
    }
    return "".join(score.id for score in newer_first(question, scores, told))


@pytest.mark.parametrize(
    "newer",
    [
        "The choir rehearses in the school gym from now on.",
        "The parish dropped the choir; it sings in the gym.",
        "No longer the parish: the gym is warmer.",
    ],
)
def test_a_newer_note_on_the_same_thing_comes_first(newer: str) -> None:
    """It has the words that the first one has of the question, or a rare one besides, and tells of a change."""
    assert order("Where does the choir rehearse?", OLD, "The piano is out of tune.", newer) == "cab"


@pytest.mark.parametrize(
    "other",
    [
        "The choir rehearses every Tuesday.",
        "Lea left her umbrella on the bus.",
        "Should the choir rehearse in the gym instead?",
    ],
)
def test_a_note_that_tells_of_no_change_in_it_stays(other: str) -> None:
    """So does one on another thing, and one that asks."""
    assert order("Where does the choir rehearse?", OLD, other) == "ab"


def test_in_doubt_nothing_moves() -> None:
    """What is older, of the same day, or far behind is no newer value; without texts nothing is known."""
    newer = "The choir rehearses in the school gym instead."
    question = "Where does the choir rehearse?"
    assert order(question, OLD, newer) == "ba"
    assert order(question, OLD, newer, days=-20) == "ab"
    assert order(question, OLD, newer, days=0) == "ab"
    assert order(question, OLD, newer, behind=0.6) == "ab"
    assert newer_first(question, [], {}) == []
    assert newer_first(question, [Score(id="a")], {}) == [Score(id="a")]


def test_the_newest_of_several_is_first_and_none_is_lost() -> None:
    """The parts say why."""
    question = "Where does the choir rehearse?"
    texts = (OLD, "The choir moved to the gym, it rehearses there now.", "The choir rehearses in the barn from now on.")
    assert order(question, *texts) == "cba"
    scores = [Score(id="a", keyword=0.9), Score(id="b", keyword=0.7)]
    told = {"a": Told(OLD, DAY), "b": Told(texts[2], DAY + timedelta(days=3))}
    first = newer_first(question, scores, told)[0]
    assert first.id == "b"
    assert 0.2 < first.newest < 0.21


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Where does the choir rehearse?", True),
        ("What's Ida's new number?", True),
        ("Where did the choir rehearse?", False),
        ("When was the piano tuned?", False),
        ("How often has the choir been to Graz?", False),
    ],
)
def test_questions_for_how_things_are(question: str, asks: bool) -> None:
    """One for what was or happened is none."""
    assert asks_how_it_is(question) is asks
