"""Plain requests: what says it word for word goes, a label is no name, and of two people's facts one half goes."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row


def rest(ask: str, text: str) -> str:
    """What is left of one memory once what is sure of it is forgotten."""
    row = Row(id="m", text=text, created_at=NOW)
    sure = find(read_request(ask, NOW.date()), [row]).of(Level.SURE)
    return written(text, sure[0].keeps) if sure else text


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        ("Forget that my son goes to Hill School.", "My son goes to Hill School.", "My daughter goes to Hill School."),
        ("Delete the note that says I am pregnant.", "I am pregnant.", "My sister is pregnant."),
        ("Forget my employee ID.", "My employee ID is E5507.", "My coworker Tom's employee ID is E55070."),
        (
            "I want you to forget my Social Security number.",
            "My Social Security number is 219-09-9991.",
            "My mother's Social Security number is 219-09-9992.",
        ),
        ("Forget the Smith contract.", "The Smith contract is worth 2 million.", "The Smithson contract is due."),
        ("Forget my nephew Chase.", "My nephew Chase was ill.", "I have a checking account at Chase."),
        ("Forget my husband Greg.", "My husband moved to Reno.", "My neighbor moved to Reno."),
        ("Forget everything about Jean-Luc.", "Jean Luc charges 30 euros.", "My aunt Jean lives in Leeds."),
        ("Forget the project Blue-Bird.", "I am the lead of project BlueBird.", "I saw a bluebird in the garden."),
        (
            "Forget the MAC address 00:1A:2B:3C:4D:5E.",
            "The router blocks 00-1a-2b-3c-4d-5e.",
            "The router blocks 00-1a-2b-3c-4d-5f.",
        ),
        ("Forget the username night_owl.", "I log in as Night_Owl.", "I am a night owl and go to bed at 2."),
        ("Delete my flight on March 3.", "My flight to Rome is on March 3.", "My flight to Rome is on March 13."),
        ("Forget my health.", "My blood pressure is high.", "My dog's blood pressure is high."),
        ("Forget Penny.", "Penny is my accountant and her number is 555-0142.", "I kept a penny from 1943."),
        ("Lösche alles über Rosa.", "Rosa ist meine Nachbarin.", "Ich mag rosa Tulpen."),
    ],
)  # fmt: skip
def test_what_is_plainly_meant_is_sure_and_its_neighbor_is_not(ask: str, gone: str, stays: str) -> None:
    """The first goes; the other stays, or is in doubt."""
    first, second = levels(ask, gone, stays)
    assert first == "sure"
    assert second != "sure"


def test_what_somebody_else_says_of_themselves_is_not_the_users() -> None:
    """The same words behind a name are of whoever has it."""
    texts = ("I am pregnant.", "Ana: I am pregnant.", "Ana told me: I am pregnant.", 'Ana said "I am pregnant".')
    first, *others = levels("Delete the note that says I am pregnant.", *texts)
    assert first == "sure"
    assert "sure" not in others


def test_where_several_people_speak_my_is_of_whoever_does() -> None:
    """What another says of themselves is in doubt; where one person speaks, that one is the user."""
    said = [("ana", "My salary is 5000 euros."), ("Ben", "My salary is 4000 euros."), ("assistant", "Noted.")]
    rows = [Row(id=str(at), text=text, speaker=who, created_at=NOW) for at, (who, text) in enumerate(said)]
    request_ = read_request("Forget my salary.", NOW.date())
    found = {finding.id: finding.level for finding in find(request_, rows, own_names=["ana"]).rows}
    assert found == {"0": Level.SURE, "1": Level.DOUBTFUL}
    alone = find(request_, [rows[1], rows[2]], own_names=["u1"]).rows
    assert [Level.SURE] == [finding.level for finding in alone]


def test_what_a_season_is_to_somebody_makes_it_nobody() -> None:
    """A favorite may be somebody; a favorite season is not."""
    assert levels("erase Summer", "Summer is my dentist.", "Summer is my favorite season.") == ["sure", "doubtful"]


@pytest.mark.parametrize(
    ("ask", "text", "expected"),
    [
        (
            "Forget my salary.",
            "My salary is 54000 dollars and my brother's salary is 49000 dollars.",
            "My brother's salary is 49000 dollars.",
        ),
        ("Forget my weight.", "I weigh 88 kilos and my wife weighs 61 kilos.", "My wife weighs 61 kilos."),
        (
            "Forget Laura's email address.",
            "Laura's email is laura@post.org and Lara's email is lara@post.org.",
            "Lara's email is lara@post.org.",
        ),
        ("Forget that Gina smokes.", "Gina smokes and Carl drinks.", "Carl drinks."),
        (
            "Forget that Leah failed her exam.",
            "Leah failed her exam, but Noah passed his exam.",
            "Noah passed his exam.",
        ),
        ("Forget my mother's illness.", "My father has gout and my mother has Parkinson's.", "My father has gout."),
        ("Forget my dog, but keep my cat.", "My dog is called Bo and my cat is called Mimi.", "My cat is called Mimi."),
    ],
)  # fmt: skip
def test_of_two_peoples_facts_one_half_goes(ask: str, text: str, expected: str) -> None:
    """The half of somebody or something else stays, although it is told in the same words."""
    assert expected == rest(ask, text)


def test_words_that_each_stand_in_a_clause_of_somebody_else_are_in_doubt() -> None:
    """An illness of the mother is not told where the father is ill and the mother has a garden."""
    text = "My father has gout and my mother has a garden."
    assert levels("Forget my mother's illness.", text) == ["doubtful"]
