"""Forgetting in words: "her number" behind a name, the rarest words where nothing is meant, and long answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from precis.finding.finder import find
from precis.finding.halves import parted
from precis.finding.request import read_request
from precis.finding.together.ages import doubt_newest
from precis.finding.values import Finding, Level, Match, Row

TODAY = date(2026, 11, 20)
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def rows_of(*lines: str) -> list[Row]:
    """Memories, one a month, of nobody who is known to speak."""
    return [Row(id=str(at), text=text, created_at=START + timedelta(days=30 * at)) for at, text in enumerate(lines)]


def talk_of(*lines: str) -> list[Row]:
    """Messages of one session, the user's and the assistant's in turn."""
    return [
        Row(id=str(at), text=text, created_at=START + timedelta(minutes=at), session_id="s",
            speaker=("user", "assistant")[at % 2])
        for at, text in enumerate(lines)
    ]  # fmt: skip


def meant(ask: str, rows: list[Row]) -> dict[str, Finding]:
    """What is sure or in doubt, by id."""
    findings = find(read_request(ask, TODAY), rows)
    return {finding.id: finding for finding in findings.rows if finding.level >= Level.DOUBTFUL}


@pytest.mark.parametrize(
    ("ask", "lines"),
    [
        ("Forget Thea and her phone number.", ("Thea's phone number is {}.", "My phone number is {}.")),
        ("Forget my aunt and her phone number.", ("My aunt's phone number is {}.", "My phone number is {}.")),
        ("Olvida a Irene y su número de teléfono.", ("El teléfono de Irene es {}.", "Mi número de teléfono es {}.")),
        ("Dimentica Irene e il suo numero.", ("Il numero di Irene è {}.", "Il mio numero è {}.")),
        ("Oublie Irène et son numéro.", ("Le numéro d'Irène est {}.", "Mon numéro est {}.")),
    ],
)
def test_her_number_is_of_whom_is_named_before_it_and_never_mine(ask: str, lines: tuple[str, str]) -> None:
    """Once the user's own number went with it surely."""
    theirs, mine = (line.format(f"0170 5550 11{at}") for at, line in enumerate(lines))
    assert {"0"} == set(meant(ask, rows_of(theirs, mine)))


def test_a_name_behind_whom_a_sentence_tells_of_is_theirs() -> None:
    """It tells of nobody else, and goes; who is spoken to is no such name."""
    findings = meant("Forget Oskar Brandt.", rows_of("The new tiler rang, Oskar Brandt. He wants 900.", "I sing."))
    assert {"0": Level.SURE} == {id_: finding.level for id_, finding in findings.items()}
    thanked = meant("Forget Oskar Brandt.", rows_of("I won the race, Oskar Brandt.", "I sing."))
    assert Level.DOUBTFUL == thanked["0"].level


def test_where_nothing_is_meant_the_rarest_words_are_nearest() -> None:
    """Of an aunt's allergy not the next best memory of the aunt, and none of another relative."""
    lines = (
        "My aunt Ida is 81.",
        "She's allergic to latex.",
        "My aunt walks without a stick.",
        "My aunt likes cake.",
        "My niece is allergic to cats.",
    )
    assert {"1"} == set(meant("Forget my aunt's allergy.", rows_of(*lines)))


def test_words_that_are_asked_for_together_make_nothing_else_of_each_other() -> None:
    """Shin splints are no splints, unless just they are asked for."""
    findings = meant("Forget my shin splints.", rows_of("I have shin splints, says Anouk.", "I sing.", "I row."))
    assert Level.SURE == findings["0"].level


def test_a_long_answer_to_what_is_meant_is_in_doubt_whomever_it_names() -> None:
    """So is what repeats a figure of it in another spelling."""
    rows = talk_of(
        "I'd like a surf lesson in Ericeira.",
        "Ericeira is near. Go to Foz do Lizandro beach, or ask Miguel Prata of the school there about a board.",
        "The surf lesson costs 1200.50 in all.",
        "Fine.",
        "Is 1,200.50 much?",
    )
    why = {id_: finding.why for id_, finding in meant("Forget the surf lesson.", rows).items()}
    assert "it answers what is meant, in the same talk" == why["1"]
    assert "it repeats a figure of what is meant, in the same talk" == why["4"]


def test_nothing_is_the_newest_where_a_later_figure_is_in_doubt() -> None:
    """The dates of now may be those; whoever confirms would lose them and keep the old."""
    rows = rows_of("Lisbon, 5 to 12 June.", "Rain again.", "The trip is 12 to 19 June now.")
    newest, near_it = Match(level=Level.NEAR, why="it is the newest"), Match(level=Level.DOUBTFUL, why="it may be that")
    nothing = Match(level=Level.NO)
    for later, level in ((nothing, Level.NEAR), (near_it, Level.DOUBTFUL)):
        matches = {"0": newest, "1": near_it, "2": later}
        doubt_newest(rows, matches)
        assert level == matches["0"].level


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Pepe è dimagrito, la Bassi gli ha cambiato le crocchette", "Pepe"),
        ("Filou a maigri, la vétérinaire lui a donné des gouttes", "Filou"),
        ("Toby adelgazó, la veterinaria le ha cambiado el pienso", "Toby"),
    ],
)
def test_what_is_done_to_whoever_goes_never_stays(text: str, name: str) -> None:
    """A pronoun before the verb takes up who goes; a clause without one stays."""
    start = text.index(name)
    assert () == parted(text, [(start, start + len(name))], facts=False)[0]
    alone = "Pepe è dimagrito, la Bassi vende crocchette"
    assert ["la Bassi vende crocchette"] == [alone[slice(*it)] for it in parted(alone, [(0, 4)], facts=False)[0]]


@pytest.mark.parametrize(
    ("ask", "old", "now", "theirs"),
    [
        (
            "انسى ايجاري",
            "الايجار هيزيد من سبتمبر يبقى ٨٠٠٠",
            "واتفقت مع صاحب البيت يخلي الايجار ٧٥٠٠ من اكتوبر",
            "الجو حر",
        ),
        ("मेरा किराया भूल जाओ", "किराया 14,000 है", "मकान मालिक से बात की, अक्टूबर से किराया 14,800 कर दिया", "मौसम गरम है"),
    ],
)
def test_a_figure_that_the_user_says_is_shown_though_a_landlord_is_in_it(
    ask: str, old: str, now: str, theirs: str
) -> None:
    """Else the old rent goes, and the one of now is not even shown; what another says is as it was."""
    lines = (("rohit", old), ("rohit", now), ("neha", theirs))
    rows = [replace(row, speaker=who) for row, (who, _) in zip(rows_of(*(it for _, it in lines)), lines, strict=True)]
    findings = find(read_request(ask, TODAY), rows, own_names=("rohit",))
    assert {"0", "1"} == {finding.id for finding in findings.rows if finding.level >= Level.DOUBTFUL}
