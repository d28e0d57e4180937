"""Whom a pronoun means stands in the words of whoever says it, before what somebody else said; an answer is whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.trifles import changes_a_life
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.trust import SourceClass

START = datetime(2031, 3, 5, 18, tzinfo=UTC)


def statements(*turns: tuple[str, str], limit: int = 400, served_from: float = 0.0) -> list[str]:
    """What the offline summarizer tells of turns (speaker, text), a minute apart."""
    items = tuple(
        Item(
            text=text, source_ids=(f"m{at}",), created_at=START + at * timedelta(minutes=1), speaker=speaker,
            classes=frozenset({SourceClass.AGENT if speaker == "Assistant" else SourceClass.USER}),
        )
        for at, (speaker, text) in enumerate(turns)
    )  # fmt: skip
    request = Request(items=items, max_tokens=limit, prompt="", served_from=served_from)
    return [statement.text for statement in summarize(request, count).statements]


@pytest.mark.parametrize(
    ("opening", "rest", "word"),
    [
        ("Ruben says hi.", "He's had bad news, they want him back in the depot five days.", "depot"),
        ("My aunt Greta is here.", "She's looking for a stall at the market in Ghent.", "Ghent"),
    ],
)
def test_a_pronoun_is_read_with_the_speakers_own_words_before_it(opening: str, rest: str, word: str) -> None:
    """And not with what another said about something else: that is another person."""
    told = statements(("Ilse", "The dredger leaves on Friday."), ("Tariq", f"{opening} {rest}"))
    behind = [text for text in told if word in text]
    assert behind
    assert all(opening in text and "dredger" not in text for text in behind)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is it the same pay?", "A bit less, but it's nearer by train."),
        ("Will you still teach?", "Yes, but only chemistry in the mornings."),
        ("Can she row again?", "No, except on the canal in Ghent."),
    ],
)
def test_an_answer_and_what_limits_it_stay_together(question: str, answer: str) -> None:
    """Without its first words "A bit less, but it's nearer" says the opposite to the question."""
    assert f"Ilse: {question} Tariq: {answer}" in statements(("Ilse", question), ("Tariq", answer))


def test_a_clause_goes_on_in_small_letters() -> None:
    """Behind "and" no sentence begins, also where something turns the second clause."""
    told = " ".join(
        statements(
            ("Ilse", "Are you settled?"),
            ("Tariq", "Sort of. The gutter leaks and there's a bat in the loft. But the pear tree is a wonder."),
        )
    )
    assert "leaks and there's a bat in the loft. But the pear tree" in told


def test_what_is_quoted_with_another_statement_is_not_told_twice() -> None:
    """The statement that rests on both stands alone."""
    told = statements(
        ("Ilse", "The kiln in Ghent is fired on Friday."), ("Ilse", "It starts at seven now."), ("Tariq", "Thanks!")
    )
    assert sum("kiln" in text for text in told) == 1
    assert "It starts at seven now" in told[0]


@pytest.mark.parametrize(
    ("fact", "echo"),
    [
        ("The bakery opens at 7 now and is closed on Tuesdays.", "Noted: the bakery opens at 7, closed on Tuesdays."),
        ("The studio is closed from 14 July to 3 August.", "Enjoy! I noted: closed from 14 July to 3 August."),
        ("Fenja hat eine Allergie gegen Haseln\u00fcsse.", "Notiert: Fenja, Allergie gegen Haseln\u00fcsse."),
    ],
)
def test_an_assistants_echo_is_not_told(fact: str, echo: str) -> None:
    """What it repeats is told by whoever said it."""
    told = " ".join(statements(("User", fact), ("Assistant", echo)))
    assert fact.split()[1] in told
    assert "Assistant:" not in told


def test_an_echo_in_other_words_is_told_where_nobody_tells_anything() -> None:
    """As "hazelnuts" of a hazelnut allergy: whoever told of it is quoted, and not the note of that."""
    told = statements(
        ("User", "Fenja hat eine Haselnussallergie. Ich selbst vertrage keine Laktose."),
        ("Assistant", "Notiert: Fenja keine Haseln\u00fcsse, du keine Laktose."),
    )
    assert not any(text.startswith("Assistant") for text in told)


def test_what_an_assistant_adds_is_kept() -> None:
    """A word or a figure of its own may be what somebody asks for."""
    told = " ".join(
        statements(("User", "The bakery opens at 7."), ("Assistant", "Noted: the bakery opens at 7, gate 12."))
    )
    assert "gate 12" in told


def test_a_week_tells_what_changed_and_not_what_an_assistant_advised() -> None:
    """Advice, a list of few words and a request fill no week in which somebody told something."""
    told = statements(
        ("User", "I offered Amal a share in the bakery, 20 percent."),
        ("Assistant", "That is a big step. A contract would be wise, with a notary in Ghent."),
        ("User", "Can you draft one?"),
        ("Assistant", "1. Parties. 2. Profit and loss. 3. Leaving."),
        served_from=0.5,
    )
    assert told[0] == "User: I offered Amal a share in the bakery, 20 percent."
    assert not any("Parties" in text or "notary" in text for text in told)


@pytest.mark.parametrize("news", ["Odile's pregnant.", "They're promoting me!", "I passed!"])
def test_short_news_of_a_life_is_told_by_itself(news: str) -> None:
    """It points at nothing that was said before, and is worth more than what has rarer words."""
    told = statements(
        ("Ilse", "The left lantern on the barge follows in the second week."),
        ("Tariq", f"{news} The lock keeper brought half a melon and a basket of quinces."),
        served_from=0.5,
    )
    assert any(text.startswith(f"Tariq: {news}") for text in told)


@pytest.mark.parametrize(
    "text",
    [
        "The slope rises gradually.", "Keep the two piles separate.", "We moved on to the next topic.",
        "We stopped at a cafe.", "Is she pregnant?", "The ascent took an hour.",
        "It is a crash course.", "J'ai cassé un verre.", "Ho rotto il bicchiere.", "Na wszelki wypadek weź parasol.",
    ],
)  # fmt: skip
def test_what_only_looks_like_news_of_a_life_is_none(text: str) -> None:
    """Words of one language are not read in another, and who asks tells nothing."""
    assert not changes_a_life(text)


def test_a_sum_alone_is_told_with_what_it_is_of() -> None:
    """Nobody knows of what 7,400 euros are."""
    told = statements(
        ("Ilse", "Dad left him the workshop and me the debts. 7,400 euros."),
        ("Ilse", "We cleared out the attic and found a violin from Markneukirchen and a box of lenses."),
        limit=30,
    )
    assert any("7,400" in text for text in told)
    assert all("debts" in text for text in told if "7,400" in text)
