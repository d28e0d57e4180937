"""Which memory somebody means who names it in a few words."""

from __future__ import annotations

import pytest

from precis.language.reading import Line
from precis.recall.naming import Nameable, find_named

TEXTS = (
    "Odile lives at 4 Elm Road.", "Odile forgot the address of the bakery.", "My phone number is 555-2231.",
    "Imre works at Lufthansa.", "The rent is 720 euros.", "I prefer tea.", "Imre lives in Graz.",
    "My sister's birthday is on 4 May.", "I drive a Lada.", "Mein Arzt heißt Huber.",
)  # fmt: skip


def named(words: str, newer: str, *texts: str) -> tuple[set[str], set[str]]:
    """The texts that are meant for sure, and those in doubt."""
    memories = [Nameable(id=text, line=Line(text=text, speaker=None), relevance=0.0) for text in texts or TEXTS]
    result = find_named(words, Line(text=newer, speaker=None), memories)
    return set(result.ids), set(result.doubtful)


@pytest.mark.parametrize(
    ("words", "newer", "meant"),
    [
        ("Odile's old address", "Odile found a place in Ghent.", TEXTS[0]),
        ("my previous phone number", "Call me at 555-9084.", TEXTS[2]),
        ("where Imre used to work", "Imre works at Bosch.", TEXTS[3]),
        ("Imre's former job", "Imre is a baker now.", TEXTS[3]),
        ("the old rent", "We pay 800 euros.", TEXTS[4]),
        ("the memory about the rent", "We pay 800 euros.", TEXTS[4]),
        ("my sister's birthday", "My sister was born on 5 May.", TEXTS[7]),
        ("my old car", "I bought a Fiat.", TEXTS[8]),
        ("tea", "I prefer coffee now.", TEXTS[5]),
        ("Mein Arzt heißt Huber", "Mein Arzt heißt Meier.", TEXTS[9]),
    ],
)
def test_what_is_meant_for_sure(words: str, newer: str, meant: str) -> None:
    """It is about just that, or quoted, and nothing else is."""
    assert ({meant}, set()) == named(words, newer)


@pytest.mark.parametrize(
    ("words", "newer"),
    [
        ("the address", "We moved."),
        ("Greta's old address", "Greta moved to Linz."),
        ("Odile", "Odile moved to Ghent."),
        ("the old one", "It is blue now."),
        ("mon ancienne adresse", "Mon adresse est 9 rue Foch."),
    ],
)
def test_what_is_in_doubt_is_not_meant(words: str, newer: str) -> None:
    """Of nobody who is named, of somebody else, or of more than one thing."""
    meant, _ = named(words, newer, *(text for text in TEXTS if words != "Odile" or "lives" not in text))
    assert set() == meant


def test_of_two_that_fit_both_are_listed() -> None:
    """Unless the newer text leaves nothing of either: then both are out of date."""
    homes = "Odile lives in Graz.", "Odile has a house in Linz.", "Odile lives in Bern."
    assert (set(), {homes[0], homes[2]}) == named("Odile's address", "Odile likes it here.", *homes[::2])
    assert ({homes[0], homes[2]}, set()) == named("Odile's address", "Odile moved to Ghent.", *homes[::2])
