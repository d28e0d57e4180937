"""What is said through an adapter is a memory of its user: the second thread knows the first, through any door."""

from __future__ import annotations

from typing import Any

import pytest
from agents.items import TResponseInputItem
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage

from precis.agents.langchain import PrecisSummarization
from precis.agents.openai_agents import PrecisSession
from precis.app import App
from precis.conversation import Remembering
from precis.memory import EXTRACTED

pytestmark = pytest.mark.asyncio(loop_scope="session")
OFF = Remembering(recall=False, extraction="off")


async def talk(app: App, door: str, text: str, **how: Any) -> None:
    """One thread with one thing said, handed in as the door has it, and once more."""
    if door == "openai":
        item: TResponseInputItem = {"role": "user", "content": text}
        await PrecisSession(app, "t1", user_id="ida", **how).add_items([item])
        return
    model = GenericFakeChatModel(messages=iter([AIMessage("Fine."), AIMessage("Yes.")]))
    agent = create_agent(model, [], middleware=[PrecisSummarization(app, **how)])
    config: Any = {"configurable": {"thread_id": "t1", "user_id": "ida"}}
    history: list[Any] = [HumanMessage(text)]
    for _ in range(2):
        history = (await agent.ainvoke({"messages": history}, config))["messages"]


@pytest.mark.parametrize("door", ["openai", "langchain"])
async def test_the_second_thread_knows_the_first(app: App, door: str) -> None:
    """In recall at once, as a fact once it was read; nothing of it is there twice."""
    await talk(app, door, "My cello teacher is called Oddvar.")
    results = await app.recall.search("Who teaches the cello?", user_id="ida")
    assert results[0].memory.text == "My cello teacher is called Oddvar."
    await app.facts.read(at_once=True)
    rows = (await app.memories.list(user_id="ida")).rows
    facts = [row for row in rows if row.metadata.get("kind") == EXTRACTED]
    assert ["My cello teacher is called Oddvar."] == [row.text for row in facts]
    assert (await app.facts.read(at_once=True)).messages == 0


@pytest.mark.parametrize("door", ["openai", "langchain"])
async def test_an_adapter_may_keep_it_out(app: App, door: str) -> None:
    """Of recall, and unread."""
    await talk(app, door, "My cello teacher is called Oddvar.", remembering=OFF)
    assert await app.recall.search("Who teaches the cello?", user_id="ida") == []
    assert (await app.facts.plan()).messages == 0
