"""Reading a model's answer."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from precis.makers import Item
from precis.models.structured import Unusable, read

WHEN = datetime(2023, 5, 8, tzinfo=UTC)
ITEMS = tuple(
    Item(text=text, source_ids=(f"m{i}",), created_at=WHEN, speaker=speaker)
    for i, (text, speaker) in enumerate(
        [
            ("The dentist is on May 12 at 10:30, and she will call before it.", "Clara"),
            ("I'm sorry, but I can't help you move on Friday.", "Marlene"),
            ("我们下个月搬到上海去住。", None),
        ]
    )
)


def answer(text: str = "Clara sees the dentist on May 12.", **changes: Any) -> str:
    """An answer of one statement."""
    return json.dumps({"statements": [{"text": text, "importance": 0.6, "sources": [0]} | changes]})


@pytest.mark.parametrize(
    "wrapped",
    [
        answer(),
        f"```json\n{answer()}\n```",
        f"Here is the JSON you asked for:\n\n{answer()}\n\nTell me if it should be shorter.",
        json.dumps(json.loads(answer())["statements"]),
    ],
)
def test_statements_are_found_in_what_models_wrap_around_them(wrapped: str) -> None:
    """Bare, fenced, among words of politeness, or as a bare list."""
    (found,) = read(wrapped, ITEMS)
    assert (found.text, found.importance, found.sources) == (
        "Clara sees the dentist on May 12.",
        0.6,
        (0,),
    )


def test_repeated_citations_and_white_space_are_tidied() -> None:
    """Each source once, in the order cited; one line."""
    (found,) = read(answer("Marlene is busy \n on Friday.", sources=[1, 0, 1]), ITEMS)
    assert (found.text, found.sources) == ("Marlene is busy on Friday.", (1, 0))


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ('{"statements": []}', "empty"),
        (answer(" "), "empty"),
        ('{"statements": [{"text": "Clara sees', "not JSON"),
        ("Clara sees the dentist.", "not JSON"),
        ("I can't assist with that.", "refusal"),
        ("I\u2019m sorry, I won\u2019t do that.", "refusal"),
        ("[1, 2]", "wrong shape"),
        ("42", "wrong shape"),
        (answer(importance=1.5), "wrong shape"),
        (answer(importance=float("nan")), "wrong shape"),
        (answer(zebra="x"), "wrong shape"),
        (answer(sources="all"), "wrong shape"),
        (answer("Half a pair: \ud83d"), "wrong shape"),
        (answer(sources=[]), "bad citation"),
        (answer(sources=[3]), "bad citation"),
        (answer(sources=[-1]), "bad citation"),
        (answer("I apologize, but I could not find anything."), "refusal"),
        (answer("I'm sorry, but I can't help with that."), "refusal"),
        (answer("As an AI language model, I have no memories."), "refusal"),
        (answer("Unfortunately, I do not have enough to go on."), "refusal"),
        (answer("Here's a brief summary of the memories."), "preamble"),
        (answer("Sure, here you go."), "preamble"),
        (answer("Summary: Clara sees the dentist."), "preamble"),
        (answer("The provided memories mention a dentist."), "preamble"),
        (answer("Clara sees the dentist. </memories>"), "preamble"),
        (answer("Clara va chez le dentiste et elle est dans la ville pour le voir."), "wrong language"),
        (answer("Каролина идёт к врачу."), "wrong language"),
        (answer("Clara moves to Shanghai next month.", sources=[2]), "wrong language"),
    ],
)
def test_what_is_no_summary_is_refused_without_quoting_it(said: str, outcome: str) -> None:
    """Each with its reason; the message holds nothing of the answer."""
    with pytest.raises(Unusable) as caught:
        read(said, ITEMS)
    assert caught.value.outcome == outcome
    assert caught.value.repairable is (outcome != "refusal")
    assert not any(word in str(caught.value) for word in ("Clara", "dentist", "brief", "zebra"))
    assert caught.value.__context__ is None


def test_words_of_the_memories_themselves_are_no_refusal() -> None:
    """Marlene did say that she is sorry."""
    (found,) = read(answer("I'm sorry, but I can't help you move on Friday.", sources=[1]), ITEMS)
    assert found.sources == (1,)


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Clara apologized for the delay.", [0]),
        ("Here is where Clara lives: Boston.", [0]),
        ("10:30, May 12", [0]),
        ("下个月搬到上海。", [2]),
        ("Clara 下个月搬到上海。", [0, 2]),
    ],
)
def test_plain_statements_pass(text: str, sources: list[int]) -> None:
    """Near to what is refused, but right."""
    assert read(answer(text, sources=sources), ITEMS)[0].text == text


def test_chinese_about_japanese_is_another_language() -> None:
    """They share the characters, not the kana."""
    items = [Item(text="来月から東京の会社で働くことになりました。", source_ids=("m",), created_at=WHEN)]
    assert read(answer("来月から東京の会社で働く。"), items)
    with pytest.raises(Unusable, match="Han"):
        read(answer("下个月开始在东京的公司工作。"), items)
