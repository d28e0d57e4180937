"""A bare yes or no is no statement, and no answer to what its own speaker said before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count

NINE = datetime(2026, 5, 4, 9, tzinfo=UTC)


def summed(*turns: tuple[str, str]) -> list[str]:
    """The statements of a talk of (speaker, text), a minute apart."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=NINE + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    return [each.text for each in summarize(Request(items=items, max_tokens=300, prompt=""), count).statements]


@pytest.mark.parametrize("answer", ["Nah.", "No.", "Yep!", "Nein.", "Oui."])
def test_an_answer_without_its_question_is_not_glued_to_its_speakers_words(answer: str) -> None:
    """It would read as if the hotel were refused."""
    hotel = "I took the hotel Podewils, two nights, 129 euros a night."
    texts = summed(("Marta", hotel), ("Marta", f"{answer} The ferry to Turku leaves at 21:15."))
    assert not any(answer.strip(".!") in text.split() or f" {answer}" in text for text in texts)
    assert any("Podewils" in text for text in texts)


def test_what_an_answer_tells_stays() -> None:
    """Alone, and not behind what it does not answer."""
    texts = summed(("Marta", "New discs at the front."), ("Marta", "No, it's covered by the leasing company."))
    assert "Marta: No, it's covered by the leasing company." in texts


def test_an_answer_is_told_with_its_question() -> None:
    """Where that is known."""
    texts = summed(("Bo", "Should the printer in the Leeds office be repaired?"), ("Marta", "Nah."))
    assert texts == ["Bo: Should the printer in the Leeds office be repaired? Marta: Nah."]


@pytest.mark.parametrize(
    ("told", "asked", "answer", "key"),
    [
        ("Marta: My aunt adopted a greyhound.", "Bo: From where?", "From a shelter outside Kilkenny.", "greyhound"),
        ("Anouk: Ik heb een aanrijding gehad.", "Sem: O nee! Waar?", "Op de ringweg bij Arnhem.", "aanrijding"),
        ("Vito: Si è rotta la caldaia.", "Ada: Di nuovo?", "No, quella della casa di Varese.", "caldaia"),
        ("Аня: Мы взяли щенка.", "Рома: Какого?", "Ньюфаундленда, из питомника под Рязанью.", "щенка"),
        ("Ola: Kot uciekł w nocy.", "Jan: Którędy?", "Przez okienko piwniczne.", "Kot"),
        ("하린: 팔을 다쳤어요.", "도윤: 어디서?", "부산 해운대 체육관 계단에서 넘어졌어요.", "팔을"),
    ],
)
def test_an_answer_to_where_stands_behind_what_that_was_asked_of(told: str, asked: str, answer: str, key: str) -> None:
    """Nobody would know of what it is, however little room there is."""
    speaker = told.partition(": ")[0]
    rows = [(each.partition(": ")[0], each.partition(": ")[2]) for each in (told, asked)]
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=NINE + timedelta(minutes=at), speaker=name)
        for at, (name, text) in enumerate([*rows, (speaker, answer)])
    )
    every = [summarize(Request(items=items, max_tokens=room, prompt=""), count) for room in range(14, 90, 4)]
    texts = [" ".join(each.text for each in draft.statements) for draft in every]
    place = answer.rsplit(maxsplit=1)[-1].strip(".")
    assert any(place in text for text in texts)
    assert all(key in text for text in texts if place in text)
