"""What an assistant says of nobody in particular stands behind what it says of the one who asks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count

START = datetime(2026, 3, 3, 9, tzinfo=UTC)


def summary(*turns: tuple[str, str], limit: int) -> str:
    """What is told of a talk."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    return " ".join(s.text for s in summarize(Request(items=items, max_tokens=limit, prompt=""), count).statements)


def test_a_truth_about_everybody_gives_way() -> None:
    """In room for one of both, the rarer words of the truth do not win; where there is room, both are told."""
    turns = [
        ("Assistant", "Handicrafts showcase creativity, dexterity and meticulous attention to detail."),
        ("Assistant", "The kiln reservation moves to the larger pottery studio upstairs."),
    ]
    short = summary(*turns, limit=20)
    assert "reservation" in short
    assert "Handicrafts" not in short
    assert all(word in summary(*turns, limit=80) for word in ("reservation", "Handicrafts"))


def test_what_an_assistant_recommends_is_advice() -> None:
    """It is told where nobody tells anything, and not before what somebody tells."""
    advice = ("Assistant", 'I recommend "The Glass Harbor" and "Nine Lanterns".')
    told = ("Noor", "I moved the loom into the attic because of the damp cellar.")
    assert "Lanterns" not in summary(advice, told, limit=20)
    assert "loom" in summary(advice, told, limit=20)
    assert "Lanterns" in summary(advice, limit=60)


def test_an_opinion_nobody_asked_for_is_not_told_beside_what_somebody_tells() -> None:
    """What answers a question is, and what has a figure."""
    opinion = ("Assistant", "Attic looms might need careful dusting.")
    told = ("Noor", "I moved the loom into the attic because of the damp cellar.")
    assert "dusting" not in summary(told, opinion, limit=200)
    asked = ("Noor", "I moved the loom into the attic. What does it need there?")
    assert "dusting" in summary(asked, opinion, limit=200)
    assert "40 percent" in summary(told, ("Assistant", "Attic looms need 40 percent of damp."), limit=200)
