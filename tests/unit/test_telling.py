"""What memories tell of the kind that is asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.recall.ranking import Score
from precis.recall.telling import Told, Wanted, by_what_they_tell

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = NOW.date()


@pytest.mark.parametrize(
    ("question", "tells", "tells_not"),
    [
        ("When did Ines sell the boat?", "It went yesterday.", "It went to a fisherman."),
        ("On which days is the bakery shut?", "It is closed on 3 May.", "It is closed for the oven."),
        ("When does the ferry leave?", "New time: 12 September, 7:40.", "40 seats, 300 euros, 12 milliseconds."),
        ("How many oars are there?", "There are three.", "They are wet."),
        ("Where did they sail?", "They went to Oban.", "They went to sleep."),
        ("Book a table for Friday", "Nothing over forty euros.", "The table wobbles."),
        ("Can you plan the trip?", "I am allergic to nuts.", "I like the sea."),
    ],
)
def test_a_memory_that_has_what_is_asked_for(question: str, tells: str, tells_not: str) -> None:
    """A day, a number, a place, or what a task is to keep to."""
    wanted = Wanted(question)
    assert wanted.told_in(tells, DAY) > 0 == wanted.told_in(tells_not, DAY)


def test_a_memory_that_asks_tells_less() -> None:
    """Whatever the question asks for."""
    for question in ("Who sold the boat?", "When was it sold?", "Plan the sale"):
        assert Wanted(question).told_in("Who wants it?", DAY) < 0


def test_of_a_long_memory_those_sentences_count_that_the_question_finds() -> None:
    """Somewhere it has any number."""
    text = "It rained. We had tea. Ida slept. The dog ran. I read. The oars are wet. I won 3."
    assert Wanted("How many oars are there?").told_in(text, DAY) == 0
    assert Wanted("How many cups did I win?").told_in(f"{text} 3 cups.", DAY) > 0


def test_rows_are_put_in_order_by_it() -> None:
    """A row without a text, such as a summary, has nothing of it."""
    wanted = Wanted("When is it?")
    scores = [Score(id="a", keyword=0.5), Score(id="b", keyword=0.4), Score(id="c", keyword=0.3)]
    told = {id_: Told(text, NOW) for id_, text in (("a", "Soon."), ("b", "On 3 May."), ("c", "On 4 May."))}
    assert [score.id for score in by_what_they_tell(wanted, scores, told, {})] == ["b", "c", "a"]
    assert [score.id for score in by_what_they_tell(wanted, scores, {}, {})] == ["a", "b", "c"]


def test_the_nearer_words_stand_first() -> None:
    """A tenth of how much nearer they are than those of the others."""
    wanted, scores = Wanted("Who runs the shop?"), [Score(id="a", keyword=0.5), Score(id="b", keyword=0.47)]
    told = {"a": Told("We had soup.", NOW), "b": Told("Ida manages the store.", NOW)}
    assert [score.id for score in by_what_they_tell(wanted, scores, told, {"a": -0.2, "b": 0.2})] == ["b", "a"]
    assert [score.id for score in by_what_they_tell(wanted, scores, told, {"a": -0.1, "b": 0.1})] == ["a", "b"]


@pytest.mark.parametrize(
    ("question", "is_kind"),
    [
        ("When did Ines sell the boat?", True),
        ("How many oars are there?", True),
        ("Book a table for Friday", True),
        ("How often did they sail?", False),
        ("Who sold the boat?", False),
    ],
)
def test_a_question_for_a_kind(question: str, is_kind: bool) -> None:
    """Only for these are texts of rows further down read."""
    assert Wanted(question).is_kind is is_kind
