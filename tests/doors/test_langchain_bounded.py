"""A hundred turns with tools in a real agent: what its model reads at each call, however the history is handed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from test_langchain_middleware import Scripted

from precis.agents.langchain import PrecisSummarization
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
CONFIG: Any = {"configurable": {"thread_id": "depot", "user_id": "sade"}}


@tool
def weigh(parcel: int) -> str:
    """Weigh a parcel."""
    return f"Parcel {parcel} weighs {parcel * 3 + 1} kilograms and leaves from gate {parcel % 9}."


def script(turns: int) -> list[AIMessage]:
    """A call, and what comes of it; at every fifth turn two calls at once."""
    said = []
    for turn in range(turns):
        parcels = (turn, turn + 1000) if turn % 5 == 0 else (turn,)
        calls = [{"name": "weigh", "args": {"parcel": one}, "id": f"c{turn}-{one}"} for one in parcels]
        said += [AIMessage("", tool_calls=calls), AIMessage(f"Parcel {turn} weighs {turn * 3 + 1} kilograms.")]
    return said


def pairs_hold(read: list[BaseMessage]) -> bool:
    """Every call is followed by its results, at once, and no result stands alone."""
    open_: set[str | None] = set()
    for one in read:
        if isinstance(one, ToolMessage):
            if one.tool_call_id not in open_:
                return False
            open_.discard(one.tool_call_id)
        elif open_:
            return False
        if isinstance(one, AIMessage):
            open_ = {call["id"] for call in one.tool_calls}
    return not open_


def new_only(history: list[AnyMessage], question: str, answer: str) -> list[Any]:
    """A checkpointer keeps the rest."""
    del history, answer
    return [HumanMessage(question)]


def all_of_it(history: list[AnyMessage], question: str, answer: str) -> list[Any]:
    """What people and assistant said, under ids made anew each time; what the tools said is left out."""
    if answer:
        history.append(AIMessage(answer))
    history.append(HumanMessage(question))
    return [(one.type, one.text) for one in history]


@pytest.mark.parametrize(
    ("handed_in", "saved", "turns"),
    [(new_only, True, 100), (all_of_it, False, 100), (all_of_it, True, 30)],
    ids=["the new message", "all of it", "all of it again, with a checkpointer"],
)
async def test_a_hundred_turns_with_tools(
    app: App, handed_in: Callable[[list[AnyMessage], str, str], list[Any]], saved: bool, turns: int
) -> None:
    """Never more messages than the trigger and one turn, nor tokens; each is stored once, and none is degraded."""
    model = Scripted(messages=iter(script(turns)))
    agent = create_agent(
        model, [weigh], middleware=[PrecisSummarization(app)], checkpointer=InMemorySaver() if saved else None
    )
    history: list[AnyMessage] = []
    answer = ""
    for turn in range(turns):
        messages = handed_in(history, f"How heavy is parcel {turn}?", answer)
        state = await agent.ainvoke({"messages": messages}, CONFIG)
        answer = state["messages"][-1].text
    count = app.parts.engine.count
    assert 2 * turns == len(model.shown)
    assert max(len(read) for read in model.shown) <= 22
    assert max(sum(count(str(one.text)) for one in read) for read in model.shown) <= 4000
    assert all(pairs_hold(read) for read in model.shown)
    assert all(read[-1].text.startswith(("How heavy", "Parcel")) for read in model.shown)
    context = await app.conversations.context("depot", user_id="sade")
    results = turns + turns // 5
    assert (3 * turns + results, False, 0) == (context.total, context.degraded, context.messages_left)
    assert context.covered > 0.8 * context.total


async def test_a_long_turn_is_bounded_too(app: App) -> None:
    """One question and sixty calls: what came first is in the summary, and no pair is torn."""
    calls = [AIMessage("", tool_calls=[{"name": "weigh", "args": {"parcel": n}, "id": f"c{n}"}]) for n in range(60)]
    model = Scripted(messages=iter([*calls, AIMessage("All sixty are weighed.")]))
    agent = create_agent(model, [weigh], middleware=[PrecisSummarization(app)], checkpointer=InMemorySaver())
    await agent.ainvoke({"messages": [HumanMessage("Weigh every parcel.")]}, CONFIG | {"recursion_limit": 400})
    assert 61 == len(model.shown)
    assert max(len(read) for read in model.shown) <= 22
    assert all(pairs_hold(read) for read in model.shown)


async def test_a_number_that_json_does_not_know_is_kept_as_text(app: App) -> None:
    """A model may call a tool with any number; the conversation goes on."""
    args = {"parcel": 2**70, "limit": float("inf")}
    model = Scripted(
        messages=iter([AIMessage("", tool_calls=[{"name": "weigh", "args": args, "id": "c"}]), AIMessage("Done.")])
    )
    agent = create_agent(model, [weigh], middleware=[PrecisSummarization(app)])
    state = await agent.ainvoke({"messages": [HumanMessage("Weigh the heaviest one.")]}, CONFIG)
    assert "Done." == state["messages"][-1].text
    stored = await app.conversations.messages("depot", user_id="sade")
    assert ["user", "assistant", "tool", "assistant"] == [one.role for one in stored]
    assert str(2**70) in stored[1].text


@tool(response_format="content_and_artifact")
def photograph(parcel: int) -> tuple[str, object]:
    """Take a picture of a parcel."""
    return f"Parcel {parcel} is photographed.", object()


async def test_what_a_tool_keeps_for_the_program_need_not_be_json(app: App) -> None:
    """The answer is stored, and the state goes on holding the object."""
    asked = AIMessage("", tool_calls=[{"name": "photograph", "args": {"parcel": 7}, "id": "c"}])
    agent: Any = create_agent(
        Scripted(messages=iter([asked, AIMessage("Done.")])), [photograph], middleware=[PrecisSummarization(app)]
    )
    state = await agent.ainvoke({"messages": [HumanMessage("Take a picture.")]}, CONFIG)
    assert type(next(message.artifact for message in state["messages"] if isinstance(message, ToolMessage))) is object
    stored = await app.conversations.messages("depot", user_id="sade")
    assert "Parcel 7 is photographed." == stored[2].text
