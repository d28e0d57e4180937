"""Lines that a program wrote, marks of who wrote a talk down, and sentences that break off, in summaries of talks."""

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.extractive.trim import trimmed
from precis.makers import Item, Request
from precis.models.tokens import count

STARTS = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told(*turns: tuple[str, str]) -> str:
    """The statements of a talk, a minute between two turns."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=STARTS + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt=""), count)
    return "\n".join(statement.text for statement in draft.statements)


LINES = {
    "a log": "2026-03-02T08:11:09Z ERROR pump 4 has no pressure",
    "a log in brackets": "[2026-03-02 08:11:09,220] {pump.py:12} WARNING - retrying",
    "a level": "ERROR: pump 4 has no pressure",
    "JSON": '{"pump": 4, "state": "down"}',
    "an exception": "TimeoutError: pump 4 did not answer",
    "a ruler": "======== test session of pump 4 starts ========",
}


@pytest.mark.parametrize("kind", LINES)
def test_what_a_program_wrote_is_not_told_beside_what_somebody_says(kind: str) -> None:
    """Whoever pastes it; where there is nothing else it is told."""
    line = LINES[kind]
    said = told(("Runa", "Pump 4 in Larvik stopped at eight."), ("tool", line), ("Runa", "Jens replaces it on Friday."))
    assert "Pump 4 in Larvik" in said
    assert "Jens replaces it" in said
    assert "tool: " not in said
    assert told(("tool", line))


def test_what_somebody_says_of_an_error_is_told() -> None:
    """A word for an error, or an hour, makes no line of a program."""
    said = told(("Runa", "We had a TimeoutError in Larvik at 08:11."), ("Jens", "I sold the error log to Uwe."))
    assert "TimeoutError in Larvik" in said
    assert "sold the error log" in said


def test_marks_of_who_wrote_a_talk_down_are_not_told() -> None:
    """A mark that comes back goes; what is in braces once stays."""
    turns = [("Runa", f"{{laugh}} The pump in hall {at} is new.") for at in range(3)]
    said = told(*turns, ("Jens", "The file is called {pump} in Larvik."))
    assert "{laugh}" not in said
    assert "hall 2 is new" in said
    assert "{pump}" in said


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [
        ("Dad sold the boat, and now he...", "Dad sold the boat."),
        ("The band is ready, so\u2026", "The band is ready."),
        ("He was fine, but then he...", "He was fine, but then he..."),
        ("We lost the house...", "We lost the house..."),
        ("I think so...", "I think so..."),
    ],
)
def test_what_breaks_off_behind_and_goes(sentence: str, whole: str) -> None:
    """What turns a sentence stays, though it breaks off."""
    assert trimmed(sentence, frozenset()) == whole


@pytest.mark.parametrize(
    ("opening", "news"),
    [
        ("Me parece genial.", "Oye, el lunes empiezo un curso de cerámica en Lugo."),
        ("Parece-me ótimo.", "Nós vendemos a loja de Faro."),
        ("Mi sembra ottimo.", "Da maggio lavoro in una falegnameria a Lecco."),
        ("Вот это да!", "Меня взяли в театр в Самаре."),
        ("那就好。", "我和志强打算十月在苏州结婚。"),
        ("Hayırlı olsun!", "Kızım Bursa'da okula başladı."),
    ],
)
def test_courtesy_that_opens_a_message_is_not_told(opening: str, news: str) -> None:
    """The news behind it is."""
    said = told(("Ana", news.replace(".", "!")), ("Eva", f"{opening} {news}"))
    assert opening.rstrip("!.。") not in said
    assert news.rstrip(".。")[-8:] in said


def test_a_sentence_that_two_of_a_statement_need_is_told_once() -> None:
    """That "il est rentré" answers the question, and "Il a un plâtre" is told behind it."""
    said = told(
        ("Odile", "Mon frère s'est cassé la jambe au ski."),
        ("Rémi", "Oh non ! Il est à l'hôpital ?"),
        ("Odile", "Non, il est rentré. Il a un plâtre jusqu'au genou pour six semaines."),
        ("Rémi", "Je lui rendrai visite samedi avec un gâteau."),
    )
    assert said.count("il est rentré") == 1
    assert "plâtre jusqu'au genou" in said
