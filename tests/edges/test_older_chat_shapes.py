"""Turns as older versions of chat APIs and libraries write their messages, over REST."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from test_chat_shapes import memories_of, stored, turn

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_messages_of_version_4_of_the_ai_sdk(api: httpx.AsyncClient) -> None:
    """Their date is the message's, and an answer is posted again once the tool has returned."""
    asks = {"id": "v1", "role": "user", "content": "Weather?", "createdAt": "2026-03-01T08:00:00.000Z"}
    call: dict[str, Any] = {"toolCallId": "c1", "toolName": "weather", "args": {"city": "Graz"}, "state": "call"}

    def answer(text: str, **more: Any) -> dict[str, Any]:
        invoked = call | more
        parts = [{"type": "step-start"}, {"type": "tool-invocation", "toolInvocation": invoked}]
        parts += [{"type": "text", "text": text}] if text else []
        beside = {"toolInvocations": [invoked], "revisionId": "r1", "createdAt": "2026-03-01T08:00:02.000Z"}
        return {"id": "v2", "role": "assistant", "content": text, "parts": parts, "annotations": [{"a": 1}], **beside}

    for message in (answer(""), answer("", state="result", result="14"), answer("14.", state="result", result="14")):
        assert (await turn(api, "version-4", asks, message)).status_code == 201
        back = (await stored(api, "version-4"))[1]
        assert [back["message"][name] for name in ("parts", "toolInvocations")] == [
            message["parts"], message["toolInvocations"],
        ]  # fmt: skip
    dates = [row["created_at"] for row in await stored(api, "version-4")]
    assert [date[:19] for date in dates] == ["2026-03-01T08:00:00", "2026-03-01T08:00:02"]


async def test_fields_of_llama_index_and_of_calls_before_tools(api: httpx.AsyncClient) -> None:
    """They come back as they came; the call and its result are never parted."""
    called = {"name": "weather", "arguments": '{"city": "Graz"}'}
    told: list[dict[str, Any]] = [
        {"role": "user", "content": "Weather?", "additional_kwargs": {"lang": "en"}},
        {"role": "assistant", "content": None, "function_call": called},
        {"role": "function", "name": "weather", "content": "14"},
        {"role": "assistant", "content": "14 degrees.", "function_call": None},
    ]  # fmt: skip
    assert (await turn(api, "before-tools", *told)).status_code == 201
    assert await memories_of(api, "before-tools") == [
        ("user", "Weather?"), ("agent", '[calls weather {"city": "Graz"}]'), ("tool", "14"), ("agent", "14 degrees."),
    ]  # fmt: skip
    back = [row["message"] for row in await stored(api, "before-tools")]
    assert back[0]["additional_kwargs"] == {"lang": "en"}
    assert (back[1]["content"], back[1]["function_call"]) == ("", called)
    assert "tool_calls" not in back[1]
