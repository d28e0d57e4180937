"""Everybody's but the user's, and what is only pointed at behind an "and"."""

from __future__ import annotations

from datetime import date

import pytest

from finding_levels import levels
from precis.finding.request import read_request


@pytest.mark.parametrize(
    ("ask", "own", "other"),
    [
        ("Delete all phone numbers except my own", "My phone number is 555 201 334.", "Tove's number is 555 887 120."),
        ("Forget every salary but mine", "My salary is 5,100.", "Tove's salary is 4,200."),
        ("Vergiss alle Gehälter außer meinem", "Mein Gehalt ist 5100 Euro.", "Das Gehalt von Jonte ist 4200 Euro."),
        ("Oublie tous les salaires sauf le mien", "Mon salaire est de 2100.", "Le salaire de Noé est de 1900."),
        ("Olvida todos los sueldos menos el mío", "Mi sueldo es de 2100.", "El sueldo de Lucio es de 1900."),
        ("Apague todos os salários, menos o meu", "Meu salário é 2100.", "O salário do Abel é 1900."),
        ("Забудь все зарплаты, кроме моей", "Моя зарплата 62 000.", "Зарплата Глеба 85 000."),
        ("私の月給以外の月給を全部忘れて", "私の月給は21万円です。", "蓮の月給は28万円です。"),
        ("Dimentica tutti i numeri tranne il mio", "Il mio numero è 347 5512.", "Il numero di Tullio è 339 774."),
    ],
)
def test_except_mine_keeps_what_is_the_users(ask: str, own: str, other: str) -> None:
    """What is of somebody else goes, or may."""
    assert levels(ask, own, other)[0] in {"near", "no"}
    assert levels(ask, own, other)[1] in {"sure", "doubtful"}


@pytest.mark.parametrize("ask", ["Forget that the car is not mine", "Forget my salary", "Vergiss mein Auto"])
def test_what_is_called_mine_elsewhere_is_no_exception(ask: str) -> None:
    """The user's own goes, or may."""
    own = {"salary": "My salary is 5,100.", "car": "The car is not mine.", "Auto": "Mein Auto ist rot."}
    text = next(text for word, text in own.items() if word in ask)
    assert levels(ask, text)[0] in {"sure", "doubtful"}


@pytest.mark.parametrize(
    ("ask", "own", "theirs", "who"),
    [
        ("Forget my salary and that of Tove", "My salary is 5,100.", "Tove's salary is 4,200.", "Tove is my boss."),
        ("Oublie mon salaire et celui de Noé", "Mon salaire est 2100.", "Le salaire de Noé est 1900.", "Noé a faim."),
        ("Olvida mi sueldo y el de Lucio", "Mi sueldo es 2100.", "El sueldo de Lucio es 1900.", "Lucio vive en Lugo."),
        ("Esqueça o meu salário e o do Abel", "Meu salário é 2100.", "O salário do Abel é 1900.", "O Abel é meu tio."),
        ("Dimentica il mio stipendio e quello di Tullio", "Il mio stipendio è 2100.", "Lo stipendio di Tullio è 1900.",
         "Tullio è mio zio."),
        ("Забудь мою зарплату и зарплату Глеба", "Моя зарплата 62 000.", "Зарплата Глеба 85 000.", "Глеб живёт там."),
    ],
)  # fmt: skip
def test_of_mine_and_that_of_somebody_both_go_and_who_that_is_stays(ask: str, own: str, theirs: str, who: str) -> None:
    """The thing is named once and meant twice."""
    assert levels(ask, own, theirs, who)[:2] == ["sure", "sure"]
    assert levels(ask, own, theirs, who)[2] in {"near", "no"}


@pytest.mark.parametrize(
    ("ask", "who", "mine"),
    [
        ("Apague o meu celular e o do meu marido", "O Abel é meu marido.", "Meu celular é 98123-4567."),
        ("Borra mi número y el de mi marido", "Lucio es mi marido.", "Mi número es el 699 887 766."),
        ("Lösche meine Nummer und die von meinem Mann", "Jonte ist mein Mann.", "Meine Nummer ist 0160 9988776."),
        ("Forget my number and that of my husband", "Arvid is my husband.", "My number is 555 201 334."),
    ],
)
def test_that_of_a_relative_is_not_who_the_relative_is(ask: str, who: str, mine: str) -> None:
    """The sentence that says who that is stays."""
    assert levels(ask, mine, who)[0] == "sure"
    assert levels(ask, mine, who)[1] != "sure"


@pytest.mark.parametrize(
    "ask", ["N'oublie surtout pas mon allergie", "N'oublie jamais mon allergie", "Never forget my allergy"]
)
def test_a_wish_to_keep_is_none_to_forget(ask: str) -> None:
    """However much it is stressed."""
    assert read_request(ask, date(2026, 3, 18)).refuses


@pytest.mark.parametrize(
    ("ask", "own", "other"),
    [
        (
            "Oublie tous les numéros de téléphone sauf le mien",
            "Mon portable est le 06 12 45 78 90.",
            "Le portable de Noé est le 06 88 40 17 23.",
        ),
        ("Забудь все номера телефонов, кроме моего", "Мой номер 8 912 345-67-01.", "Телефон Глеба: 8 922 100-20-30."),
        (
            "Apague todos os números de telefone menos o meu",
            "Meu celular é 98123-4567.",
            "O celular do Abel é 97700-8899.",
        ),
    ],
)
def test_numbers_of_telephones_are_telephones(ask: str, own: str, other: str) -> None:
    """Whatever else they are called: "mobile"."""
    assert levels(ask, own, other)[0] in {"near", "no"}
    assert levels(ask, own, other)[1] in {"sure", "doubtful"}


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("forget my rent", "Ada's rent is 700 and my rent is 650."),
        ("forget my salary", "Ben's salary is 4,100 and my salary is 3,900."),
        ("Forget my dentist", "Runa's dentist is in Kiel and my dentist is in Husum."),
    ],
)
def test_what_is_mine_behind_what_is_somebodys_is_shown(ask: str, text: str) -> None:
    """A sentence that opens with another's has the user's as well: it is in doubt at least."""
    assert levels(ask, text)[0] in {"doubtful", "sure"}
    assert "near" == levels(ask, text.split(" and ", maxsplit=1)[0] + ".")[0]
