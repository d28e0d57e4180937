"""What recall puts first in other languages, whose questions the embedder cannot read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.app import App

BEGAN = datetime(2026, 4, 1, 10, tzinfo=UTC)


async def first_of(app: App, texts: tuple[str, ...], question: str, *, day: timedelta = timedelta(days=1)) -> str:
    """The first row for a question to somebody who said these in one session, one a day."""
    await app.memories.add(
        [
            {
                "text": text,
                "user_id": "u",
                "session_id": "s",
                "created_at": BEGAN + at * day,
                "metadata": {"role": "user"},
            }
            for at, text in enumerate(texts)
        ],
        summarize="deferred",
    )
    found = await app.recall.search(question, user_id="u", limit=3)
    return found[0].memory.text or ""


@pytest.mark.parametrize(
    ("first", "others", "question"),
    [
        (
            "In den Eintopf kommen vier Zwiebeln.",
            ("Die Garage kostet 64 Euro.", "Es kommen 30 Gäste am Samstag."),
            "Wie viele Zwiebeln kommen in den Eintopf?",
        ),
        (
            "Unser Chor hat zweiundvierzig Sänger.",
            ("Die Noten kosten 118 Euro.", "Das Haus hat 12 Zimmer."),
            "Wie viele Sänger hat der Chor?",
        ),
        (
            "Pour la soupe, il faut trois poireaux.",
            ("Le garage coûte 64 euros.", "Il faut payer 20 euros."),
            "Combien de poireaux faut-il pour la soupe ?",
        ),
        (
            "Mi abuela tiene veintidós gallinas.",
            ("El garaje cuesta 64 euros.", "Mi primo tiene 30 años."),
            "¿Cuántas gallinas tiene mi abuela?",
        ),
        (
            "La nonna ha quaranta galline.",
            ("Il garage costa 64 euro.", "Mio cugino ha 30 anni."),
            "Quante galline ha la nonna?",
        ),
        (
            "A minha avó tem dezasseis galinhas.",
            ("A garagem custa 64 euros.", "O meu primo tem 30 anos."),
            "Quantas galinhas tem a minha avó?",
        ),
        (
            "Oma heeft vijfentwintig kippen.",
            ("De garage kost 64 euro.", "Jan heeft 3 auto's."),
            "Hoeveel kippen heeft oma?",
        ),
        ("Babcia ma piętnaście kur.", ("Garaż kosztuje 64 złote.", "Jan ma 3 auta."), "Ile kur ma babcia?"),
        ("Babaannemin on yedi tavuğu var.", ("Garaj 64 lira.", "Ali 30 yaşında."), "Babaannemin kaç tavuğu var?"),
        ("У бабушки семнадцать кур.", ("Гараж стоит 64 рубля.", "Ивану 30 лет."), "Сколько кур у бабушки?"),
    ],
)
async def test_how_many_is_answered_by_a_number_in_words(
    app: App, first: str, others: tuple[str, ...], question: str
) -> None:
    """Any row with a figure stood before it, also one of something else: the rent, or who is how old."""
    assert await first_of(app, (others[0], first, others[1]), question) == first


async def test_what_answers_a_turn_that_asks_with_the_word_counts(app: App) -> None:
    """The answer itself has no word of the question."""
    texts = ("Die Miete ist 640 Euro.", "Wie viele Hühner hat Oma?", "Inzwischen siebzehn, glaube ich.", "Jan ist 30.")
    assert await first_of(app, texts, "Wie viele Hühner hat Oma jetzt?", day=timedelta(minutes=1)) == texts[2]
