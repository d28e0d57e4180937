"""What people order each other, answers without a question, directions and prices: what of them is a statement."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.makers import Aim, DraftStatement, Item, Request
from precis.models.tokens import count
from precis.policies.insights import insights
from precis.summary import Statement

_START = datetime(2026, 5, 4, 18, tzinfo=UTC)


def told(*turns: str, room: int = 800) -> list[DraftStatement]:
    """The statements of a talk, a turn a minute; a turn is "Who: what"."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turn.split(": ", 1) for turn in turns)
    )
    draft = summarize(Request(items=items, max_tokens=room, prompt="", aim=Aim.FACTS), count)
    return list(draft.statements)


RACE = "Ana: I lost the race by two minutes."
SHOES = "Ana: I bought new shoes in Graz for 120 euros."


def test_friends_give_each_other_no_orders_for_good() -> None:
    """It cheers; in a talk with an assistant what is to be "always" or "never" is what somebody wants of it."""
    assert not any("give up" in statement.text for statement in told(RACE, "Ben: Never give up!", SHOES))
    rule = "user: Never use emojis."
    orders = [each for each in told(RACE, rule, "assistant: Understood.", SHOES) if each.text == rule]
    assert [each.importance for each in orders] == [0.95]


def test_a_statement_of_a_week_is_no_order_in_its_month_unless_it_was_one() -> None:
    """Who speaks with whom is known where the talk is summarized; the month takes that over."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START, derived=True, importance=importance)
        for at, (text, importance) in enumerate(
            [("Ben: Never give up!", 0.55), ("Ben: Never use emojis.", 0.95), ("Ana: I moved to Graz.", 0.6)]
        )
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.5), count)
    by_text = {statement.text: statement.importance for statement in draft.statements}
    assert by_text.get("Ben: Never give up!", 0.0) < 0.9
    assert by_text["Ben: Never use emojis."] >= 0.95


@pytest.mark.parametrize("room", [40, 60, 800])
def test_an_answers_scrap_is_told_with_its_question_or_not(room: int) -> None:
    """Nobody knows what is due at the end of next week but with what was asked."""
    texts = [
        statement.text
        for statement in told(
            "Ana: When do we need the drawings?",
            "Ben: End of next week. Halloran rang about the kitchen, she wants oak after all.",
            "Ana: I'll ask Piet about the oak.",
            room=room,
        )
    ]
    assert any("Halloran" in text for text in texts)
    assert all("drawings?" in text for text in texts if "End of next week" in text)


def test_directions_in_brackets_are_no_statements() -> None:
    """What a narrator says, and what somebody does in brackets; what somebody tells in them is told whole."""
    texts = " ".join(
        statement.text
        for statement in told(
            "#NOTE#: ( Ida and Bram enter )",
            RACE,
            "#NOTE#: ( They hug . Ana leaves the room . )",
            "Ben: (Slides the twenty back and tosses her card onto the counter.)",
            SHOES,
            "Ben: (my mum called, she starts at the clinic on Monday)",
        )
    )
    assert "enter" not in texts
    assert "leaves the room" not in texts
    assert "Slides" not in texts
    assert "(my mum called, she starts at the clinic on Monday" in texts
    assert "two minutes" in texts


@pytest.mark.parametrize("room", [30, 40, 50, 400])
def test_what_was_offered_to_two_is_told_with_what_became_of_it_for_each(room: int) -> None:
    """One of two outcomes alone reads as if it held of both."""
    texts = (
        "Norvik offered Ida a job and Quorra offered me a job.", "The bus was late.", "I said no to Norvik.",
        "Soup again.", "Ida starts at Norvik on 1 July.", "Mum gets a new hip on the 24th.",
    )  # fmt: skip
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + timedelta(days=3 * at), derived=True, importance=0.6)
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=room, prompt="", served_from=0.5), count)
    sources = {source for statement in draft.statements for source in statement.sources}
    assert 0 not in sources or {2, 4} <= sources


@pytest.mark.parametrize(
    "answer",
    ["Ja, donnerstags um 17 Uhr in der Praxis.", "Да, до 20-го.", "ううん、卵だけ。", "Yes, on Friday at ten."],
)
def test_an_answer_whose_question_is_not_there_is_not_told(answer: str) -> None:
    """A note of no more than that leaves open what was asked."""
    notes = {
        "J": "Die Heizung im Laden ist seit Montag kaputt.", "Д": "Отопление в магазине сломалось в понедельник.",
        "う": "店の暖房が月曜日に壊れました。", "Y": "The heating in the shop broke on Monday.",
    }  # fmt: skip
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + timedelta(days=at))
        for at, text in enumerate([notes[answer[0]], answer])
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", aim=Aim.FACTS), count)
    assert [statement.sources for statement in draft.statements] == [(0,)]


def test_a_price_is_told_with_what_it_was_paid_for() -> None:
    """A sentence with a figure and no verb is of what stands before it, though that was cut into clauses."""
    turns = (
        "Ada: I moved the crane to Ledbury on Monday.",
        "Sem: I sold the Husky last Saturday, well Otto did, I just stood there. 2,200 cash to a farmer from Ross",
    )
    for room in (25, 40, 60, 200):
        texts = [statement.text for statement in told(*turns, room=room)]
        assert all("sold the Husky" in text for text in texts if "2,200" in text), texts
    assert any("2,200" in text for text in texts)


def test_the_number_of_a_passport_is_no_key_insight() -> None:
    """It is looked up; a sum, a day and a span of years are told."""
    texts = (
        "My passport is 9218 445016, note it for the tickets.", "The account is DE12 4306 0967 1234 5678 00.",
        "We won the tender for 1,250,000 crowns.", "The school has had 30 pupils in 2019-2024.",
        "Ida moved to Graz on 2026-03-04.", "Mum gets a new hip on the 24th.",
    )  # fmt: skip
    served = [Statement(text=text, importance=0.9, source_ids=(str(at),)) for at, text in enumerate(texts)]
    assert {statement.text for statement in insights(served, most=10)}.isdisjoint(texts[:2])
    assert len(insights(served, most=10)) >= 3


def test_what_is_cried_as_news_outweighs_what_holds_anyway() -> None:
    """In any language: two marks behind it say that something happened."""
    texts = (
        "Abrimos de martes a domingo, los lunes cerrado", "pasamos la inspección!!", "Ramiro calza 38 y quiere un laúd",
        "La fruta se la compro a don Hernán",
    )  # fmt: skip
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + timedelta(days=3 * at))
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.5), count)
    assert max(draft.statements, key=lambda statement: statement.importance).sources == (1,)


def test_of_a_cluster_bare_lines_are_not_told() -> None:
    """Where three lines tell something, one that says no more than what all are about, or has no verb, does not."""
    lines = (
        "Ada: The Terrafix invoice came. 310 pounds for test traffic!",
        "Sem: I saw the Terrafix invoice. I am not going to say anything.",
        "Otto: Decision: we stay with Terrafix for the trial and look again when the next invoice arrives.",
        "Ada: Terrafix answers within an hour, which none of the others did.",
        "Sem: Terrafix, all very polite.",
    )
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + timedelta(days=at), speaker=speaker)
        for at, (speaker, text) in enumerate(line.split(": ", 1) for line in lines)
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", picked=True), count)
    texts = [statement.text for statement in draft.statements]
    assert not any("I saw" in text or "polite" in text for text in texts)
    assert {statement.sources[0] for statement in draft.statements} == {0, 2, 3}


@pytest.mark.parametrize(
    "remark",
    ["Attending those evenings takes guts.", "This rucksack is a hammock!", "That lamp looks like a jellyfish!"],
)
def test_what_is_in_view_and_what_holds_of_whoever_does_it_is_not_told(remark: str) -> None:
    """Who was not there sees no lamp."""
    assert not any(remark[:12] in statement.text for statement in told(RACE, f"Ben: {remark}", SHOES))
