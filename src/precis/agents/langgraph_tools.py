"""Two tools for an agent that keeps its own memory: one writes, corrects and forgets, the other looks up.

    agent = create_agent(model, tools=[manage_memory_tool(), search_memory_tool()], store=PrecisStore(app))
    await agent.ainvoke({"messages": [...]}, {"configurable": {"user_id": "ana"}})

They take the store of the graph they run in, unless one is given. A label of the namespace in braces is filled in from
``configurable``, so that the model cannot choose whose memory it touches. What they are asked and answer
is in the store already: its mark tells precis's other doors to keep no copy of it among the messages of a conversation.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import orjson
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.config import get_config, get_store
from langgraph.store.base import BaseStore, SearchItem
from pydantic import Field, PrivateAttr

from precis.agents.langchain_messages import OWN_TOOL
from precis.agents.langgraph_store import PrecisStore
from precis.agents.person import Namespace
from precis.ids import new_id

#: The memories of whom the run is for.
OWN: Namespace = ("{user_id}", "memories")
Action = Literal["create", "update", "delete"]
_MANAGE = """Keep memories that outlast this conversation: create, update or delete one.

Create one when the user states a preference, asks you to remember something, or tells what later conversations need.
Update one that is out of date or wrong, delete one the user wants forgotten; search_memory shows their ids."""
_SEARCH = "Look up what was remembered in earlier conversations. Each row has the id that manage_memory takes."
_Content = Annotated[
    str | None, Field(description="the memory, one fact that stands alone: who, what, when; leave it out to delete")
]
_Id = Annotated[str | None, Field(description="which memory to update or delete; none to create")]
_Query = Annotated[str, Field(description="what to look for, in your own words")]
_Limit = Annotated[int, Field(ge=1, le=50, description="how many memories")]
_Offset = Annotated[int, Field(ge=0, description="how many to pass over: for the next page")]
_Filter = Annotated[dict[str, Any] | None, Field(description="fields of a memory and what they have to be")]


def manage_memory_tool(
    namespace: Sequence[str] = OWN,
    *,
    actions: Sequence[Action] = ("create", "update", "delete"),
    instructions: str = "",
    store: BaseStore | None = None,
    name: str = "manage_memory",
) -> BaseTool:
    """A tool that creates, updates and deletes memories. ``instructions`` say when, beside what the tool says."""

    async def manage(content: _Content = None, action: Action = actions[0], id: _Id = None) -> str:  # noqa: A002
        key, (kept, place) = _key(actions, action, content, id), _where(store, namespace)
        if id is not None and await kept.aget(place, key) is None:
            raise _missing(id)
        await (kept.adelete(place, key) if action == "delete" else kept.aput(place, key, {"content": content}))
        return f"{action}d memory {key}"

    def manage_and_wait(content: _Content = None, action: Action = actions[0], id: _Id = None) -> str:  # noqa: A002
        key, (kept, place) = _key(actions, action, content, id), _where(store, namespace)
        if id is not None and kept.get(place, key) is None:
            raise _missing(id)
        kept.delete(place, key) if action == "delete" else kept.put(place, key, {"content": content})
        return f"{action}d memory {key}"

    return _tool(manage_and_wait, manage, store, name=name, description=_described(_MANAGE, instructions))


def search_memory_tool(
    namespace: Sequence[str] = OWN,
    *,
    instructions: str = "",
    store: BaseStore | None = None,
    name: str = "search_memory",
) -> BaseTool:
    """A tool that finds memories by meaning; the items themselves are the artifact of its message."""

    async def search(
        query: _Query,
        limit: _Limit = 10,
        offset: _Offset = 0,
        filter: _Filter = None,  # noqa: A002
    ) -> tuple[str, list[SearchItem]]:
        kept, place = _where(store, namespace)
        items = await kept.asearch(place, query=query, limit=limit, offset=offset, filter=filter)
        return _rows(items), items

    def search_and_wait(
        query: _Query,
        limit: _Limit = 10,
        offset: _Offset = 0,
        filter: _Filter = None,  # noqa: A002
    ) -> tuple[str, list[SearchItem]]:
        kept, place = _where(store, namespace)
        items = kept.search(place, query=query, limit=limit, offset=offset, filter=filter)
        return _rows(items), items

    return _tool(
        search_and_wait, search, store, name=name, description=_described(_SEARCH, instructions),
        response_format="content_and_artifact",
    )  # fmt: skip


def _key(actions: Sequence[Action], action: Action, content: str | None, id_: str | None) -> str:
    """The id to write. Raises ToolException, whose text the model is to act on."""
    if action not in actions:
        raise ToolException(f"action {action!r} is not allowed here: use {', '.join(actions)}")
    if action == "create" and id_ is not None:
        raise ToolException("create takes no id: leave it out, or update that memory")
    if action != "create" and id_ is None:
        raise ToolException(f"{action} needs the id of the memory: find it with the search tool")
    if action != "delete" and not (content or "").strip():
        raise ToolException(f"{action} needs content: what is to be remembered")
    return id_ or new_id()


def _missing(id_: str) -> ToolException:
    return ToolException(f"there is no memory {id_!r}: find its id with the search tool")


def _tool(waiting: Any, running: Any, store: BaseStore | None, **how: Any) -> BaseTool:
    tool = _MemoryTool.from_function(waiting, running, handle_tool_error=True, **how)
    tool._store = store  # noqa: SLF001 - pydantic takes it in no other way
    return tool


class _MemoryTool(StructuredTool):
    """Marks the message that it answers with, whatever its name is, where precis itself is the store."""

    _store: BaseStore | None = PrivateAttr(default=None)

    def run(self, *args: Any, **how: Any) -> Any:
        """As its parent."""
        return self._marked(super().run(*args, **how))

    async def arun(self, *args: Any, **how: Any) -> Any:
        """As its parent."""
        return self._marked(await super().arun(*args, **how))

    def _marked(self, answer: Any) -> Any:
        """What was refused, or is in another store, is not in precis: its call is kept like any other."""
        if not isinstance(answer, ToolMessage) or answer.status == "error":
            return answer
        if not isinstance(self._store or get_store(), PrecisStore):
            return answer
        return answer.model_copy(update={"additional_kwargs": {**answer.additional_kwargs, OWN_TOOL: True}})


def _described(description: str, instructions: str) -> str:
    return f"{description}\n\n{instructions}" if instructions else description


def _where(store: BaseStore | None, namespace: Sequence[str]) -> tuple[BaseStore, Namespace]:
    """The store, and the namespace with its labels filled in. Raises ValueError: no model can mend these."""
    kept = store or get_store()
    if kept is None:
        raise ValueError("these tools need a store: compile the graph with store=PrecisStore(app), or give store=")
    names = get_config().get("configurable", {}) if any("{" in label for label in namespace) else {}
    try:
        place = tuple(label.format_map(names) for label in namespace)
    except KeyError as error:
        raise ValueError(f"configurable.{error.args[0]}: the namespace {tuple(namespace)} needs it") from error
    return kept, place


def _rows(items: Sequence[SearchItem]) -> str:
    """What the model reads: the ids, the contents and the days they are of."""
    return orjson.dumps(
        [{"id": item.key, **item.value, "updated_at": item.updated_at.date().isoformat()} for item in items]
    ).decode()
