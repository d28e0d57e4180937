"""What recall puts first in other languages, whose questions the embedder cannot read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.app import App

BEGAN = datetime(2026, 4, 1, 10, tzinfo=UTC)


async def first_of(app: App, texts: tuple[str, ...], question: str, *, day: timedelta = timedelta(days=1)) -> str:
    """The first row for a question to somebody who said these in one session, one a day; "" if no word found it."""
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
    return (found[0].memory.text or "") if found[0].score.keyword > 0 else ""


@pytest.mark.parametrize(
    ("first", "others", "question"),
    [
        (
            "In den Eintopf kommen vier Zwiebeln.",
            ("Die Garage kostet 64 Euro.", "Es kommen 30 Gäste am Samstag."),
            "Wie viele Zwiebeln kommen in den Eintopf?",
        ),
        (
            "Am 2. April um elf zum Frauenarzt, Praxis Bruhn.",
            ("Der Ölwechsel ist am 9. Mai.", "Am 3. Juni kommt der Schornsteinfeger."),
            "Wann ist mein Frauenarzttermin?",
        ),
        (
            "Der Ölwechsel ist am 9. Mai.",
            ("Am 2. April um elf zum Frauenarzt.", "Am 3. Juni kommt der Schornsteinfeger."),
            "Wann wird das Öl gewechselt?",
        ),
        (
            "이모한테 100만 원 빌렸다.",
            ("나는 복숭아를 못 먹는다.", "자동차 보험은 9월 12일에 만료된다."),
            "이모에게 얼마를 빌렸지?",
        ),
        (
            "Gegen Bienengift bin ich allergisch.",
            ("Der Hund ist am 5. August geboren.", "Steuerberaterin ist Frau Carstens."),
            "What am I allergic to?",
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


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (
            ("Marcumar nur noch bis Mai.", "Das Marcumar setze ich dann ab.", "Ich nehm den Zug."),
            "Nehme ich noch Marcumar?",
        ),
        (
            ("Le Lasilix jusqu'en mai.", "Le Lasilix me fatigue.", "Je prends le métro."),
            "Je prends encore du Lasilix ?",
        ),
        (("El Sintrom hasta mayo.", "El Sintrom me cansa.", "Siempre tomo el metro."), "¿Tomo todavía el Sintrom?"),
        (("Il Coumadin fino a maggio.", "Il Coumadin mi stanca.", "Prendo il treno."), "Prendo ancora il Coumadin?"),
    ],
)
async def test_a_verb_of_anything_counts_less_than_a_name(app: App, texts: tuple[str, ...], question: str) -> None:
    """What somebody takes as well stood before what is asked for, where more rows have the name than the verb."""
    assert await first_of(app, texts, question) in texts[:2]


@pytest.mark.parametrize(
    ("first", "question"),
    [
        ("Die Kontrolle macht Doktor Wulf.", "Wer macht die Zahnkontrolle?"),
        ("Frau Lenz hat den Ersatzschlüssel.", "Wer hat meinen Zweitschlüssel?"),
        ("Mevrouw De Wit heeft de reservesleutel.", "Wie heeft mijn sleutel?"),
        ("Lena har reservnyckeln.", "Vem har extranyckeln?"),
    ],
)
async def test_a_noun_that_is_joined_of_two_finds_the_other_one(app: App, first: str, question: str) -> None:
    """What it ends in, and what has another first part."""
    others = ("Der Kater schläft.", "De kat slaapt.", "Katten sover.", "Das Brot ist alle.")
    assert await first_of(app, (first, *others), question) == first


@pytest.mark.parametrize(
    ("first", "question"),
    [
        ("Ich bin Krankenschwester in der Klinik am Park.", "Wo arbeite ich?"),
        ("Je suis infirmière à la clinique du Parc.", "Où est-ce que je travaille ?"),
        ("Soy camarera en la tienda de Luis.", "¿Dónde trabajo?"),
        ("Nüsse sind verboten, sagt der Allergologe.", "Wogegen ist Lena allergisch?"),
        ("Les noix sont interdites, dit l'allergologue.", "À quoi Lou est-elle allergique ?"),
        ("Las nueces están prohibidas, dijo el alergólogo; prohibido.", "¿A qué es alérgica Lola?"),
        ("Ibuprofen, dreimal zehn Tropfen.", "Welche Schmerzmittel brauche ich?"),
        ("Paracétamol, dix gouttes.", "Quels médicaments est-ce que je prends ?"),
        ("Paracetamol, diez gotas.", "¿Qué medicamentos necesito?"),
    ],
)
async def test_what_tells_it_in_other_words_is_found(app: App, first: str, question: str) -> None:
    """A workplace or a trade tells where somebody works; what is forbidden, of an allergy; a dose, of medicine."""
    others = ("Der Kater schläft.", "Le chat dort.", "El gato duerme.", "Das Brot ist alle.")
    assert await first_of(app, (first, *others), question) == first
