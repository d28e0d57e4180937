"""What was asked for by two words is not what has one of them, and what is told by a pronoun is found."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finding_levels import levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Row

GARAGE, WIFI = "The garage code is 9026.", "The wifi password is larchlane-badger-12."


def _rest(ask: str, text: str) -> str:
    """What stays of a memory that surely goes in part."""
    row = Row(id="0", text=text, created_at=datetime(2026, 3, 1, tzinfo=UTC), likeness=(1.0,))
    (finding,) = find(read_request(ask, row.created_at.date()), [row]).rows
    assert finding.level.name == "SURE"
    return written(text, finding.keeps)


@pytest.mark.parametrize(
    "ask",
    [
        "Vergiss das WLAN-Passwort.",
        "Vergiss mein WiFi-Passwort.",
        "Vergeet het wifi-wachtwoord.",
        "Glöm wifi-lösenordet.",
        "Forget the Wi-Fi password.",
        "Forget the WLAN password.",
        "Forget the wireless password.",
        "Oublie le mot de passe du wifi.",
    ],
)
def test_both_words_of_a_compound_hold(ask: str) -> None:
    """A code of something else is no such password, however the thing is spelled."""
    garage, wifi = levels(ask, GARAGE, WIFI)
    assert garage != "sure"
    assert wifi == "sure"


@pytest.mark.parametrize(
    ("ask", "meant", "beside"),
    [
        ("Vergiss den Tresor-Code.", "Der Code vom Tresor ist 4417.", "Der Code der Garage ist 9026."),
        ("Vergeet de kluis-code.", "De code van de kluis is 4417.", "De code van de garage is 9026."),
        ("Wis het bank-wachtwoord.", "Het wachtwoord van de bank is abc.", "Het wachtwoord van de baan is def."),
        ("Vergiss meine E-Mail-Adresse.", "Meine E-Mail ist a.b@acme.de.", "Meine Adresse ist Lindenweg 4."),
        ("Vergiss meine Handy-Nummer.", "Meine Handynummer ist 0176 4430921.", "Mein Handy ist kaputt."),
        ("Vergiss meine Gehaltserhöhung.", "Meine Gehaltserhöhung kam im Mai.", "Mein Gehalt ist 4000 Euro."),
    ],
)
def test_a_memory_of_one_of_the_words_is_never_sure(ask: str, meant: str, beside: str) -> None:
    """Of a thing that two words name one is not enough; numbers and addresses are found as before."""
    assert levels(ask, meant, beside)[0] in {"sure", "doubtful"}
    assert levels(ask, meant, beside)[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "meant", "thing", "kind"),
    [
        (
            "Forget Elizabeth's birthday present.",
            "Elizabeth's birthday present is a kettle.",
            "Elizabeth's present from all of us is the pottery course at Clayworks.",
            "Happy birthday again, Liz. Or Elizabeth!",
        ),
        (
            "Forget Ben's work address.",
            "Ben's work address is 4 Mill Lane.",
            "Ben's address is 9 Oak Road.",
            "Ben starts work at nine.",
        ),
        (
            "Oublie le cadeau d'anniversaire d'Anna.",
            "Le cadeau d'anniversaire d'Anna est un vélo.",
            "Le cadeau d'Anna est un vélo.",
            "L'anniversaire d'Anna est le 4 mai.",
        ),
        (
            "Olvida el regalo de cumpleaños de Ana.",
            "El regalo de cumpleaños de Ana es una bici.",
            "El regalo de Ana es una bici.",
            "El cumpleaños de Ana es el 4 de mayo.",
        ),
    ],
)
def test_the_thing_is_meant_and_not_its_kind(ask: str, meant: str, thing: str, kind: str) -> None:
    """With the name the thing alone is in doubt, and what has only its kind is never sure."""
    whole, named, other = levels(ask, meant, thing, kind)
    assert whole == "sure"
    assert named in {"doubtful", "sure"}
    assert other != "sure"


@pytest.mark.parametrize(
    ("ask", "meant", "deed"),
    [
        ("Forget our booking reference.", "The booking reference is QX7LMP.", "I booked the orchestra tickets."),
        ("Delete the booking reference.", "Booking reference: QX7LMP.", "She booked a haircut for Ida."),
    ],
)
def test_what_says_of_what_kind_a_thing_is_was_not_done(ask: str, meant: str, deed: str) -> None:
    """A booking reference is not whatever was booked."""
    assert levels(ask, meant, deed)[0] == "sure"
    assert levels(ask, meant, deed)[1] in {"near", "no"}


@pytest.mark.parametrize(
    ("ask", "text", "rest"),
    [
        ("Forget Ray's phone number.", "Ray is our plumber. His number is 555-0148.", "Ray is our plumber."),
        ("Forget Elizabeth's birthday.", "Elizabeth is my aunt. Her birthday is May 4.", "Elizabeth is my aunt."),
        (
            "Oublie le numéro de Ray.",
            "Ray est notre plombier. Son numéro est le 06 44 55 66 77.",
            "Ray est notre plombier.",
        ),
        (
            "Vergiss die Nummer von Anna.",
            "Anna ist unsere Ärztin. Ihre Nummer ist 0176 4430921.",
            "Anna ist unsere Ärztin.",
        ),
        (
            "Olvida el número de Ray.",
            "Ray es nuestro fontanero. Su número es 222 118 4471.",
            "Ray es nuestro fontanero.",
        ),
    ],
)
def test_who_somebody_is_stays_where_a_pronoun_tells_the_rest(ask: str, text: str, rest: str) -> None:
    """The sentence with the pronoun goes, and the one with the name can stand alone."""
    assert _rest(ask, text) == rest


def test_a_pronoun_that_may_be_anothers_is_in_doubt() -> None:
    """Somebody else is before it, or an animal: it goes neither whole nor in part."""
    assert levels("Forget Ray's phone number.", "Ray works with Tom. His number is 555-0148.") == ["doubtful"]
    assert levels("Forget Anna's birthday.", "Anna has a dog. His birthday is May 4.") == ["doubtful"]
    assert levels("Forget Anna's birthday.", "My neighbor met Anna. Her birthday is May 4.") == ["doubtful"]


def test_a_second_word_that_names_nothing_need_not_hold() -> None:
    """A list of medicines is the medicines, and plans for a trip the trip."""
    assert levels("Vergiss meine Medikamentenliste.", "Meine Medikamente sind Ramipril und Euthyrox.") == ["sure"]
    assert levels("Vergiss meine Urlaubspläne.", "Wir fahren im Urlaub nach Rom.") == ["sure"]


@pytest.mark.parametrize(
    ("ask", "named", "told"),
    [
        ("Forget Ray's phone number.", "I called Ray Kowalczyk. He'll come on Wednesday.", "His number is 555-0148."),
        ("Vergiss die Nummer von Anna.", "Anna kommt am Mittwoch.", "Ihre Nummer ist 0176 4430921."),
        ("Oublie le numéro de Ray.", "Ray vient mercredi.", "Son numéro est le 06 44 55 66 77."),
    ],
)
def test_a_pronoun_in_the_next_message_is_found(ask: str, named: str, told: str) -> None:
    """In a session it may be of whoever was named; in another it is nobody's."""
    assert levels(ask, named, told, session_id="s")[1] in {"doubtful", "sure"}
    assert levels(ask, named, told)[1] in {"near", "no"}


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (
            "Forget Mrs. Adeyemi.",
            "Mrs. Adeyemi goes on maternity leave, from June 8 on his teacher is Mr. Quist.",
        ),
        ("Vergiss Frau Adeyemi.", "Frau Adeyemi geht in Elternzeit, ab Juni ist seine Lehrerin Frau Quist."),
        ("Oublie Mme Adeyemi.", "Mme Adeyemi part en congé, à partir de juin sa maîtresse est Mme Quist."),
        ("Forget Oskar.", "Oskar moved to Kiel, since May our tenor is Frank."),
    ],
)
def test_what_is_told_of_another_by_name_does_not_go_surely(ask: str, text: str) -> None:
    """Wherever the name stands in its clause."""
    assert levels(ask, text) == ["doubtful"]


@pytest.mark.parametrize(
    ("ask", "called", "named"),
    [
        ("Forget everything about the cat.", "Pepper is our cat.", "Pepper gets half a tin twice a day."),
        ("Forget my dog.", "My dog is called Biscuit.", "Biscuit chews shoes."),
        ("Vergiss alles über die Katze.", "Unsere Katze heißt Pepper.", "Pepper bekommt zweimal am Tag Futter."),
        ("Oublie tout sur le chien.", "Notre chien s'appelle Filou.", "Filou dort dans la cuisine."),
        ("Olvida todo sobre el gato.", "Michi es nuestro gato.", "Michi duerme en la cocina."),
    ],
)
def test_an_animal_is_found_by_what_it_is_called(ask: str, called: str, named: str) -> None:
    """What has the name of the animal is in doubt at least; without a memory that says so it is not shown."""
    assert levels(ask, called, named)[1] in {"doubtful", "sure"}
    assert levels(ask, "The cat food is empty.", named)[1] in {"near", "no"}
