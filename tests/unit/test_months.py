"""A month tells what somebody would tell of it: how its matters ended, and not what every day has, in any language."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from precis.extractive.summarizer import summarize
from precis.extractive.weights.instructions import as_told
from precis.makers import DraftStatement, Item, Request
from precis.models.tokens import counter

COUNT = counter()

MONTHS = {
    "en": (
        "We open the climbing hall on the 19th.; I'm a bit tipsy.; My chair squeaks.; "
        "Norvik offered me a job in Bergen.; Had noodles.; I said no to Norvik.; Traffic was slow.; "
        "Greta paints the climbing hall.; "
        "My brother Odd got divorced.; The climbing hall is open, 90 guests."
    ),
    "de": (
        "Am 19. März eröffnen wir die Kletterhalle.; Ich bin etwas beschwipst.; Mir ist fad.; "
        "Die Firma Norvik hat mir eine Stelle in Bergen angeboten.; Nudeln gegessen.; "
        "Der Firma Norvik habe ich abgesagt.; Der Bus war voll.; Greta streicht die Kletterhalle.; "
        "Mein Bruder Odo ist geschieden.; Die Kletterhalle ist offen, 90 Gäste."
    ),
    "es": (
        "Abrimos el rocódromo el día 19.; Estoy un poco alegre.; Me aburro.; "
        "La empresa Norvik me ofreció un puesto en Bergen.; He comido fideos.; "
        "A la empresa Norvik le dije que no.; Había tráfico.; Greta pinta el rocódromo.; "
        "Mi hermano Odón se ha divorciado.; El rocódromo está abierto, 90 visitas."
    ),
    "ru": (
        "Мы открываем скалодром 19-го.; Я слегка навеселе.; Мне скучно.; Фирма Норвик предложила мне место в Бергене.; "
        "Ел лапшу.; Фирме Норвик я отказал.; Были пробки.; Грета красит скалодром.; "
        "Мой брат Олег развёлся.; Скалодром открыт, 90 гостей."
    ),
}


def month(language: str) -> list[DraftStatement]:
    """What a month of these notes states, each three days after the one before, read from its weeks."""
    items = tuple(
        Item(
            text=text, source_ids=(str(at),), created_at=datetime(2026, 3, 1 + 3 * at, 9, tzinfo=UTC), derived=True,
            importance=0.6,
        )
        for at, text in enumerate(MONTHS[language].split("; "))
    )  # fmt: skip
    return list(summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.5), COUNT).statements)


@pytest.mark.parametrize("language", MONTHS)
def test_what_is_of_every_day_is_not_served(language: str) -> None:
    """It has no figure, name, relative or change, and no word that comes back; there is room for it."""
    told = {statement.sources[0] for statement in month(language) if statement.importance >= 0.5}
    assert told.isdisjoint({1, 2, 4, 6})
    assert told >= {0, 3, 5, 7, 8, 9}


@pytest.mark.parametrize("language", MONTHS)
def test_how_a_matter_ended_counts_more_than_what_came_before(language: str) -> None:
    """The opening more than the plan, the refusal more than the offer."""
    importance = {statement.sources[0]: statement.importance for statement in month(language)}
    assert importance[9] > importance[0]
    assert importance[5] > importance[3]


def test_a_month_of_nothing_else_tells_every_day() -> None:
    """Where fewer than three things stand out nothing is left out."""
    items = tuple(
        Item(text=text, source_ids=(text,), created_at=datetime(2026, 3, day, tzinfo=UTC), derived=True)
        for day, text in enumerate(("It rains.", "My chair squeaks.", "Olga moved to Turku."), start=1)
    )
    made = summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.5), COUNT)
    assert len([each for each in made.statements if each.importance >= 0.5]) == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Packing for Narvik:\n- two tents\n- the stove", "Packing for Narvik: two tents, the stove."),
        ("Guests:\n" + "\n".join(f"- {name}" for name in "ABCDEFGHIJ"), "Guests: A, B, C, D, E, F, G, H, I, J."),
        ("## Rent\n- Flat: 900 euros\n- Shed: 50 euros", "Rent: Flat: 900 euros, Shed: 50 euros."),
        ("# Moved to Turku\nThe flat is small.", "# Moved to Turku\nThe flat is small."),
        ("To do:\n- Ana\n  - sings\n- Ben", "To do:\n- Ana\n  - sings\n- Ben"),
        ("To do:\n1. tray: 300\n2. tiles: 900", "To do:\n1. tray: 300\n2. tiles: 900"),
        ("To do:\n- The offer for the barn goes to Ida\n- oil", "To do:\n- The offer for the barn goes to Ida\n- oil"),
    ],
)
def test_a_list_is_told_with_what_stands_above_it(text: str, told: str) -> None:
    """Of what people write nothing is left out for that."""
    assert as_told(Item(text=text, source_ids=("1",), created_at=None)).text == told


@pytest.mark.parametrize("newest", ["Odile pays 740 now.", "Odile zahlt ab jetzt 740.", "Ahora Odile paga 740."])
def test_the_newest_figure_is_told_however_short_it_is(newest: str) -> None:
    """Of a week it stands out by itself, and it goes before the older one that has more words."""
    texts = ["Odile's rent for the room in the yard is 700 from March.", newest]
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=datetime(2026, 3, 2 + at, 9, tzinfo=UTC))
        for at, text in enumerate(texts)
    )
    week = {
        statement.sources[0]: statement.importance
        for statement in summarize(Request(items=items, max_tokens=400, prompt="", served_from=0.5), COUNT).statements
    }
    assert week[1] > 0.5
    said = replace(items[1], text="I pay 740 now.", speaker="Odile")
    told = summarize(Request(items=(items[0], said), max_tokens=400, prompt="", served_from=0.5), COUNT).statements
    assert any(statement.sources[0] == 1 and statement.importance >= 0.5 for statement in told)
