"""What is asked of the world is set aside; what a question tells of somebody stays, and stands last."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from precis.checks import fates as asked
from precis.checks.answering import asks_the_world, questions_last
from precis.checks.fates import fates, set_aside
from precis.engine.keeping import completed
from precis.language.chitchat import is_small_talk
from precis.makers import Item
from precis.models.tokens import count
from precis.summary import Fate, Statement

OF_NOBODY = [
    "What is the capital of Peru?",
    "Could you tell me the weather in Rome?",
    "How high is the Eiffel Tower?",
    "Was ist die Hauptstadt von Chile?",
    "Kannst du mir sagen, wie spät es in Tokio ist?",
    "¿Cuál es la capital de Kenia?",
    "Quelle est la capitale du Pérou ?",
    "Qual è la capitale del Perù?",
    "Qual a capital do Peru?",
    "Wat is de hoofdstad van Peru?",
    "Peru'nun başkenti neresi?",
    "Что такое инфляция?",
]
OF_SOMEBODY = [
    "Should I take the job in Bergen?",
    "Where did I park the car?",
    "When does Bram arrive?",
    "What does Noor eat?",
    "Who stole the user's bike?",
    "Who is the boss of Noor?",
    "Why is the boiler broken again?",
    "When is the wedding in Bergen?",
    "How was the funeral in Bergen?",
    "What is Eva's number?",
    "Could you tell me where I left the keys?",
    "Soll ich die Stelle in Bergen nehmen?",
    "Wann heiratet Bram?",
    "Wo habe ich das Auto geparkt?",
    "¿Dónde dejé el coche?",
    "¿Quién robó la bici de Rosa?",
    "Où ai-je garé ma voiture ?",
    "Arabamı nereye park ettim?",
    "Где мой паспорт?",
    "Did the user renew the visa, or the passport, or both?",
]
FAREWELLS = ["See you tomorrow!", "Bis morgen!", "¡Hasta mañana!", "À demain !", "Yarın görüşürüz!", "До завтра!"]


def items_of(*texts: str) -> list[Item]:
    """Notes of one day each."""
    return [
        Item(text=text, source_ids=(f"m{at}",), created_at=datetime(2026, 3, at + 1, tzinfo=UTC))
        for at, text in enumerate(texts)
    ]


@pytest.mark.parametrize("question", OF_NOBODY)
def test_what_anybody_could_ask_is_set_aside_as_a_question(question: str) -> None:
    """Though nothing that is said names the place."""
    assert asks_the_world(question)
    (outcome,) = fates(items_of(question), ())
    assert outcome is not None
    assert outcome.fate is Fate.QUESTION


@pytest.mark.parametrize("question", OF_SOMEBODY)
def test_what_tells_of_somebody_is_no_such_question(question: str) -> None:
    """A first person, a possessive, a name, or something that is taken to be so."""
    assert not asks_the_world(question)


@pytest.mark.parametrize("farewell", FAREWELLS)
def test_a_farewell_is_small_talk(farewell: str) -> None:
    """It names a day, and tells nothing."""
    assert is_small_talk(farewell)


def test_an_archive_tells_no_such_question_and_opens_with_none() -> None:
    """What is unsaid is quoted: the question that tells of the user as well, behind the others."""
    items = items_of(OF_SOMEBODY[0], OF_NOBODY[0], FAREWELLS[0], "The user works at the harbor office.", OF_NOBODY[3])
    texts = [statement.text for statement in completed(items, (), room=500, count=count)]
    assert texts == ["The user works at the harbor office.", OF_SOMEBODY[0]]


def test_a_question_that_is_answered_stays_before_its_answer() -> None:
    """In a talk the words behind it would tell nothing else."""
    texts = ("Ida: Which boat is yours?", "Bo: The red one.", "Ida: Where are my keys?", "Ida: I sold the boat.")
    statements = [Statement(text=text, source_ids=(f"m{at}",), importance=0.5) for at, text in enumerate(texts)]
    assert [statement.text for statement in questions_last(statements)] == [texts[at] for at in (0, 1, 3, 2)]


def test_whether_anything_is_told_is_asked_up_to_the_first_thing_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks what becomes of a thousand items to know that the first one tells something."""
    looked_at: list[int] = []
    fate_of = asked._fate

    def noting(*arguments: Any) -> Any:
        looked_at.append(arguments[1])
        return fate_of(*arguments)

    monkeypatch.setattr(asked, "_fate", noting)
    assert not set_aside(items_of("Thanks!", "Noor moved to Bergen.", *OF_SOMEBODY))
    assert looked_at == [0, 1]
    assert set_aside(items_of("Thanks!", *OF_NOBODY, "Ok."))
