"""What a memory calls somebody's is theirs, owner by owner, in the languages of requests; and what is surely meant."""

from __future__ import annotations

from datetime import date

import pytest

from finding_levels import levels
from precis.finding.reading import users_of
from precis.finding.request import read_request
from precis.finding.written.chains import chain_of
from precis.finding.written.unspaced import Chain


@pytest.mark.parametrize(
    ("ask", "own", "others"),
    [
        ("Forget my wife's tax number", "My wife's tax number is 71 203.", ["My wife's aunt's tax number is 71 204."]),
        ("Forget the salary of my aunt", "The salary of my aunt is 4,310.", ["The salary of my aunt's boss is 4,311."]),
        ("Esquece o meu CPF", "CPF do usuário: 529.982.247-25.", ["CPF da esposa do usuário: 111.444.777-35."]),
        ("Vergiss mein Gehalt", "Das Gehalt des Nutzers ist 4310.", ["Das Gehalt der Frau des Nutzers ist 4311."]),
        (
            "Vergiss die Telefonnummer meiner Tante",
            "Die Telefonnummer meiner Tante ist 0170 555 0141.",
            ["Meine Telefonnummer ist 0170 555 0142.", "Die Telefonnummer der Frau meiner Tante ist 0170 555 0143."],
        ),
        (
            "Oublie le numéro de téléphone de ma tante",
            "Le numéro de téléphone de ma tante est 0170 555 0141.",
            ["Le numéro de téléphone de la femme de ma tante est 0170 555 0142."],
        ),
        ("Olvida mi sueldo", "Mi sueldo es 4310.", ["El sueldo de la tía del usuario es 4311."]),
        ("Maaşımı unut", "Kullanıcının maaşı 4310.", ["Kullanıcının eşinin maaşı 4311."]),
        ("Забудь мою зарплату", "Зарплата пользователя 4310.", ["Зарплата тёти пользователя 4311."]),
        ("احذف راتب خالد", "راتب خالد هو 4310.", ["راتب أخ خالد هو 4311."]),
        ("राहुल का वेतन भूल जाओ", "राहुल का वेतन 4310 है।", ["राहुल की पत्नी का वेतन 4311 है।"]),
        ("忘记我老板的工资", "我老板的工资是4310。", ["我老板的邻居的工资是4311。", "我的工资是4312。"]),
        ("私の給料を忘れて", "私の給料は4310です。", ["妻の給料は4311です。", "ユーザーの兄の給料は4312です。"]),
        ("내 월급 잊어줘", "내 월급: 4310.", ["내 형의 월급: 4311.", "사용자의 형의 월급: 4312."]),
    ],
)
def test_what_is_called_anothers_is_never_sure(ask: str, own: str, others: list[str]) -> None:
    """The salary of the wife of the user is not the user's, and the aunt's boss's not the aunt's."""
    first, *rest = levels(ask, own, *others)
    assert first == "sure"
    assert "sure" not in rest


@pytest.mark.parametrize(
    ("text", "thing", "language", "expected"),
    [
        ("My wife's brother's salary is 4.", "salary", "en", Chain(owners=("brother", "wife"), users=True)),
        ("My boss Anna's salary is 4.", "salary", "en", Chain(owners=("anna|boss",), users=True)),
        ("I have a tattoo of a fox.", "tattoo", "en", Chain()),
        ("The key of Tove's sister", "key", "en", Chain(owners=("sister", "tove"))),
        ("Das Gehalt des Chefs meiner Frau ist 4.", "Gehalt", "de", Chain(owners=("chefs", "frau"), users=True)),
        ("Le salaire de ma femme Anna est 4.", "salaire", "fr", Chain(owners=("femme|anna",), users=True)),
        ("Lo stipendio del capo dell'utente è 4.", "stipendio", "it", Chain(owners=("capo",), users=True)),
        ("Eşimin patronunun maaşı 4.", "maaşı", "tr", Chain(owners=("patronunun", "esimin"), users=True)),
        ("Зарплата начальника моей жены", "Зарплата", "ru", Chain(owners=("начальника", "жены"), users=True)),
        ("用户的老板的工资是4。", "工资", "zh", Chain(owners=("老板",), users=True)),
        ("用户对花生过敏。", "过敏", "zh", Chain(users=True)),
        ("나는 월급이 적다.", "월급이", "ko", Chain()),
    ],
)
def test_owners_are_read_in_their_order(text: str, thing: str, language: str, expected: Chain) -> None:
    """The nearest first, until the user or somebody of whom nothing more is said."""
    start = text.index(thing)
    assert expected == chain_of(text, (start, start + len(thing)), language, users_of(()))


@pytest.mark.parametrize(
    ("ask", "own", "other"),
    [
        ("Forget my salary", "Salary: 4,310.", "Wife's salary: 4,311."),
        ("Forget my phone number", "Phone: 208-555-0173.", "User's vet is at Alder Court; phone 208-555-0137."),
        ("Forget my blood type", "Blood type: A+.", "Blood type: ask my sister for hers."),
        ("Forget my boss's name", "My boss is called Odile Brandt.", "My boss prefers bullet points."),
        ("Forget my boss's name", "User's boss is named Odile.", "User's boss's dog is called Rex."),
        ("Forget where I work", "I work at the Port of Hull.", "I work best early in the morning."),
        ("Forget where I live", "User lives in Ystad.", "User's brother lives in Ystad."),
        ("Forget Will", "Will is user's flatmate, from Cork.", "Will of iron is what user lacks."),
        ("Forget that I smoke and that I'm looking for a new job", "User smokes ten a day.", "User likes smoked eel."),
    ],
)
def test_what_can_mean_nothing_else_is_sure(ask: str, own: str, other: str) -> None:
    """A label of nobody, what somebody is called, where the user works, and who a name is to the user."""
    first, last = levels(ask, own, other)
    assert first == "sure"
    assert last != "sure"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget my family", "User drives a small van, sold as a family car."),
        ("Forget my family", "User booked a family room at the inn."),
        ("Olvida mi familia", "El usuario mira un coche de familia."),
        ("Olvida todo sobre mi familia", "Tengo una furgoneta familiar de 2014."),
        ("Oublie ma famille", "L'utilisateur a un nom de famille breton."),
    ],
)
def test_a_kind_of_thing_is_not_the_thing(ask: str, text: str) -> None:
    """A family car is no family, in whatever language."""
    assert ["doubtful"] == levels(ask, text)


@pytest.mark.parametrize(
    ("ask", "other"),
    [
        ("Forget Bruno", "User's dog Bruno limps."),
        ("Forget Bruno", "User's bike is called Bruno."),
        ("Forget Bruno", "User's Bruno needs new tires."),
        ("Forget Bruno", "User shops at Bruno's Club."),
    ],
)
def test_a_thing_that_is_called_like_somebody_is_in_doubt(ask: str, other: str) -> None:
    """Where an uncle has that name as well; the dog alone would be meant."""
    assert ["sure", "doubtful"] == levels(ask, "User's uncle Bruno repairs clocks.", other)
    assert ["sure"] == levels(ask, "User's dog Bruno limps.")


def test_a_name_that_no_memory_tells_takes_nobody() -> None:
    """Where the boss's name was asked for and none is told, what else is told of the boss stays."""
    assert "sure" not in levels("Forget my roommate's name", "My roommate borrowed a ladder.")
    request = read_request("Forget my roommate's name", date(2026, 11, 28))
    assert ["my roommate's name"] == [subject.text for subject in request.subjects]
