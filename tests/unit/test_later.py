"""Which notes are put before the first of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from precis.recall.later import Became, asks_how_it_is, summary_first
from precis.recall.question import Candidate, read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told

DAY = datetime(2026, 3, 1, tzinfo=UTC)
OLD = "The choir rehearses in the parish hall."


def order(question: str, *texts: str, days: int = 20, behind: float = 0.1) -> str:
    """The rows that say so, each so many days after the one before and so much behind it, by their letters."""
    ids = "abcdefgh"[: len(texts)]
    scores = [Score(id=id_, keyword=0.9 - behind * at) for at, id_ in enumerate(ids)]
    told = {
        id_: Told(text, DAY + timedelta(days=days * at)) for at, (id_, text) in enumerate(zip(ids, texts, strict=True))
    }
    return "".join(score.id for score in Became(read_question(question), told).newer_first(scores))


def became(question: str, told: Mapping[str, Told]) -> Mapping[str, str]:
    """Of which notes a later one says what became of them, each with that one."""
    return Became(read_question(question), told).followed()


@pytest.mark.parametrize(
    "newer",
    [
        "The choir rehearses in the school gym from now on.",
        "The parish dropped the choir; it sings in the gym.",
        "No longer the parish: the gym is warmer.",
    ],
)
def test_a_newer_note_on_the_same_thing_comes_first(newer: str) -> None:
    """It has the words that the first one has of the question, or a rare one besides, and tells of a change."""
    assert order("Where does the choir rehearse?", OLD, "The piano is out of tune.", newer) == "cab"


@pytest.mark.parametrize(
    "other",
    [
        "The choir rehearses every Tuesday.",
        "Lea left her umbrella on the bus.",
        "Should the choir rehearse in the gym instead?",
    ],
)
def test_a_note_that_tells_of_no_change_in_it_stays(other: str) -> None:
    """So does one on another thing, and one that asks."""
    assert order("Where does the choir rehearse?", OLD, other) == "ab"


def test_in_doubt_nothing_moves() -> None:
    """What is older, of the same day, or far behind is no newer value; without texts nothing is known."""
    newer = "The choir rehearses in the school gym instead."
    question = "Where does the choir rehearse?"
    assert order(question, OLD, newer) == "ba"
    assert order(question, OLD, newer, days=-20) == "ab"
    assert order(question, OLD, newer, days=0) == "ab"
    assert order(question, OLD, newer, behind=0.6) == "ab"
    assert Became(read_question(question), {}).newer_first([]) == []
    assert Became(read_question(question), {}).newer_first([Score(id="a")]) == [Score(id="a")]


def test_the_newest_of_several_is_first_and_none_is_lost() -> None:
    """The parts say why."""
    question = "Where does the choir rehearse?"
    texts = (OLD, "The choir moved to the gym, it rehearses there now.", "The choir rehearses in the barn from now on.")
    assert order(question, *texts) == "cba"
    scores = [Score(id="a", keyword=0.9), Score(id="b", keyword=0.7)]
    told = {"a": Told(OLD, DAY), "b": Told(texts[2], DAY + timedelta(days=3))}
    first = Became(read_question(question), told).newer_first(scores)[0]
    assert first.id == "b"
    assert 0.2 < first.newest < 0.21


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Wo wohnt Ida?", "Ida wohnt in Köln.", "Ida ist letzten Monat nach Kiel umgezogen."),
        ("¿Dónde vive Ida ahora?", "Ida vive en Lima.", "Ida se acaba de mudar: se ha mudado con su perro a Quito."),
        ("Où habite Ida ?", "Ida habite à Brest.", "Ida vient de déménager à Dijon."),
        ("Dove lavora Ida?", "Ida lavora alla Hollis.", "Ida è passata alla Brenner."),
        ("Where does Ida work?", "Ida works at Hollis.", "Ida has switched to Brenner."),
        ("Welches Auto fährt Ida?", "Ida fährt einen Volvo.", "Ida hat den Volvo verkauft."),
        ("Wann ist mein Zahnarzttermin?", "Zahnarzt am Dienstag um 15 Uhr", "Der Zahnarzttermin ist abgesagt."),
        ("When is the parents' evening?", "Parents' evening on 12 May", "The parents' evening was called off."),
    ],
)
def test_a_change_in_other_languages_and_of_what_is_asked_for(question: str, older: str, newer: str) -> None:
    """Who moved lives elsewhere; and the older of the two knows that there is a later one."""
    assert order(question, older, "Der Drucker braucht Papier.", newer) == "cab"
    assert asks_how_it_is(question) or "ahora" in question
    told = {"a": Told(older, DAY), "b": Told(newer, DAY + timedelta(days=3))}
    assert became(question, told) == {"a": "b"}
    assert became(question, {"a": Told(newer, DAY), "b": Told(older, DAY + timedelta(days=3))}) == {}


def test_what_is_called_off_on_the_same_day_is_off() -> None:
    """Of what else is said on one day the later mostly goes on with the earlier."""
    told = {"a": Told("Dentist on Tuesday 3 pm", DAY), "b": Told("The dentist is cancelled.", DAY + timedelta(hours=3))}
    assert became("When is my dentist appointment?", told) == {"a": "b"}
    assert became("When is my dentist appointment?", {"a": told["b"], "b": told["a"]}) == {"b": "a"}
    told = {"a": Told(OLD, DAY), "b": Told("The choir rehearses in the gym from now on.", DAY + timedelta(hours=3))}
    assert became("Where does the choir rehearse?", told) == {}


@pytest.mark.parametrize(
    ("question", "newer"),
    [
        ("When is my dentist appointment?", "The dentist has a new fish tank."),
        ("When is my dentist appointment?", "The yoga class was moved to Friday."),
        ("Where does Ida live?", "Ole has moved to Kiel."),
    ],
)
def test_what_is_of_another_thing_follows_nothing(question: str, newer: str) -> None:
    """Whatever it says to be otherwise."""
    older = "Dentist on Tuesday 3 pm" if "dentist" in question else "Ida lives in Cologne."
    assert became(question, {"a": Told(older, DAY), "b": Told(newer, DAY + timedelta(days=3))}) == {}


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Where does the choir rehearse?", True),
        ("What's Ida's new number?", True),
        ("Where did the choir rehearse?", False),
        ("When was the piano tuned?", False),
        ("How often has the choir been to Graz?", False),
        ("Wo probt der Chor?", True),
        ("Wo wurde der Chor gegründet?", False),
        ("¿Dónde ensaya el coro?", True),
        ("Où habitait Ida avant ?", False),
    ],
)
def test_questions_for_how_things_are(question: str, asks: bool) -> None:
    """One for what was or happened is none."""
    assert asks_how_it_is(question) is asks


def row(id_: str, day: int, *, sources: tuple[str, ...] = (), newest: int | None = None) -> Candidate:
    """A candidate of a day of March, or a summary of rows of which the newest is of another."""
    at = datetime(2026, 3, day, tzinfo=UTC)
    return Candidate(
        id=id_, similarity=None, frequencies=(), length=5, importance=0.5, created_at=at, is_summary=bool(sources),
        sources=sources, newest_source_at=None if newest is None else datetime(2026, 3, newest, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("summary", "first"),
    [
        (row("s", 20, sources=("a", "x"), newest=19), "s"),
        (row("s", 20, sources=("a", "x"), newest=2), "a"),  # it has nothing newer
        (row("s", 20, sources=("x", "y"), newest=19), "a"),  # it is of other rows
    ],
)
def test_a_summary_that_has_what_is_newer_comes_before_the_row(summary: Candidate, first: str) -> None:
    """What it says first is what is so now."""
    scores = [Score(id=id_, keyword=0.9 - 0.1 * at) for at, id_ in enumerate("abs")]
    rows = {each.id: each for each in (row("a", 2), row("b", 3), summary)}
    ordered = summary_first(scores, rows)
    assert (ordered[0].id, sorted(each.id for each in ordered)) == (first, ["a", "b", "s"])
    assert ordered == sorted(ordered, key=lambda score: (-score.total, score.id))


def test_that_both_are_of_the_user_makes_no_note_newer_than_another() -> None:
    """All notes of some layers begin so; where somebody lives is told by who moved, of the same person."""
    assert order("Is the user vegetarian?", "The user is vegetarian.", "The user moved to Leeds.") == "ab"
    assert order("Ist der Nutzer Vegetarier?", "Der Nutzer ist Vegetarier.", "Der Nutzer ist umgezogen.") == "ab"
    assert order("Where does the user live?", "The user lives in Hull.", "The user moved to Leeds.") == "ba"


def test_who_asks_whether_it_is_still_so_is_told_the_change() -> None:
    """Though that one has the thing and not the verb; that both tell of one person is not enough."""
    assert order("Does Tom still take ibuprofen?", "Tom takes ibuprofen.", "Tom stopped the ibuprofen.") == "ba"
    assert order("Nehme ich noch Ibuprofen?", "Ich nehme Ibuprofen.", "Das Ibuprofen habe ich abgesetzt.") == "ba"
    assert order("Does Tom still take ibuprofen?", "Tom takes ibuprofen.", "Tom sold his bike.") == "ab"


def test_a_value_told_in_a_common_word_is_newer_too() -> None:
    """A coche is bought as a Mazda."""
    assert order("¿Qué coche tengo?", "Manejo un Nissan blanco.", "Compré un Mazda rojo.") == "ba"


def turns_in_order(question: str, *turns: tuple[str, int, str], behind: float = 0.1) -> str:
    """The ids of turns with speaker, day and text, each so much behind the one before, in the order that they get."""
    said = {
        "abcdef"[at]: Told(text, DAY + timedelta(days=day), speaker) for at, (speaker, day, text) in enumerate(turns)
    }
    scores = [Score(id=id_, keyword=1 - behind * at) for at, id_ in enumerate(said)]
    return "".join(score.id for score in Became(read_question(question), said).newer_turn_first(scores))


def test_the_newest_turn_on_the_same_value_is_first() -> None:
    """Of one speaker and next to as good, or one that tells of a change; the others keep their order."""
    lesson = ("Nuria", 0, "My cello lesson is on Tuesdays.")
    assert (
        turns_in_order("When is Nuria's cello lesson?", lesson, ("Nuria", 40, "The cello lesson is Fridays.")) == "ba"
    )
    others = ("Nuria", 20, "Cello lesson went well."), ("Nuria", 60, "My cello lesson moved to Friday.")
    assert turns_in_order("When is Nuria's cello lesson?", lesson, *others) == "cab"
    moved = ("Oskar", 40, "Nuria's cello lesson was moved to Friday.")
    assert turns_in_order("When is Nuria's cello lesson?", lesson, moved, behind=0.25) == "ba"


@pytest.mark.parametrize(
    "newer",
    [
        ("Nuria", 0, "The cello lesson is Fridays."),
        ("Nuria", 40, "The lesson is Fridays."),
        ("Oskar", 40, "A cello lesson costs forty euros."),
    ],
)
def test_other_turns_stay_in_their_order(newer: tuple[str, int, str]) -> None:
    """One of the same day, one with fewer words of the question, one by somebody else that tells of no change."""
    assert (
        turns_in_order("When is Nuria's cello lesson?", ("Nuria", 0, "My cello lesson is on Tuesdays."), newer) == "ab"
    )
    assert Became(read_question("When is it?"), {}).newer_turn_first([Score(id="x")]) == [Score(id="x")]
