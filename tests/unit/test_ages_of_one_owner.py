"""The old value of somebody, and the new one, beside those of somebody else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finding_levels import levels
from precis.finding.grounded.versions import versions
from precis.finding.request import read_request
from precis.finding.values import Level, Row

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def anew(ask: str, *texts: str) -> list[str]:
    """What is said anew, each as a level."""
    rows = [
        Row(id=str(at), text=text, created_at=datetime(2026, 1, 1 + at, tzinfo=UTC)) for at, text in enumerate(texts)
    ]
    listed = {it.id: it.level.name.lower() for it in versions(ask, read_request(ask, NOW.date()), rows, {"user"}).rows}
    return [listed.get(row.id, "no") for row in rows]


@pytest.mark.parametrize(
    ("ask", "old", "theirs", "new"),
    [
        ("Forget my old rent", "My rent is 690 dollars.", "Tove's rent is 500 dollars.", "My rent is now 745 dollars."),
        ("Oublie l'ancien loyer", "Mon loyer est de 690 euros.", "Le loyer de Noé est de 500 euros.",
         "Mon loyer est maintenant de 745 euros."),
        ("Dimentica il mio vecchio peso", "Il mio peso è 88 chili.", "Il peso di Tullio è 59 chili.",
         "Adesso il mio peso è 82 chili."),
        ("Esqueça o aluguel antigo", "Meu aluguel é R$ 1.350.", "O aluguel da Inês é R$ 900.",
         "Agora meu aluguel é R$ 1.700."),
        ("Удали мой старый вес", "Мой вес 69 кило.", "Вес Тараса 97 кило.", "Теперь мой вес 65 кило."),
        ("Забудь моего старого врача", "Мой врач — доктор Сомов.", "Врач Тараса — доктор Гущин.",
         "Теперь мой врач — доктор Ершов."),
    ],
)  # fmt: skip
def test_somebody_elses_value_is_no_older_one(ask: str, old: str, theirs: str, new: str) -> None:
    """The user's old one is said anew, and nobody else's is."""
    assert anew(ask, old, theirs, new) == ["sure", "no", "near"]
    assert "sure" not in anew(ask, theirs, new)


def test_a_street_that_is_called_after_somebody_is_nobodys() -> None:
    """The old address is said anew."""
    told = anew("Forget my old address", "I live at 14 Tove Street.", "I now live at 5 Arvid Street.")
    assert told == ["sure", "near"]


@pytest.mark.parametrize(
    ("ask", "old", "new"),
    [
        ("Forget my new number", "My number is 555 201 334.", "My new number is 555 887 120."),
        ("Oublie mon nouveau numéro", "Mon numéro est le 06 12 45 78 90.", "Mon nouveau numéro est le 07 66 50 14 82."),
        ("Esqueça o meu novo número", "Meu número é 98123-4567.", "Meu novo número é 98888-0147."),
        ("Забудь мой новый номер", "Мой номер 8 912 345-67-01.", "Мой новый номер 8 982 444-09-18."),
        ("मेरा नया नंबर भूल जाओ", "मेरा नंबर 98260 11223 है।", "मेरा नया नंबर 70001 23987 है।"),
    ],
)
def test_what_is_called_the_new_one_takes_no_old_one(ask: str, old: str, new: str) -> None:
    """The old one stays."""
    assert levels(ask, old, new) == ["near", "sure"]


def test_an_old_thing_that_no_table_knows_is_no_name() -> None:
    """Nobody else's goes."""
    told = levels(
        "前の主治医を忘れて",
        "私の主治医は小野先生です。",
        "蓮の主治医は権田先生です。",
        "今の私の主治医は片桐先生です。",
    )
    assert told[0] in {"sure", "doubtful"}
    assert told[1:] != ["sure", "sure"]
    assert told[1] != "sure"


def test_levels_are_those_of_the_preview() -> None:
    """No other words are used here."""
    assert {"sure", "near"} <= {level.name.lower() for level in Level}
