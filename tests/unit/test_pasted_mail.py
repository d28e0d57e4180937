"""A mail that is pasted into a message is said by who signed it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.checks.gate import check, quote_of
from precis.checks.pasted import parts_of_mail
from precis.extractive.summarizer import summarize
from precis.facts.rules import facts_in
from precis.makers import Item, Request
from precis.models.tokens import count

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
MAILS = [
    (
        "Saskia sent:\nHi Marta,\nwe'd like 12 hose reels.\nOur budget is 18,500 euros.\nKind regards, Saskia de Wit",
        "Saskia de Wit",
        "Our budget is 18,500 euros.",
    ),
    (
        "Liebe Marta,\nich wohne seit Mai in Bremen und arbeite bei Fenix.\n\nMit freundlichen Grüßen\nOlga Brandl",
        "Olga Brandl",
        "Ich wohne seit Mai in Bremen und arbeite bei Fenix.",
    ),
    ("Bonjour Marta,\nJ'habite à Lyon depuis 2019.\nCordialement,\nLuc Moreau", "Luc Moreau", "J'habite à Lyon"),
    ("Hola Marta,\nVivo en Vigo desde 2020.\nSaludos,\nPablo Rey", "Pablo Rey", "Vivo en Vigo"),
    (
        "Olga wrote:\nI moved to Cork in April and I need 40 tents.\nBest wishes,\nOlga Brandl, Fenix",
        "Olga Brandl",
        "40 tents",
    ),
]
OWN = [
    "Dear Rashid,\nI moved to Cork in April and I need 40 tents.\nBest wishes,\nMarta Lindqvist",
    "I live in Cork.\nBest wishes from my sister Olga, she lives in Leeds.",
    "I live in Cork.\nThanks, I moved in May.",
    "I live in Cork. Kind regards, Olga Brandl",
]


def item(text: str) -> Item:
    """A message of Marta's."""
    return Item(text=text, source_ids=("m",), created_at=NOON, speaker="Marta")


@pytest.mark.parametrize(("text", "signer", "part"), MAILS)
def test_the_mail_is_quoted_from_who_signed_it(text: str, signer: str, part: str) -> None:
    """Never as the word of whoever pasted it; and the checks bear it out."""
    draft = summarize(Request(items=(item(text),), max_tokens=200, prompt=""), count)
    checked = check(draft, (item(text),))
    (statement,) = (each.text for each in checked.statements if part in each.text)
    assert statement.startswith(f"Marta, quoting {signer}: ")
    assert not any(part in each.text for each in checked.statements if each.text.startswith("Marta: "))
    assert f"Marta, quoting {signer}: " in quote_of(item(text))
    assert not facts_in(text, name="Marta", role="user")


def test_what_stands_around_it_is_of_who_pasted_it() -> None:
    """Before the greeting and behind the signature."""
    text = "From today:\nDear Marta,\nI am ill.\n\nKind regards,\nOlga Brandl\nFenix\n\nI live in Cork since May."
    assert [(part.speaker, part.text) for part in parts_of_mail(text, "Marta")] == [
        ("Marta", "From today:"),
        ("Marta, quoting Olga Brandl", "I am ill."),
        ("Marta", "I live in Cork since May."),
    ]
    assert [fact.text for fact in facts_in(text, name="Marta", role="user")] == ["Marta lives in Cork since May."]


@pytest.mark.parametrize("text", OWN)
def test_what_nobody_else_signs_is_of_who_writes(text: str) -> None:
    """One's own mail, a greeting in a sentence, a line by itself."""
    assert [part.speaker for part in parts_of_mail(text, "Marta")] == ["Marta"]
    assert facts_in(text, name="Marta", role="user")
