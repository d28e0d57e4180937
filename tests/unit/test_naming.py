"""Which memory somebody means who names it in a few words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.language.reading import Line
from precis.recall.naming import Nameable, Named, find_named, with_later

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


def since(words: str, newer: str, *texts: str, of: str | None = None) -> tuple[list[str], list[str]]:
    """What is meant, and in doubt, where words name the first text of several days; ``newer`` is of the day ``of``."""
    memories = [
        Nameable(id=text, line=Line(text=text, speaker=None), said_at=datetime(2026, 7, day, tzinfo=UTC))
        for day, text in enumerate(texts, start=1)
    ]
    said_at = next((memory.said_at for memory in memories if memory.id == of), datetime(2026, 8, 1, tzinfo=UTC))
    writing = Nameable(id="new", line=Line(text=newer, speaker=None), said_at=said_at)
    result = with_later(Named(ids=texts[:1]), words, writing, memories)
    return list(result.ids), list(result.doubtful)


def test_what_became_of_it_since_is_meant_as_well_or_in_doubt() -> None:
    """The newest first; a later value is out of date as well, and so is what the new text leaves nothing of."""
    tins = "Pepper gets half a tin twice a day.", "The vet says Pepper is to have a whole tin twice a day now."
    assert ([], list(reversed(tins))) == since("how much Pepper gets", "Pepper is back to half a tin.", *tins)
    rents = "Our rent is 900 euros.", "Our rent is 950 euros now."
    assert (list(reversed(rents)), []) == since("our rent", "The landlord is kind.", *rents)
    assert (list(reversed(rents)), []) == since("our rent", "Our rent is now 980 euros.", *rents)


def test_what_is_newer_than_the_writing_or_of_another_matter_is_not_meant() -> None:
    """Only what a name has in common makes no doubt."""
    rents = "Our rent is 900 euros.", "I like figs.", "Our rent is 950 euros now."
    assert ([rents[0]], []) == since("our rent", "Our rent was 920 euros.", *rents, of=rents[1])
    dogs = "Rex sleeps in the kennel.", "Rex is 4 years old now."
    assert ([dogs[0]], []) == since("where Rex sleeps", "Rex sleeps in the hall.", *dogs)
