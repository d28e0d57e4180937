"""A turn that asks what is asked now is no answer to it, and lifts nothing around it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.recall.echoes import asks_again, may_echo, without
from precis.recall.question import Candidate, Pool, read_question
from precis.recall.ranking import rank
from precis.recall.wishes import is_mark

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
QUESTION = read_question("When is the boiler serviced?", user_id="nora")


def row(id_: str, *frequencies: float, session: str | None = None, length: int = 4) -> Candidate:
    """A candidate that holds the words of the question so often."""
    return Candidate(
        id=id_, similarity=0.3, frequencies=frequencies, length=length, importance=0.5, created_at=NOW, session=session
    )


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("When is the boiler serviced?", True),
        ("Hi! When is the boiler serviced again? Thanks a lot.", True),
        ("when is the boiler serviced", True),
        ("The boiler is serviced on 4 May.", False),
        ("When is the boiler serviced? I would guess on Tuesday, as Olaf from Brenner rang.", False),
        ("When is the car serviced?", False),
        ("Is the boiler serviced when the Brenners come to clean the chimney in June?", False),
    ],
)
def test_what_asks_the_same(text: str, again: bool) -> None:
    """A greeting and thanks change nothing; what tells something as well is kept."""
    assert asks_again(QUESTION.text, text) is again


def test_a_request_is_asked_again_word_for_word() -> None:
    """A statement with the words of a question is no question."""
    request = "Make a card for Petra"
    assert asks_again(request, "Hello! Make a card for Petra, please.") is False
    assert asks_again(request, "Hello! Make a card for Petra.") is True
    assert asks_again(request, "I made a card for Petra.") is False
    assert asks_again(request, request, is_request=False) is False
    assert asks_again(QUESTION.text, QUESTION.text, is_request=False) is True


def test_a_task_is_asked_again_without_the_mark_of_what_it_is_to_keep_to() -> None:
    """Notes have that mark; the turn that gave the task before has all of its words."""
    task = read_question("Make a birthday card for Petra", user_id="nora")
    marked = [float(is_mark(term)) for term in task.terms]
    assert any(marked)
    rows = [row("note", *marked), row("asked", *(1 - mark for mark in marked), session="t")]
    pool = Pool(rows={each.id: each for each in rows}, holding=(1.0,) * len(marked), documents=30, mean_length=4.0)
    assert may_echo(task, pool) == {"asked"}


def test_a_note_comes_before_turns_around_the_question_that_was_asked_before() -> None:
    """The turn that asked holds every word of it, and its answer "Let me look" stood beside these words."""
    rows = [row("note", 1, 0, length=8), row("asked", 1, 1, session="t"), row("look", 0, 0, session="t")]
    pool = Pool(
        rows={each.id: each for each in rows}, before={"look": "asked"}, after={"asked": "look"},
        holding=(2.0, 1.0), documents=30, mean_length=6.0,
    )  # fmt: skip
    assert [score.id for score in rank(QUESTION, pool, now=NOW)][-1] == "note"
    echoes = may_echo(QUESTION, pool)
    assert echoes == {"asked"}
    assert [score.id for score in rank(QUESTION, without(pool, echoes), now=NOW)] == ["note", "look"]


def test_the_name_of_whose_memory_it_is_tells_nothing_where_hardly_a_row_has_it() -> None:
    """Of notes in the first person "I drive a Skoda" answers what car Hanne drives; others name her."""
    question = read_question("What car does Hanne drive?", user_id="hanne")
    at = {term: place for place, term in enumerate(question.terms)}
    introduces, drives = [0.0] * len(at), [0.0] * len(at)
    introduces[at["hann"]] = drives[at["drive"]] = 1.0
    rows = {each.id: each for each in (row("introduces", *introduces), row("drives", *drives))}
    for holding, first in ((1.0, "drives"), (9.0, "introduces")):
        counts = [6.0] * len(at)
        counts[at["hann"]] = holding
        pool = Pool(rows=rows, holding=tuple(counts), documents=30, mean_length=4.0)
        assert rank(question, pool, now=NOW)[0].id == first
    assert read_question("What car does Hanne drive?", user_id="olaf").own == frozenset()
