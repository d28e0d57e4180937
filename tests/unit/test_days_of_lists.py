"""The day on which a list was written stands behind none of its entries: it would read as the day when that is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count

MORNING = datetime(2026, 6, 11, 9, tzinfo=UTC)
NEWER = "Lumo: Pekka likes the draft contract, but wants it shorter now."


def told(*texts: str) -> str:
    """The statements of an offline summary of these, six days apart."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=MORNING + timedelta(days=6 * at), speaker="Marta")
        for at, text in enumerate(texts)
    )
    return " ".join(each.text for each in summarize(Request(items=items, max_tokens=300, prompt=""), count).statements)


@pytest.mark.parametrize(
    ("listed", "newer"),
    [
        ("To do:\n1. Lumo draft contract to Pekka (three years, price clause)\n2. Book physio.", NEWER),
        (
            "To do:\n- The offer for Oakridge goes to Darren at 60,000 pounds\n- Call Giulia.",
            "Darren's offer for Oakridge is 45,000 pounds now.",
        ),
    ],
)
def test_an_entry_has_no_day_of_writing(listed: str, newer: str) -> None:
    """Though it is of what changed later."""
    assert "11 June" not in told(listed, newer)


def test_a_sentence_has_it() -> None:
    """That what was so was said then."""
    assert "11 June" in told(
        "The offer for Oakridge goes to Darren at 60,000 pounds.", "Darren's offer for Oakridge is 45,000 pounds now."
    )
