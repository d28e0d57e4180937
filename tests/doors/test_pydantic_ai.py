"""The toolset in a Pydantic AI agent, whose model is a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from door_contract import DoorContract, Talk
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from precis.agents.pydantic_ai import PrecisToolset
from precis.app import App
from precis.errors import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="session")


def calling(name: str, **arguments: Any) -> FunctionModel:
    """A model that calls one tool and answers with what the tool said."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        (*_, last) = messages[-1].parts
        if isinstance(last, UserPromptPart):
            return ModelResponse(parts=[ToolCallPart(name, arguments)])
        return ModelResponse(parts=[TextPart(str(getattr(last, "content", "")))])

    return FunctionModel(respond)


@dataclass
class Told:
    """A talk: the model remembers what it is told, and looks up what it is asked."""

    toolset: PrecisToolset

    async def say(self, text: str) -> None:
        """The model calls remember."""
        await Agent(calling("remember", text=text), toolsets=[self.toolset]).run(text)

    async def say_again(self, text: str) -> None:
        """The same."""
        await self.say(text)

    async def ask(self, question: str) -> str:
        """The model calls recall."""
        return (await Agent(calling("recall", question=question), toolsets=[self.toolset]).run(question)).output


class TestPydanticAI(DoorContract):
    """The contract."""

    def open(self, app: App, *, user: str, session: str) -> Talk:
        """A toolset of that user; sessions are the framework's own business."""
        return Told(PrecisToolset(app, user_id=user))


async def test_the_user_is_the_one_of_the_run(app: App) -> None:
    """One agent serves many users; whose memory it is comes from the dependencies of the run."""

    def user_of(run: RunContext[Any]) -> str:
        return str(run.deps)

    toolset = PrecisToolset(app, user_id=user_of)
    writer = Agent(calling("remember", text="The allotment has nine rows of leeks."), deps_type=str, toolsets=[toolset])
    await writer.run("I grow leeks.", deps="ines")
    reader = Agent(calling("recall", question="What grows in the allotment?"), deps_type=str, toolsets=[toolset])
    assert "leeks" in (await reader.run("What do I grow?", deps="ines")).output
    assert (await reader.run("What do I grow?", deps="joris")).output == "Nothing relevant is remembered."
    with pytest.raises(InvalidInput, match="say whose memory"):
        await reader.run("What do I grow?", deps="")


async def test_forgetting_asks_first(app: App) -> None:
    """A preview shows what would go; confirmed by its id, it is gone."""
    toolset = PrecisToolset(app, user_id="ines")
    await Agent(calling("remember", text="Bernard lent Ines a ladder."), toolsets=[toolset]).run("Bernard's ladder")
    shown = (await Agent(calling("forget", what="everything about Bernard"), toolsets=[toolset]).run("Forget")).output
    assert "Nothing is forgotten yet" in shown
    assert len((await app.memories.list(user_id="ines")).rows) == 1
    preview_id = shown.rsplit("preview_id ", 1)[1].rstrip(".")
    gone = (await Agent(calling("forget", preview_id=preview_id), toolsets=[toolset]).run("Yes")).output
    assert gone.startswith("Forgotten: 1 memory")
    assert (await app.memories.list(user_id="ines")).rows == ()


async def test_a_preview_is_its_users_alone(app: App) -> None:
    """The id of another user's preview confirms nothing."""
    await app.memories.add([{"text": "Bernard lent Ines a ladder.", "user_id": "ines"}])
    preview = await app.memories.find_to_forget("everything about Bernard", user_id="ines")
    stranger = PrecisToolset(app, user_id="joris")
    refused = await Agent(calling("forget", preview_id=preview.preview_id), toolsets=[stranger]).run("Yes")
    assert "there is no preview" in refused.output
    assert len((await app.memories.list(user_id="ines")).rows) == 1


async def test_what_a_model_asks_for_wrongly_comes_back_to_it(app: App) -> None:
    """In words that say what to do."""
    seen: list[str] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        (*_, last) = messages[-1].parts
        seen.append(str(getattr(last, "content", "")))
        return ModelResponse(parts=[ToolCallPart("forget", {})] if len(seen) == 1 else [TextPart("I see.")])

    answered = await Agent(FunctionModel(respond), toolsets=[PrecisToolset(app, user_id="ines")]).run("Forget it")
    assert answered.output == "I see."
    assert seen[1] == "give either what or preview_id"


async def test_every_tool_can_be_called_with_what_its_schema_allows(app: App) -> None:
    """Pydantic AI's own test model calls all of them."""
    await app.memories.add([{"text": "Ines keeps a spare key with a.", "user_id": "ines"}])
    model = TestModel(call_tools=["remember", "recall"])
    answered = await Agent(model, toolsets=[PrecisToolset(app, user_id="ines")]).run("Go on")
    assert '"recall"' in answered.output
    parameters = model.last_model_request_parameters
    assert parameters is not None
    assert [tool.name for tool in parameters.function_tools] == ["remember", "recall", "forget"]
    assert all("user" not in tool.parameters_json_schema["properties"] for tool in parameters.function_tools)
