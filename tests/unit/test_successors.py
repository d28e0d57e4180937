"""Whom one asks for has left: who came after goes first; and when something begins is not when it ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.app import App
from precis.recall.newer.successors import Successors, asked_end_first
from precis.recall.question import read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told

SPRING = datetime(2026, 3, 10, 9, tzinfo=UTC)
LEFT = [
    ("Who do I talk to at Mobilia now?", "At Mobilia I talk to Greta Sund, she does the orders.",
     "Greta Sund is leaving Mobilia in March. Her successor is a Mr Pavel Novak."),
    ("Who is Mila's teacher now?", "Mila's class teacher is Mrs Brandl.",
     "Mrs Brandl is on maternity leave from Monday, a Mr Keller stands in for her."),
    ("Who is my boss?", "My boss is Henrike Voss.", "Henrike Voss quit last week. Tomas Lind takes over from her."),
    ("Who is our GP now?", "Our GP is Dr. Hallam on Mill Street.",
     "Dr. Hallam retires at Christmas; from then on it's Dr. Osei."),
    ("Wer ist unser Vermieter?", "Unser Vermieter ist Herr Stamm.",
     "Herr Stamm hat das Haus abgegeben, künftig ist Frau Bäuerle zuständig."),
    ("Qui est mon contact chez Valmont maintenant ?", "Mon contact chez Valmont est Luc Perrin.",
     "Luc Perrin quitte Valmont. Sa remplaçante s'appelle Inès Roche."),
    ("¿Quién es mi jefe ahora?", "Mi jefa es Carmen Rueda.",
     "Carmen Rueda se jubila en mayo. Su sucesor es Iván Soler."),
]  # fmt: skip
FURTHER = "Pavel Novak has moved on, from May on it's Ute Brandt."
STAYS = [
    ("Who is my boss?", "My boss is Henrike Voss.", "Henrike Voss bought a boat with a red sail."),
    ("Who is my boss?", "My boss is Henrike Voss.", "Henrike Voss is leaving on holiday on Friday."),
    ("Who is my boss?", "My boss is Henrike Voss.", "Did Henrike Voss take over the choir?"),
    ("Where does my boss live?", "My boss Henrike Voss lives in Kiel.", "Tom takes over the choir of Henrike Voss."),
    ("Who is my boss?", "My boss is Henrike Voss.", "Ole Hansen quit the choir, Siri takes over."),
]
BEGINS = [
    ("When does our new lease with Grantham begin?", "Our lease with Grantham expires on 30 April.",
     "Signed with Grantham! Five years, from 1 May."),
    ("Wann beginnt der neue Vertrag mit Kolb?", "Der Vertrag mit Kolb läuft am 31. März aus.",
     "Mit Kolb verlängert, ab dem 1. April für ein Jahr."),
    ("Quand commence le nouveau bail avec Morel ?", "Le bail avec Morel expire le 30 juin.",
     "Signé avec Morel, trois ans à partir du 2 juillet."),
    ("¿Cuándo empieza el nuevo contrato con Duarte?", "El contrato con Duarte vence el 30 de septiembre.",
     "Firmado con Duarte, dos años desde el 1 de octubre."),
    ("When does the exhibition end?", "The exhibition opens on 6 May.", "The exhibition closes on 8 June."),
]  # fmt: skip


def rows(*texts: str) -> tuple[dict[str, Told], list[Score]]:
    """Notes a month apart, the older the better."""
    told = {f"r{at}": Told(text, SPRING + timedelta(days=30 * at)) for at, text in enumerate(texts)}
    return told, [Score(id=id_, keyword=0.5 - at / 10) for at, id_ in enumerate(told)]


@pytest.mark.parametrize(("query", "older", "newer"), LEFT)
def test_who_came_after_goes_first(query: str, older: str, newer: str) -> None:
    """Though it has hardly a word of the question."""
    told, scores = rows(older, "The printer in the office is jammed.", newer)
    after = Successors(read_question(query), told)
    assert after.followed() == {"r0": "r2"}
    assert after.first(scores)[0].id == "r2"


def test_the_last_of_several_goes_first() -> None:
    """Each names the one before."""
    query, older, newer = LEFT[0]
    told, scores = rows(older, newer, FURTHER)
    after = Successors(read_question(query), told)
    assert after.first(scores)[0].id == "r2"
    assert after.followed()["r0"] == "r2"


@pytest.mark.parametrize(("query", "older", "newer"), STAYS)
def test_what_tells_of_nobody_else_stays_where_it_is(query: str, older: str, newer: str) -> None:
    """Of another, of another matter, or a question."""
    told, scores = rows(older, newer)
    assert Successors(read_question(query), told).first(scores) == scores


@pytest.mark.parametrize(("query", "ends", "begins"), BEGINS)
def test_when_it_begins_is_not_when_it_ends(query: str, ends: str, begins: str) -> None:
    """What is asked for goes first, and nothing is moved where neither is asked for."""
    told, scores = rows(ends, begins)
    assert asked_end_first(read_question(query), told, scores)[0].id == "r1"
    assert asked_end_first(read_question("What about Grantham?"), told, scores) == scores


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("kind", ["semantic", "message"])
async def test_recall_puts_the_successor_first(app: App, kind: str) -> None:
    """Of notes, and of what the user says in a talk; the older row names the newer."""
    query, older, newer = LEFT[0]
    await app.memories.add(
        [{
            "id": f"m{at}", "user_id": "ana", "text": text, "memory_type": kind, "session_id": f"s{at}",
            "created_at": SPRING + timedelta(days=30 * at), "metadata": {"role": "user"},
        }
        for at, text in enumerate((older, newer, "The garden hose leaks.", "We had pancakes."))]
    )  # fmt: skip
    results = await app.recall.search(query, user_id="ana", limit=4)
    assert results[0].memory.id == "m1"
    assert next(row for row in results if row.memory.id == "m0").later == "m1"
