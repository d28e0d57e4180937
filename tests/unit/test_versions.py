"""Which memories a newer one says anew: what is asked for is the old ones of one thing, of nobody and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.finding.grounded.findings import with_versions
from precis.finding.grounded.versions import versions
from precis.finding.request import read_request
from precis.finding.values import Finding, Findings, Level, Row

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def levels(ask: str, *texts: str) -> list[str]:
    """What is said of each memory, the oldest first; "" of one that is no version of what is asked for."""
    rows = [Row(id=str(at), text=text, created_at=NOW - timedelta(days=90 - at)) for at, text in enumerate(texts)]
    findings = versions(ask, read_request(ask, NOW.date()), rows, ("ana",))
    listed = {finding.id: finding.level.name.lower() for finding in findings.rows}
    return [listed.get(row.id, "") for row in rows]


@pytest.mark.parametrize(
    ("ask", "texts", "expected"),
    [
        (
            "forget my old address, I moved",
            ("I live at 12 Elm Street.", "Ben lives at 4 Oak Road.", "I live at 9 Pine Lane now."),
            ["sure", "", "near"],
        ),
        (
            "Delete Ben's former salary.",
            ("Ben earns 3000 euros.", "Ana earns 3000 euros.", "Ben earns 3500 euros.", "Ana earns 4000 euros."),
            ["sure", "", "near", ""],
        ),
        (
            "forget the old price",
            ("The kayak costs 400 euros.", "The tent costs 120 euros.", "The kayak costs 350 euros now."),
            ["sure", "", "near"],
        ),
        (
            "forget my first address",
            ("I live at 12 Elm Street.", "I live at 9 Pine Lane now.", "I live at 5 Oak Close now."),
            ["sure", "", "near"],
        ),
        (
            "Drop what I weighed before, and keep the new one.",
            ("I weigh 92 kilos.", "Ben weighs 80 kilos.", "I weigh 84 kilos."),
            ["sure", "", "near"],
        ),
        (
            "Vergiss meine alte Adresse.",
            ("Ich wohne in der Elmgasse 3.", "Ben wohnt in der Eichgasse 3.", "Ich wohne jetzt in der Kieferngasse 8."),
            ["sure", "", "near"],
        ),
        (
            "Borra la tarifa anterior.",
            ("La tarifa del agua es 40 euros.", "La tarifa del gas es 60 euros.", "La tarifa del agua es 52 euros."),
            ["sure", "", "near"],
        ),
        (
            "Mi sono trasferita da Lecce a Trento: dimentica dove abitavo prima.",
            (
                "Abito a Lecce in via Cavour 33.",
                "Mia zia Ornella abita a Lecce.",
                "Ora abito a Trento in via Stelle 2.",
            ),
            ["sure", "", "near"],
        ),
        (
            "Ich bin von Gera nach Jena gezogen, vergiss bitte die alte Adresse.",
            ("Ich wohne in Gera in der Elmgasse 3.", "Uta hat einen Hund.", "Ich wohne jetzt in Jena am Markt 8."),
            ["sure", "", "near"],
        ),
        (
            "Przeprowadziłam się z Radomia do Opola, zapomnij mój stary adres.",
            ("Mieszkam w Radomiu przy Różanej 6.", "Lubię herbatę.", "Mieszkam teraz w Opolu przy Krótkiej 11."),
            ["sure", "", "near"],
        ),
    ],
)
def test_the_old_ones_of_one_thing_go(ask: str, texts: tuple[str, ...], expected: list[str]) -> None:
    """Those before the newest are sure, the newest stays, and another's or another thing is no version of it."""
    assert expected == levels(ask, *texts)


@pytest.mark.parametrize(
    ("ask", "texts"),
    [
        ("keep my old address, forget the new one", ("I live at 12 Elm Street.", "I live at 9 Pine Lane now.")),
        ("don't forget my old address", ("I live at 12 Elm Street.", "I live at 9 Pine Lane now.")),
        ("forget my address", ("I live at 12 Elm Street.", "I live at 9 Pine Lane now.")),
        ("forget the old meeting time", ("The team meeting is at 10.", "The board meeting is at 11.")),
        ("forget my old address", ("Ben lives at 4 Oak Road.", "Ben lives at 7 Ash Road now.")),
        ("forget my old address", ("I live at 12 Elm Street.", "I like the old elm in the street.")),
        (
            "delete the old prices",
            (
                "The kayak costs 400 euros.", "The tent costs 120 euros.",
                "The kayak costs 350 euros now.", "The tent costs 99 euros now.",
            ),
        ),
        ("My email changed. Delete the previous one.", ("My email is now ada@alt.example.", "An email came in.")),
        ("Vergiss nicht meine alte Adresse.", ("Ich wohne in der Elmgasse 3.", "Ich wohne jetzt am Markt 8.")),
    ],
)  # fmt: skip
def test_nothing_goes_where_it_is_not_plain(ask: str, texts: tuple[str, ...]) -> None:
    """Not where the new one is to go, nor nothing old was asked for, nor where several things were told anew."""
    assert "sure" not in levels(ask, *texts)


def test_what_is_said_anew_stands_beside_what_rules_find() -> None:
    """In the place of what they say of the same memories, but not where they are sure of the newest."""
    old, new, other = (Finding(id=id_, level=Level.DOUBTFUL, why="it may be it") for id_ in ("old", "new", "other"))
    anew = Findings(
        rows=(Finding(id="old", level=Level.SURE, why="again"), Finding(id="new", level=Level.NEAR, why="newest"))
    )
    assert ("other", *anew.rows) == ("other", *with_versions(Findings(rows=(old, new, other)), anew).rows[1:])
    sure = Findings(rows=(Finding(id="new", level=Level.SURE, why="it has the name"),))
    assert sure == with_versions(sure, anew)
