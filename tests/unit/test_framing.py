"""What a request is wrapped in, and the kinds of things it names."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from precis.finding.finder import find
from precis.finding.framing import Asked, unframed
from precis.finding.kinds import kinds_asked, things_of
from precis.finding.request import read_request
from precis.finding.values import Level, Row
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by

TODAY = date(2026, 11, 20)
EMBEDDER = StaticEmbedder()


def levels(ask: str, *texts: str) -> list[str]:
    """How sure it is of each of these memories."""
    request = read_request(ask, TODAY)
    vectors = EMBEDDER.vectors(list(texts)) @ EMBEDDER.vectors(list(request.phrases)).T
    when = datetime(2026, 11, 1, tzinfo=UTC)
    rows = [
        Row(id=f"r{at}", text=text, created_at=when, likeness=tuple(map(float, vectors[at])))
        for at, text in enumerate(texts)
    ]
    listed = {finding.id: finding.level for finding in find(request, rows, kin=kin_by(EMBEDDER)).rows}
    return [listed.get(row.id, Level.NO).name.lower() for row in rows]


@pytest.mark.parametrize(
    ("request_", "language", "bare"),
    [
        ("I really don't want you to keep anything on Solveig", "en", "Solveig"),
        ("Nothing about Solveig should remain in there", "en", "Solveig"),
        ("Solveig's address is private, so please erase it", "en", "Solveig's address"),
        ("It would be great if you could just forget that I limp", "en", "I limp"),
        ("the umbrellas I lost", "en", "the umbrellas I lost"),
        ("forget the umbrellas I lost", "en", "the umbrellas I lost"),
        ("forget that I know Solveig", "en", "I know Solveig"),
        ("Ich will nicht, dass du irgendetwas über Solveig behältst", "de", "Solveig"),
        ("je ne veux pas que tu gardes mon adresse", "fr", "mon adresse"),
        ("no quiero que guardes nada sobre mi jefe", "es", "mi jefe"),
        ("vorrei che tu dimenticassi il mio peso", "it", "il mio peso"),
        ("я хотела бы, чтобы ты забыла мой номер", "ru", "мой номер"),
    ],
)  # fmt: skip
def test_what_a_request_is_wrapped_in_is_taken_off(request_: str, language: str, bare: str) -> None:
    """Before, behind and in clauses of its own; what the user does or has stays."""
    assert bare == unframed(request_, language)[0]


@pytest.mark.parametrize(
    ("request_", "about"),
    [
        ("Ticket 4: purge Solveig", "Solveig"),
        ("I argued with Solveig, please drop Solveig", "Solveig"),
        ("It annoys me that you still know about Solveig", "Solveig"),
        ("I felt tired when I told you about Solveig", "Solveig"),
        ("what I told you about Solveig was a bad joke", "Solveig"),
        ("forget Solveig, Torvald and Odile", "Solveig Torvald Odile"),
        ("delete what I wrote about the pickle jar", ""),
    ],
)
def test_why_it_is_asked_is_no_part_of_it(request_: str, about: str) -> None:
    """Reasons before and behind a request are taken off; a list stays whole."""
    names = [word for subject in read_request(request_, TODAY).subjects for name in subject.names for word in name]
    assert about.casefold().split() == names


@pytest.mark.parametrize(
    ("ask", "sure", "stays"),
    [
        ("forget my dog", "User has a dog.", "Ola has a dog."),
        ("delete my faith", "User prays in the mosque.", "User plays the mandolin."),
        ("erase anything medical", "User was hospitalized for a hernia.", "The soup was cold."),
        ("every phone number", "Ring the florist on +46 8 5551 2030.", "User has 14 hats."),
        ("forget that I own a ferret", "User owns a ferret.", "User owns a ferry."),
        ("lösche meine Passwörter", "The password of the router is thistle-9.", "User routes parcels."),
        ("usuń mój adres", "Mieszkam w Gdyni.", "Lubię Gdynię."),
        ("forget that I am scared of wasps", "User is afraid of wasps.", "User photographs wasps."),
    ],
)
def test_memories_as_engines_note_them(ask: str, sure: str, stays: str) -> None:
    """The user by name is the user; kinds of what people tell of are known by nouns, deeds, marks and their tables."""
    first, second = levels(ask, sure, stays)
    assert ("sure", True) == (first, second != "sure")


def test_each_of_a_kind_is_whosever_it_is() -> None:
    """Without "my" every birthday is meant, and with it the user's own."""
    text = "Ola's birthday is on 4 May."
    assert (["sure"], ["near"]) == (levels("every birthday", text), levels("my birthday", text))


def test_words_that_only_point_ask_for_nothing_in_a_session_either() -> None:
    """What names nobody is unclear, however narrow the scope is."""
    assert read_request("about her", TODAY).unclear


@pytest.mark.parametrize(
    "request_",
    [
        "please don't forget Solveig's birthday",
        "whatever happens, never delete my recipes",
        "I don't want you to forget my allergy",
        "make sure you keep my address",
        "I'd like you to remember Solveig",
        "nothing about Solveig should be deleted",
        "my recipes must be kept",
        "My address, please remember it",
    ],
)
def test_who_asks_to_keep_something_is_refused(request_: str) -> None:
    """A denied forgetting, or a keeping that is not denied, however it is put."""
    assert Asked.KEEP is unframed(request_, "en")[1]
    assert read_request(request_, TODAY).refuses


@pytest.mark.parametrize(
    ("ask", "sure", "stays"),
    [
        ("delete the pastries I like", "I love an eclair.", "I love a thunderstorm."),
        ("forget which furniture I bought", "I bought a wardrobe.", "I bought a weekend ticket."),
        ("erase all my musical instruments", "My clarinet squeaks.", "My bicycle squeaks."),
        ("borra las frutas que me gustan", "I love strawberries.", "I love stairs."),
        ("vergiss, welche Tiere ich habe", "I have a tortoise.", "I have a typewriter."),
        ("forget the vehicles I own", "I own a motorcycle.", "I own a motorcycle helmet."),
        ("forget how tall I am", "I am 1.78 m tall.", "The hedge is 1.78 m tall."),
        ("forget who my landlord is", "My landlord is Solveig.", "Bram's landlord is Solveig."),
        ("forget that I'm vegetarian", "I gave up meat years ago.", "Bram gave up meat years ago."),
    ],
)
def test_kinds_and_clauses(ask: str, sure: str, stays: str) -> None:
    """What is of the kind goes, and what only looks like it is not sure."""
    first, second = levels(ask, sure, stays)
    assert "sure" == first
    assert "sure" != second


def test_the_only_number_that_is_known_may_be_the_new_one() -> None:
    """That somebody owns a phone is no number: neither the old one nor the new one."""
    ask = "the phone number I had before can go, keep the new one"
    assert levels(ask, "My phone number is 555 0100 23.", "I own a phone.")[0] == "doubtful"


def test_a_thing_that_only_says_when_or_where_is_in_doubt() -> None:
    """Breakfast is a meal, and "before breakfast" tells of none; "a fast" is none of "too fast"."""
    meals, buildings = kinds_asked("meals"), kinds_asked("buildings")
    assert [Level.NEAR] == [
        level for _, level in things_of(buildings, "I parked behind the barn.", "I parked behind the barn.")
    ]
    assert [Level.SURE] == [level for _, level in things_of(buildings, "I painted the barn.", "I painted the barn.")]
    assert Level.SURE not in [
        level for _, level in things_of(meals, "I jog before breakfast.", "I jog before breakfast.")
    ]
    foods = things_of(kinds_asked("foods"), "my dog eats too fast.", "my dog eats too fast.")
    assert Level.SURE not in {level for _, level in foods}
    assert [] == list(things_of(kinds_asked("birds"), "I saw a tram and a truck.", "I saw a tram and a truck."))
    assert frozenset() == kinds_asked("things")
