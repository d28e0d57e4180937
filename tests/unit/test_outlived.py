"""What was so and may be so no longer is told with its day beside what a later memory says of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count


def told(older: str, newer: str) -> list[str]:
    """What a summary tells of two memories, in January and in September."""
    items = tuple(
        Item(text=text, source_ids=(f"m{month}",), created_at=datetime(2031, month, 18, tzinfo=UTC))
        for month, text in ((1, older), (9, newer))
    )
    return [
        statement.text for statement in summarize(Request(items=items, max_tokens=300, prompt=""), count).statements
    ]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ruben's brother lives in Ghent and fishes for eel.", "Ruben's brother moved from Ghent to Ostend."),
        ("Odile is training to become a prison guard.", "Odile passed her exam and works at Ostend prison."),
        ("Tuva has colic and cries every evening.", "Tuva's colic is gone."),
        ("The user takes 50 mg of sertraline daily.", "The user no longer takes sertraline."),
        ("Noor uses rye in the rolls.", "Noor stopped the rolls with rye."),
    ],
)
def test_what_was_so_is_told_with_its_day(older: str, newer: str) -> None:
    """Beside the newer one it would else read as what is so now."""
    first, last = told(older, newer)
    assert "18 January 2031" in first
    assert last.startswith(newer.rstrip("."))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Wir fahren im Sommer nach Bornholm, zwei Wochen Ferienhaus.",
            "Das Ferienhaus auf Bornholm habe ich storniert.",
        ),
        ("Tomo dos pastillas de sertralina al día.", "Dejé de tomar las pastillas de sertralina."),
    ],
)
def test_in_other_languages_the_day_stands_in_figures(older: str, newer: str) -> None:
    """No English word stands in them."""
    first = told(older, newer)[0]
    assert "2031-01-18" in first
    assert "as of" not in first


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Odile plays the viola on Thursdays.", "Ruben sold the sledge."),
        ("Odile sold the viola to a neighbor.", "Odile stopped the lessons."),
    ],
)
def test_what_nothing_ended_has_no_day(older: str, newer: str) -> None:
    """Another matter, and what happened once, are told as they were."""
    assert told(older, newer)[0] == older
