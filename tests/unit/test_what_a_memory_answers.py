"""What has the words of a request, and tells another thing with them, is in doubt; what tells it is sure."""

from __future__ import annotations

import pytest

from finding_levels import levels


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        # where something is done
        ("forget where I learned to sail", "I learned to sail in Split.", "I learned to sail by accident."),
        ("forget where I was brought up", "I was brought up in Oban.", "I was brought up strictly."),
        ("vergiss, wo ich studiert habe", "Ich habe in Jena studiert.", "Ich habe lange studiert."),
        ("dimentica dove abito", "Abito a Pavia.", "Abito con due gatti."),
        ("olvida dónde estudié", "Estudié en Vigo.", "Estudié sin ganas."),
        ("glöm var jag växte upp", "Jag växte upp i Lund.", "Jag växte upp rik."),
        ("forget where I live", "I live in Truro.", "Our rent is 615 pounds."),
        # with or for whom
        ("forget who I travel with", "I travel with Halvard.", "I travel with great pleasure."),
        ("forget who I sew for", "I sew for Madame Fabre.", "I sew for Easter."),
        ("forget who I sew for", "I sew for Madame Fabre.", "I sew with Odile."),
        ("olvida con quién trabajo", "Trabajo con Odile.", "Trabajo con gusto."),
        ("dimentica con chi vivo", "Vivo con Ornella.", "Vivo con poco."),
        # what is so now, or was
        ("forget where I live", "I live in Truro.", "My address in Hull was 3 Pier Street."),
        ("forget where I trained", "I trained in Perth.", "I train in Perth."),
        ("vergiss, wie meine Miete war", "Meine Miete war 512 Euro.", "Meine Miete ist 640 Euro."),
        ("forget who my tutor was", "My tutor was Mr. Oduya.", "My tutor is Ms. Bray, and Gil's tutor was Mr. Quill."),
        # a fact of the user's beside somebody's
        ("forget everything about Yusuf", "Yusuf lives in Bray.", "Yusuf sulks and I worry about him."),
        ("vergiss alles über Silke", "Silke wohnt in Hof.", "Silke trinkt und ich sorge mich um sie."),
        # a make, a firm, a longer name
        ("forget everything about Tudor", "Tudor plays chess.", "I own an old Tudor watch."),
        ("forget everything about Barclay, my cousin", "Barclay plays chess.", "I banked with Barclay for years."),
        ("忘记关于小梅的一切", "小梅在医院工作。", "小梅花在院子里。"),
        ("delete the login j.moor", "Login for the port: j.moor", "j.moor7 was the account at college."),
        # another thing of the kind
        ("forget the belt I lost", "I lost my belt in Bath.", "I wear a seat belt."),
        ("forget how much I earn", "My salary is 1,980.", "The rent is 512 euros."),
        ("forget my password", "My password is tide-4410.", "My PIN is 7718."),
        ("forget what medicine I take", "I take ramipril.", "Will takes ramipril as well."),
        # what a request denies, and its exception
        ("We don't own a boat; please forget that.", "We don't own a boat.", "User owned a boat as a student."),
        ("forget everything about Njål except the end date of his lease", "Njål sings.", "Njål's lease ends on 3 May."),
        ("Dimentica tutto su Gaia tranne la data del suo esame", "Gaia canta.", "L'esame di Gaia è il 9 giugno."),
    ],
)
def test_what_tells_another_thing_is_not_sure(ask: str, gone: str, stays: str) -> None:
    """The first goes, and the other does not, each beside the other."""
    first, second = levels(ask, gone, stays)
    assert (first, second == "sure") == ("sure", False)


@pytest.mark.parametrize(
    ("ask", "gone"),
    [
        ("forget everything about Yusuf", "Yusuf called and I told him no."),
        ("forget who I travel with", "I travel with my aunt."),
        ("forget where I live", "I live at 8 Pier Road."),
        ("forget everything about Tudor", "My neighbor Tudor plays chess."),
        ("forget where I studied", "I studied at the academy."),
    ],
)
def test_what_answers_is_sure(ask: str, gone: str) -> None:
    """Neither a place nor somebody has to be named, and what was done with somebody is theirs."""
    assert levels(ask, gone) == ["sure"]
