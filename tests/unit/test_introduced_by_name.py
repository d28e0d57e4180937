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
        ("Borra a mi perra", "Mi perra se llama Canela.", "Canela está en celo.", "Gorka está en Vigo."),
        ("Zapomnij o moim psie", "Nasz pies wabi się Bigos.", "Bigos zjadł skarpetę.", "Olgierd buduje kajaki."),
        ("Köpeğimi unut", "Köpeğimizin adı Paşa.", "Paşa bahçeyi kazmış.", "Volkan askerde."),
        ("请删除我的狗", "我家的狗叫豆豆。", "豆豆把拖鞋咬坏了。", "小磊在船厂上班。"),
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
