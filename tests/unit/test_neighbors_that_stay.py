"""What only looks like what was asked for is never sure: an institution's name, an idiom, a slip, a figure."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        ("Forget everything about Piper.", "Piper plays the oboe.", "My loan is with Piper bank."),
        ("Oublie tout sur Simon.", "Simon joue du hautbois.", "Mon compte est à la banque Simon."),
        ("Olvida todo sobre Simón.", "Simón toca el oboe.", "Mi hipoteca es del banco Simón."),
        ("Forget Otto's car.", "Otto drives a grey Skoda.", "Otto drives me crazy sometimes."),
        ("Forget Otto's car.", "Otto drives a grey Skoda.", "Otto drives us to the pool."),
        ("Forget my trips.", "I flew to Bergen in May.", "I work at an airport."),
        ("Vergiss, dass ich rauche.", "Ich rauche seit zehn Jahren.", "Wir essen gern Räuchertofu."),
        ("Erase my brothers name", "My brother's name is Anton.", "My brother likes chess."),
        ("forget my adress", "My address is 8 Fern Road.", "My office address is 3 Pier Street."),
        ("बुकिंग 7714 को भूल जाओ।", "बुकिंग 7714 कल की है।", "मैंने किराए के 7714 रुपये दिए।"),
    ],
)
def test_what_only_looks_like_it_is_not_sure(ask: str, gone: str, stays: str) -> None:
    """The first goes, and the other does not."""
    first, second = levels(ask, gone, stays)
    assert first == "sure"
    assert second != "sure"


def test_an_institution_goes_where_the_request_names_it() -> None:
    """So does an umlaut of an inflected word, which is no other word."""
    assert levels("Forget my account at Piper bank.", "My account at Piper bank is closed.") == ["sure"]
    assert levels("Vergiss meine Geschwister.", "Meine Brüder wohnen in Ulm.") == ["sure"]


@pytest.mark.parametrize(
    ("ask", "text", "stays"),
    [
        ("अमित का फोन नंबर हटा दो।", "अमित पुणे में रहता है। उसका फोन नंबर 98111 44023 है।", "अमित पुणे में रहता है।"),
        ("忘掉李梅的电话号码。", "李梅住在苏州。她的电话号码是98114402。", "李梅住在苏州。"),
    ],
)
def test_another_sentence_of_them_stays(ask: str, text: str, stays: str) -> None:
    """Only the sentence goes that tells it by a pronoun, in scripts without capitals, too."""
    (finding,) = find(read_request(ask, NOW.date()), [Row(id="m", text=text, created_at=NOW)]).rows
    assert written(text, finding.keeps) == stays


def test_what_is_told_of_a_stranger_is_only_near() -> None:
    """Where nothing tells of what was asked for, what is nearest by its vector and tells of somebody is no doubt."""
    assert levels("everything about elephants", "Ana is allergic to peanuts.", "My rent is 900.")[0] == "near"


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        ("Forget order 7305-A.", "Order 7305-A is a lamp.", "Order 7305-B is a desk."),
        ("Forget order 7305-A.", "Order 7305-A is a lamp.", "Flat 7305-A is let."),
        ("Forget the host 172.16.4.9.", "172.16.4.9 prints labels.", "172.16.4.90 is a scanner."),
        ("Forget the handle @oda_w.", "I write to oda_w about trams.", "oda_wilde collects stamps."),
        ("Vergiss das Konto DE12 7009 0500 0003 7411 28.", "Mein Konto ist 12700905000003741128.",
         "Mein Konto ist 12700905000003741182."),
        ("frgot my hat size", "User's hat size is 58.", "User's shoe size is 44."),
        ("Forget where I grew up.", "User grew up in Odense.", "My uncle grew up in Odense."),
        ("Forget who I work for.", "User works for Brandvik Paper.", "My aunt works for Brandvik Paper."),
        ("Forget Rose.", "I met Rose at the pool.", "We opened a bottle of Ros\u00e9."),
        ("Forget my religion.", "I converted to Islam.", "The old chapel has a new roof."),
        ("Forget my legal problems.", "My lawyer filed the lawsuit.", "We played badminton on the court."),
        ("Forget my legal problems.", "My lawyer filed the lawsuit.", "We met on the court at noon."),
        ("Vergiss alles \u00fcber meinen Vermieter.", "Mein Vermieter hei\u00dft Herr Voss und ist selten da.",
         "Der Vermieter meiner Tante ist nett."),
        ("Forget everything about Will.", "Band: Will plays drums and sings well.", "We will play drums."),
    ],
)  # fmt: skip
def test_the_very_thing_goes_and_what_is_like_it_stays(ask: str, gone: str, stays: str) -> None:
    """Codes, hosts, handles and accounts in other spellings, clauses of the user's, and words in another sense."""
    first, second = levels(ask, gone, stays)
    assert first == "sure"
    assert second != "sure"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget everything about Will.", "Will repairs bikes and I sing."),
        ("Forget everything about Signe.", "Signe repairs bikes and we are broke."),
        ("Olvida todo sobre Bruno.", "Bruno arregla bicis y tengo asma."),
        ("Dimentica tutto su Dario.", "Dario ripara bici e ho il diabete."),
        ("Forget my florist's number.", "User's florist is called Tor and has the number 0711 99887766."),
        ("L\u00f6sche alles \u00fcber Knut.", "Notiz: Knut repariert R\u00e4der und ich bin pleite."),
    ],
)
def test_what_the_user_does_behind_an_and_is_not_taken_along(ask: str, text: str) -> None:
    """Either it stays, or all of it is in doubt."""
    rows = [Row(id="0", text=text, created_at=NOW)]
    found = find(read_request(ask, NOW.date()), rows).rows[0]
    assert found.level is not Level.SURE or found.keeps
