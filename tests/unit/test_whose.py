"""Of whom a row tells where a question asks of somebody."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.recall.question import read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told
from precis.recall.whose import OfWhom

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def first(question: str, *texts: str, user: str = "nobody", speaker: str | None = None) -> str:
    """The text of the first row, where they stand in this order."""
    scores = [Score(id=str(at), keyword=0.9 - 0.2 * at) for at in range(len(texts))]
    told = {str(at): Told(text, DAY, speaker) for at, text in enumerate(texts)}
    ordered = OfWhom(read_question(question, user_id=user), told).first(scores)
    assert sorted(score.id for score in ordered) == sorted(told)
    assert ordered == sorted(ordered, key=lambda score: (-score.total, score.id))
    return texts[int(ordered[0].id)]


@pytest.mark.parametrize(
    ("question", "theirs", "another"),
    [
        ("What car does Edda drive?", "I drive a Fiat.", "Edda's sister Pia drives a Volvo."),
        ("What car does Edda drive?", "I drive a Fiat.", "Tom drives a Skoda."),
        ("What car does Edda drive?", "Edda drives a Fiat.", "My uncle drives a Volvo."),
        ("Welches Auto fährt Edda?", "Ich fahre einen Fiat.", "Eddas Schwester Pia fährt einen Volvo."),
        ("Welches Auto fährt Edda?", "Ich fahre einen Fiat.", "Die Schwester von Edda fährt einen Volvo."),
        ("Quelle voiture conduit Edda ?", "Je conduis une Fiat.", "La sœur d'Edda conduit une Volvo."),
        ("¿Qué coche conduce Edda?", "Conduzco un Fiat.", "El jefe de Edda conduce un Volvo."),
        ("Que carro conduz Edda?", "Conduzo um Fiat.", "A irmã da Edda conduz um Volvo."),
        ("Che macchina guida Edda?", "Guido una Fiat.", "Il capo di Edda guida una Volvo."),
        ("Edda hangi arabayı kullanıyor?", "Fiat kullanıyorum.", "Edda'nın kız kardeşi Volvo kullanıyor."),
        ("Waar woont Edda?", "Ik woon in Gent.", "De zus van Edda woont in Leiden."),
        ("Var bor Edda?", "Jag bor i Lund.", "Eddas syster bor i Borås."),
        ("Gdzie mieszka Edda?", "Mieszkam w mieście Opole.", "Siostra Eddy mieszka w mieście Lublin."),
        ("Где живёт Эдда?", "Я живу в городе Омск.", "Сестра Эдды живёт в городе Тверь."),
    ],
)
def test_what_the_user_wrote_comes_before_what_is_of_a_relative(question: str, theirs: str, another: str) -> None:
    """Though that one has more words of the question."""
    assert first(question, another, theirs, user="edda-1 эдда") == theirs


@pytest.mark.parametrize(
    ("question", "theirs", "another"),
    [
        ("Where does Arvid live?", "Arvid lives in Turku.", "Arvid's landlord lives in Oslo."),
        ("Where does Arvid live?", "Arvid lives in Turku.", "A friend of Arvid's lives in Oslo."),
        ("Wo wohnt Arvid?", "Arvid wohnt in Kiel.", "Arvids Chef wohnt in Mainz."),
        ("Where do I live?", "I live in Turku.", "My brother lives in Oslo."),
        ("Wo wohne ich?", "Ich wohne in Kiel.", "Mein Bruder wohnt in Mainz."),
    ],
)
def test_so_does_what_is_told_of_whom_is_asked(question: str, theirs: str, another: str) -> None:
    """Of somebody by name, and of the user themselves."""
    assert first(question, another, theirs) == theirs


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Where does Arvid's brother live?", ("Arvid's brother lives in Oslo.", "Arvid lives in Turku.")),
        ("Who visited Arvid?", ("Arvid's sister visited on Sunday.", "Arvid visited the dentist.")),
        ("Where does Arvid live?", ("Arvid's brother lives in Oslo.", "Arvid is late again.")),
        ("Which desk is mine?", ("Help desk is closed on Fridays.", "I like the desk by the window.")),
        ("Where does Arvid live?", ("The road in which he lives is closed.", "Arvid lives in Turku.")),
    ],
)
def test_in_doubt_nothing_moves(question: str, rows: tuple[str, str]) -> None:
    """Asked of a relative or who did it, or where what is theirs does not hold what is asked for."""
    assert first(question, *rows) == rows[0]


def test_who_says_it_is_who_writes() -> None:
    """What Arvid calls "my boss" is his, and what Arvid says of himself is not of the user."""
    rows = ("My boss lives in Oslo.", "I live in Turku.")
    assert first("Where does Arvid live?", *rows, speaker="Arvid") == rows[1]
    assert first("Where does Edda live?", *rows, speaker="Arvid", user="edda") == rows[0]
