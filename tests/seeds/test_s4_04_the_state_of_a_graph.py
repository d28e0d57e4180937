"""S4.4: the document's state and its five steps, as nodes of a LangGraph graph. More in tests/doors."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from talks import said, short

from precis.agents.langgraph import ConversationNodes, ConversationState, model_input
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
STEPS = {"session_init", "summarization_check", "summarization", "context_loader", "message_persist"}
FIELDS = {"messages_history", "conversation_summary", "needs_summarization", "summarization_occurred", "chat_title"}


async def answer(state: ConversationState) -> dict[str, Any]:
    """A model that says how much it was shown."""
    return {"messages": [AIMessage(f"That is noted as number {len(model_input(state))}.")]}


async def test_names_of_steps_and_state(app: App) -> None:
    """As the document has them."""
    graph = ConversationNodes(app).graph(answer).compile()
    assert STEPS <= set(graph.get_graph().nodes)
    assert set(get_type_hints(ConversationState)) >= FIELDS


async def test_a_conversation_through_the_graph(app: App) -> None:
    """Flags go up in the turn that summarizes and down in the next; summary and title persist, the flags do not."""
    graph = ConversationNodes(app, limits=short()).graph(answer).compile()
    config: Any = {"configurable": {"thread_id": "talk", "user_id": "ana"}}
    flags = []
    for number in range(1, 10, 2):
        message = HumanMessage(said(number)["content"])
        state = await graph.ainvoke({"messages": [message]}, config)
        flags.append((state["needs_summarization"], state["summarization_occurred"]))
    assert flags == [(False, False)] * 3 + [(True, True), (False, False)]
    loaded = await app.conversations.load("talk")
    assert loaded.spoken is not None
    assert state["chat_title"] == loaded.title
    assert state["conversation_summary"]
