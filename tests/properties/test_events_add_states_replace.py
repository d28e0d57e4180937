"""Of two people and two things: what happened twice is told twice, what is so is told as it is now. Six languages."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from precis.checks import check
from precis.extractive.summarizer import summarize
from precis.makers import Draft, DraftStatement, Item, Request
from precis.models.tokens import count

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("happenings.toml").read_text(encoding="utf-8")
)
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
ROOM = 2_000
DRAWS = 2
#: Share of the states told once: of the others no rule knows that the newer is about the same, and both stand.
UNDERSTOOD = 0.75
#: Share of the states of which, where there is room for some, the older value may be told alone.
ALONE = 0.05


@dataclass(frozen=True, kw_only=True)
class Story:
    """Four sentences in the order in which they were said: two of one person and thing, and two beside them."""

    texts: tuple[str, ...]
    older: str
    newer: str
    others: tuple[str, str]


def stories(language: str, kind: str) -> Iterator[Story]:
    """Some for each template, by lot."""
    table = TABLE[language]
    for number, form in enumerate(table[kind]):
        forms = [form] if isinstance(form, str) else form
        for draw in range(DRAWS):
            lot = random.Random(f"{language} {kind} {number} {draw}")  # noqa: S311 - drawn the same each time
            yield drawn(lot, table, forms)


def drawn(lot: random.Random, table: dict[str, Any], forms: Sequence[str]) -> Story:
    """One story with people, things and values by lot."""
    (person, other), (thing, second) = lot.sample(table["names"], 2), lot.sample(table["things"], 2)
    sums, numbers, towns = lot.sample(range(310, 999), 4), lot.sample(range(2, 12), 4), lot.sample(table["towns"], 4)
    of = ((forms[0], person, thing), (forms[-1], person, thing), (forms[0], other, thing), (forms[0], person, second))
    older, newer, *others = (
        form.format(P=who, t=what, m=sums[at], n=numbers[at], c=towns[at]) for at, (form, who, what) in enumerate(of)
    )
    early = lot.sample([older, *others], 3)
    texts = (*early, newer) if lot.random() < 0.5 else (older, newer, *others)
    return Story(texts=texts, older=older, newer=newer, others=(others[0], others[1]))


def items_of(story: Story) -> tuple[Item, ...]:
    """A memory a sentence, a day apart."""
    return tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(days=at))
        for at, text in enumerate(story.texts)
    )


def summarized(story: Story, room: int = ROOM) -> str:
    """The summary without a model."""
    draft = summarize(Request(items=items_of(story), max_tokens=room, prompt=""), count)
    return " ".join(statement.text for statement in draft.statements)


def untold(texts: Sequence[str], summary: str) -> list[str]:
    """Sentences that it does not have."""
    return [text for text in texts if text.rstrip(".") not in summary]


def displaced(story: Story) -> list[str]:
    """What is not served of a model's draft that states each sentence."""
    statements = tuple(DraftStatement(text=text, importance=0.5, sources=(at,)) for at, text in enumerate(story.texts))
    checked = check(Draft(statements=statements, made_by="model"), items_of(story))
    served = {statement.text for statement in checked.statements if statement.superseded_by is None}
    return [text for text in story.texts if text not in served]


@pytest.mark.parametrize("language", TABLE)
def test_what_happened_twice_is_told_twice(language: str) -> None:
    """A second payment is no new value of the first, whoever made it; offline and through the check."""
    for story in stories(language, "events"):
        assert [] == untold(story.texts, summarized(story))
        assert [] == displaced(story)


@pytest.mark.parametrize("language", TABLE)
def test_what_is_so_is_told_as_it_is_now(language: str) -> None:
    """The newer value of one thing of one person goes before the older, and nobody's else is lost."""
    stale = []
    for story in stories(language, "states"):
        summary = summarized(story)
        assert [] == untold((story.newer, *story.others), summary)
        assert {*displaced(story)} <= {story.older}
        stale.append(not untold([story.older], summary))
    assert UNDERSTOOD <= 1 - sum(stale) / len(stale)


@pytest.mark.parametrize("language", TABLE)
def test_the_older_value_is_hardly_ever_told_alone(language: str) -> None:
    """Also where there is room for a part only."""
    alone = []
    for story in stories(language, "states"):
        words = sum(count(text) for text in story.texts)
        for share in (0.3, 0.5):
            summary = summarized(story, int(share * words))
            alone.append(not untold([story.older], summary) and bool(untold([story.newer], summary)))
    assert sum(alone) / len(alone) <= ALONE
