"""In other languages, too, what is so now opens a summary, and the older value stands behind it with its day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.fates import fates
from precis.checks.standing import now_first
from precis.extractive.summarizer import summarize
from precis.language.newest.renewed import replaces
from precis.language.newest.slots import Said, taken_up
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Statement

MORNING = datetime(2031, 1, 10, 9, tzinfo=UTC)


def summary(*texts: str) -> list[str]:
    """The statements of notes, three weeks apart, in the order in which a cluster serves them."""
    return talk(*((None, text) for text in texts))


def talk(*turns: tuple[str | None, str]) -> list[str]:
    """The same of what somebody said."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=MORNING + at * timedelta(days=21), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    drafted = summarize(Request(items=items, max_tokens=400, prompt="", picked=True), count).statements
    statements = [
        Statement(text=each.text, importance=each.importance, source_ids=tuple(f"m{at}" for at in each.sources))
        for each in drafted
    ]
    return [statement.text for statement in now_first(statements, items, fates(items, statements))]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Мой номер телефона 8 901 111-22-33.", "У меня новый номер телефона: 8 902 444-55-66."),
        ("Мой стоматолог — доктор Лапин.", "Теперь мой стоматолог — доктор Ветров."),
        ("Приём у окулиста 3 марта в 12:00.", "Приём у окулиста перенесли на 9 марта, на 17:30."),
        ("Я работаю в пекарне за 40 000 рублей.", "С сегодняшнего дня я работаю в школе, зарплата 55 000 рублей."),
        (
            "Ho l'appuntamento dal notaio il 4 marzo alle 16.",
            "Il notaio ha spostato l'appuntamento al 9 marzo alle 10.",
        ),
        ("家賃は6万8千円です。", "今の家賃は7万5千円です。"),
        ("私の携帯番号は090-1111-2222です。", "新しい番号は080-3333-4444です。"),
        ("मेरा किराया 9,000 रुपये है।", "अब किराया 11,500 रुपये है।"),
        ("बैठक का समय 3 मई को 10 बजे है।", "बैठक का समय बदलकर 8 मई को 4 बजे हो गया।"),
        ("Mon numéro de portable est le 06 11 22 33 44.", "Mon nouveau portable est le 07 55 66 77 88."),
        ("Mieszkam w Gdańsku.", "Przeprowadziłam się, teraz mieszkam w Radomiu."),
    ],
)
def test_what_is_so_now_opens_and_the_older_value_has_its_day(older: str, newer: str) -> None:
    """A reader who takes the first line for what holds is right."""
    first, second = summary(older, newer)
    assert first.rstrip(".。।")[-4:] in newer, first
    assert "(2031-01-10)" in second
    assert "(2031-01-10)" not in first


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Теперь мой врач — доктор Белкин.", "Врач Артура — доктор Шульгин."),
        ("Le nouveau loyer est de 745 euros.", "Le loyer de Capucine est de 500 euros."),
        ("今の主治医は片桐先生です。", "直樹の主治医は権田先生です。"),
        ("Ahora vivo en Vigo.", "El banco abre a las 9."),
        ("Теперь аренда 31 000 рублей.", "Кошка стоила 5 000 рублей."),
    ],
)
def test_what_is_somebody_elses_or_another_thing_keeps_standing(newer: str, older: str) -> None:
    """Another's value of the same noun is not replaced, nor is what shares no noun."""
    assert not replaces(newer, older, now=True)


def test_a_day_stands_before_the_mark_that_ends_a_sentence_of_hindi() -> None:
    """And no full stop behind it."""
    assert "मेरा किराया 9,000 रुपये है (2031-01-10)।" in summary("मेरा किराया 9,000 रुपये है।", "अब किराया 11,500 रुपये है।")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Bristol, near the docks.", "We moved to Oban."),
        ("I work at the bank on Mill Street.", "I started at the museum with the boats."),
        ("Vivo en Vigo, junto al puerto.", "Nos mudamos a Lugo."),
        ("Я живу в Перми у вокзала.", "Мы переехали в Тулу."),
    ],
)
def test_where_somebody_lived_has_its_day_once_they_tell_that_they_moved(older: str, newer: str) -> None:
    """No word is the same in both, and the older opened the summary as if it held."""
    first, second = talk(("Ana", older), ("Ana", newer))
    assert newer[:12] in first
    assert older[:12] in second
    assert "10 January 2031" in second or "2031-01-10" in second


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (("Ana", "I live in Bristol."), ("Bo", "I moved to Oban with my goats.")),
        (("Ana", "My sister lives in Ulm."), ("Ana", "I moved to Oban with my goats.")),
    ],
)
def test_where_somebody_else_lives_goes_on(older: tuple[str, str], newer: tuple[str, str]) -> None:
    """Who moved is another."""
    assert not any(older[1][:12] in text and "2031" in text for text in talk(older, newer))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Bristol, so my times are UK times.", "Greetings from Falmouth! I moved in on Saturday."),
        ("I live in Leeds.", "We live in Hull now."),
        ("I live in Leeds.", "We're moving to my grandmother's street."),
        ("Ich wohne in Kiel.", "Wir wohnen jetzt in Ulm."),
        ("Mieszkam w Gdyni.", "Teraz mieszkam w Sopocie."),
    ],
)
def test_where_somebody_lived_needs_its_day_once_they_live_elsewhere(older: str, newer: str) -> None:
    """Also where no word but that ties the two."""
    assert taken_up([Said(older, "Mara", 0), Said(newer, "Mara", 1)]) == {0: 1}


@pytest.mark.parametrize(
    ("older", "newer", "speaker"),
    [
        ("I live in Leeds.", "Sam moved to Hull.", "Mara"),
        ("I live in Leeds.", "I moved the sofa.", "Mara"),
        ("We live in Leeds with two cats.", "The cats live in the shed now.", "Mara"),
        ("I live in Leeds.", "I live near Hull now.", "Tom"),
    ],
)
def test_where_somebody_lives_stands_beside_who_else_moves(older: str, newer: str, speaker: str) -> None:
    """Somebody else, or something."""
    assert not taken_up([Said(older, "Mara", 0), Said(newer, speaker, 1)])
