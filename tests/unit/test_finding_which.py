"""Which of several is meant, what an edit would leave, and wishes beside which something is to be kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from finding_levels import levels
from precis.finding.asked.asking import Request
from precis.finding.beyond.rubble import without_rubble
from precis.finding.finder import find
from precis.finding.identifiers import identifiers_in, match_identifiers
from precis.finding.request import read_request
from precis.finding.values import Finding, Level, Row
from precis.finding.written.spellings import in_figures

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ask", "sure", "other"),
    [
        ("delete everything about Mason, the guy from the choir", "Mason from the choir sang.", "Mason likes figs."),
        ("Forget Rosa, the woman from the market", "Rosa from the market sells figs.", "Rosa took my shift."),
        ("Oublie Paul, le type du marché", "Paul du marché vend des figues.", "J'ai prêté 20 euros à Paul."),
        ("Olvida a Marcos, el chico del gimnasio", "Marcos del gimnasio vende batidos.", "Marcos me debe 20 euros."),
        ("I left the chess club, forget my subscription", "My subscription at the chess club ends.",
         "My subscription to the Guardian ends."),
        ("I moved out of the studio, so erase the rent", "The rent for the studio is 800.", "The garage rent is 90."),
        ("Remove all notes about the christening", "The christening costs 900.", "My cousin's christening was in May."),
        ("borra mis contraseñas", "La contraseña del banco es pera_22.", "La clave del éxito es madrugar."),
        ("erase all passwords", "My laptop password is plum_22.", "I use a password manager."),
        ("verwijder mijn wachtwoorden", "Het wachtwoord van de wifi is peer_4.", "Ik gebruik een wachtwoordmanager."),
        ("Dimentica il mio indirizzo", "Il mio indirizzo è via Olmo 4.", "Il mio indirizzo mail è jo@hut.example."),
        ("Vergiss meine Adresse", "Meine Adresse ist Lindenweg 4.", "Meine IP-Adresse ist 10.0.0.7."),
        ("forget that I'm vegan", "I'm a vegan.", "I am vegetarian."),
        ("olvida que soy vegetariano", "Soy vegetariano.", "Me hice vegano en mayo."),
        ("vergiss, dass ich Veganerin bin", "Ich bin Veganerin.", "Ich war lange Vegetarierin."),
        ("olvida cuánto me paga Ibarra", "Ibarra me paga 900 euros al mes.", "Ibarra ha pagado la factura 2023-009."),
        ("olvida cuánto me paga Ibarra", "Ibarra me paga 90-120 euros por hora.", "Ibarra ha pagado la n.º #41."),
        ("vergiss, wie viel mir Thiele zahlt", "Thiele zahlt mir 70 Euro.", "Thiele zahlt Rechnung 03/2024 im Juni."),
    ],
)  # fmt: skip
def test_what_does_not_say_which_is_in_doubt(ask: str, sure: str, other: str) -> None:
    """What has the word that chooses is sure; what has it not, and may be another, is never."""
    first, last = levels(ask, sure, other, by_memories=True)
    assert first == "sure"
    assert last in {"doubtful", "near", "no"}


def test_without_one_that_fits_nothing_is_chosen() -> None:
    """A clause that no memory takes up says only why."""
    assert levels("I left the chess club, forget my subscription", "My subscription costs 30.") == ["sure"]


@pytest.mark.parametrize(
    ("ask", "old", "newer"),
    [
        ("Delete my bank from before", "My bank is Nordea.", "My bank is now Monzo."),
        ("please drop my previous job", "I work as a baker at Elm House.", "I started as a driver at Oak Line."),
    ],
)
def test_what_was_before(ask: str, old: str, newer: str) -> None:
    """What was begun later is the value of now, and stays."""
    first, last = levels(ask, old, newer)
    assert first == "sure"
    assert last in {"near", "no"}


@pytest.mark.parametrize(
    ("text", "kept"), [("I had a van, I sold it.", "I sold it."), ("I live in Rome, I work.", "I live in")]
)
def test_no_edit_leaves_rubble(text: str, kept: str) -> None:
    """What would stay without its subject or its end goes whole, in doubt."""
    start = text.index(kept)
    row = Row(id="1", text=text, created_at=NOW - timedelta(days=3))
    known = {"1": Finding(id="1", level=Level.SURE, why="", keeps=((start, start + len(kept)),))}
    without_rubble(Request(), [row], known)
    assert known["1"].level is Level.DOUBTFUL
    assert known["1"].keeps == ()


@pytest.mark.parametrize(
    ("text", "kept"), [("I moved in. I have asthma.", "I moved in."), ("Ana has asthma and sold the boat.", "Ana sold")]
)
def test_what_can_be_read_alone_stays(text: str, kept: str) -> None:
    """A particle that ended the sentence before is no broken end."""
    end = text.index(kept) + len(kept) if kept in text else len(text)
    spans = ((0, end),) if kept in text else ((0, 3), (text.index("sold"), end))
    row = Row(id="1", text=text, created_at=NOW)
    known = {"1": Finding(id="1", level=Level.SURE, why="", keeps=spans)}
    without_rubble(Request(), [row], known)
    assert known["1"].keeps == spans


@pytest.mark.parametrize(
    "ask",
    [
        "I want my husband's insulin gone, keep mine",
        "keep my brother's number, but everything else about him can go",
        "I'd like the story of how I lost my licence to be gone",
        "Behalte die Adresse meiner Schwester, aber alles andere über sie kann weg",
        "Guarda la dirección de mi hermana, pero todo lo demás sobre ella puede borrarse",
    ],
)
def test_a_wish_beside_what_is_kept_is_no_refusal(ask: str) -> None:
    """Something is to be kept, and something else to go."""
    assert not read_request(ask, NOW.date()).refuses


@pytest.mark.parametrize(
    "ask",
    [
        "I don't want my wife's medication gone, keep hers",
        "keep my address and never delete it",
        "I want to keep the story of how I lost my job",
        "don't forget my sister's birthday",
        "Delete my address. Keep it.",
        "Vergiss nicht, dass ich Vegetarier bin",
        "n'oublie pas que ma sœur est allergique, garde-le",
    ],
)
def test_what_asks_to_keep_is_refused(ask: str) -> None:
    """No wish to forget is read into it."""
    assert read_request(ask, NOW.date()).refuses


def test_all_else_of_who_has_what_is_kept() -> None:
    """Whose the kept thing is says of whom the rest is."""
    asked = "keep my brother's phone number, but everything else about him can go"
    texts = ("My brother is a plumber.", "My brother's phone number is 0161 555 0199.", "My sister is a nurse.")
    assert levels(asked, *texts)[0] == "sure"
    assert "sure" not in levels(asked, *texts)[1:]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("my badge ID B-04471", "My badge is B04471."),
        ("order no. ID K 20931", "Order K-20931 is late."),
        ("the number +34 612 345 678", "Mi móvil es 612 345 678."),
    ],
)
def test_other_spellings_of_an_identifier(asked: str, told: str) -> None:
    """A label, a hyphen and the country say nothing of which it is."""
    assert match_identifiers(identifiers_in(asked), told).level is Level.SURE


@pytest.mark.parametrize(
    ("spelled", "figures"),
    [
        ("delete plus four nine 151 2345 6789", "delete +49 151 2345 6789"),
        ("the number double oh four four 7911 222", "the number 0044 7911 222"),
        ("Lösche plus vier neun 151 2345", "Lösche +49 151 2345"),
        ("two of the three boats", "two of the three boats"),
        ("one two or three times", "one two or three times"),
    ],
)
def test_figures_in_words(spelled: str, figures: str) -> None:
    """A number that is spelled out is read in figures, and what only counts stays."""
    assert in_figures(spelled) == figures


@pytest.mark.parametrize(
    ("asked", "told", "other"),
    [
        ("forget how much I drink", "I drink four beers a day.", "I drink tea with milk."),
        ("vergiss, wie viel ich verdiene", "Ich verdiene 4310 Euro.", "Ich verdiene mein Geld als Koch."),
    ],
)
def test_what_says_no_amount_is_in_doubt(asked: str, told: str, other: str) -> None:
    """How much or how often was asked for."""
    first, last = levels(asked, told, other)
    assert first == "sure"
    assert last != "sure"


def test_no_owner_is_left_without_what_is_owned() -> None:
    """Of "At Lena's party I spilled wine and cried." nothing like "At Lena's cried." stays."""
    rows = [Row(id="0", text="At Olga's party I spilled wine on the host and cried.", created_at=NOW)]
    (finding,) = find(read_request("forget that embarrassing thing at the party", NOW.date()), rows).rows
    assert (finding.level, finding.keeps) == (Level.DOUBTFUL, ())


@pytest.mark.parametrize("told", ["The plate is 4MHD311.", "A ticket for 4-MHD-311 came.", "My car's plate: 4MHD 311"])
def test_a_plate_in_any_spelling(told: str) -> None:
    """A figure, three letters and three figures are one code, with or without what parts them."""
    assert match_identifiers(identifiers_in("my license plate 4MHD 311"), told).level is Level.SURE
    assert match_identifiers(identifiers_in("my license plate 4MHD 311"), "Hers is 4MHD 313.").level is not Level.SURE


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Ingrid moved out. Lives in Bergen now.", "doubtful"),
        ("Ingrid is gone. Crushed by the news.", "doubtful"),
        ("Ingrid called. Prefers the morning train.", "doubtful"),
        ("Ingrid called. The morning train is late.", "sure"),
        ("Ingrid called. I went home.", "sure"),
        ("Met Ingrid at noon. Went home by tram.", "sure"),
    ],
)
def test_a_sentence_does_not_stay_without_its_subject(text: str, level: str) -> None:
    """What tells of somebody behind a sentence that goes would be read as another's; a diary's "Went" is its own."""
    assert levels("forget everything about Ingrid", text) == [level]
