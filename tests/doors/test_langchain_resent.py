"""Whatever a client hands in again, and under whatever ids: what the model reads stays short, whole and in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from test_langchain_bounded import pairs_hold, weigh
from test_langchain_middleware import Scripted

from precis.agents.langchain import PrecisSummarization
from precis.app import App
from precis.ids import new_id
from precis.policies.conversations import Limits
from precis.sizes import Size

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: The trigger, the summary, and a question.
MOST = 6 + 2
Told = Sequence[AnyMessage]


def renamed(told: Told) -> list[AnyMessage]:
    """The same under no ids."""
    return [message.model_copy(update={"id": None}) for message in told]


def spoken(told: Told) -> list[AnyMessage]:
    """What people and assistant said."""
    return [message for message in told if message.text and not isinstance(message, ToolMessage)]


def edited(told: Told) -> list[AnyMessage]:
    """The first question in other words, under its id."""
    first = next((place for place, message in enumerate(told) if isinstance(message, HumanMessage)), None)
    return [message.model_copy(update={"content": f"{message.text} Please."}) if place == first else message
            for place, message in enumerate(told)]  # fmt: skip


HANDED_IN: dict[str, Callable[[Told, Told], Sequence[AnyMessage]]] = {
    "nothing": lambda told, state: [],
    "everything": lambda told, state: told,
    "everything under other ids": lambda told, state: renamed(told),
    "what was said": lambda told, state: renamed(spoken(told)),
    "the end": lambda told, state: told[-3:],
    "the end under other ids": lambda told, state: renamed(spoken(told)[-3:]),
    "the state": lambda told, state: state,
    "everything twice": lambda told, state: [*told, *renamed(told)],
    "an edited message": lambda told, state: edited(told),
    "an edited message under other ids": lambda told, state: renamed(edited(told)),
}
TURNS = st.lists(st.tuples(st.sampled_from(sorted(HANDED_IN)), st.sampled_from([0, 0, 1, 2]), st.booleans()),
                 min_size=4, max_size=7)  # fmt: skip


def script(turns: Sequence[tuple[str, int, bool]]) -> list[AIMessage]:
    """For each turn a call of so many parcels at once, if any, and an answer."""
    lines = []
    for turn, (_, parcels, _) in enumerate(turns):
        calls = [{"name": "weigh", "args": {"parcel": turn * 10 + n}, "id": f"c{turn}-{n}"} for n in range(parcels)]
        lines += [AIMessage("", tool_calls=calls)] if calls else []
        lines.append(AIMessage(f"Answer {turn} is {turn * 11}."))
    return lines


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=TURNS, saved=st.booleans())
async def test_what_is_read_stays_short(
    quoted: App, limits: Limits, turns: list[tuple[str, int, bool]], saved: bool
) -> None:
    """With a checkpointer or without, at each call of the model; a question may be that of before, word for word."""
    model = Scripted(messages=iter(script(turns)))
    agent: Any = create_agent(
        model, [weigh], middleware=[PrecisSummarization(quoted, limits=limits)],
        checkpointer=InMemorySaver() if saved else None,
    )  # fmt: skip
    config: Any = {"configurable": {"thread_id": new_id(), "user_id": "sade"}}
    told: list[AnyMessage] = []
    state: list[AnyMessage] = []
    for turn, (how, _, again) in enumerate(turns):
        question = HumanMessage("And the next parcel?" if again else f"How heavy is parcel {turn}?", id=new_id())
        before = len(model.shown)
        handed_in = [*HANDED_IN[how](told, state), question]
        state = (await agent.ainvoke({"messages": handed_in}, config))["messages"]
        for read in model.shown[before:]:
            assert len(read) <= MOST
            assert pairs_hold(read)
        assert question.text == model.shown[before][-1].text
        at = next((place for place, message in enumerate(state) if message.id == question.id), len(state) - 2)
        told += [question, *state[at + 1 :]]


async def test_an_edited_message_takes_the_place_of_the_stored_one(quoted: App, limits: Limits) -> None:
    """Under its id: the old words are forgotten, in the context, in the summary and where the message is kept."""
    model = Scripted(messages=iter([AIMessage(f"Answer {turn} is {turn * 11}.") for turn in range(8)]))
    agent: Any = create_agent(model, [], middleware=[PrecisSummarization(quoted, limits=limits)])
    config: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}
    told: list[AnyMessage] = []
    for turn in range(5):
        told.append(HumanMessage(f"Box {turn} is painted crimson{turn}.", id=f"q{turn}"))
        told.append((await agent.ainvoke({"messages": told}, config))["messages"][-1])
    assert "crimson0" in (await quoted.conversations.context("t1", limits=limits)).summary
    for turn in (0, 4):
        told[2 * turn] = HumanMessage(f"Box {turn} is painted green{turn}.", id=f"q{turn}")
    await agent.ainvoke({"messages": [*told, HumanMessage("Which color has each box?", id="q5")]}, config)
    read = " ".join(message.text for message in model.shown[-1])
    context = await quoted.conversations.context("t1", limits=limits)
    stored = await quoted.conversations.messages("t1", limit=50)
    kept = " ".join([read, context.summary, *(f"{message.text} {message.payload}" for message in stored)])
    assert [("crimson0" in kept, "green0" in kept), ("crimson4" in kept, "green4" in kept)] == [(False, True)] * 2
    assert 12 == len(stored)
    assert ["green4" in message.text for message in model.shown[-1]].count(True) == 1


async def test_an_edit_of_a_message_takes_what_its_library_keeps_of_it(quoted: App, limits: Limits) -> None:
    """Over the memory, as any door does: the next turn reads the new words."""
    model = Scripted(messages=iter([AIMessage("Noted."), AIMessage("Noted again.")]))
    agent: Any = create_agent(model, [], middleware=[PrecisSummarization(quoted, limits=limits)])
    config: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}
    await agent.ainvoke({"messages": [HumanMessage("The box is crimson.", id="q")]}, config)
    (first, *_) = await quoted.conversations.messages("t1")
    await quoted.memories.edit(first.id, {"text": "The box is green."})
    await agent.ainvoke({"messages": [HumanMessage("Which color?")]}, config)
    assert "The box is green." == model.shown[-1][0].text
    (first, *_) = await quoted.conversations.messages("t1")
    assert "crimson" not in str(first)


async def test_what_the_window_shortened_is_not_taken_for_an_edit(quoted: App) -> None:
    """A message longer than the window is told cut; the state with the cut one comes again, and nothing is lost."""
    limits = Limits(triggers=(Size.parse("6 messages"),), keep=Size.parse("2 messages"), window=60)
    model = Scripted(messages=iter([AIMessage(f"Answer {turn}.") for turn in range(4)]))
    agent: Any = create_agent(model, [], middleware=[PrecisSummarization(quoted, limits=limits)])
    config: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}
    long = " ".join(f"crate{number}" for number in range(200))
    state = (await agent.ainvoke({"messages": [HumanMessage(long, id="long")]}, config))["messages"]
    for turn in range(3):
        question = HumanMessage(f"Question {turn}.", id=f"q{turn}")
        state = (await agent.ainvoke({"messages": [*state[turn % 2 :], question]}, config))["messages"]
    first = (await quoted.conversations.messages("t1", limit=50))[0]
    assert (first.given, first.text) == ("long", long)
