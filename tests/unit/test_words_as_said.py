"""What is quoted says what was said: no answer that turns is cut, no question is a statement, nothing is glued."""

from datetime import UTC, datetime, timedelta

import pytest

from precis.cli.summarizing import _texts_in
from precis.engine.titles.title import title_of
from precis.extractive.summarizer import summarize
from precis.language.newest.followed import followed
from precis.language.newest.slots import Said
from precis.language.sharing import keywords
from precis.language.unmarked import asks_unmarked
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Statement

_START = datetime(2026, 3, 2, 10, tzinfo=UTC)


def told(*lines: tuple[str | None, str], room: int = 500) -> list[str]:
    """The statements of a talk, a minute between two lines."""
    items = tuple(
        Item(text=text, speaker=speaker, source_ids=(str(at),), created_at=_START + timedelta(minutes=at))
        for at, (speaker, text) in enumerate(lines)
    )
    return [each.text for each in summarize(Request(items=items, max_tokens=room, prompt=""), count).statements]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Do you want to come over?", "No, I'm fine. Actually yes. Maybe on Saturday, around noon."),
        ("Willst du herkommen?", "Nein, geht schon. Doch. Vielleicht am Samstag."),
        ("Kommst du am Samstag zu Oma?", "Nein, ich muss arbeiten. Ach doch. Ich bin um drei da mit dem Kuchen."),
        ("¿Vienes el sábado a la cena?", "No puedo, tengo guardia. Al final sí. Llego sobre las nueve."),
        ("Tu viens samedi chez mes parents ?", "Non, ça va. Finalement oui. Peut-être samedi soir avec ma sœur."),
    ],
)
def test_an_answer_that_turns_is_not_cut_from_the_middle(asked: str, answer: str) -> None:
    """Where the sentence before it is told, it stands behind that."""
    statements = told(("Ana", asked), ("Ben", answer))
    first, turn, _ = answer.split(". ")
    assert any(turn in text for text in statements)
    assert all(turn in text for text in statements if first in text)


@pytest.mark.parametrize(
    "question",
    [
        "Mama weiß es noch nicht oder",
        "bist du wahnsinnig",
        "Wo ist der Schlüssel vom Keller",
        "Tu viens samedi avec nous, non",
        "cuándo llega mi madre a Gijón",
        "kom je morgen naar Utrecht",
        "can i keep lifting flour bags",
    ],
)
def test_a_question_without_its_mark_is_one(question: str) -> None:
    """In a chat few people write it."""
    assert asks_unmarked(question)


@pytest.mark.parametrize(
    "sentence",
    [
        "Wie gesagt, ich komme",
        "Das ist schön",
        "Ich komme oder nicht so spät",
        "Rendez-vous samedi à Lyon avec ma sœur",
    ],
)
def test_what_tells_is_no_question(sentence: str) -> None:
    """A word that may ask stands in it."""
    assert not asks_unmarked(sentence)


def test_a_note_that_asks_has_its_mark() -> None:
    """What is noted is told, whatever it is; a heading that opens so tells."""
    texts = told((None, "what's a good opening line to a landlord"), (None, "I pay 1,950 for the shop"))
    assert texts == ["What's a good opening line to a landlord?", "I pay 1,950 for the shop."]
    assert told((None, "What is left: the roof and 300 euros.")) == ["What is left: the roof and 300 euros."]


def test_two_messages_of_one_speaker_are_no_sentence() -> None:
    """What tells of its speaker with a figure needs no other, and a cry is nothing to go on from."""
    rent = told(("Jo", "Mieterverein sagt, ist zulässig"), ("Jo", "Dafür bin ich jetzt Teamleiter, 3.700 brutto"))
    assert "Jo: Dafür bin ich jetzt Teamleiter, 3.700 brutto." in rent
    cats = told(("Jo", "haha. sehr witzig"), ("Jo", "Sie ist allergisch gegen Katzen. Ich habe zum Glück keine"))
    assert not any("witzig. Sie" in text for text in cats)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I was thinking of moving the bakery to Dartmouth", "Damp like a cave. The move to Dartmouth is off."),
        ("We're thinking of visiting Nadia in Malmö in May", "The visit to Malmö is off, she has the flu."),
    ],
)
def test_what_was_thought_of_is_followed_by_what_calls_it_off(older: str, newer: str) -> None:
    """By the verb of which the newer one has the noun, and the name of a place."""
    assert (0, 0) in followed([Said(older, None, 0), Said(newer, None, 1)])
    assert not followed([Said("I drove to Dartmouth in July", None, 0), Said("The move to Bergen is off.", None, 1)])


def test_the_speaker_of_a_line_that_could_be_imported_is_known() -> None:
    """It stands in the metadata there."""
    lines = '{"text": "Widersprich", "metadata": {"speaker": "Hedda"}}\n{"text": "Ja", "speaker": "Jo"}'
    assert _texts_in(lines, "talk.jsonl") == [
        {"speaker": "Hedda", "text": "Widersprich"},
        {"speaker": "Jo", "text": "Ja"},
    ]


def test_no_title_gives_a_speaker_the_illness_of_another() -> None:
    """Who is called by what they are stands there; of who speaks of themselves the name does."""

    def titled(*texts: str) -> str:
        return title_of([Statement(text=t, importance=0.8, source_ids=(t,), superseded_by=None) for t in texts]) or ""

    of_papa = titled(
        "Hedda: Papa nimmt jetzt Ramipril, 5 mg, morgens.",
        "Hedda: Papa ist zu Hause. Ramipril jetzt 10 mg und dazu ein Blutverdünner.",
        "Hedda: Papa vergisst das Ramipril jeden zweiten Tag.",
    )
    assert "Hedda" not in of_papa
    assert "Ramipril" in of_papa


def test_a_joined_noun_is_of_words_and_no_name_of_another() -> None:
    """No "Schlager" is in a "Schlaganfall", and El Llano is not Llanes."""
    german = [
        "Papa hatte einen Schlaganfall",
        "Der Wecker spielt Schlager",
        "Die Kinder schlafen",
        "Ein Kinderwagen kam",
    ]
    stroke, songs, children, pram = (each.words for each in keywords(german, people=[None] * len(german), speakers=[]))
    assert stroke.isdisjoint(songs)
    assert children & pram
    spanish = ["Mi hermano Unai se casa en Llanes", "Nado en la piscina de El Llano", "La boda de Unai será en Llanes"]
    wedding, pool, again = (each.words for each in keywords(spanish, people=[None] * 3, speakers=[]))
    assert wedding.isdisjoint(pool)
    assert {"llanes", "unai"} <= wedding & again
