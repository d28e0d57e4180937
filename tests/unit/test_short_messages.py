"""Short messages of a chat: what is a scrap in one stands with its neighbor, a question needs no mark, trifles go."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.checks.reactions import is_fragment
from precis.extractive.summarizer import summarize
from precis.language.unmarked import asks_unmarked
from precis.makers import Aim, Item, Request
from precis.models.tokens import count

_WHEN = datetime(2026, 5, 4, 18, tzinfo=UTC)


def _told(*turns: str) -> list[str]:
    """The statements of a chat with room for all of it; a turn is "Who: what"."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_WHEN, speaker=speaker)
        for at, (speaker, text) in enumerate(turn.split(": ", 1) for turn in turns)
    )
    draft = summarize(Request(items=items, max_tokens=800, prompt="", aim=Aim.FACTS), count)
    return [statement.text for statement in draft.statements]


@pytest.mark.parametrize(
    ("message", "whole"),
    [
        ("bakery is closing. end of july. Lotte told us at lunch", "Bakery is closing. End of july. Lotte told us"),
        (
            "broken wrist, the left. Dr Amadi says six weeks in plaster",
            "Broken wrist, the left. Dr Amadi says six weeks",
        ),
        ("the car's gone. sold it for 1,900", "The car's gone. Sold it for 1,900"),
        ("they've put me on lates. from the 14th", "They've put me on lates. From the 14th"),
        ("Pixel's kidneys. special food from now on, 40 a bag", "Pixel's kidneys. Special food from now on, 40 a bag"),
    ],
)
def test_a_scrap_is_told_with_what_stands_beside_it(message: str, whole: str) -> None:
    """What happened is not left out for being short, nor told without what it is about."""
    told = _told("Noor: evening all", f"Ines: {message}", "Bram: oh no", "Noor: I moved to Haarlem on 2 May.")
    assert any(whole in statement for statement in told), told


@pytest.mark.parametrize("sentence", ["Landlord is selling.", "Knee's gone again.", "Bar's in.", "Shop was shut."])
def test_a_short_sentence_with_its_verb_is_no_scrap(sentence: str) -> None:
    """Of whom or what it tells is said."""
    assert not is_fragment(sentence)


@pytest.mark.parametrize("sentence", ["It's in.", "Torn ligament, medial.", "This is so."])
def test_what_only_points_or_names_is_one(sentence: str) -> None:
    """Nobody who was not there knows of what."""
    assert is_fragment(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["how much was the deposit", "did you ring the plumber Bram", "who is Pixel", "does the van go", "what about June",
     "so when are we leaving", "is she ok on her own", "have you seen it"],
)  # fmt: skip
def test_a_question_needs_no_mark(sentence: str) -> None:
    """People leave it out."""
    assert asks_unmarked(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["When I was nine we moved to Ghent.", "What she said was kind.", "Do it tomorrow.", "Will is asleep on a wall",
     "Had the flu last week", "How they live is their affair.", "Have to check my rota", "Which one I take is open."],
)  # fmt: skip
def test_what_only_opens_like_a_question_is_none(sentence: str) -> None:
    """It tells something."""
    assert not asks_unmarked(sentence)


def test_an_answer_has_the_question_that_had_no_mark() -> None:
    """Alone, "About 300 a month less." says nothing."""
    told = _told("Bram: how's the money at the new place", "Ines: about 300 a month less", "Bram: still worth it")
    assert "Bram: How's the money at the new place? Ines: About 300 a month less." in told


def test_trifles_are_told_only_where_nothing_else_is() -> None:
    """The news of the evening has no room for banter; an evening of banter has nothing else."""
    banter = ["Bram: we have a dog", "Noor: could be a dog"]
    told = _told("Ines: I got the job at the Heuvel clinic, I start on 2 June.", *banter)
    assert told == ["Ines: I got the job at the Heuvel clinic, I start on 2 June (2026)."]
    assert any("dog" in statement for statement in _told(*banter))


def test_a_message_that_tells_something_keeps_its_small_parts() -> None:
    """It says little that all is paid, and of what stands right before it."""
    told = _told("Bram: Mr Okoro is back from Lagos. paid in full", "Noor: finally", "Ines: the kettle broke on Friday")
    assert "Bram: Mr Okoro is back from Lagos. Paid in full." in told
