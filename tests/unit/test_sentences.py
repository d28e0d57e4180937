"""Sentences of chat and notes in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.language.sentences import is_question, sentences


@pytest.mark.parametrize(
    "expected",
    [
        ["Hello there!", "How are you?", "I'm ok."],
        ["Dr. Smith paid $3.50 at 5 p.m. on Jan. 3.", "He left at 6 p.m.", "Then he slept."],
        ["i went home.", "it was nice... really nice!", "ok"],
        ["Wow!!! 🎉🎉", "We won 🏆", "So happy"],
        ['"Really?" she asked.', '"Yes."', "Fine."],
        ["No. 5 is alive.", "I said no.", "Then I left."],
        ["J. K. Rowling wrote it.", "U.S. policy changed."],
        ["Plaster and cork EUR 9,600 incl. VAT.", "The lease of Ms I. Varga ends in June."],
        ["We pay 40 euros, delivery incl.", "She paid it."],
        ["I took vitamin C.", "It helps.", "So did I.", "Varga went, resp. Bakema."],
        ["Das kostet 40 Euro inkl. Mehrwertsteuer.", "Wir nehmen es."],
        ["Prijs 40 euro excl. Btw.", "Aprox. IVA aparte.", "Cena 40 zł wł. VAT.", "Цена 40 евро вкл. НДС."],
        ["Node.js v3.5 is out.", "See example.com.", "Ok"],
        ["यह अच्छा है।", "मैं खुश हूँ।"],
        ["كيف حالك؟", "أنا بخير."],
        ["Я живу в Москве.", "А ты?"],
    ],
)
def test_splits_at_sentence_ends(expected: list[str]) -> None:
    """Sentences joined by spaces are found again."""
    assert expected == sentences(" ".join(expected))


@pytest.mark.parametrize(
    "expected", [["他说：“你好。”", "我走了！", "你呢？", "好"], ["「はい。」と言った。", "行こう。"]]
)
def test_splits_scripts_without_spaces(expected: list[str]) -> None:
    """Wide full stops need no space after them, and a quoted sentence stays in its sentence."""
    assert expected == sentences("".join(expected))


def test_line_breaks_end_sentences_unless_wrapped() -> None:
    """A list has one sentence a line; a wrapped line goes on."""
    assert sentences("1. First item\n2. Second item") == ["1. First item", "2. Second item"]
    assert sentences("this is a wrapped\nline of text\nAnd new") == [
        "this is a wrapped line of text",
        "And new",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mein Kurs beginnt am 9. Oktober.", "Sie wohnt im 4. Stock.", "F\u00f8dselsdagen er den 9. oktober.",
        "Narozen jsem 9. b\u0159ezna v Brn\u011b.", "Treffen: 9. Dezember um acht.",
        "Termin bei ihr am 25.6. um 10.", "Rendez-vous le 25.6. \u00e0 10h.", "termin am 1.12. um zehn.",
    ],
)  # fmt: skip
def test_an_ordinal_ends_no_sentence(text: str) -> None:
    """Many languages write it as a number with a full stop."""
    assert [text] == sentences(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin 34. Ich wohne in Ulm.", "I am 34. Mom is 60.", "It cost 5. We left.", "i am 34. i live in ulm.",
        "Er nimmt die 9. Dann steigt er um.",
    ],
)  # fmt: skip
def test_a_number_may_end_a_sentence(text: str) -> None:
    """What follows begins another one."""
    assert 2 == len(sentences(text))


def test_empty_text_has_no_sentences() -> None:
    """White space is nothing."""
    assert sentences(" \n\t ") == []


@given(st.text(alphabet=st.sampled_from("aB .!?…。\n\"'()🎉1,é你")))
def test_loses_only_white_space(text: str) -> None:
    """The sentences together are the text, and none is empty."""
    found = sentences(text)
    assert "".join(text.split()) == "".join("".join(found).split())
    assert all(one.strip() == one != "" for one in found)


@given(st.text())
def test_takes_any_text(text: str) -> None:
    """No text makes it fail or invent."""
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(("expected", "text"), [(True, "Why?"), (True, '"Why?"'), (True, "为什么？"), (False, "So.")])
def test_knows_questions(expected: bool, text: str) -> None:
    """A question ends with a question mark, quoted or not."""
    assert expected is is_question(text)
