"""An agent goes on after something of its thread was forgotten, whatever its checkpoint holds."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from test_langchain_middleware import Scripted

from precis.agents.langchain import PrecisSummarization
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
CONFIG: Any = {"configurable": {"thread_id": "cats", "user_id": "zoe"}}


def agent_of(app: App) -> tuple[Any, Scripted]:
    """An agent with a checkpointer, and its model."""
    model = Scripted(messages=iter([AIMessage(f"I heard that, turn {n}.") for n in range(20)]), shown=[])
    return create_agent(model, [], middleware=[PrecisSummarization(app)], checkpointer=InMemorySaver()), model


async def say(agent: Any, text: str) -> Any:
    """One turn."""
    return await agent.ainvoke({"messages": [HumanMessage(text)]}, CONFIG)


async def test_a_forgotten_message_leaves_the_state(app: App) -> None:
    """The model is not shown it again, the agent answers, and the message is not written again."""
    agent, model = agent_of(app)
    await say(agent, "I have two cats, Miso and Tofu.")
    await say(agent, "My locker is number 44.")
    first = (await app.conversations.messages("cats", user_id="zoe"))[0]
    await app.memories.forget(first.id)
    for question in ("What are my cats called?", "And my locker?"):
        state = await say(agent, question)
        assert "Miso" not in str(model.shown[-1])
        assert "Miso" not in str(state)
        assert "locker is number 44" in str(model.shown[-1])
    assert "Miso" not in str(await app.conversations.messages("cats", user_id="zoe"))


async def test_a_forgotten_user_is_met_anew(app: App) -> None:
    """Nothing of before is shown or written."""
    agent, model = agent_of(app)
    await say(agent, "I have two cats, Miso and Tofu.")
    await app.memories.forget_user("zoe")
    for number in range(2):
        await say(agent, f"Hello again, {number}.")
        assert "Miso" not in str(model.shown[-1])
    assert "Miso" not in str(await app.conversations.messages("cats", user_id="zoe"))
    assert "Hello again, 0." in str(model.shown[-1])


async def test_a_client_that_keeps_the_history_itself(app: App) -> None:
    """It hands in all of it at each call, and no ids: what was forgotten is not shown, nor written again."""
    model = Scripted(messages=iter([AIMessage(f"I heard that, turn {n}.") for n in range(20)]), shown=[])
    agent = create_agent(model, [], middleware=[PrecisSummarization(app)])
    own: list[Any] = []
    for text in ("I have two cats, Miso and Tofu.", "My locker is number 44.", "What are my cats called?", "And it?"):
        own.append(HumanMessage(text))
        state = await agent.ainvoke({"messages": [type(message)(message.text) for message in own]}, CONFIG)
        own.append(state["messages"][-1])
        if len(own) == 4:
            await app.memories.forget((await app.conversations.messages("cats", user_id="zoe"))[0].id)
    assert all("Miso" not in str(shown) and "number 44" in str(shown) for shown in model.shown[-2:])
    stored = [message.text for message in await app.conversations.messages("cats", user_id="zoe")]
    assert stored == [message.text for message in own[1:]]
