"""Messages that are more, or less, than words: no agent stops at one, and what they hold comes back."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, FunctionMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel
from test_langchain_middleware import Scripted

from precis.agents.langchain import PrecisSummarization
from precis.agents.langgraph import ConversationNodes, ConversationState, model_input
from precis.agents.openai_agents import PrecisSession
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
PHOTO = base64.b64encode(b"\xff\x00\x10" * 1_100_000).decode()
CONFIG: Any = {"configurable": {"thread_id": "t1", "user_id": "odile"}}


class Boat(BaseModel):
    """What a model was asked to fill in."""

    name: str = "Kingfisher"


def called(arguments: dict[str, Any], answer: str) -> list[AnyMessage]:
    """A call without words, and its result."""
    calls: Any = [{"name": "weigh", "args": arguments, "id": "c1"}]
    return [HumanMessage("Weigh it."), AIMessage("", tool_calls=calls), ToolMessage(answer, tool_call_id="c1")]


PARSED: Any = {
    "additional_kwargs": {"parsed": Boat()},
    "response_metadata": {"at": datetime(2024, 5, 1, tzinfo=UTC), "raw": b"\xff", "tags": {"a"}},
}
TURNS: dict[str, list[AnyMessage]] = {
    "photo": [
        HumanMessage([{"type": "text", "text": "Look."}, {"type": "image", "mime_type": "image/png", "base64": PHOTO}])
    ],
    "photo alone": [HumanMessage([{"type": "image", "mime_type": "image/png", "base64": "iVBORw0KGgo="}])],
    "parsed": [HumanMessage("Which boat?"), AIMessage("Kingfisher", **PARSED)],
    "empty result": called({"crate": 4}, ""),
    "no JSON": called({"kg": float("nan"), "id": 2**70, "half": "\ud83d"}, "12 kg \ud83d"),
    "no words": [HumanMessage(""), AIMessage("")],
    "names": [
        HumanMessage("Hello.", name="Åsa 🦤 " * 60),
        HumanMessage("Hi.", name="\0\n"),
        HumanMessage("Hi.", name=""),
    ],
    "ids": [HumanMessage("Hello.", id="x" * 900), HumanMessage("Hi.", id="a\nb"), HumanMessage("Hm.", id=" ")],
    "characters": [HumanMessage("My boat \ud83d is \0 called Kingfisher.")],
    "instructions": [SystemMessage("Be kind. " * 40_000), HumanMessage("Hello.")],
    "a function": [HumanMessage("Weigh it."), FunctionMessage(content="12 kg", name="weigh")],
    "twice": [HumanMessage("Yes."), AIMessage("And?"), HumanMessage("Yes."), AIMessage("And?")],
}


def shape(messages: list[AnyMessage]) -> list[tuple[str, Any]]:
    """Who says what, but for characters that nothing can store, and instructions."""
    kept = [message for message in messages if not isinstance(message, SystemMessage)]
    return [(m.type, m.content if isinstance(m.content, list) else m.content.replace("\ud83d", "?")) for m in kept]


@pytest.mark.parametrize("turn", TURNS)
async def test_nodes_of_a_graph(app: App, turn: str) -> None:
    """The next turn has all of it before the model, in its order."""
    shown: list[list[AnyMessage]] = []

    async def model(state: ConversationState) -> dict[str, Any]:
        shown.append(model_input(state))
        return {"messages": [AIMessage("I see.")]}

    graph = ConversationNodes(app).graph(model).compile()
    for messages in (TURNS[turn], [HumanMessage("And now?")]):
        await graph.ainvoke({"messages": messages}, CONFIG)
    assert shape([*TURNS[turn], AIMessage("I see."), HumanMessage("And now?")]) == shape(shown[-1])


@pytest.mark.parametrize("turn", TURNS)
async def test_the_middleware(app: App, turn: str) -> None:
    """Each message is stored once, though the whole history comes again."""
    lines = iter([AIMessage("I see."), AIMessage("Still.")])
    agent: Any = create_agent(GenericFakeChatModel(messages=lines), [], middleware=[PrecisSummarization(app)])
    state = await agent.ainvoke({"messages": TURNS[turn]}, CONFIG)
    await agent.ainvoke({"messages": [*state["messages"], HumanMessage("And now?")]}, CONFIG)
    stored = await app.conversations.context("t1", user_id="odile")
    assert len(shape(TURNS[turn])) + 3 == stored.total


PICTURE = {"type": "input_image", "image_url": "data:image/png;base64," + PHOTO, "detail": "auto"}
CALL = {"type": "function_call", "call_id": "c1", "name": "weigh", "arguments": "{}"}
ITEMS: dict[str, list[Any]] = {
    "photo": [{"role": "user", "content": [{"type": "input_text", "text": "Look."}, PICTURE]}],
    "photo alone": [{"role": "user", "content": [PICTURE]}],
    "empty result": [CALL, {"type": "function_call_output", "call_id": "c1", "output": ""}],
    "result in parts": [CALL, {"type": "function_call_output", "call_id": "c1",
                               "output": [{"type": "input_text", "text": "12 kg"}]}],
    "no words": [{"role": "assistant", "content": ""}, {"role": "assistant", "content": None}],
    "twice": [{"role": "user", "content": "Yes."}, {"role": "user", "content": "Yes."}],
    "refusal": [{"role": "assistant", "type": "message", "id": "m1", "status": "completed",
                 "content": [{"type": "refusal", "refusal": "No."}]}],
}  # fmt: skip


@pytest.mark.parametrize("items", ITEMS)
async def test_a_session_of_the_agents_sdk(app: App, items: str) -> None:
    """It answers what it was given."""
    session = PrecisSession(app, "t1", user_id="odile")
    await session.add_items(ITEMS[items])
    assert ITEMS[items] == await session.get_items()


async def test_what_json_cannot_say_in_a_session(app: App) -> None:
    """It is written as near to it as can be."""
    session = PrecisSession(app, "t1", user_id="odile")
    odd: Any = [CALL, {"type": "function_call_output", "call_id": "c1", "output": "12 \ud83d", "kg": float("nan"),
                       "id": 2**70, "at": datetime(2024, 5, 1, tzinfo=UTC), "who": Boat()}]  # fmt: skip
    await session.add_items(odd)
    plain = {
        "output": "12 ?",
        "kg": "nan",
        "id": str(2**70),
        "at": "2024-05-01T00:00:00Z",
        "who": {"name": "Kingfisher"},
    }
    assert [CALL, odd[1] | plain] == await session.get_items()


async def test_a_picture_alone_is_a_word(app: App) -> None:
    """Its base64 is no memory; the model is shown the picture while it is in the state."""
    picture: Any = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0KGgo" * 99}}
    model = Scripted(messages=iter([AIMessage("A red square.")]), shown=[])
    agent: Any = create_agent(model, [], middleware=[PrecisSummarization(app)])
    config: Any = {"configurable": {"thread_id": "picture", "user_id": "dora"}}
    await agent.ainvoke({"messages": [HumanMessage([picture])]}, config)
    assert [row.text for row in await app.conversations.messages("picture", user_id="dora")] == [
        "[image]",
        "A red square.",
    ]
    assert "iVBOR" in str(model.shown[-1])
