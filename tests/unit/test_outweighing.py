"""What a month tells first, and what it leaves for last: decisions before small talk, in ten languages."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from precis.checks.trifles import passes
from precis.extractive.summarizer import summarize
from precis.extractive.weights.decisions import decides, only_agrees
from precis.language.dating.resolving import dated
from precis.makers import Item, Request
from precis.models.tokens import count

DAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
DECIDED = [
    "We have chosen Harkon as the supplier.",
    "OK, we decided: RabbitMQ it is.",
    "The billing script passes from Ravi to Lotte.",
    "Launch is done!",
    "Wir haben uns für Harkon entschieden.",
    "L'audit a été reporté du 4 au 18 avril.",
    "Hemos elegido a Harkon.",
    "Abbiamo scelto Harkon.",
    "Escolhemos a Harkon.",
    "Мы выбрали «Харкон».",
    "Harkon'u seçtik.",
    "我们选定了哈肯。",
    "業者はハーコンに決まりました。",
]
NOT_DECIDED = ["Have we chosen Harkon?", "The garden is green.", "Then we take down the old shed.", "昨日は雨でした。"]
#: Who agrees, and nobody knows to what.
AGREED = ["Henrike agreed this morning.", "Petra hat heute früh zugestimmt.", "Рита согласилась.", "Paule a accepté."]
PASSING = [
    "Off to bed.",
    "So, ich geh jetzt schlafen.",
    "Bonne nuit !",
    "Bueno, me voy a dormir.",
    "Che freddo!",
    "Bom, vou dormir.",
    "Que frio é esse, gente kkkk.",
    "Урааа ))).",
    "Ладно, спать.",
    "Bu ne soğuk ya.",
    "好困啊~",
    "もう寝ます。",
    "めっちゃ嬉しい!",
]
NOT_PASSING = ["She sleeps badly since May.", "娘は喘息です。", "Ну всё, Тимка пошёл в школу.", "Vou dormir às 22h."]


@pytest.mark.parametrize("text", DECIDED)
def test_a_decision_is_told_before_longer_talk(text: str) -> None:
    """However plain its words are, in a month that has no room for all."""
    assert decides(text)
    notes = (
        "Coffee with Ines was nice, she showed pictures of the garden and the pond behind the barn.",
        text,
        "It rained for hours, the tram was full and loud, and the umbrella of the neighbor broke.",
    )
    items = tuple(
        Item(text=note, source_ids=(str(at),), created_at=DAY + timedelta(days=3 * at), speaker="Jonas", alone=True)
        for at, note in enumerate(notes)
    )
    draft = summarize(Request(items=items, max_tokens=30, prompt="", served_from=0.5), count)
    assert any(statement.sources == (1,) and statement.importance >= 0.5 for statement in draft.statements)


@pytest.mark.parametrize("text", NOT_DECIDED)
def test_a_question_and_a_remark_decide_nothing(text: str) -> None:
    """Nor does a phrase that only opens like a decision."""
    assert not decides(text)


@pytest.mark.parametrize("text", AGREED)
def test_who_agrees_to_what_is_untold_goes_last(text: str) -> None:
    """It is told of a month only where nothing else is."""
    assert only_agrees(text)
    items = tuple(
        Item(text=note, source_ids=(str(at),), created_at=DAY + timedelta(days=at), speaker="Jonas", alone=True)
        for at, note in enumerate((text, "We have chosen Harkon as the supplier."))
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.5), count)
    assert {source for statement in draft.statements for source in statement.sources} == {1}
    assert not only_agrees("Henrike agreed to the new price of 40 euros.")


@pytest.mark.parametrize("text", PASSING)
def test_good_nights_cold_and_joy_pass(text: str) -> None:
    """They are no statements of a period in which anything else is told."""
    assert passes(text)
    items = tuple(
        Item(text=note, source_ids=(str(at),), created_at=DAY + timedelta(days=at), alone=True)
        for at, note in enumerate((text, "The gate code is 4471."))
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.0), count)
    assert {source for statement in draft.statements for source in statement.sources} == {1}


@pytest.mark.parametrize("text", NOT_PASSING)
def test_what_tells_of_somebody_stays(text: str) -> None:
    """Another's sleep, a figure, a name."""
    assert not passes(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Üç hafta sonra Mert'in konseri var.", "~2026-12-07"),
        ("10 gün sonra uçuyoruz.", "2026-11-26"),
        ("再过两周就是钢琴考级了。", "~2026-11-30"),
        ("下下周三学校开运动会。", "2026-12-02"),
        ("再来週の土曜日に発表会があります。", "2026-12-05"),
        ("再来週、テストがあります。", "2026-11-30"),
    ],
)
def test_days_two_weeks_ahead_are_read(text: str, day: str) -> None:
    """Counted from the day on which they were said, a Monday."""
    assert day in dated(text, date(2026, 11, 16))
