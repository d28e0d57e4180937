"""The memory of an AutoGen assistant, whose model replays answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import MemoryQueryEvent
from autogen_core import FunctionCall, Image
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.model_context import BufferedChatCompletionContext, UnboundedChatCompletionContext
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)
from autogen_ext.models.replay import ReplayChatCompletionClient
from door_contract import DoorContract, Talk
from PIL.Image import new

from precis.agents.autogen import PrecisMemory
from precis.app import App
from precis.errors import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Replay(ReplayChatCompletionClient):
    """Says "I see." to everything, and remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__(["I see."] * 20)
        self.shown: list[LLMMessage] = []

    async def create(self, messages: Any, **how: Any) -> Any:
        """The next answer."""
        self.shown = list(messages)
        return await super().create(messages, **how)


@dataclass
class Assisted:
    """A talk with an assistant that has this memory."""

    memory: PrecisMemory
    client: Replay = field(default_factory=Replay)

    async def say(self, text: str) -> None:
        """One task of the agent; the next turn writes the answer to it."""
        await AssistantAgent("helper", self.client, memory=[self.memory]).run(task=text)

    async def say_again(self, text: str) -> None:
        """The same."""
        await self.say(text)

    async def ask(self, question: str) -> str:
        """What the memory put before the model."""
        await self.say(question)
        system = [message.content for message in self.client.shown if isinstance(message, SystemMessage)]
        return "\n".join(text for text in system if text.startswith("What is remembered"))


class TestAutoGen(DoorContract):
    """The contract."""

    def open(self, app: App, *, user: str, session: str) -> Talk:
        """An assistant of that user in that session."""
        return Assisted(PrecisMemory(app, user_id=user, session_id=session))


def text(content: str, **metadata: Any) -> MemoryContent:
    """A memory as an application adds it."""
    return MemoryContent(content=content, mime_type=MemoryMimeType.TEXT, metadata=metadata or None)


async def test_what_is_added_is_found_by_the_next_agent(app: App) -> None:
    """As ListMemory's users write it: without a session, what is added is all that is kept."""
    memory = PrecisMemory(app, user_id="tove")
    await memory.add(text("Tove is allergic to hazelnuts.", source="form"))
    await memory.add(text("Tove is allergic to hazelnuts.", source="letter"))
    await memory.add(MemoryContent(content={"shoe size": 38}, mime_type=MemoryMimeType.JSON))
    (found,) = (await memory.query("What is Tove allergic to?", limit=1)).results
    assert found.content == "Tove is allergic to hazelnuts."
    assert found.metadata is not None
    assert 0 < found.metadata["relevance"] <= 1
    assert len((await app.memories.list(user_id="tove")).rows) == 2
    client = Replay()
    answered = await AssistantAgent("cook", client, memory=[memory]).run(task="What is Tove allergic to?")
    assert any(isinstance(message, MemoryQueryEvent) for message in answered.messages)
    assert "hazelnuts" in str(client.shown[-1].content)
    assert len((await app.memories.list(user_id="tove", turns=True)).rows) == 2


async def test_the_question_is_not_among_what_is_remembered(app: App) -> None:
    """Nor is anything else that the model reads anyway."""
    memory = PrecisMemory(app, user_id="tove", session_id="one")
    context = UnboundedChatCompletionContext()
    await context.add_message(UserMessage(content="My tandem stands in the cellar.", source="user"))
    await context.add_message(AssistantMessage(content="Noted.", source="helper"))
    await context.add_message(UserMessage(content="Where does my tandem stand?", source="user"))
    assert (await memory.update_context(context)).memories.results == []
    assert len(await context.get_messages()) == 3


async def test_the_same_is_put_before_the_model_once(app: App) -> None:
    """A context that grows with each turn does not fill with the same memories."""
    memory = PrecisMemory(app, user_id="tove")
    await memory.add(text("The tandem stands in the cellar."))
    context = UnboundedChatCompletionContext()
    await context.add_message(UserMessage(content="Where does the tandem stand?", source="user"))
    for _ in range(3):
        assert (await memory.update_context(context)).memories.results
    assert len(await context.get_messages()) == 2


async def test_a_context_that_shows_the_end_alone_stores_all(app: App) -> None:
    """Calls and their results as well."""
    memory = PrecisMemory(app, user_id="tove", session_id="one")
    context = BufferedChatCompletionContext(buffer_size=3)
    for number in range(1, 5):
        call = FunctionCall(id=f"c{number}", name="weigh", arguments=f'{{"crate": {number}}}')
        result = FunctionExecutionResult(content=f"{number * 3} kg", call_id=call.id, is_error=False, name="weigh")
        await context.add_message(UserMessage(content=f"Weigh crate {number}.", source="user"))
        await memory.update_context(context)
        await context.add_message(AssistantMessage(content=[call], source="helper"))
        await context.add_message(FunctionExecutionResultMessage(content=[result]))
        await memory.update_context(context)
    context_of_it = await app.conversations.context("one", user_id="tove")
    assert [message.text for message in context_of_it.messages][-3:] == [
        "Weigh crate 4.",
        '[calls weigh {"crate": 4}]',
        "12 kg",
    ]
    assert context_of_it.total == 12


async def test_lookups_in_precis_are_not_stored(app: App) -> None:
    """A call of its own tool goes with its result; a call beside it, and a tool of that name from elsewhere, stay."""
    memory, context = PrecisMemory(app, user_id="tove", session_id="one"), UnboundedChatCompletionContext()
    answers = {"recall": "Nothing relevant is remembered.", "weigh": "12 kg", "precis.recall": "Crate 4 was recalled."}
    calls = [FunctionCall(id=name, name=name, arguments="{}") for name in answers]
    results = [
        FunctionExecutionResult(content=text, call_id=name, is_error=False, name=name) for name, text in answers.items()
    ]
    await context.add_message(AssistantMessage(content=calls, source="helper"))
    await context.add_message(FunctionExecutionResultMessage(content=results))
    await memory.update_context(context)
    texts = [message.text for message in (await app.conversations.context("one", user_id="tove")).messages]
    assert ["[calls weigh {}] [calls precis.recall {}]", "12 kg", "Crate 4 was recalled."] == texts


async def test_a_picture_is_refused_in_words_that_help(app: App) -> None:
    """It is not stored as something that nobody can find."""
    memory = PrecisMemory(app, user_id="tove")
    picture = MemoryContent(content=Image(new("RGB", (1, 1))), mime_type=MemoryMimeType.IMAGE)
    with pytest.raises(InvalidInput, match="not Image; say in words what it shows"):
        await memory.add(picture)


async def test_clearing_forgets(app: App) -> None:
    """Within a project what lies in it, else everything of the user; of others nothing."""
    for user in ("tove", "ulf"):
        await PrecisMemory(app, user_id=user).add(text("The tandem stands in the cellar."))
        await PrecisMemory(app, user_id=user, project_id="work").add(text("The scales stand in the hall."))
    await PrecisMemory(app, user_id="tove", project_id="work").clear()
    assert [row.text for row in (await app.memories.list(user_id="tove")).rows] == ["The tandem stands in the cellar."]
    await PrecisMemory(app, user_id="tove").clear()
    await PrecisMemory(app, user_id="tove").clear()
    assert (await app.memories.list(user_id="tove")).rows == ()
    assert len((await app.memories.list(user_id="ulf")).rows) == 2


async def test_messages_that_are_more_or_less_than_words(app: App) -> None:
    """Pictures, calls without words, empty results, odd characters, the same twice; metadata that is no JSON."""
    memory = PrecisMemory(app, user_id="tove \N{DODO}", session_id="one")
    picture = Image(new("RGB", (2, 2)))
    call = FunctionCall(id="c1", name="weigh", arguments='{"by": "\ud83d"}')
    context = UnboundedChatCompletionContext()
    rows: list[LLMMessage] = [
        SystemMessage(content="You weigh crates. " * 20_000),
        UserMessage(content=["My houseboat is Kingfisher \ud83d.", picture], source="tove"),
        UserMessage(content=[picture], source="tove"),
        AssistantMessage(content=[call], thought="Hm.", source="h" * 300),
        FunctionExecutionResultMessage(
            content=[FunctionExecutionResult(content="", call_id="c1", is_error=False, name="weigh")]
        ),
        *(UserMessage(content="Yes.", source="tove") for _ in range(2)),
    ]
    for row in rows:
        await context.add_message(row)
    for _ in range(2):
        await memory.update_context(context)
    texts = [message.text for message in (await app.conversations.context("one", user_id="tove \N{DODO}")).messages]
    assert [texts[0], *texts[2:]] == ["My houseboat is Kingfisher ?.", "(nothing)", "Yes.", "Yes."]
    odd: dict[str, Any] = {"kg": float("nan"), "at": datetime(2024, 5, 1, tzinfo=UTC), "tags": {"a"}}
    await memory.add(MemoryContent(content=odd, mime_type=MemoryMimeType.JSON, metadata=odd))
    await memory.add(MemoryContent(content="The barge is Wagtail. " * 3_000, mime_type=MemoryMimeType.TEXT))
    (barge, *_) = (await memory.query("What is the barge called?")).results
    assert "Wagtail" in str(barge.content)
