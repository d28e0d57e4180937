"""What is for somebody else, what is left behind, and who a message goes on about beside another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finding_levels import levels
from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Row

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ask", "own", "other"),
    [
        ("Forget my dentist appointment", "My dentist appointment is on Friday.", "Dentist for Jorun on Tuesday."),
        ("Forget my car", "My car is a grey Corsa.", "I bought a car for Bertrand."),
        ("Forget my physio", "My physio is on Monday.", "Physio booked for Grandpa on Monday."),
        ("Vergiss meinen Reisepass", "Mein Reisepass läuft ab.", "Reisepass für Jonte: läuft im Mai ab."),
        ("Olvida mi pasaporte", "Mi pasaporte caduca en mayo.", "Pasaporte para Lucio: caduca en junio."),
        ("Esqueça meu remédio", "Meu remédio é insulina.", "Remédio para a Benedita: xarope."),
        ("Oublie mon passeport", "Mon passeport expire en mai.", "Passeport pour Noé : expire en juin."),
        ("Dimentica il mio passaporto", "Il mio passaporto scade a maggio.", "Passaporto per Tullio: scade a giugno."),
        ("Vergeet mijn tandarts", "Mijn tandarts is Smit.", "Tandarts voor Joris dinsdag om drie uur."),
        ("Забудь мои лекарства", "Мои лекарства: инсулин.", "Лекарство для Глеба: сироп."),
    ],
)
def test_what_is_for_somebody_else_is_not_surely_the_users(ask: str, own: str, other: str) -> None:
    """It stays unless it is chosen, and the user's own goes."""
    assert levels(ask, own, other)[0] == "sure"
    assert levels(ask, own, other)[1] in {"doubtful", "near", "no"}


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget my job", "I work for Ida Lohse."),
        ("Vergiss meinen Job", "Ich arbeite für Ida Lohse."),
        ("Oublie mon travail", "Je travaille pour Noé Garnier."),
        ("Forget Jorun's dentist appointment", "Dentist for Jorun on Tuesday at three."),
        ("Vergiss Jontes Zahnarzttermin", "Zahnarzt für Jonte am Dienstag um drei."),
        ("Forget my dentist appointment", "My dentist appointment for Friday was moved."),
    ],
)
def test_what_is_done_for_somebody_or_asked_for_of_them_is_sure(ask: str, text: str) -> None:
    """A job is the user's whoever it is for."""
    assert levels(ask, text, by_memories=True) == ["sure"]


@pytest.mark.parametrize(
    ("ask", "text", "expected"),
    [
        ("Forget everything about Nora", "Nora is pregnant, the due date is 9 November.", "doubtful"),
        ("Vergiss alles über Sabrina", "Sabrina sagt, es wird ein Mädchen, Termin ist der 9. November.", "doubtful"),
        ("Olvida todo sobre Marta", "Marta dice que es niña, la fecha es el 9 de noviembre.", "doubtful"),
        ("Vergiss alles über Nora", "Ja, genau. Nora zieht nach Kiel.", "sure"),
        ("Olvida todo sobre Nora", "Sí, claro. Nora se mudó a Lugo.", "sure"),
        ("Oublie tout sur Nora", "Oui. Nora habite à Brest.", "sure"),
        ("Nora hakkında her şeyi unut", "Evet. Nora İzmir'e taşındı.", "sure"),
    ],
)
def test_nothing_is_left_that_says_nothing_or_would_be_the_users(ask: str, text: str, expected: str) -> None:
    """A due date of nobody would be read of the user, and "Ja." is no memory."""
    rows = [Row(id="m", text=text, created_at=NOW)]
    (finding,) = find(read_request(ask, NOW.date()), rows).rows
    assert (finding.level.name.lower(), finding.keeps) == (expected, ())


@pytest.mark.parametrize(
    ("ask", "first", "second"),
    [
        ("Forget everything about Sabrina", "Sabrina told everyone.", "She and Imad are getting married in May."),
        (
            "Vergiss alles über Sabrina",
            "Sabrina hat es nun allen erzählt, ist also kein Geheimnis mehr.",
            "Sie und Imad heiraten am 13. September in Bremen.",
        ),
        ("Olvida todo sobre Marta", "Marta se lo contó a todos.", "Ella y Lucio se casan en mayo."),
        ("Oublie tout sur Maud", "Maud l'a dit à tout le monde.", "Elle et Yann se marient en mai."),
        ("Dimentica tutto su Marta", "Marta l'ha detto a tutti.", "Lei e Tullio si sposano a maggio."),
        ("Esqueça tudo sobre a Lívia", "A Lívia contou a todos.", "Ela e o Davi casam em maio."),
    ],
)
def test_who_is_taken_up_beside_somebody_else_is_in_doubt(ask: str, first: str, second: str) -> None:
    """Whoever was named right before is one of two: "She and Imad"."""
    assert levels(ask, first, second, session_id="one")[1] == "doubtful"
