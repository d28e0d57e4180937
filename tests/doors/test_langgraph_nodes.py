"""The five nodes in a real compiled graph with a checkpointer and a scripted model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from precis.agents.langgraph import ConversationNodes, ConversationState, model_input
from precis.app import App
from precis.errors import InvalidInput, ModelUnavailable
from precis.policies.conversations import Limits
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
CONFIG: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}
Graph = CompiledStateGraph[Any, Any, Any, Any]


class Script:
    """A model that answers each turn with the next line, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []
        self.error: Exception | None = None

    async def __call__(self, state: ConversationState) -> dict[str, Any]:
        """The next answer."""
        self.seen.append([str(one.text) for one in model_input(state)])
        if self.error is not None:
            raise self.error
        return {"messages": [AIMessage(f"Answer {len(self.seen)} is {len(self.seen) * 11}.")]}


@pytest.fixture
def script() -> Script:
    """The model of a test."""
    return Script()


@pytest.fixture
def saver() -> InMemorySaver:
    """Where checkpoints go."""
    return InMemorySaver()


@pytest.fixture
def build(quoted: App, limits: Limits, script: Script, saver: InMemorySaver) -> Callable[[], Graph]:
    """Compile the graph."""
    return lambda: ConversationNodes(quoted, limits=limits).graph(script).compile(checkpointer=saver)


async def ask(graph: Graph, number: int) -> dict[str, Any]:
    """One turn."""
    said = HumanMessage(f"Question {number} about box {number}.")
    answered: dict[str, Any] = await graph.ainvoke({"messages": [said]}, CONFIG)
    return answered


async def test_the_states_fields_are_those_of_the_document(build: Callable[[], Graph]) -> None:
    """Before the trigger: history, no summary, both flags down."""
    graph = build()
    state = await ask(graph, 1)
    assert (state["needs_summarization"], state["summarization_occurred"]) == (False, False)
    assert (state["conversation_summary"], state["chat_title"], state["messages_history"]) == ("", None, [])
    state = await ask(graph, 2)
    assert ["Question 1 about box 1.", "Answer 1 is 11."] == [one.text for one in state["messages_history"]]
    assert ["Question 2 about box 2.", "Answer 2 is 22."] == [one.text for one in state["messages"]]


async def test_over_the_trigger_the_turn_writes_the_summary(
    build: Callable[[], Graph], quoted: App, script: Script
) -> None:
    """The seventh message: both flags up, the model reads the summary and the rest, and all is written at the end."""
    graph = build()
    for number in range(1, 4):
        await ask(graph, number)
    assert (await quoted.conversations.context("t1")).summary_id is None
    state = await ask(graph, 4)
    assert (state["needs_summarization"], state["summarization_occurred"]) == (True, True)
    assert "Question 1 about box 1." in state["conversation_summary"]
    assert state["chat_title"]
    shown = script.seen[-1]
    assert "Question 1 about box 1." in shown[0]
    assert shown[1:] == ["Question 3 about box 3.", "Answer 3 is 33.", "Question 4 about box 4."]
    context = await quoted.conversations.context("t1")
    assert (context.covered, context.title, context.degraded) == (4, state["chat_title"], False)
    assert "Answer 4 is 44." in [one.text for one in context.messages]
    state = await ask(graph, 5)
    assert (state["needs_summarization"], state["summarization_occurred"]) == (False, False)


async def test_a_checkpoint_holds_no_text_of_earlier_turns(build: Callable[[], Graph], saver: InMemorySaver) -> None:
    """Neither history nor summary: ids and versions, and what this turn says."""
    graph = build()
    for number in range(1, 6):
        await ask(graph, number)
    latest = await saver.aget_tuple(CONFIG)
    assert latest is not None
    kept = repr(latest.checkpoint["channel_values"]) + repr(latest.pending_writes)
    assert "Question 5" in kept
    assert "summary_id" in kept
    for number in range(1, 5):
        assert f"Question {number}" not in kept
        assert f"Answer {number} " not in kept


async def test_a_turn_that_fails_leaves_nothing_half_written(
    build: Callable[[], Graph], quoted: App, script: Script
) -> None:
    """The model breaks after the summary was made: neither summary nor message is there, and the retry writes both."""
    graph = build()
    for number in range(1, 4):
        await ask(graph, number)
    before = await quoted.conversations.context("t1")
    script.error = ConnectionError("gone")
    with pytest.raises(ConnectionError):
        await ask(graph, 4)
    assert before == await quoted.conversations.context("t1")
    script.error = None
    await graph.ainvoke(None, CONFIG)
    context = await quoted.conversations.context("t1")
    assert "Question 4 about box 4." in [one.text for one in context.messages]
    # The summary was not in the checkpoint: it is still to be made, and nothing left the context for it.
    assert context.total == 8


async def test_without_a_summary_the_turn_goes_on(
    build: Callable[[], Graph], quoted: App, quoting: Quoting, script: Script
) -> None:
    """The model of the summaries is down: everything is still in front of the model, and the state says so."""
    graph = build()
    for number in range(1, 4):
        await ask(graph, number)
    # Something stands, so that the offline summarizer does not stand in.
    await ask(graph, 4)
    quoting.error = ModelUnavailable("down")
    for number in range(5, 8):
        state = await ask(graph, number)
    assert state["summarization_occurred"] is False
    assert state["conversation"]["degraded"]
    assert "Question 5 about box 5." in script.seen[-1]


async def test_a_call_and_its_result_stay_together(quoted: App, limits: Limits) -> None:
    """A turn of five messages with two calls at once leaves the context as a whole."""
    graph = ConversationNodes(quoted, limits=limits).graph(tools).compile(checkpointer=InMemorySaver())
    for number in range(1, 4):
        await graph.ainvoke({"messages": [HumanMessage(f"What about {number}?")]}, CONFIG)
        context = await quoted.conversations.context("t1")
        opened = {id_ for one in context.messages for id_ in one.opens}
        closed = {id_ for one in context.messages for id_ in one.closes}
        assert opened == closed


async def tools(state: ConversationState) -> dict[str, Any]:
    """A model that calls two tools and answers with what they say."""
    turn = str(state["messages"][-1].id)
    calls: list[dict[str, Any]] = [{"name": "look", "args": {"at": at}, "id": f"{turn}-{at}"} for at in ("a", "b")]
    results = [ToolMessage(f"{call['args']['at']} is 7", tool_call_id=call["id"]) for call in calls]
    return {"messages": [AIMessage("", tool_calls=calls), *results, AIMessage("Both are 7.")]}


async def test_a_thread_is_needed(quoted: App, limits: Limits, script: Script) -> None:
    """Without a name there is no conversation."""
    graph = ConversationNodes(quoted, limits=limits).graph(script).compile()
    with pytest.raises(InvalidInput, match="thread_id"):
        await graph.ainvoke({"messages": [HumanMessage("Hello")]}, {"configurable": {"user_id": "ana"}})


async def test_what_the_state_drops_is_only_what_is_written(build: Callable[[], Graph]) -> None:
    """Each turn begins with the messages of the one before taken out of the state."""
    graph = build()
    await ask(graph, 1)
    state = await ask(graph, 2)
    assert not [one for one in state["messages"] if isinstance(one, RemoveMessage)]
    assert len(state["messages"]) == 2
