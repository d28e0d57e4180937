"""What is said between people is no order to an assistant, an answer's scrap has its question, directions are unsaid."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.makers import Aim, DraftStatement, Item, Request
from precis.models.tokens import count

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
        Item(
            text=text, source_ids=(str(at),), created_at=_START + timedelta(days=3 * at), derived=True, importance=0.6
        )
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=room, prompt="", served_from=0.5), count)
    sources = {source for statement in draft.statements for source in statement.sources}
    assert 0 not in sources or {2, 4} <= sources
