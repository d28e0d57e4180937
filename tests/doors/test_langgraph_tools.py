"""The memory tools in a real agent over a scripted model, and by themselves."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import ToolNode
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from test_langchain_bounded import pairs_hold
from test_langchain_middleware import Scripted

from precis.agents.langchain import PrecisSummarization
from precis.agents.langgraph import ConversationNodes, ConversationState, model_input
from precis.agents.langgraph_store import PrecisStore, last_label
from precis.agents.langgraph_tools import manage_memory_tool, search_memory_tool
from precis.app import App
from precis.app.receipts import Verification
from precis.bootstrap import Runtime
from precis.conversation import Remembering

pytestmark = pytest.mark.asyncio(loop_scope="session")
TEA = "Ana drinks green tea."


def call(tool: str, **args: Any) -> AIMessage:
    """The model asks for a tool."""
    return AIMessage("", tool_calls=[{"name": tool, "args": args, "id": f"call-{tool}"}])


async def converse(store: BaseStore, *lines: AIMessage, user: str = "ana") -> list[str]:
    """One run of an agent that says these lines; what its tools answered."""
    model = Scripted(messages=iter([*lines, AIMessage("Done.")]))
    agent: Any = create_agent(model, [manage_memory_tool(), search_memory_tool()], store=store)
    config = {"configurable": {"user_id": user}}
    state = await agent.ainvoke({"messages": [HumanMessage("Go.")]}, config)
    return [str(message.content) for message in state["messages"] if isinstance(message, ToolMessage)]


async def test_what_one_conversation_creates_another_finds_corrects_and_deletes(app: App) -> None:
    """Each in a run of its own, by the ids that the tools themselves answer; the memory is Ana's alone."""
    store = PrecisStore(app)
    (created,) = await converse(store, call("manage_memory", content=TEA, action="create"))
    assert [TEA] == [row.text for row in (await app.memories.list(user_id="ana")).rows]
    (answer,) = await converse(store, call("search_memory", query="What does she drink?"))
    (row,) = json.loads(answer)
    assert (TEA, f"created memory {row['id']}") == (row["content"], created)
    assert ["[]"] == await converse(store, call("search_memory", query="What does she drink?"), user="ben")
    coffee = "Ana drinks coffee now."
    (updated,) = await converse(store, call("manage_memory", content=coffee, action="update", id=row["id"]))
    assert f"updated memory {row['id']}" == updated
    assert [coffee] == [memory.text for memory in (await app.memories.list(user_id="ana")).rows]
    (deleted,) = await converse(store, call("manage_memory", action="delete", id=row["id"]))
    assert f"deleted memory {row['id']}" == deleted
    assert ["[]"] == await converse(store, call("search_memory", query="What does she drink?"))


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        ({"action": "create"}, "create needs content"),
        ({"action": "create", "content": "x", "id": "k"}, "create takes no id"),
        ({"action": "update", "content": "x"}, "update needs the id"),
        ({"action": "delete"}, "delete needs the id"),
        ({"action": "update", "content": "x", "id": "nowhere"}, "there is no memory 'nowhere'"),
        ({"action": "delete", "id": "nowhere"}, "there is no memory 'nowhere'"),
    ],
)
async def test_a_wrong_call_is_told_to_the_model(app: App, args: dict[str, Any], answer: str) -> None:
    """As the result of the tool, with what to do; the run goes on and nothing is written."""
    (result,) = await converse(PrecisStore(app), call("manage_memory", **args))
    assert answer in result
    assert (await app.memories.list()).rows == ()


async def test_only_what_is_allowed(app: App) -> None:
    """A tool for notes that are never deleted; names and instructions are the caller's."""
    tool = manage_memory_tool(("notes", "ana"), actions=("create",), instructions="In English.", name="note",
                              store=PrecisStore(app, user_of=last_label))  # fmt: skip
    assert ("note", True) == (tool.name, tool.description.endswith("In English."))
    assert "not allowed" in await tool.ainvoke({"action": "delete", "id": "k"})
    await tool.ainvoke({"content": TEA})
    assert [TEA] == [row.text for row in (await app.memories.list(user_id="ana")).rows]


@pytest.mark.parametrize("kind", ["precis", "langgraph"])
async def test_without_await_and_over_any_store(app: App, kind: str) -> None:
    """From another thread; pages, filters, and the items as the artifact of the message."""
    store = PrecisStore(app) if kind == "precis" else InMemoryStore()
    manage = manage_memory_tool(("ana", "memories"), store=store)
    search = search_memory_tool(("ana", "memories"), store=store)

    def work() -> Any:
        for number in range(3):
            manage.invoke({"content": f"Ana owns boat {number}."})
        manage.invoke({"action": "delete", "id": store.search(("ana", "memories"))[0].key})
        args = {"query": "boat", "filter": {"content": {"$ne": "Ana owns boat 1."}}, "limit": 5}
        return search.invoke({"type": "tool_call", "name": "search_memory", "id": "c", "args": args})

    message = await asyncio.to_thread(work)
    assert ["Ana owns boat 2."] == [row["content"] for row in json.loads(message.content)]
    assert ["Ana owns boat 2."] == [item.value["content"] for item in message.artifact]


async def test_whoever_sets_them_up_wrongly_is_told(app: App) -> None:
    """No store, or nobody whose memory it is: an error of the program, not a line for the model."""
    with pytest.raises(ValueError, match=r"configurable\.user_id"):
        await converse_without_user(PrecisStore(app))
    model = Scripted(messages=iter([call("search_memory", query="tea")]))
    agent: Any = create_agent(model, [search_memory_tool()])
    with pytest.raises((ValueError, RuntimeError), match="store"):
        await agent.ainvoke({"messages": [HumanMessage("Go.")]}, {"configurable": {"user_id": "ana"}})


async def converse_without_user(store: BaseStore) -> None:
    """A run for nobody."""
    agent: Any = create_agent(
        Scripted(messages=iter([call("search_memory", query="tea")])), [search_memory_tool()], store=store
    )
    await agent.ainvoke({"messages": [HumanMessage("Go.")]})


@tool
def search_memory(query: str) -> str:
    """Somebody else's tool of that name."""
    return f"The drawer knows of {query}: a brass key."


class TestLookupsAreNoMemories:
    """What precis's own tools are asked and answer is stored as memories and nowhere else."""

    CONFIG: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}  # noqa: RUF012 - as in every agent
    FACT = "Ana must never eat quandongs."

    def script(self) -> list[AIMessage]:
        """Keep a fact; look it up beside another tool of the usual name, with words of its own; then a second turn."""
        both = [
            {"name": name, "args": {"query": "quandongs"}, "id": f"c-{name}"} for name in ("lookup", "search_memory")
        ]
        return [
            call("manage_memory", content=self.FACT), AIMessage("I will."), AIMessage("Let me see.", tool_calls=both),
            call("lookup", query="What must Ana never eat?"), AIMessage("You know it best."), AIMessage("Good."),
        ]  # fmt: skip

    async def test_in_an_agent(self, app: App, runtime: Runtime, tenant: str) -> None:
        """The fact comes first and no call is recalled; the model reads all of its turn; then the fact is forgotten."""
        model = Scripted(messages=iter(self.script()))
        tools = [manage_memory_tool(), search_memory_tool(name="lookup"), search_memory]
        keeping = PrecisSummarization(app, remembering=Remembering(recall=True, extraction="rules"))
        agent: Any = create_agent(
            model, tools, middleware=[keeping], store=PrecisStore(app), checkpointer=InMemorySaver()
        )
        for text in ("Keep in mind what I told you.", "What must I never eat?", "Thank you."):
            await agent.ainvoke({"messages": [HumanMessage(text)]}, self.CONFIG)
        assert all(pairs_hold(read) for read in model.shown)
        assert ["human", "ai", "human", "ai", "tool", "tool", "ai", "tool"] == [m.type for m in model.shown[4]]
        assert ["human", "ai", "human", "ai", "tool", "ai", "human"] == [m.type for m in model.shown[5]]
        await self.check(app, runtime, tenant)

    async def test_in_a_graph(self, app: App, runtime: Runtime, tenant: str) -> None:
        """The same with the nodes: calls and results are in the state of the turn, and not in the conversation."""
        script, tools = iter(self.script()), [manage_memory_tool(), search_memory_tool(name="lookup"), search_memory]

        async def respond(state: ConversationState) -> dict[str, Any]:
            messages: list[Any] = [next(script)]
            while messages[-1].tool_calls:
                results = await ToolNode(tools).ainvoke({"messages": [*model_input(state), *messages]})
                messages += [*results["messages"], next(script)]
            return {"messages": messages}

        graph = ConversationNodes(app).graph(respond).compile(store=PrecisStore(app), checkpointer=InMemorySaver())
        for text in ("Keep in mind what I told you.", "What must I never eat?"):
            await graph.ainvoke({"messages": [HumanMessage(text)]}, self.CONFIG)
        await self.check(app, runtime, tenant)

    async def test_a_long_turn_of_them_stays_short(self, app: App) -> None:
        """The model reads the latest ten, and never a result without its call."""
        calls = [
            AIMessage("", tool_calls=[{"name": "search_memory", "args": {"query": "x"}, "id": str(n)}])
            for n in range(14)
        ]
        model = Scripted(messages=iter([*calls, AIMessage("Nothing.")]))
        agent: Any = create_agent(
            model, [search_memory_tool()], middleware=[PrecisSummarization(app)], store=PrecisStore(app)
        )
        await agent.ainvoke({"messages": [HumanMessage("Look well.")]}, self.CONFIG)
        assert all(pairs_hold(read) for read in model.shown)
        assert 1 + 20 == len(model.shown[-1])

    async def check(self, app: App, runtime: Runtime, tenant: str) -> None:
        """Recall, the conversation, and what is left when the fact is forgotten."""
        best, *_ = await app.recall.search("What must Ana never eat?", user_id="ana", limit=50)
        assert self.FACT == best.memory.text
        stored = await app.conversations.messages("t1", user_id="ana")
        others = [message for message in stored if "call" in message.text or message.role == "tool"]
        assert [message.text for message in others] == [
            "Let me see. [calls search_memory {'query': 'quandongs'}]",
            "The drawer knows of quandongs: a brass key.",
        ]
        await app.memories.forget([best.memory.id, *(message.id for message in others)])
        looked = await Verification(runtime.database, runtime.settings, tenant).look(["quandongs"], files=False)
        assert [] == [place.where for place in looked if place.hits]
