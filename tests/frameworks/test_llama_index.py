"""The memory block in LlamaIndex's own Memory and agent, whose model is the library's mock."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from door_contract import DoorContract, Talk
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, MessageRole, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLMWithChatMemoryOfLastCall
from llama_index.core.memory import Memory

from precis.agents.llama_index import PrecisMemoryBlock
from precis.agents.loop import AppLoop
from precis.app import App
from precis.errors import InvalidInput, WrongLoop

pytestmark = pytest.mark.asyncio(loop_scope="session")


def spoken(messages: Sequence[ChatMessage], **how: Any) -> ChatMessage:
    """What the model answers."""
    del messages, how
    return ChatMessage("I see.", role="assistant")


#: The mock takes what its parent takes, which its types do not say.
Mock: Any = MockFunctionCallingLLMWithChatMemoryOfLastCall


@dataclass
class Agent:
    """A talk with a function agent."""

    memory: Memory
    llm: Any = field(default_factory=lambda: Mock(response_generator=spoken, is_chat_model=True))

    async def say(self, text: str) -> None:
        """One run of the agent."""
        await FunctionAgent(llm=self.llm, streaming=False).run(text, memory=self.memory)

    async def say_again(self, text: str) -> None:
        """The same."""
        await self.say(text)

    async def ask(self, question: str) -> str:
        """What the block put before the model."""
        await self.say(question)
        first = self.llm.last_chat_messages[0]
        return str(first.content) if first.role is MessageRole.SYSTEM else ""


def remembering(app: App, *, user: str, session: str, **how: Any) -> Memory:
    """A memory of LlamaIndex with our block."""
    return Memory.from_defaults(session_id=session, memory_blocks=[PrecisMemoryBlock(app=app, user_id=user)], **how)


class TestLlamaIndex(DoorContract):
    """The contract."""

    def open(self, app: App, *, user: str, session: str) -> Talk:
        """An agent of that user in that session."""
        return Agent(remembering(app, user=user, session=session))


async def rows_of(app: App, user: str) -> list[str]:
    """All that is kept of a user, the oldest first."""
    return [row.text or "" for row in reversed((await app.memories.list(user_id=user, turns=True)).rows)]


async def test_each_message_is_kept_once(app: App) -> None:
    """When it is said, when it leaves the short-term memory, and when LlamaIndex repeats the question."""
    memory = remembering(app, user="tove", session="one", token_limit=60, token_flush_size=10)
    for number in range(1, 7):
        await memory.aput(ChatMessage(f"Crate {number} weighs {number * 7} kg.", role="user"))
        await memory.aget(input=f"Crate {number} weighs {number * 7} kg.")
        await memory.aput(ChatMessage("Noted.", role="assistant"))
    await memory.aget()
    assert len(await memory.sql_store.get_messages("one")) < 12
    kept = await rows_of(app, "tove")
    assert [f"Crate {number} weighs {number * 7} kg." for number in range(1, 7)] == [
        text for text in kept if text != "Noted."
    ]
    shown = (await memory.aget(input="How much does crate 1 weigh?"))[0]
    assert "Crate 1 weighs 7 kg." in str(shown.content)


async def test_only_what_leaves_may_be_kept(app: App) -> None:
    """As LlamaIndex's own blocks have it."""
    block = PrecisMemoryBlock(app=app, user_id="tove", at_once=False)
    memory = Memory.from_defaults(session_id="one", memory_blocks=[block], token_limit=40, token_flush_size=10)
    await memory.aput(ChatMessage("My scales stand in the hall.", role="user"))
    await memory.aget()
    assert await rows_of(app, "tove") == []
    for number in range(4):
        await memory.aput(ChatMessage(f"Noted, that makes {number}.", role="assistant"))
        await memory.aput(ChatMessage(f"And there are {number} sacks of rye in the barn.", role="user"))
    assert "My scales stand in the hall." in await rows_of(app, "tove")


async def test_calls_and_results_stay_together(app: App) -> None:
    """They are told as text, with the ids that tie them; a lookup in precis itself is not told."""
    block = PrecisMemoryBlock(app=app, user_id="tove")
    call = ToolCallBlock(tool_call_id="c1", tool_name="weigh", tool_kwargs={"crate": 4})
    lookup = ToolCallBlock(tool_call_id="c2", tool_name="recall", tool_kwargs={"question": "Which crate?"})
    history = [
        ChatMessage("Weigh crate 4.", role="user"),
        ChatMessage(role="assistant", blocks=[lookup, call]),
        ChatMessage("Nothing relevant is remembered.", role="tool", additional_kwargs={"tool_call_id": "c2"}),
        ChatMessage("12 kg", role="tool", additional_kwargs={"tool_call_id": "c1"}),
        ChatMessage("You weigh crates.", role="system"),
    ]
    for _ in range(2):
        await block.aget(history, session_id="one")
    messages = (await app.conversations.context("one", user_id="tove")).messages
    assert [message.text for message in messages] == ["Weigh crate 4.", '[calls weigh {"crate":4}]', "12 kg"]
    assert messages[1].opens == messages[2].closes == ("c1",)


async def test_messages_without_a_session_are_refused(app: App) -> None:
    """Nobody could say which talk they belong to."""
    with pytest.raises(InvalidInput, match="name the session"):
        await PrecisMemoryBlock(app=app, user_id="tove").aput([ChatMessage("Hello", role="user")])


async def test_the_synchronous_get_in_the_loop_of_the_app_says_what_is_wrong(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would wait for itself; in a thread it works."""
    block = PrecisMemoryBlock(app=app, user_id="tove")
    memory = Memory.from_defaults(session_id="one", memory_blocks=[block])
    await memory.aput(ChatMessage("My scales stand in the hall.", role="user"))
    assert len(await asyncio.to_thread(memory.get)) == 1
    monkeypatch.setattr(block._person, "loop", AppLoop(patience=0.2))
    with pytest.raises(WrongLoop, match="waits for this very call"):
        memory.get()


async def test_messages_that_are_more_or_less_than_words(app: App) -> None:
    """Pictures, calls with odd arguments and no words, empty results, names in any script, the same twice."""
    block = PrecisMemoryBlock(app=app, user_id="tove \N{DODO}")
    odd = ToolCallBlock(
        tool_call_id="c1", tool_name="weigh", tool_kwargs={"id": 2**70, "kg": float("nan"), "by": "\ud83d"}
    )
    picture = ImageBlock(image=b"\x89PNG" + b"\x00" * 5_000_000, image_mimetype="image/png")
    history = [
        ChatMessage("You weigh crates. " * 20_000, role="system"),
        ChatMessage(role="user", blocks=[TextBlock(text="My houseboat is Kingfisher \ud83d."), picture]),
        ChatMessage(role="user", blocks=[picture]),
        ChatMessage(role="assistant", blocks=[odd]),
        ChatMessage("", role="tool", additional_kwargs={"tool_call_id": "c1"}),
        *[ChatMessage("Yes.", role="user"), ChatMessage("And?", role="assistant")] * 2,
    ]
    for _ in range(2):
        await block.aget(history, session_id="one")
    texts = [message.text for message in (await app.conversations.context("one", user_id="tove \N{DODO}")).messages]
    assert len(texts) == 6
    assert (texts[0], texts[2:]) == ("My houseboat is Kingfisher ?.", ["Yes.", "And?"] * 2)
    shown = await block.aget([ChatMessage("What is my houseboat?", role="user")], session_id="two")
    assert "Kingfisher" in shown
