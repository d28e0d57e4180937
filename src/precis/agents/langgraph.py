"""The steps of a conversation as LangGraph nodes, under the document's names.

    nodes = ConversationNodes(app)
    graph = nodes.graph(call_model).compile(checkpointer=...)
    await graph.ainvoke({"messages": [...]}, {"configurable": {"thread_id": "t1", "user_id": "ana"}})

What the summary says and what earlier messages say is in the state while the graph runs and in no checkpoint of it:
checkpoints hold ids and versions, so that forgetting a message does not leave its text in them.
"""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import AnyMessage, RemoveMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langgraph.channels import UntrackedValue
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

from precis.agents import langchain_messages, loop, person
from precis.app import App
from precis.app.messages import CheckedTurn, Context
from precis.conversation import Address
from precis.errors import NotFound
from precis.policies.conversations import Limits
from precis.store.conversation_rows import Computed
from precis.summary import assemble, served_of


class Reference(TypedDict, total=False):
    """Which conversation, at which version: what a checkpoint keeps of it."""

    conversation_id: str
    session_id: str
    version: int
    summary_id: str | None
    #: Ids of the messages that are written already.
    written: list[str]
    #: A summary was needed and could not be made in time.
    degraded: bool


class ConversationState(TypedDict, total=False):
    """The state of a graph with these nodes; add fields by inheriting."""

    #: What this turn says; the turns before are in ``messages_history``.
    messages: Annotated[list[AnyMessage], add_messages]
    messages_history: Annotated[list[AnyMessage], UntrackedValue]
    conversation_summary: Annotated[str, UntrackedValue]
    chat_title: Annotated[str | None, UntrackedValue]
    #: Of this turn only.
    needs_summarization: bool
    summarization_occurred: bool
    conversation: Reference
    #: Between the steps; nobody else's business.
    checked: Annotated[Any, UntrackedValue]
    computed: Annotated[Any, UntrackedValue]


class ConversationNodes:
    """The five nodes over one app; ``thread_id`` names the conversation, ``user_id`` whose it is."""

    def __init__(self, app: App, *, limits: Limits | None = None) -> None:
        self._loop = loop.AppLoop(app.parts.background.loop)
        self._conversations = app.conversations
        self._limits = limits or app.conversations.limits()

    def graph(self, model: Any, state: type[Any] = ConversationState) -> StateGraph[Any]:
        """The whole turn around one model node; add nodes and edges of your own before compiling it.

        ``model`` is any node: it gets the state and answers ``{"messages": [...]}``.
        """
        graph = StateGraph(state)
        for name, step in self.steps().items():
            graph.add_node(name, step)
        graph.add_node("model", model)
        graph.add_edge(START, "session_init")
        graph.add_edge("session_init", "summarization_check")
        graph.add_conditional_edges("summarization_check", self.route, ["summarization", "context_loader"])
        graph.add_edge("summarization", "context_loader")
        graph.add_edge("context_loader", "model")
        graph.add_edge("model", "message_persist")
        graph.add_edge("message_persist", END)
        return graph

    def steps(self) -> dict[str, Runnable[Any, Any]]:
        """The five by name, for ``add_node``: each runs under ``invoke`` in another thread, too."""
        names = ("session_init", "summarization_check", "summarization", "context_loader", "message_persist")
        return {name: self._in_both_ways(name, getattr(self, name)) for name in names}

    def _in_both_ways(self, name: str, step: Callable[..., Coroutine[Any, Any, Any]]) -> Runnable[Any, Any]:
        def waiting(state: ConversationState, config: RunnableConfig) -> Any:
            return self._loop.wait(step(state, config))

        async def running(state: ConversationState, config: RunnableConfig) -> Any:
            return await self._loop.run(step(state, config))

        return RunnableLambda(waiting, running, name=name)

    def route(self, state: ConversationState) -> Literal["summarization", "context_loader"]:
        """Where the check leads."""
        return "summarization" if state.get("needs_summarization") else "context_loader"

    async def session_init(self, state: ConversationState, config: RunnableConfig) -> dict[str, Any]:
        """Load the summary and the messages it does not speak for; what earlier turns left in the state goes."""
        address = langchain_messages.address_of(config)
        written = set((state.get("conversation") or {}).get("written", ()))
        old = [RemoveMessage(id=message.id or "") for message in state.get("messages", ()) if message.id in written]
        context = await self._context(address)
        return {
            "messages": old,
            "needs_summarization": False,
            "summarization_occurred": False,
            "conversation": _reference(address, context),
            "computed": None,
            **_shown(context),
        }

    async def summarization_check(self, state: ConversationState, config: RunnableConfig) -> dict[str, Any]:
        """Count what no summary speaks for, this turn's messages included."""
        checked = await self._check(state, config)
        return {"needs_summarization": checked.verdict.needed, "checked": checked}

    async def summarization(self, state: ConversationState, config: RunnableConfig) -> dict[str, Any]:
        """Compute the extended summary and its title, and write nothing. A failure leaves what stood."""
        checked: CheckedTurn = state.get("checked") or await self._check(state, config)
        computed, _ = await self._conversations.try_summarize(checked, limits=self._limits)
        if computed is None:
            return {"summarization_occurred": False, "conversation": {**_kept(state), "degraded": True}}
        return {
            "computed": computed,
            "summarization_occurred": True,
            "conversation_summary": assemble(served_of(computed.root.statements, 0.0)),
            "chat_title": computed.root.title,
        }

    async def context_loader(self, state: ConversationState, config: RunnableConfig) -> dict[str, Any]:
        """What the model is to read: the messages that the summary, old or new, does not speak for."""
        history = state.get("messages_history")
        loaded = {} if history is not None else _shown(await self._context(langchain_messages.address_of(config)))
        history = history if history is not None else loaded["messages_history"]
        computed: Computed | None = state.get("computed")
        if computed is None:
            return {**loaded, "messages_history": history}
        checked: CheckedTurn = state["checked"]
        covered = {new.message.given for new in checked.new if new.message.id in checked.hand_over}
        if checked.loaded:
            covered |= {message.given for message in checked.loaded.open if message.id in checked.hand_over}
            covered |= {message.given for message in checked.loaded.recent}
        return {"messages_history": [message for message in history if message.id not in covered]}

    async def message_persist(self, state: ConversationState, config: RunnableConfig) -> dict[str, Any]:
        """Write this turn's messages, the summary and the title, in one transaction."""
        again = await self._check(state, config)
        checked: CheckedTurn | None = state.get("checked")
        computed: Computed | None = state.get("computed")
        if checked is not None:
            before = {new.message.given for new in checked.new}
            also = [new for new in again.new if new.message.given not in before]
            written = await self._conversations.persist(replace(checked, grown=again.grown), computed, also=also)
        else:
            written = await self._conversations.persist(again, None)
        kept = _kept(state)
        return {
            "conversation": {
                **kept,
                "conversation_id": written.conversation_id,
                "version": written.version,
                "summary_id": written.summary_id or kept.get("summary_id"),
                "written": [message.id for message in state.get("messages", ()) if message.id],
                "degraded": bool(state.get("needs_summarization")) and written.summary_id is None,
            },
            "checked": None,
            "computed": None,
        }

    async def _check(self, state: ConversationState, config: RunnableConfig) -> CheckedTurn:
        new = langchain_messages.inputs_of(state.get("messages", []))
        return await self._conversations.check(langchain_messages.address_of(config), new, limits=self._limits)

    async def _context(self, address: Address) -> Context | None:
        try:
            return await self._conversations.context(address, limits=self._limits)
        except NotFound:
            return None


def model_input(state: ConversationState) -> list[AnyMessage]:
    """What to hand to a chat model: the summary, the earlier messages that are left, and this turn's."""
    summary = state.get("conversation_summary")
    opening: list[AnyMessage] = [SystemMessage(f"{person.OPENING}{summary}")] if summary else []
    turn = [message for message in state.get("messages", []) if not langchain_messages.is_ours(message)]
    ids = {message.id for message in turn}
    earlier = [message for message in state.get("messages_history", []) if message.id not in ids]
    return [*opening, *earlier, *turn]


def _shown(context: Context | None) -> dict[str, Any]:
    return {
        "messages_history": langchain_messages.history_of(context) if context else [],
        "conversation_summary": context.summary if context else "",
        "chat_title": context.title if context else None,
    }


def _reference(address: Address, context: Context | None) -> Reference:
    return {
        "conversation_id": context.conversation_id if context else address.conversation_id,
        "session_id": address.session_id,
        "version": context.version if context else 0,
        "summary_id": context.summary_id if context else None,
        "written": [],
        "degraded": context.degraded if context else False,
    }


def _kept(state: ConversationState) -> Reference:
    return state.get("conversation") or {}


__all__ = ["ConversationNodes", "ConversationState", "Reference", "model_input"]
