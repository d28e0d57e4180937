"""Forgetting in words: what belongs to a topic without having its word, how likely, and what stays beside it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from precis.finding.doubts.chances import with_chances
from precis.finding.finder import find
from precis.finding.halves import parted, written
from precis.finding.request import read_request
from precis.finding.values import Finding, Findings, Level, Row
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by

TODAY = date(2026, 11, 20)
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def row(number: int, text: str, *, day: int = 0, session: str | None = None) -> Row:
    """A memory of a day, in the order of their numbers."""
    return Row(id=str(number), text=text, created_at=START + timedelta(days=day, minutes=number), session_id=session)


def found(ask: str, rows: list[Row]) -> dict[str, Finding]:
    """What is sure or in doubt, by id."""
    findings = find(read_request(ask, TODAY), rows)
    return {finding.id: finding for finding in findings.rows if finding.level >= Level.DOUBTFUL}


@pytest.mark.parametrize(
    ("ask", "topic", "tied", "other"),
    [
        ("forget my wrist", "My wrist clicked, Varga took a look.", "Varga wants a splint for six weeks.", "I sing."),
        ("vergiss meinen Zaun", "Der Zaun fällt, Lärchenholz hilft.", "Das Lärchenholz kostet 90.", "Ich singe Alt."),
        ("oublie le jardin", "Le jardin est sec, Kerdoncuff passe.", "Kerdoncuff veut un puits.", "Je chante."),
        ("забудь про крышу", "Крыша течёт, Лапшин придёт.", "Лапшин просит аванс.", "Я пою в хоре."),
    ],
)
def test_a_word_that_is_told_with_the_topic_and_nowhere_else_brings_a_memory_in(
    ask: str, topic: str, tied: str, other: str
) -> None:
    """In any language, in doubt and with a reason; what shares nothing with it stays."""
    besides = [row(at, text, day=20 * at) for at, text in enumerate(["2 + 2 = 4", "7.30", other], start=4)]
    meant = found(ask, [row(1, topic), *besides, row(3, tied, day=200)])
    assert set(meant) == {"1", "3"}
    assert meant["3"].level is Level.DOUBTFUL
    assert meant["3"].why == "it has a word that is told with that, and hardly elsewhere"
    assert 0 < meant["3"].likelihood < 1


def test_a_word_that_is_told_as_much_elsewhere_ties_nothing() -> None:
    """A name that two other memories have as well says nothing of the topic."""
    rows = [
        row(1, "My wrist clicked while I helped Varga."),
        row(2, "Varga has a new boat.", day=40),
        row(3, "Varga and I painted the boat.", day=60),
        row(4, "Varga sold the boat.", day=80),
        row(5, "Rain again.", day=120),
    ]
    assert set(found("forget my wrist", rows)) == {"1"}


def test_among_many_memories_one_shared_word_is_chance() -> None:
    """Where a topic has many memories, chance makes ties by one word: two words tie, one does not."""
    topic = [row(at, f"The Osprey project, part {at}: stone{at}, brass{at}.", day=at) for at in range(18)]
    others = [row(100 + at, f"I saw {thing} again.", day=200 + at) for at, thing in enumerate(["stone3"] * 1)]
    rest = [row(200 + at, f"Walked along path{at}.", day=300 + at) for at in range(270)]
    both = row(999, "The stone4 is of brass4.", day=290)
    meant = found("forget the Osprey project", [*topic, *others, *rest, both])
    assert "999" in meant
    assert "100" not in meant


def test_a_session_goes_on_about_its_topic_until_something_else_begins() -> None:
    """What stands behind it in its session is in doubt; what is behind a turn, or told elsewhere as well, stays."""
    rows = [
        row(1, "How do I get wax off suede?", session="a"),
        row(2, "My boots are brown.", session="a"),
        row(3, "A cloth did not help.", session="a"),
        row(4, "By the way, tea is out.", session="a"),
        row(5, "Green would be fine.", session="a"),
        row(6, "Plums are cheap now.", session="b"),
        row(7, "My boots are brown, and worn.", session="c"),
        row(8, "The plums were sour.", session="c"),
        row(9, "A jam would help.", session="c"),
    ]
    meant = found("forget my boots", rows)
    assert set(meant) == {"2", "3", "7"}
    assert meant["3"].why == "it goes on in a session that is about that"
    assert meant["3"].likelihood < meant["2"].likelihood == 1


def test_notes_right_behind_a_topic_may_be_of_it_until_one_is_of_another_field() -> None:
    """The next notes of a few days are in doubt, not those behind one about the user's aunt, nor what is told since."""
    rows = [
        row(1, "Ordered a pinewood shed.", day=0),
        row(2, "Foundation slabs arrive on Monday.", day=2),
        row(3, "My aunt is in Leeds.", day=4),
        row(4, "The slabs are level.", day=30),
        row(5, "A heron sat by the canal.", day=60),
    ]
    meant = found("forget the shed", rows)
    assert set(meant) == {"1", "2", "4"}
    assert meant["2"].why == "it was noted right behind what is about that"


@pytest.mark.parametrize("ask", ["forget my salary", "forget my address", "forget Tove's birthday"])
def test_a_fact_that_one_sentence_tells_has_no_thread(ask: str) -> None:
    """What names the same people beside a figure or a place is not meant by it."""
    rows = [
        row(1, "I earn 3,100 at Lumo Glass."), row(2, "I live at 4 Hill Street, near Lumo Glass.", day=30),
        row(3, "Tove's birthday is 4 May, she is at Lumo Glass.", day=60), row(4, "Lumo Glass has a canteen.", day=90),
    ]  # fmt: skip
    assert "4" not in found(ask, rows)


def test_what_is_in_doubt_is_listed_by_how_likely_it_is() -> None:
    """The likeliest first; what is sure stays in the order of time."""
    rows = [
        row(1, "Varga phoned, splint by Friday."),
        row(2, "My wrist clicked, Varga took a look at the splint.", day=40),
        row(3, "My wrist is stiff.", day=41),
        row(4, "A splint until June.", day=42),
        row(5, "Plums are cheap.", day=90),
    ]
    findings = find(read_request("forget my wrist", TODAY), rows)
    doubtful = findings.of(Level.DOUBTFUL)
    assert [finding.likelihood for finding in doubtful] == sorted((it.likelihood for it in doubtful), reverse=True)
    assert [finding.id for finding in doubtful] == ["1", "4"]
    assert [finding.id for finding in findings.of(Level.SURE)] == ["2", "3"]


@pytest.mark.parametrize(
    ("text", "going", "rest"),
    [
        ("Rolf has the flu, and Ines runs the bar while we're away.", "Rolf", "Ines runs the bar while we're away."),
        ("Rolf has the flu, and Ines runs the bar while I'm in Oslo.", "Rolf", "Ines runs the bar while I'm in Oslo."),
        ("Rolf ist krank, und Ines gießt die Blumen, während wir weg sind.", "Rolf",
         "Ines gießt die Blumen, während wir weg sind."),
        ("Rolf earns 900, while Ines earns 1,200.", "Rolf", "Ines earns 1,200."),
    ],
)  # fmt: skip
def test_a_clause_that_only_says_when_is_no_sentence_of_its_own(text: str, going: str, rest: str) -> None:
    """What says "while we're away" is not told as what is so now; what is set against something else is."""
    keeps, level = parted(text, ((text.index(going), text.index(going) + len(going)),))
    assert written(text, keeps) == rest
    assert level is Level.SURE


def test_who_speaks_in_a_talk_is_no_name_of_what_was_asked_for() -> None:
    """A cat that is called as somebody who talks makes no line of theirs one about a cat."""
    lines = (
        ("user", "My cat, Nate, sleeps all day."),
        ("user", "My cat Fleck hunts mice."),
        ("Nate", "I sell old maps."),
        ("user", "Fleck caught one."),
    )
    rows = [replace(row(at, text, day=20 * at), speaker=speaker) for at, (speaker, text) in enumerate(lines)]
    assert set(found("forget my cat", rows)) == {"0", "1", "3"}
    renamed = [replace(each, text=each.text.replace("Nate", "Pip")) for each in rows]
    assert set(found("forget my cat", [*renamed[:2], row(2, "Pip sleeps."), renamed[3]])) == {"0", "1", "2", "3"}


def weighed(ask: str, rows: list[Row], *doubtful: str) -> dict[str, Finding]:
    """What is said of rows of which some are in doubt by rules, with their chances."""
    known = Findings(rows=tuple(Finding(id=id_, level=Level.DOUBTFUL, why="it may be") for id_ in doubtful))
    findings = with_chances(ask, read_request(ask, TODAY), rows, known, kin_by(StaticEmbedder()))
    assert {finding.level for finding in findings.rows} == {Level.DOUBTFUL}
    return {finding.id: finding for finding in findings.of(Level.DOUBTFUL)}


@pytest.mark.parametrize(
    ("ask", "less", "more"),
    [
        ("Forget my aunt's tax number.", "My aunt's wife has the tax number 52.", "My aunt has the tax number 52."),
        ("Oublie l'anniversaire de Tove.", "L'anniversaire du patron de Tove est le 5 mars.",
         "L'anniversaire de Tove est le 4 mai."),
    ],
)  # fmt: skip
def test_of_what_is_in_doubt_what_tells_of_nobody_else_comes_first(ask: str, less: str, more: str) -> None:
    """Of two that rules put in doubt alike, the owner of the owner is the less likely one."""
    meant = weighed(ask, [row(1, less), row(2, more)], "1", "2")
    assert ["2", "1"] == list(meant)
    assert 0 < meant["1"].likelihood < meant["2"].likelihood < 1
