"""Facts of one text that are told in the same words of two, and what became of one of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.language.newest.parallel import of_asked, parallels, says_again
from precis.recall.newer.notes import Became
from precis.recall.newer.restated import moved_to_firm, puts_anew
from precis.recall.question import read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def apart(text: str) -> list[str]:
    """What tells each fact of a text from the others."""
    return [" ".join(sorted(fact.which)) for fact in parallels(text)]


@pytest.mark.parametrize(
    ("text", "which"),
    [
        ("Nora works at Dell and Finn works at Asus.", ["nora", "finn"]),
        ("Nora works at Dell. Finn works at Asus.", ["nora", "finn"]),
        ("Nora works at Dell; Finn at Asus.", ["nora", "finn"]),
        ("Nora works at Dell while her brother Finn works at Asus.", ["nora", "brother finn"]),
        ("I work at Dell and Tom works at Asus.", ["i", "tom"]),
        ("The small boat is in Ulm, the big boat is in Kiel.", ["small", "big"]),
        ("The call with Nora is at two, the one with Finn at four.", ["nora", "finn"]),
        ("cart-api listens on 7001 and mail-api on 7002.", ["cart-api", "mail-api"]),
        ("Warehouse A stores paint. Warehouse B stores tiles.", ["a", "b"]),
        ("Nora wohnt in Ulm, während Finn in Kiel wohnt.", ["nora", "finn"]),
        ("Nora abita a Siena e Finn a Pisa.", ["nora", "finn"]),
        ("Mi hermana vive en Soria y mi hermano vive en Jaén.", ["hermana", "hermano"]),
        ("Нора живёт в Омске, а Финн в Томске.", ["нора", "финн"]),
        ("王芳住在苏州，李强住在无锡。", ["王芳", "李强"]),
        ("수진은 국어를 가르친다. 현우는 물리를 가르친다.", ["수진", "현우"]),
        ("Nora'nın evi Ankara'da, Finn'in evi Bursa'da.", ["nora", "finn"]),
    ],
)
def test_two_facts_are_told_apart_by_what_they_begin_with(text: str, which: list[str]) -> None:
    """In any language: the words behind are the same."""
    assert [set(told.split()) for told in apart(text)] == [set(told.split()) for told in which]


@pytest.mark.parametrize(
    "text",
    [
        "Tom works at Bosch. He works hard.",
        "We met in Rome. Then we flew home in May.",
        "The regatta is on 14 June, the regatta is on 15 June if it rains.",
        "In May the gym costs 29, in June the gym costs 34.",
        "The old price was 20, the new price is 30.",
        "Nora plays chess and loves it.",
        ". ".join(f"Person{at} works at Firm{at}" for at in range(40)),
    ],
)
def test_what_goes_on_of_one_is_not_of_two(text: str) -> None:
    """Nor is it where only the time differs, or where there are more than a note tells."""
    assert not any(apart(text))


def test_a_question_is_answered_by_the_fact_of_whom_it_asks() -> None:
    """All of it, where it asks of both or of neither."""
    note = "Nora works at Dell and Finn works at Asus. The canteen is good."
    asked = of_asked(note, "Where does Finn work?")
    assert asked.text == "Finn works at Asus. The canteen is good."
    assert asked.is_passed_by("Nora moved to HP.")
    assert asked.is_passed_by("Olga works at HP now.")
    assert not asked.is_passed_by("Finn moved to HP.")
    assert not asked.is_passed_by("Nora and Finn moved to HP.")
    assert of_asked(note, "Where do Nora and Finn work?").text == note
    assert of_asked(note, "Who works at Dell?").text == note


def test_what_is_said_again_has_another_value() -> None:
    """Of the same one, and most of it."""
    assert says_again("mail-api now listens on 7012.", "mail-api on 7002")
    assert says_again("王芳现在住在南京。", "王芳住在苏州")
    assert not says_again("cart-api now listens on 7012.", "mail-api listens on 7002")
    assert not says_again("mail-api is slow now.", "mail-api listens on 7002")
    assert not says_again("mail-api listens on 7002.", "mail-api listens on 7002.")


@pytest.mark.parametrize(
    ("newer", "older", "is_new"),
    [
        ("The sauna went up to 14.", "The sauna costs 12 a visit.", True),
        ("The pool went up to 14.", "The sauna costs 12 a visit.", False),
        ("The sauna's towel fee went up to 14.", "The sauna costs 12 a visit.", False),
        ("The sauna went up to 1400.", "The sauna costs 12 a visit.", False),
        ("The sauna is 14 minutes away.", "The sauna costs 12 a visit.", False),
    ],
)
def test_a_bare_figure_is_of_what_the_older_note_tells(newer: str, older: str, is_new: bool) -> None:
    """Where nothing else is named, and it is of much the same size."""
    known = {"sauna", "cost", "visit", "much"}
    assert puts_anew(newer, older, known, {}, ("English",)) is is_new


@pytest.mark.parametrize(
    ("text", "is_firm"),
    [
        ("Finn moved to Continental in May.", True),
        ("Finn has moved to Deutsche Bahn.", True),
        ("Finn moved to Hamburg.", False),
        ("Finn moved to New York last week.", False),
        ("Finn moved to Nottingham.", False),
        ("Finn moved to the second floor.", False),
        ("Finn moved to Ben's house.", False),
    ],
)
def test_who_moved_to_what_is_named_like_a_place_changed_no_job(text: str, is_firm: bool) -> None:
    """Of what has another name it is likely."""
    assert moved_to_firm(text) is is_firm


TWO = "Nora works at Dell and Finn works at Asus."


@pytest.mark.parametrize(
    ("question", "older", "newer", "order", "later"),
    [
        ("Where does Finn work?", TWO, "Finn moved to Lenovo in May.", "ba", {"a": "b"}),
        ("Where does Nora work?", TWO, "Finn moved to Lenovo in May.", "ab", {}),
        ("Where does Nora work?", TWO, "Olga moved to Lenovo in May.", "ab", {}),
        ("Where does Finn work?", "Finn works at Asus.", "Finn moved to Lenovo.", "ba", {"a": "b"}),
        ("Where does Finn work?", "Finn works at Asus.", "Finn moved to Hamburg.", "ab", {}),
        ("How much does Bolt weigh?", "Ada weighs 9 kilos and Bolt weighs 4.", "Bolt now weighs 5.", "ba", {"a": "b"}),
        ("How much does Ada weigh?", "Ada weighs 9 kilos and Bolt weighs 4.", "Bolt now weighs 5.", "ab", {}),
        ("What port does cart-api run on?", "cart-api runs on port 7001.", "cart-api moved to 7010.", "ba", {"a": "b"}),
        ("How much rent does Ida pay?", "Ida pays 800 rent.", "Ida's rent went up to 850.", "ba", {"a": "b"}),
        ("Wo wohnt Nora?", "Nora wohnt in Ulm und Finn wohnt in Kiel.", "Finn ist nach Worms gezogen.", "ab", {}),
        ("Где живёт Нора?", "Нора живёт в Омске, а Финн в Туле.", "Финн теперь живёт в Уфе.", "ab", {}),
        ("Where does my brother work?", "My brother works at ZF.", "I switched to Kuka.", "ab", {}),
        ("Where do I work?", "The bins go out on Thursday.", "I switched to Kuka.", "ab", {}),
        ("Where do I work?", "My brother works at ZF.", "I switched to Kuka.", "ab", {}),
        ("Where do I work?", "I work at Bosch.", "I switched to Kuka.", "ba", {"a": "b"}),
    ],
)
def test_what_became_of_one_of_two_says_nothing_of_the_other(
    question: str, older: str, newer: str, order: str, later: dict[str, str]
) -> None:
    """The newer is first and the older marked where both are of whom is asked."""
    told = {"a": Told(older, DAY), "b": Told(newer, DAY + timedelta(days=20))}
    became = Became(read_question(question), told)
    scores = [Score(id="a", keyword=0.9), Score(id="b", keyword=0.8)]
    assert "".join(score.id for score in became.newer_first(scores)) == order
    assert became.followed() == later
