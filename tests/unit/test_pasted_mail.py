"""A mail or a message that is pasted is said by who signed or sent it."""

from __future__ import annotations

from dataclasses import replace
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


#: A message that another sent, who did, and a part of it.
SENT = [
    ('Here is what Hattie wrote:\n"We are moving to Derby. My new number is 07700 900214."', "Hattie", "07700 900214"),
    ("Das hat mir Wiebke geschickt:\n„Wir ziehen nach Gera. Meine Nummer ist 0151 5550214.“", "Wiebke", "0151 5550214"),
    ("Voici ce que m'a écrit Solène :\n« On déménage à Pau. Mon numéro est le 06 55 50 21. »", "Solène", "06 55 50 21"),
    ("Mira lo que me ha escrito Nuria:\n«Nos mudamos a Lugo. Mi número es 655 502 140.»", "Nuria", "655 502 140"),
    (
        "Ecco cosa mi ha scritto Fiorella:\n«Ci trasferiamo a Lecco. Il numero è 333 5552140.»",
        "Fiorella",
        "333 5552140",
    ),
    ('Olha o que a Renata mandou:\n"A gente se muda pra Santos. O número é 95550-2140."', "Renata", "95550-2140"),
    ("Вот что написала Катя:\n«Мы переезжаем в Тверь. Мой номер 8-903-555-21-40.»", "Катя", "8-903-555-21-40"),
    ("Selin'in mesajını yapıştırıyorum:\n\"Eskişehir'e taşınıyoruz. Numaram 0532 555 21.\"", "Selin", "0532 555 21"),
    ("小莉发来的微信,我贴一下:\n“我们11月3号搬去宁波。我的号码是139 0055 2140。”", "小莉", "139 0055 2140"),
    ("真由美からのメールです:\n「仙台へ引っ越します。番号は090-5550-2140です。」", "真由美", "090-5550-2140"),
]
#: What somebody writes of themselves.
WRITTEN = [
    'I told Julia: "We are moving." I live in Cork since May.',
    "I live in Cork since May. Shopping list:\n- milk\n- a card from Anna",
    "The letter says:\nI live in Cork since May.",
]


@pytest.mark.parametrize(("text", "sender", "part"), SENT)
def test_a_message_is_told_of_who_sent_it(text: str, sender: str, part: str) -> None:
    """In a talk and of a note, and it yields no fact about whoever pasted it."""
    for read, label in ((item(text), f"Marta, quoting {sender}: "), (replace(item(text), speaker=None), f"{sender}: ")):
        draft = summarize(Request(items=(read,), max_tokens=200, prompt=""), count)
        (statement,) = (each.text for each in check(draft, (read,)).statements if part in each.text)
        assert statement.startswith(label)
    assert not facts_in(text, name="Marta", role="user")


@pytest.mark.parametrize("text", WRITTEN)
def test_what_no_line_says_another_sent_is_of_who_writes(text: str) -> None:
    """What somebody said to another, a list, and what nobody is named for."""
    assert [part.speaker for part in parts_of_mail(text, "Marta")] == ["Marta"]


def test_what_is_written_behind_a_quotation_is_of_who_writes() -> None:
    """With its own closing mark."""
    text = 'Julia texted me today: "Running late, see you at 8." I live in Cork since May.'
    assert [(part.speaker, part.text) for part in parts_of_mail(text, "Marta") if not part.announces] == [
        ("Marta, quoting Julia", "Running late, see you at 8."),
        ("Marta", "I live in Cork since May."),
    ]
