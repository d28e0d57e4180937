"""The doors from other threads and other event loops than the one that the app was opened in."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_store
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from precis.agents.langchain import PrecisSummarization
from precis.agents.langgraph import ConversationNodes, ConversationState
from precis.agents.langgraph_store import PrecisStore
from precis.agents.loop import opened
from precis.app import App
from precis.policies.conversations import Limits
from precis.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")
SHELF = ("nora", "shelf")
CONFIG: Any = {"configurable": {"thread_id": "t1", "user_id": "nora"}}


class Shelf(TypedDict):
    """What the graph below passes on."""

    box: int
    found: list[str]


def file_box(state: Shelf) -> dict[str, Any]:
    """A synchronous node that writes, reads and searches."""
    store, key = get_store(), f"box{state['box']}"
    store.put(SHELF, key, {"text": f"Box {state['box']} holds apples.", "box": state["box"]})
    item = store.get(SHELF, key)
    boxes = store.search(SHELF, query="apples", filter={"box": state["box"]})
    return {"found": [item.key if item else "", *(box.key for box in boxes)]}


def shelf_graph(store: PrecisStore) -> Any:
    """Around that node."""
    graph = StateGraph(Shelf)
    graph.add_node("file", file_box)
    graph.add_edge(START, "file")
    graph.add_edge("file", END)
    return graph.compile(store=store)


async def test_invoke_and_batch_from_eight_threads(app: App) -> None:
    """Each thread runs graphs of its own while the app's loop goes on."""
    graph = shelf_graph(PrecisStore(app))

    def work(first: int) -> list[list[str]]:
        one_by_one = [graph.invoke({"box": first, "found": []})["found"]]
        together = graph.batch([{"box": first + at, "found": []} for at in (1, 2)])
        return one_by_one + [state["found"] for state in together]

    with ThreadPoolExecutor(8) as pool:
        loop = asyncio.get_running_loop()
        shelves = await asyncio.gather(*(loop.run_in_executor(pool, work, at * 3) for at in range(8)))
    boxes = [found for shelf in shelves for found in shelf]
    assert [[f"box{at}", f"box{at}"] for at in range(24)] == boxes


async def test_from_an_event_loop_of_another_thread(app: App) -> None:
    """Both kinds of methods, though a loop runs in that thread; and a store may be made there."""

    async def elsewhere() -> list[str]:
        store = PrecisStore(app)
        await store.aput(SHELF, "lamp", {"text": "The lamp is brass."})
        store.put(SHELF, "vase", {"text": "The vase is blue."})
        return [item.key for item in await store.asearch(SHELF)] + [item.key for item in store.search(SHELF)]

    assert ["lamp", "vase"] * 2 == await asyncio.to_thread(asyncio.run, elsewhere())


async def test_where_it_cannot_wait_it_says_so(app: App, limits: Limits) -> None:
    """In the app's own loop: the store, the nodes and the middleware, each with what to do instead; nothing hangs."""
    store = PrecisStore(app)
    with pytest.raises(RuntimeError, match="asynchronous method"):
        store.put(SHELF, "lamp", {"text": "The lamp is brass."})
    for graph in (shelf_graph(store), talk(app, limits), agent(app, limits, "Hello.")):
        with pytest.raises(RuntimeError, match=r"asyncio\.to_thread"):
            graph.invoke({"box": 1, "messages": [HumanMessage("Hello.")]}, CONFIG)
    assert await store.asearch(SHELF) == []


def talk(app: App, limits: Limits) -> Any:
    """A graph of the five nodes around a synchronous model."""

    def answer(state: ConversationState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"Answer to {state['messages'][-1].text}")]}

    return ConversationNodes(app, limits=limits).graph(answer).compile(checkpointer=InMemorySaver())


def agent(app: App, limits: Limits, *lines: str) -> Any:
    """An agent with the middleware."""
    model = GenericFakeChatModel(messages=iter([AIMessage(line) for line in lines]))
    return create_agent(model, [], middleware=[PrecisSummarization(app, limits=limits)], checkpointer=InMemorySaver())


@pytest.mark.parametrize("kind", ["nodes", "middleware"])
async def test_a_conversation_without_await(quoted: App, limits: Limits, kind: str) -> None:
    """``invoke`` in another thread writes every turn, and summarizes."""
    lines = [f"Answer {at} is {at * 11}." for at in range(6)]
    graph = talk(quoted, limits) if kind == "nodes" else agent(quoted, limits, *lines)

    def chat() -> None:
        for at in range(6):
            graph.invoke({"messages": [HumanMessage(f"Question {at} about box {at}.")]}, CONFIG)

    await asyncio.to_thread(chat)
    context = await quoted.conversations.context("t1", limits=limits)
    assert (12, False) == (context.total, context.degraded)
    assert "Question 0 about box 0." in context.summary


async def test_a_program_without_an_event_loop(rooms_folder: Path) -> None:
    """It opens precis in a thread of its own."""

    def program() -> None:
        with opened(Settings(data_dir=rooms_folder / "shared")) as app:
            store = PrecisStore(app)
            assert ["box1", "box1"] == shelf_graph(store).invoke({"box": 1, "found": []})["found"]
            store.delete(SHELF, "box1")
        with pytest.raises(RuntimeError, match="is not running"):
            store.get(SHELF, "box1")

    await asyncio.to_thread(program)
