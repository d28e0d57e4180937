"""How old somebody is: an age is looked for, and not the word "old"."""

from __future__ import annotations

from datetime import date

import pytest

from precis.app import App
from precis.recall.question import read_question
from precis.recall.telling import Wanted

DAY = date(2026, 5, 4)


@pytest.mark.parametrize(
    ("query", "word", "instead"),
    [
        ("How old is Ebba?", "old", "age"),
        ("How old is Ebba now?", "old", "age"),
        ("Wie alt ist Lotte?", "alt", "lebensalt"),
        ("Hoe oud is Noor?", "oud", "leeftijd"),
        ("Hur gammal är Ebba?", "gammal", "ålder"),
        ("How far is Lund?", "far", "distanc"),
        ("How big is the flat?", "big", "size"),
        ("How heavy is the crate?", "heavi", "weight"),
    ],
)
def test_the_adjective_of_a_measure_is_not_looked_for(query: str, word: str, instead: str) -> None:
    """Its noun is, and what tells it."""
    question = read_question(query)
    assert word not in (*question.terms, *question.forms)
    assert instead in question.terms


def test_the_adjective_is_looked_for_elsewhere() -> None:
    """Where no measure is asked."""
    assert "old" in read_question("Where is the old boat?").terms
    assert read_question("How old is Ebba now?").present
    assert not read_question("How old is Ebba?").present


@pytest.mark.parametrize(
    ("query", "tells", "other"),
    [
        ("How old is Ebba?", "Ebba laughed at me. She's eleven, no mercy.", "The code is 9026 now. Old one's dead."),
        ("How old is Ruben?", "Ruben turned fourteen on Sunday.", "Ruben bought 14 chairs for 30 euros."),
        ("How old is Joao?", "Joao is 9 years old and plays chess.", "Joao is nine minutes late."),
        ("How old is Marit?", "Marit was born in 2015.", "There are two, said Marit."),
        ("Wie alt ist Jonas?", "Jonas wurde letzte Woche zwölf.", "Jonas kommt um acht Uhr."),
        ("Quel âge a Camille ?", "Camille a douze ans.", "Camille a douze chats."),
        ("¿Qué edad tiene Vega?", "Vega cumplió trece el domingo.", "Vega compró trece sillas."),
    ],
)
def test_an_age_tells_it(query: str, tells: str, other: str) -> None:
    """Any other number does not."""
    wanted = Wanted(query)
    assert wanted.told_in(tells, DAY) > wanted.told_in(other, DAY) >= 0


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("kind", ["semantic", "message"])
async def test_recall_finds_the_age(app: App, kind: str) -> None:
    """Before what holds the name, and before what is old."""
    texts = [
        "Ebba laughed at me walking like a duck. She's eleven, no mercy.",
        "They changed the warehouse code, it's 9026 now. Old one's dead.",
        "Runs from 1 July. Until then the old price counts.",
        "Ebba starts at the new school in August.",
    ]
    await app.memories.add(
        [
            {"id": f"m{at}", "user_id": "ana", "text": text, "memory_type": kind, "session_id": f"s{at}"}
            for at, text in enumerate(texts)
        ]
    )
    results = await app.recall.search("How old is Ebba?", user_id="ana", limit=4)
    assert results[0].memory.id == "m0"
