"""A week of few notes tells what happened in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.policies.rollups import Rollups


def served(*notes: tuple[str, float], speaker: str | None = None) -> list[str]:
    """What a week serves of notes with these importances."""
    items = tuple(
        Item(
            text=text, source_ids=(f"m{at}",), created_at=datetime(2026, 3, at + 2, tzinfo=UTC), importance=importance,
            speaker=speaker,
        )
        for at, (text, importance) in enumerate(notes)
    )  # fmt: skip
    least = Rollups().min_importance
    draft = summarize(Request(items=items, max_tokens=300, prompt="", served_from=least), count)
    return [statement.text for statement in draft.statements if statement.importance >= least]


@pytest.mark.parametrize(
    "text", ["Noor left the choir.", "Bram's van was stolen.", "Babamın şekeri var.", "El gato de Rosa murió."]
)
def test_a_note_is_as_important_in_a_week_as_it_is(text: str) -> None:
    """Among few notes every word is rare, so that none made a statement important."""
    assert served((text, 0.55)) == [text]


@pytest.mark.parametrize("text", ["Noor quit smoking.", "Ich rauche nicht mehr.", "Kahveyi bıraktım."])
def test_where_nothing_else_is_served_what_is_otherwise_from_now_on_is(text: str) -> None:
    """A week is not empty that changed something."""
    assert served((text, 0.48), ("Noor bought milk.", 0.4)) == [text]


def test_what_is_less_important_stays_left_out() -> None:
    """Where nothing changed the week is empty; where something is served, nothing is lifted."""
    assert not served(("Noor bought milk.", 0.4))
    assert served(("Noor tidied the shed.", 0.45), ("Noor's rent is 740 pounds a month.", 0.6)) == [
        "Noor's rent is 740 pounds a month."
    ]


@pytest.mark.parametrize("text", ["Noor's thumb has healed.", "The colic is gone.", "Noor tidied the shed."])
def test_a_week_that_would_be_empty_tells_what_nearly_was_important(text: str) -> None:
    """A row without a word says nothing of a week in which a note was written."""
    assert served((text, 0.48)) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The user thanked the assistant for the help.",
        "The user asked how to remove a bolt.",
        "The user said he was tired.",
    ],
)
def test_that_somebody_asked_or_thanked_is_no_news_of_a_week(text: str) -> None:
    """Such a note is told of a day and found by recall; beside it a note that only looks so is told."""
    assert not served((text, 0.55))
    assert served(("The user asked Bram to marry her.", 0.55)) == ["The user asked Bram to marry her."]
    assert served(("The user thanked Bram and said that she has diabetes.", 0.55))


@pytest.mark.parametrize("text", ["The user is allergic to latex.", "Noor schwanger, Termin im Mai.", "Noor evlendi."])
def test_what_changes_a_life_is_more_important_than_its_words(text: str) -> None:
    """It has few words, and none is rare: a rent is told beside it and not instead."""
    assert text in served((text, 0.46), ("Noor's rent is 740 pounds a month.", 0.6))


def test_a_month_takes_up_first_what_changed_a_life() -> None:
    """It reads what its weeks say, and has room for less."""
    weeks = ("Ilse: The gull off Ostend pier took a herring sandwich.", "Ilse: I'm having another baby.")
    items = tuple(
        Item(
            text=text, source_ids=(f"w{at}",), created_at=datetime(2026, 3, at + 2, tzinfo=UTC), importance=0.6,
            derived=True,
        )
        for at, text in enumerate(weeks)
    )  # fmt: skip
    month = summarize(Request(items=items, max_tokens=14, prompt="", served_from=0.5), count)
    assert [statement.text for statement in month.statements] == [weeks[1]]
