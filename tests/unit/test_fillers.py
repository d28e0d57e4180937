"""What an assistant mutters, and that somebody will see, is no statement; an answer to a question is one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.asides import is_curt, only_confirms
from precis.checks.fates import fates
from precis.extractive.summarizer import summarize
from precis.language.chitchat import greets
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Fate

AT = datetime(2026, 4, 2, 9, tzinfo=UTC)


def talk(*lines: tuple[str, str]) -> tuple[Item, ...]:
    """What these say, a minute apart."""
    return tuple(
        Item(text=text, source_ids=(str(at),), created_at=AT + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(lines)
    )


def summary(*lines: tuple[str, str]) -> list[str]:
    """The statements of a summary that has room for all of it."""
    draft = summarize(Request(items=talk(*lines), max_tokens=400, prompt=""), count)
    return [statement.text for statement in draft.statements]


@pytest.mark.parametrize(
    ("told", "muttered", "after"),
    [
        ("Sie hat meinen Ersatzschlüssel, der hing früher bei Jens.", "Das ist praktisch.", "Mal sehen."),
        ("Gegen die Schmerzen nehme ich Ibuprofen 600.", "Gut.", "Wir werden sehen."),
        ("Le loyer sera de 815 euros dès le mois de mai.", "Aïe.", "On verra."),
        ("La alarma de la tienda ahora es 9075.", "Hecho.", "Ya veremos."),
        ("Il canone del garage è 44 euro da lunedì.", "Fatto.", "Vedremo."),
        ("O aluguel da garagem agora é 440 reais.", "Está bem.", "Logo se vê."),
    ],
)
def test_what_is_muttered_tells_nothing(told: str, muttered: str, after: str) -> None:
    """Nor does it hold the originals back."""
    lines = ("user", told), ("assistant", muttered), ("user", after)
    texts = summary(*lines)
    assert len(texts) == 1
    assert texts[0].startswith(f"user: {told[:20]}")
    outcomes = [outcome and outcome.fate for outcome in fates(talk(*lines), ())]
    assert outcomes[1:] == [Fate.SMALL_TALK, Fate.SMALL_TALK]


@pytest.mark.parametrize("answer", ["Gut.", "Kartoffelsalat.", "Erledigt."])
def test_an_answer_stays(answer: str) -> None:
    """Behind its question, or in doubt."""
    lines = ("Karl", "Was ist mit dem Salat von Jens?"), ("assistant", answer), ("Karl", "Die Feier ist am 4. Mai.")
    assert any(answer in text for text in summary(*lines))
    assert fates(talk(*lines), ())[1] is None


def test_who_else_says_it_may_mean_it() -> None:
    """A user's "Hecho." may say that something was done; a name, a figure or a day tells something."""
    assert fates(talk(("Rosa", "Hecho.")), ()) == [None]
    assert not any(map(only_confirms, ("Hecho, el lunes.", "Gut, 16 Uhr.", "Toma ibuprofeno.", "Gut, Frau Nowak.")))
    assert not any(map(is_curt, ("Am Montag.", "Um 9.", "Mit Jens.", "So ist es nun einmal.")))
    assert not greets("On verra Paul mardi.")


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ("Eu fui promovida a coordenadora no Sesc e começo na segunda.", "Claro, Renata!"),
        ("我拿到网易的offer了。", "恭喜拿到offer!"),
        ("내일 셋째가 유치원에 가요.", "정말 축하해요, 유치원이라니!"),
        ("तबादला नागपुर हो गया।", "बहुत-बहुत बधाई हो तबादले की!"),
    ],
)
def test_an_assistant_that_is_glad_states_nothing(told: str, answer: str) -> None:
    """What it is glad of was told by whoever it answers."""
    texts = summary(("Ida", told), ("assistant", answer), ("Ida", told.replace("。", "，真的。")))
    assert not any(answer[:6] in text for text in texts)


@pytest.mark.parametrize(
    "said", ["شكراً إلك.", "धन्यवाद भाई।", "Neyse boşver, iyi geceler.", "Obrigada viu, boa noite.", "まあいいか。"]
)
def test_thanks_as_people_write_them_are_small_talk(said: str) -> None:
    """Word for word, and nothing that may answer a question."""
    assert greets(said)
