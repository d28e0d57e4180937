"""A LangChain middleware in the place of its SummarizationMiddleware.

    agent = create_agent(model, tools, middleware=[PrecisSummarization(app)], checkpointer=...)
    await agent.ainvoke({"messages": [...]}, {"configurable": {"thread_id": "t1", "user_id": "ana"}})

No message leaves the agent's state before it and the summary that read it are written, in one transaction. A summary
that cannot be made leaves the state as it is.
"""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain_core.messages import AnyMessage, RemoveMessage
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from precis.app import App
from precis.doors.langchain_messages import address_of, history_of, inputs_of, is_ours, summary_message
from precis.engine.sizes import Limits

State = AgentState[Any]


class PrecisSummarization(AgentMiddleware[State, Any, Any]):
    """Before each call of the model: write what is new, and take what the summary now speaks for out of the state."""

    def __init__(self, app: App, *, limits: Limits | None = None) -> None:
        super().__init__()
        self._conversations = app.conversations
        self._limits = limits or app.conversations.limits()

    async def abefore_model(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The check, and what follows from it."""
        del runtime
        messages = state["messages"]
        address = address_of(get_config())
        turned = await self._conversations.turn(address, inputs_of(messages), limits=self._limits)
        if not turned.summarized:
            return None
        context = await self._conversations.context(address, limits=self._limits)
        kept = {one.given for one in context.messages}
        ours = [*summary_message(context), *_left(messages, kept, history_of(context))]
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *ours]}

    async def aafter_agent(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Write what the agent said last."""
        del runtime
        address = address_of(get_config())
        await self._conversations.turn(address, inputs_of(state["messages"]), limits=self._limits)
        return None


def _left(messages: list[AnyMessage], kept: set[str], history: list[AnyMessage]) -> list[AnyMessage]:
    """The messages that stay, as the agent has them; and those of the context that it never had."""
    there = {one.id for one in messages}
    own = [one for one in messages if not is_ours(one) and (one.id in kept or one.type == "system")]
    return [*(one for one in history if one.id not in there), *own]
