"""A LangChain middleware in the place of its SummarizationMiddleware.

    agent = create_agent(model, tools, middleware=[PrecisSummarization(app)], checkpointer=...)
    await agent.ainvoke({"messages": [...]}, {"configurable": {"thread_id": "t1", "user_id": "ana"}})

A message leaves the agent's state once it is stored together with the summary that covers it, in one transaction; or
once it is stored, if it does not fit the model's window. The whole history may be handed in again at each call, under
whatever ids: stored messages are recognized, and what the model reads stays as short. A message that comes with another
text under the id it has takes the place of the one that is stored, whose text is forgotten. A message that a person
forgot leaves the state, whatever checkpoint it is in. ``remembering`` says what
becomes of the messages in recall and as facts. What precis's own memory tools are asked and answer is no message of the
conversation, since it is in the store already: it stays in the state while the turn lasts.
"""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from precis.agents.langchain_messages import (
    address_of,
    history_of,
    inputs_of,
    is_ours,
    is_summary,
    says_the_same,
    summary_message,
    without_own_calls,
)
from precis.agents.loop import AppLoop
from precis.app import App
from precis.app.conversing.growing import correct
from precis.app.conversing.matching import Sending
from precis.app.messages import Context
from precis.conversation import AS_SET, Address, Remembering, memory_id
from precis.errors import Forgotten
from precis.policies.conversations import Limits

State = AgentState[Any]
#: Of a turn in which precis's own tools are called again and again, so many of those messages stay, or the last call's.
_LOOKUPS = 20


class PrecisSummarization(AgentMiddleware[State, Any, Any]):
    """Before each call of the model: write what is new, and leave in the state what the summary does not speak for."""

    def __init__(self, app: App, *, limits: Limits | None = None, remembering: Remembering = AS_SET) -> None:
        super().__init__()
        self._remembering = remembering
        self._app, self._loop = app, AppLoop(app.parts.background.loop)
        self._conversations = app.conversations
        self._limits = limits or app.conversations.limits()

    async def abefore_model(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The check, and what follows from it."""
        del runtime
        return await self._loop.run(self._bounded(state["messages"], address_of(get_config())))

    def before_model(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The same under ``invoke``, from another thread than the app's."""
        del runtime
        return self._loop.wait(self._bounded(state["messages"], address_of(get_config())))

    async def aafter_agent(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Write what the agent said last."""
        del runtime
        await self._loop.run(self._turn(state["messages"], address_of(get_config())))
        return None

    def after_agent(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The same under ``invoke``."""
        del runtime
        self._loop.wait(self._turn(state["messages"], address_of(get_config())))
        return None

    async def _bounded(self, messages: Sequence[AnyMessage], address: Address) -> dict[str, Any] | None:
        await self._turn(messages, address)
        read = _read(messages, await self._conversations.context(address, limits=self._limits))
        if [message.id for message in read] == [message.id for message in messages]:
            return None
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *read]}

    async def _turn(self, messages: Sequence[AnyMessage], address: Address) -> None:
        inputs = inputs_of(messages)
        while True:
            try:
                turned = await self._conversations.turn(
                    address, inputs, limits=self._limits, sending=Sending.TRANSCRIPT, remembering=self._remembering
                )
                break
            except Forgotten as error:
                # A checkpoint may hold what a person forgot since: it is not written again, and leaves the state.
                living = [row for row in inputs if memory_id(address.conversation_id, row.id or "") not in error.ids]
                if len(living) == len(inputs):
                    raise
                inputs = living
        await correct(self._app.parts, self._app.memories, turned, inputs)


def _read(messages: Sequence[AnyMessage], context: Context) -> list[AnyMessage]:
    """Instructions, the summary and the messages of the context; as the agent has them, where it does."""
    without = without_own_calls(messages)
    own = {message.id: message for message in without if message is not None and not is_ours(message)}
    ours = [message for message in messages if is_summary(message)]
    summary = summary_message(context)
    if summary and ours and ours[-1].text == summary[0].text:
        summary = ours[-1:]
    history = [message if (kept := own.get(message.id)) is None or not says_the_same(kept, message) else kept
               for message in history_of(context)]  # fmt: skip
    instructions = (message for message in messages if isinstance(message, SystemMessage))
    return [*instructions, *summary, *_with_lookups(history, messages, without)]


def _with_lookups(
    history: Sequence[AnyMessage], messages: Sequence[AnyMessage], without: Sequence[AnyMessage | None]
) -> list[AnyMessage]:
    """The history, and where they stood the calls of precis's own tools since a person spoke last, with the results."""
    spoken = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage) and not is_ours(message)]
    start = spoken[-1] + 1 if spoken else 0
    turn = list(zip(messages[start:], without[start:], strict=True))
    kept = {message.id: message for message in history}
    lookups = sum(stored is None for _, stored in turn)
    ids = {message.id for message, _ in turn}
    woven = [message for message in history if message.id not in ids]
    #: Calls of precis's own tools that stay: alone in their message, or beside words and other calls.
    staying: set[str | None] = set()
    for message, stored in turn:
        lookups -= stored is None
        if stored is message:
            woven += [kept[message.id]] if message.id in kept else []
        elif isinstance(message, AIMessage) and (message.id in kept if stored else lookups <= _LOOKUPS):
            staying |= {call["id"] for call in message.tool_calls}
            woven.append(message)
        elif isinstance(message, ToolMessage) and message.tool_call_id in staying:
            woven.append(message)
    return woven
