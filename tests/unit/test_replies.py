"""A turn that answers in a word is found by the question that it answers, and stands before it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from precis.recall.question import Candidate, Pool, read_question
from precis.recall.ranking import Score
from precis.recall.sought.replies import agents_first, asks_of_agent, following, kind_of, replies_first
from precis.recall.telling import Told

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


def first_of(query: str, *turns: tuple[str, str]) -> str:
    """The first row for a question to a talk of turns (speaker, text), which is found by its first turn best."""
    question = read_question(query)
    ids = [f"t{at}" for at in range(len(turns))]
    rows = {
        id_: Candidate(
            id=id_, similarity=None, length=4, importance=0.5, created_at=NOW, session="s",
            frequencies=tuple(float(term in text.lower()) for term in question.terms),
        )
        for id_, (_, text) in zip(ids, turns, strict=True)
    }  # fmt: skip
    after = dict(pairwise(ids))
    pool = Pool(
        rows=rows, before={later: earlier for earlier, later in after.items()}, after=after, documents=20,
        holding=tuple(1.0 for _ in question.terms),
    )  # fmt: skip
    said = {
        id_: Told(text, NOW + at * timedelta(minutes=1), speaker)
        for at, (id_, (speaker, text)) in enumerate(zip(ids, turns, strict=True))
    }
    scores = [Score(id=id_, keyword=1.0 - 0.1 * at) for at, id_ in enumerate(ids)]
    assert following(pool, ids) == ids[1:]
    ordered = agents_first(question, pool, said, replies_first(question, pool, said, scores))
    return said[ordered[0].id].text


@pytest.mark.parametrize(
    ("query", "turns", "first"),
    [
        (
            "Which ankle did Joris sprain?",
            (("Joris", "sprained my ankle at judo"), ("Lene", "ouch! which one?"), ("Joris", "the left")),
            "the left",
        ),
        (
            "Which ankle did Joris sprain?",
            (("Joris", "sprained my ankle"), ("Lene", "left or right?"), ("Joris", "left")),
            "left",
        ),
        (
            "How old is the mare?",
            (("Lene", "the mare is lame"), ("Joris", "how old is she now"), ("Lene", "nineteen")),
            "nineteen",
        ),
        (
            "¿Con quién vive Amaro?",
            (("Amaro", "ahora vive en Lugo, amaro dixit"), ("Iria", "¿con quién?"), ("Amaro", "con Sabela")),
            "con Sabela",
        ),
        (
            "Welche Farbe hat der Roller?",
            (("user", "hab nen roller gekauft"), ("assistant", "Welche Farbe hat er?"), ("user", "mintgrün")),
            "mintgrün",
        ),
    ],
)
def test_the_answer_is_before_what_it_is_found_by(query: str, turns: tuple[tuple[str, str], ...], first: str) -> None:
    """Also in a chat without question marks; the next turn of somebody else is taken for the answer."""
    assert first_of(query, *turns) == first


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        # Something else is asked.
        (
            "Which ankle did Joris sprain?",
            (("Joris", "sprained my ankle"), ("Lene", "how bad is it, 1 to 10"), ("Joris", "7")),
        ),
        # Of something else.
        (
            "When is the regatta?",
            (("Joris", "the regatta is on!"), ("Lene", "when is the dentist?"), ("Joris", "5 May")),
        ),
        # It is told already.
        (
            "How much is the oak?",
            (("Joris", "the oak is 640"), ("Lene", "how much for you?"), ("Joris", "90")),
        ),
        # Nothing is told.
        (
            "Which ankle did Joris sprain?",
            (("Joris", "sprained my ankle"), ("Lene", "which one?"), ("Joris", "guess?")),
        ),
    ],
)
def test_what_does_not_answer_stays(query: str, turns: tuple[tuple[str, str], ...]) -> None:
    """The row stays first that was."""
    assert first_of(query, *turns) == turns[0][1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("front or back?", "which"), ("Wie alt ist er?", "age"), ("combien de temps ?", "lasting"),
        ("몇 살이에요?", "age"), ("언제 퇴원하세요?", "when"), ("wie heißt sie denn", "name"),
        ("¿cuánto te pagan?", "number"), ("It rained.", None),
    ],
)  # fmt: skip
def test_what_a_question_asks_for(text: str, kind: str | None) -> None:
    """By the word that it is put with, of whatever language."""
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("What package manager did you recommend?", True),
        ("What are the rates you gave me?", True),
        ("You suggested a primer: which one?", True),
        ("Do you know where I parked?", False),
        ("What do you need from me?", False),
        ("Can you tell me my goal?", False),
    ],
)
def test_what_an_agent_said_is_asked_for_by_you(query: str, asks: bool) -> None:
    """And a form of the past."""
    assert asks_of_agent(query) is asks


@pytest.mark.parametrize(
    ("query", "turns", "first"),
    [
        (
            "What package manager did you recommend?",
            (("user", "Which package manager? I'm sick of this."), ("assistant", "Take uv."), ("user", "Thanks.")),
            "Take uv.",
        ),
        (
            "What are the rates you gave me?",
            (
                ("user", "The higher rate came through!"),
                ("user", "Nice."),
                ("assistant", "Two rates: 73.90 and 110.40."),
            ),
            "Two rates: 73.90 and 110.40.",
        ),
        (
            "Which package manager do I use?",
            (("user", "Which package manager? I use pip."), ("assistant", "Take uv."), ("user", "Thanks.")),
            "Which package manager? I use pip.",
        ),
        (
            "What package manager did you recommend?",
            (("Ida", "Which package manager? I'm sick of this."), ("Joris", "Take uv."), ("Ida", "Thanks.")),
            "Which package manager? I'm sick of this.",
        ),
    ],
)
def test_what_an_agent_said_comes_before_what_it_replied_to(
    query: str, turns: tuple[tuple[str, str], ...], first: str
) -> None:
    """Where the agent is asked for what it said; among people, and of the user, nothing changes."""
    assert first_of(query, *turns) == first
