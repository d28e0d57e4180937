"""What stands together in a message stands together in a summary: contrasts, choices, limits, and laughs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.extractive.summarizer import summarize
from precis.facts.rules import facts_in
from precis.language.newest.taken_back import laughs, only_laughs
from precis.language.newest.timeline import overruled
from precis.language.reading import Line
from precis.makers import Item, Request
from precis.models.tokens import count

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def told(text: str, *others: str, limit: int = 200) -> list[str]:
    """The statements of a talk in which Pia says these."""
    items = tuple(
        Item(text=each, source_ids=(f"m{at}",), created_at=NOON, speaker="Pia")
        for at, each in enumerate((text, *others))
    )
    return [s.text for s in summarize(Request(items=items, max_tokens=limit, prompt=""), count).statements]


@pytest.mark.parametrize(
    "text",
    [
        "The bakery has been a wild ride. But the lease is signed.",
        "I rented the kiosk by the harbor, but the roof leaks.",
        "We could retrain the old weights. Or plain nets out of the box.",
        "The marten cage is finished. It leans to the left though.",
        "Desk work is usually fine from week eight. Ask your surgeon to sign it off.",
        "Ich habe die Stelle in Gent bekommen. Aber ich fange erst im Mai an.",
        "Conseguí el puesto en Cádiz. Pero empiezo en otoño.",
        "我在青岛找到了工作。但是秋天才开始。",
    ],
)
def test_halves_that_turn_each_other_are_told_together_or_not_at_all(text: str) -> None:
    """Whatever room there is, neither half is told alone."""
    first, second = (
        part.strip(" .。") for part in (text.replace("。", ". ").replace(", but", ". but").split(". ")[:2])
    )
    for limit in range(6, 60, 3):
        said = " ".join(told(text, "The ferry to Vis was late again because of the wind.", limit=limit))
        halves = [first.casefold() in said.casefold(), second.casefold().removeprefix("but ") in said.casefold()]
        if "…" not in said:
            assert halves[0] == halves[1], said
    assert second.casefold() in " ".join(told(text)).casefold()


LAUGHED = [
    "I'm allergic to Mondays lol",
    "I'm allergic to Mondays 😂",
    "Haha, I'm allergic to Mondays.",
    "I'm allergic to Mondays. Hahaha!",
    "Soy alérgica a los lunes jajaja",
    "Je suis allergique aux lundis mdr",
    "Sou alérgica a segundas kkkk",
    "У меня аллергия на понедельники ахаха",
    "我对星期一过敏哈哈",
    "月曜アレルギーですwww",
    "나는 월요일 알레르기가 있어 ㅋㅋㅋ",
]


@pytest.mark.parametrize("text", LAUGHED)
def test_what_is_told_with_a_laugh_is_quoted_with_it(text: str) -> None:
    """It is a joke, maybe: never a plain statement, and no fact."""
    (statement,) = told(text)
    assert laughs(statement)
    assert not [fact for fact in facts_in(text, name="Pia", role="user") if not laughs(fact.text)]


def test_a_joke_overrules_nothing() -> None:
    """Who lives "in a fridge lol" has not moved there."""
    lines = [
        Line(text=text, speaker="Pia") for text in ("I live in Oslo.", "I live in Bergen.", "I live in Narnia lol.")
    ]
    assert {(0, 0): (1, 0)} == dict(overruled(lines))


@pytest.mark.parametrize(
    "text",
    ["Aha, the ferry.", "See www.example.org.", "Room 555.", "ห้อง 555", "I use Adobe XD.", "Hi hi!", "The www is old."],
)
def test_what_is_no_laugh(text: str) -> None:
    """Other words and addresses."""
    assert not laughs(text)
    assert not only_laughs(text)
