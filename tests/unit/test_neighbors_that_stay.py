"""What only looks like what was asked for is never sure: an institution's name, an idiom, a slip, a figure."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Row


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
