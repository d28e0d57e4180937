"""A message that comes again under its id and says more by now, at the doors of agents."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from test_langchain_middleware import Scripted

from precis.agents.langchain import PrecisSummarization
from precis.agents.langgraph import ConversationNodes
from precis.app import App
from precis.conversation import Address

pytestmark = pytest.mark.asyncio(loop_scope="session")
HALF = "Torvald lives in Kalmar, and Ulrike lives in Ystad."
ADDRESS = Address(session_id="grows", user_id="imke", project_id="", environment="production")
CONFIG: Any = {"configurable": {"thread_id": "grows", "user_id": "imke"}}


async def said(app: App) -> list[str]:
    """The texts of the conversation."""
    return [row.text for row in await app.conversations.messages("grows", user_id="imke")]


async def test_step_by_step(app: App) -> None:
    """Check reads, and persist writes the later version with what is new."""
    await app.conversations.turn(ADDRESS, [{"id": "a1", "role": "assistant", "content": HALF[:30]}])
    later = [{"id": "a1", "role": "ai", "content": HALF}, {"id": "u2", "role": "user", "content": "And the cat?"}]
    checked = await app.conversations.check(ADDRESS, later)
    assert await said(app) == [HALF[:30]]
    await app.conversations.persist(checked, None)
    assert await said(app) == [HALF, "And the cat?"]
    assert not (await app.conversations.check(ADDRESS, later)).grown


async def test_nodes_of_langgraph(app: App) -> None:
    """The state of a second run has more of the answer than that of the first."""
    texts = iter((HALF[:30], HALF))

    async def model(state: Any) -> dict[str, Any]:
        del state
        return {"messages": [AIMessage(next(texts), id="a1")]}

    for question in ("Who is he?", "Go on."):
        await ConversationNodes(app).graph(model).compile().ainvoke({"messages": [HumanMessage(question)]}, CONFIG)
    assert sorted(await said(app)) == sorted(["Who is he?", HALF, "Go on."])


async def test_the_middleware_of_langchain(app: App) -> None:
    """It makes the message what the list says; what was forgotten of it does not come back in a longer one."""
    model = Scripted(messages=iter([AIMessage(f"Noted, {n}.", id=f"n{n}") for n in range(9)]), shown=[])
    agent = create_agent(model, [], middleware=[PrecisSummarization(app)])
    for text in (HALF[:30], HALF):
        await agent.ainvoke({"messages": [AIMessage(text, id="a1"), HumanMessage("And?", id="q1")]}, CONFIG)
        assert (await said(app))[0] == text
    memory = await app.memories.get((await app.conversations.messages("grows", user_id="imke"))[0].id)
    rest = HALF.index("Ulrike"), len(HALF)
    await app.memories.edit(memory.id, {"text": HALF[rest[0] :]}, expected=memory, stays=[rest])
    for text in (HALF, f"{HALF} He barks."):
        await agent.ainvoke({"messages": [AIMessage(text, id="a1"), HumanMessage("And?", id="q1")]}, CONFIG)
        assert (await said(app))[0] == "Ulrike lives in Ystad."
