"""What one memory introduces by name, others tell of by that name alone."""

from datetime import UTC, datetime, timedelta

import pytest

from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Level, Row

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def levels(ask: str, *texts: str) -> list[str]:
    """What becomes of each memory of a request."""
    rows = [Row(id=str(at), text=text, created_at=NOW - timedelta(days=90 - 3 * at)) for at, text in enumerate(texts)]
    known = {it.id: it.level for it in find(read_request(ask, NOW.date()), rows).rows}
    return [known.get(row.id, Level.NO).name.lower() for row in rows]


@pytest.mark.parametrize(
    ("ask", "introducing", "named", "other"),
    [
        ("Forget everything about my sister.", "Odile, my sister, is moving.", "Odile pays 980.", "Emrys pays 700."),
        ("forget the electrician", "Rhun is the electrician.", "Rhun charges 260 a day.", "Emrys charges 30."),
        ("Vergiss meinen Kater", "Fleck ist unser Kater.", "Fleck frisst wenig.", "Egon isst wenig."),
        ("Lösche alles über den Klempner.", "Der Klempner heißt Ingo Matthes.", "Matthes kommt um 8.", "Egon kocht."),
        ("Efface mon lapin", "Réglisse est notre lapin.", "Réglisse a mangé les rideaux.", "Anselme dort."),
        ("Zapomnij o moim psie", "Nasz pies wabi się Bigos.", "Bigos zjadł skarpetę.", "Olgierd buduje kajaki."),
        ("Köpeğimi unut", "Köpeğimizin adı Paşa.", "Paşa bahçeyi kazmış.", "Volkan askerde."),
    ],
)
def test_who_is_introduced_by_name_is_meant_by_it(ask: str, introducing: str, named: str, other: str) -> None:
    """The name is surely theirs, whichever word stands first and in whichever language."""
    assert levels(ask, introducing, named, other) == ["sure", "sure", "no"]


@pytest.mark.parametrize(
    ("ask", "hers", "his"),
    [
        ("Olvida todo sobre mi hermana.", "Mi hermana Itziar vive en Gijón.", "Mi hermano Gorka vive en Vigo."),
        ("Esquece a minha irmã.", "A minha irmã Leonor mora em Viseu.", "O meu irmão Duarte mora em Faro."),
        ("Dimentica mia cugina.", "Mia cugina Ginevra insegna.", "Mio cugino Ettore fa il fornaio."),
        ("Vergiss meine Cousine.", "Meine Cousine Ilse wohnt in Ulm.", "Mein Cousin Max wohnt in Ulm."),
        ("Oublie ma cousine.", "Ma cousine Ilse habite à Ulm.", "Mon cousin Max habite à Ulm."),
    ],
)
def test_a_sister_is_no_brother(ask: str, hers: str, his: str) -> None:
    """Two relatives whose words differ only in their ending are two."""
    assert levels(ask, hers, his) == ["sure", "no"]


def test_a_name_without_capitals_is_in_doubt() -> None:
    """It may be a word as well."""
    assert levels("请删除我的狗", "我家的狗叫豆豆。", "豆豆把拖鞋咬坏了。", "小磊在船厂上班。")[:2] == [
        "sure",
        "doubtful",
    ]


def test_of_two_who_are_introduced_neither_name_is_sure() -> None:
    """Whose name it is has to be asked, where there are two sisters."""
    assert levels(
        "Forget my sister.", "My sister Odile paints.", "My sister Wren sings.", "Odile moved.", "Wren moved."
    ) == ["sure", "sure", "doubtful", "doubtful"]


def test_a_name_that_another_has_too_is_in_doubt() -> None:
    """Whose it is has to be asked, where it stands behind another role."""
    assert levels("Forget my sister.", "My sister Odile paints.", "My boss Odile is strict.", "Odile moved.")[2] == (
        "doubtful"
    )


def test_what_somebody_told_in_confidence_is_not_all_that_they_told() -> None:
    """What narrows what was told is not left out because who told it is known."""
    told = ("Hugh: Between us: Colin is moving out.", "Hugh: Wages go up to 12 an hour.", "Priya: oh no")
    assert levels("Forget what Hugh told us in confidence.", *told)[:1] == ["sure"]
    assert "sure" not in levels("Forget what Hugh told us in confidence.", *told)[1:]
    assert levels("Forget what Hugh told us privately.", *told)[0] == "sure"


def test_what_was_said_in_a_month_is_said_by_anybody() -> None:
    """Nobody is named who said it, so whoever did is meant."""
    rows = [
        Row(id=str(at), text=text, created_at=datetime(2025, 11, 3 + at, tzinfo=UTC), session_id="s", speaker=who)
        for at, (who, text) in enumerate((("Hugh", "The van is sold."), ("Priya", "The code is 4471.")))
    ]
    found = find(read_request("Forget what was said in November 2025.", NOW.date()), rows)
    assert [it.level for it in found.rows] == [Level.SURE, Level.SURE]


def test_a_part_that_stays_has_both_of_its_brackets() -> None:
    """A list in brackets is not cut in two, nor what only goes on about who went kept as the user's own."""
    torn = "me separé de Antonia en enero, los niños (Emilia y Vicente) están conmigo los jueves"
    assert levels("Forget everything about Antonia", torn) == ["doubtful"]
    assert levels("Vergiss alles über Pascal.", "Pascal hört auf. Geht zum 1. Juli nach Bremen. Der Kran steht.") == [
        "doubtful"
    ]


def test_a_number_does_not_take_what_somebody_wants_along() -> None:
    """What is told behind a number is no part of it; and one with its country is the same without a plus."""
    assert levels("Remove the phone number 07700900418.", "Ring 07700-900-418, he wants a net too") == ["doubtful"]
    assert levels("elimina el número 56981234567", "mi cel nuevo es +56 9 8123 4567") == ["sure"]


def test_an_animal_of_somebody_is_in_doubt_by_its_name() -> None:
    """Of all about somebody, what tells of their dog by its name may be meant."""
    told = levels("Forget everything about Mrs Lindqvist.", "Mrs Lindqvist's dog Bamse bit Sam.", "Bamse dug again.")
    assert told == ["sure", "doubtful"]
