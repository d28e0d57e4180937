"""The middleware in a real agent, in the place of LangChain's own, with a scripted model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from precis.agents.langchain import PrecisSummarization
from precis.agents.langchain_messages import is_ours
from precis.app import App
from precis.errors import ModelUnavailable
from precis.policies.conversations import Limits
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
CONFIG: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}


class Scripted(GenericFakeChatModel):
    """A chat model with a script, which remembers what it was shown and takes tools."""

    shown: list[list[BaseMessage]] = []  # noqa: RUF012 - pydantic copies it

    def bind_tools(self, tools: Sequence[Any], **how: Any) -> Runnable[Any, Any]:
        """It needs no schema: the script calls them."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **how: Any) -> Any:
        self.shown.append(messages)
        return super()._generate(messages, *args, **how)


@tool
def look(box: int) -> str:
    """Look into a box."""
    return f"Box {box} holds {box * 7} apples."


def calls(turn: int) -> AIMessage:
    """Two calls at once."""
    return AIMessage("", tool_calls=[{"name": "look", "args": {"box": b}, "id": f"c{turn}-{b}"} for b in (1, 2)])


@pytest.fixture
def agent_of(quoted: App, limits: Limits) -> Callable[[Scripted], Any]:
    """Build the agent."""

    def build(model: Scripted) -> Any:
        return create_agent(
            model, [look], middleware=[PrecisSummarization(quoted, limits=limits)], checkpointer=InMemorySaver()
        )

    return build


async def test_the_state_shrinks_and_nothing_is_lost(agent_of: Callable[[Scripted], Any], quoted: App) -> None:
    """Over the trigger the agent's messages are the summary and the last ones; the others are read in the summary."""
    model = Scripted(messages=iter([AIMessage(f"Answer {n} is {n * 11}.") for n in range(1, 9)]))
    agent = agent_of(model)
    for number in range(1, 6):
        state = await agent.ainvoke({"messages": [HumanMessage(f"Question {number} about box {number}.")]}, CONFIG)
    messages: list[AnyMessage] = state["messages"]
    assert is_ours(messages[0])
    assert "Question 1 about box 1." in messages[0].text
    assert len(messages) < 10
    everything = " ".join(str(one.text) for one in messages)
    assert all(f"Question {number} about box {number}." in everything for number in range(1, 6))
    context = await quoted.conversations.context("t1")
    assert context.total == 10
    assert context.title


async def test_the_summary_is_never_a_message_of_the_conversation(
    agent_of: Callable[[Scripted], Any], quoted: App
) -> None:
    """What precis put in front is not summarized again."""
    model = Scripted(messages=iter([AIMessage(f"Answer {n} is {n * 11}.") for n in range(1, 13)]))
    agent = agent_of(model)
    for number in range(1, 12):
        await agent.ainvoke({"messages": [HumanMessage(f"Question {number} about box {number}.")]}, CONFIG)
    written = await quoted.conversations.messages("t1", limit=100)
    assert len(written) == 22
    assert not any("Summary of the conversation" in one.text for one in written)


async def test_parallel_calls_keep_their_results(agent_of: Callable[[Scripted], Any]) -> None:
    """Wherever the summary cuts, each model call sees a call with all its results or none of it."""
    script = [one for turn in range(1, 5) for one in (calls(turn), AIMessage(f"Seen {turn}."))]
    model = Scripted(messages=iter(script))
    agent = agent_of(model)
    for turn in range(1, 5):
        await agent.ainvoke({"messages": [HumanMessage(f"Look, number {turn}.")]}, CONFIG)
    assert len(model.shown) == 8
    for shown in model.shown:
        asked = {c["id"] for one in shown if isinstance(one, AIMessage) for c in one.tool_calls}
        assert asked == {one.tool_call_id for one in shown if isinstance(one, ToolMessage)}


async def test_without_a_summary_nothing_leaves_the_state(
    agent_of: Callable[[Scripted], Any], quoted: App, quoting: Quoting, limits: Limits
) -> None:
    """The model of the summaries is down and something stands: the agent keeps every message it has."""
    model = Scripted(messages=iter([AIMessage(f"Answer {n} is {n * 11}.") for n in range(1, 20)]))
    agent = agent_of(model)
    for number in range(1, 5):
        await agent.ainvoke({"messages": [HumanMessage(f"Question {number} about box {number}.")]}, CONFIG)
    quoting.error = ModelUnavailable("down")
    for number in range(5, 11):
        state = await agent.ainvoke({"messages": [HumanMessage(f"Question {number} about box {number}.")]}, CONFIG)
    texts = [str(one.text) for one in state["messages"]]
    assert all(f"Question {number} about box {number}." in texts for number in range(5, 11))
    assert (await quoted.conversations.context("t1", limits=limits)).degraded


async def test_small_talk_leaves_the_state_behind_one_line(app: App, limits: Limits) -> None:
    """The line counts it, rests on each of its messages, and what is told later has a summary as ever."""
    model = Scripted(messages=iter([AIMessage("Thank you!")] * 20))
    agent = create_agent(model, [], middleware=[PrecisSummarization(app, limits=limits)], checkpointer=InMemorySaver())
    longest = 0
    for _ in range(10):
        state = await agent.ainvoke({"messages": [HumanMessage("That is great, thanks!")]}, CONFIG)
        longest = max(longest, len(state["messages"]))
    assert longest <= 10
    summary = (await app.conversations.context("t1", limits=limits)).summary
    assert summary is not None
    (row,) = (await app.summaries.list(policy="conversations")).rows
    (line,) = row.statements
    assert re.fullmatch(rf"Small talk, {len(line.source_ids)} messages, \d+ \w+ \d{{4}}\.", line.text)
    for place in ("Turin", "Ghent", "Cork", "Lyon"):
        await agent.ainvoke({"messages": [HumanMessage(f"My sister Ines moved to {place} with 3 dogs.")]}, CONFIG)
    assert "Turin" in str((await app.conversations.context("t1", limits=limits)).summary)
    await app.memories.forget([line.source_ids[0]])
    assert line.text not in str((await app.conversations.context("t1", limits=limits)).summary)


async def test_its_own_prompt_is_not_summarized(quoted: App, limits: Limits) -> None:
    """Instructions to the model are no part of the conversation."""
    model = Scripted(messages=iter([AIMessage("Hello.")]))
    agent = create_agent(model, [], system_prompt="Be brief.", middleware=[PrecisSummarization(quoted, limits=limits)])
    await agent.ainvoke({"messages": [HumanMessage("Hi, I am Ana.")]}, CONFIG)
    assert ["user", "assistant"] == [one.role for one in await quoted.conversations.messages("t1")]
