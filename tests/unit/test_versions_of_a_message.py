"""Streams as clients save them, piece by piece: each version is a later one of any before it, and no other."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from precis.app.conversing.growing import Version, holds_rest, version_of
from precis.app.messages import MessageInput
from precis.conversation import Message

Body = dict[str, Any]
TEXTS = (
    "Die nächste Fähre legt um 6:40 ab.\r\n\r\n1. Deck A\r\n2. Deck B", "Cafe\u0301 Zoe\u0308 öffnet um neun.",
    "明日の会議は三時からです。資料は机の上にあります。", "غدا سيكون الجو مشمسا.", "नमस्ते, ट्रेन आठ बजे आएगी।",
    "```python\nprint('a')\n```\n\nThat prints a.", "Ok \U0001f468\u200d\U0001f469\u200d\U0001f467 !",
)  # fmt: skip


def _text_versions(text: str) -> list[Body]:
    return [{"content": text[:end]} for end in range(1, len(text) + 1, 3)] + [{"content": text}]


def _screen_versions(text: str) -> list[Body]:
    """With words, reasoning and two tools of which one asks for approval and one returns bit by bit."""
    reasons = {"type": "reasoning", "text": "Hm."}
    ask: Body = {"type": "tool-book", "toolCallId": "b1"}
    show: Body = {"type": "dynamic-tool", "toolName": "show", "toolCallId": "b2", "input": {"n": 1}}
    states: list[list[Body]] = [
        [], [ask | {"state": "input-streaming", "input": {"sea": "1"}}],
        [ask | {"state": "input-available", "input": {"seat": "12A"}}],
        [ask | {"state": "approval-requested", "input": {"seat": "12A"}, "approval": {"id": "x"}}],
        [ask | {"state": "approval-responded", "input": {"seat": "12A"}, "approval": {"id": "x", "approved": True}}],
        [ask | {"state": "output-available", "input": {"seat": "12A"}, "output": {"ok": True}}],
    ]  # fmt: skip
    done = states[-1]
    states += [[*done, show | {"state": "output-available", "output": [1, 2, 3, 4], "preliminary": True}]]
    states += [[*done, show | {"state": "output-available", "output": [9]}]]
    first: Body = {"type": "text", "text": text[: len(text) // 2 + 1]}
    versions = [{"parts": [reasons, first, *parts]} for parts in states]
    return [*versions, {"parts": [reasons, first, *states[-1], {"type": "text", "text": text}]}]


def _block_versions(text: str) -> list[Body]:
    """As Anthropic's and OpenAI's APIs have them."""
    call: Body = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    said = {"type": "text", "text": text}
    blocks = [[said], [said, call], [said, call | {"input": {"at": text}}]]
    return [{"content": parts} for parts in blocks]


def _call_versions(text: str) -> list[Body]:
    written = ("", '{"to', '{"to": "Lech"}')
    calls = [[{"id": "c1", "type": "function", "function": {"name": "fare", "arguments": a}}] for a in written]
    return [{"content": text[:4]}, *({"content": text, "tool_calls": call} for call in calls)]


def _stored(message: MessageInput) -> Message:
    return Message(
        id="m", given="a", role=message.role, text=message.told, created_at=datetime(2026, 1, 1, tzinfo=UTC), tokens=1,
        payload=message.kept,
    )  # fmt: skip


def _read(body: Body, role: str = "assistant") -> MessageInput:
    return MessageInput.model_validate({"role": role, "id": "a", **body})


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("versions", [_text_versions, _screen_versions, _block_versions, _call_versions])
def test_each_version_is_later_than_those_before(text: str, versions: Any) -> None:
    """And each before it an earlier one; a version of another answer is neither."""
    stream = [_read(body) for body in versions(text)]
    others = [_read({"content": "Nichts davon stimmt."}), _read({"content": f"x{text}"})]
    for at, message in enumerate(stream):
        for earlier in stream[:at]:
            if (earlier.told, earlier.kept) != (message.told, message.kept):
                assert version_of(_stored(earlier), message, role="assistant") is not Version.ANOTHER
                assert version_of(_stored(message), earlier, role="assistant") is Version.EARLIER
        for other in others:
            assert version_of(_stored(message), other, role="assistant") is Version.ANOTHER
    for before, after in pairwise(stream):
        if (before.told.split(), before.kept) != (after.told.split(), after.kept):
            assert version_of(_stored(before), after, role="assistant") is Version.LATER


def test_a_user_grows_at_the_end_of_a_word() -> None:
    """What is shorter is another message: somebody may have taken the rest back."""
    stored = _stored(_read({"content": "I take 5"}, "user"))
    grown = {"I take 50": Version.ANOTHER, "I take 5, please.": Version.LATER, "I take": Version.ANOTHER}
    assert {text: version_of(stored, _read({"content": text}, "user"), role="user") for text in grown} == grown


def test_what_is_left_stands_in_what_it_was_cut_of() -> None:
    """Whichever words it took, and whatever marks and capitals it leaves where it joins the rest."""
    dice = random.Random(3)  # noqa: S311 - no secret
    for text in TEXTS:
        kept = ", ".join(word for word in text.split() if dice.random() < 0.5).title()
        assert holds_rest(kept, f"{text} And more.")
    assert not holds_rest("Poldi barks.", "Heute regnet es.")
