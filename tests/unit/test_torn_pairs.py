"""A sentence that points back stays with what it points at, in a summary and in the check that lets originals go."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.fates import fates, unsaid
from precis.engine.keeping import completed
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Fate, Statement

NOON = datetime(2026, 5, 29, 12, tzinfo=UTC)
STICKER = ("Theo", "The dentist was fine. I have no holes. Dr Okafor gave me a shark sticker")
RETAINER = ("Liz", "He does need a retainer, though. It's 380, and the next visit is on August 20 at 9 am.")
FILM = ("Tess", "Sixteen bars. Please don't film it, Dad.")


def talk(*turns: tuple[str, str]) -> tuple[Item, ...]:
    """What these say, a minute apart."""
    return tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=NOON + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )


def summary(items: Sequence[Item], limit: int = 200, *, picked: bool = False) -> list[str]:
    """The statements of the offline summarizer."""
    request = Request(items=tuple(items), max_tokens=limit, prompt="", picked=picked)
    return [statement.text for statement in summarize(request, count).statements]


@pytest.mark.parametrize("picked", [False, True])
@pytest.mark.parametrize("before", [(STICKER,), (FILM, STICKER), (STICKER, FILM), (FILM,)])
@pytest.mark.parametrize("limit", [30, 45, 60, 200])
def test_what_it_costs_stands_behind_what_costs_it(
    before: tuple[tuple[str, str], ...], limit: int, *, picked: bool
) -> None:
    """The price is told with the retainer before it, and never behind what somebody else said."""
    prices = [text for text in summary(talk(*before, RETAINER), limit, picked=picked) if "380" in text]
    assert all(text.startswith("Liz: He does need a retainer") for text in prices)
    # Beside what others said, a small limit leaves the price out, and so does a picked summary beside the dentist's.
    assert prices or limit <= 45 or (STICKER in before and picked)


@pytest.mark.parametrize(
    ("text", "half", "whole"),
    [
        ("I can't have shellfish. Not deadly, just a very bad night for everybody.", "Not deadly", "shellfish"),
        ("Love the new kettle! It cost 45 euros at Brandt's.", "45", "kettle"),
        ("So happy about the attic. It has 3 windows and my desk in it.", "3 windows", "attic"),
    ],
)
def test_a_half_is_not_told_without_the_other(text: str, half: str, whole: str) -> None:
    """Whatever room there is: what the half is about stands before it."""
    others = [("Liz", "The choir sings at St. Anne's on Friday."), ("Tom", "I sold the blue kayak to Marek for 240.")]
    for limit in range(8, 80, 4):
        for statement in summary(talk(*others, ("Tom", text)), limit):
            assert half not in statement or whole in statement


def test_a_question_is_still_put_before_its_answer() -> None:
    """Only what another asked stands before an answer, where several speak."""
    answers = summary(talk(("Tom", "What does the retainer cost?"), FILM, ("Ben", "And when is the concert?"),
                        ("Tess", "It's on June 19 in the big hall at school.")))  # fmt: skip
    assert any(text.startswith("Ben: And when is the concert? Tess: It's on June 19") for text in answers)


def said(*statements: tuple[str, tuple[str, ...]]) -> list[Statement]:
    """Statements with what they rest on."""
    return [Statement(text=text, importance=0.5, source_ids=ids) for text, ids in statements]


TORN = "Theo: Dr Okafor gave me a shark sticker. Liz: It's 380, and the next visit is on August 20 (2026) at 9 am."


def test_a_torn_pair_says_nothing() -> None:
    """The price behind a stranger's sentence, and its thing elsewhere: the original may not go."""
    items = talk(STICKER, RETAINER)
    torn = said(
        ("Theo: The dentist was fine. I have no holes. Dr Okafor gave me a shark sticker.", ("m0",)),
        (TORN, ("m0", "m1")), ("Liz: He does need a retainer, though.", ("m1",)),
    )  # fmt: skip
    assert [True, False] == [outcome is not None for outcome in fates(items, torn)]
    assert ["He does need a retainer, though.", RETAINER[1].partition(". ")[2]] == unsaid(items, torn)[1]
    whole = completed(items, torn, room=200, count=count)
    assert any(text.text.startswith("Liz: He does need a retainer, though. It's 380") for text in whole)
    assert None not in fates(items, whole)


def test_a_pair_that_stands_together_is_said() -> None:
    """Both in one statement: the original may go, whatever stands beside them."""
    items = talk(STICKER, RETAINER)
    whole = said(
        ("Theo: The dentist was fine. I have no holes. Dr Okafor gave me a shark sticker.", ("m0",)),
        ("Liz: He does need a retainer. It's 380, and the next visit is on August 20 (2026) at 9 am.", ("m1",)),
    )  # fmt: skip
    assert [Fate.SAID, Fate.SAID] == [outcome.fate for outcome in fates(items, whole) if outcome]


@pytest.mark.parametrize(
    ("text", "torn"),
    [
        ("Wir brauchen eine Zahnspange. Sie kostet 380 Euro im Monat Juni.", "Liz: Sie kostet 380 Euro im Monat Juni."),
        ("What does the retainer cost? It's 380 with the second visit.", "Liz: It's 380 with the second visit."),
        ("I can't have shellfish. Not deadly, just a bad night.", "Liz: Not deadly, just a bad night."),
    ],
)
def test_a_half_alone_says_nothing(text: str, torn: str) -> None:
    """In doubt the original stays: of another language, behind a question, and without a verb."""
    items = talk(("Liz", text))
    assert [None] == fates(items, said((torn, ("m0",))))
    assert [None] != fates(items, said((f"Liz: {text}", ("m0",))))
