"""The session in the SDK's own runner, with a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, ModelResponse, RunConfig, Runner, function_tool
from agents.memory import Session
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from precis.agents.openai_agents import PrecisSession
from precis.app import App
from precis.policies.conversations import Limits

pytestmark = pytest.mark.asyncio(loop_scope="session")
QUIET = RunConfig(tracing_disabled=True)


def said(text: str) -> ResponseOutputMessage:
    """An answer."""
    part = ResponseOutputText(annotations=[], text=text, type="output_text")
    return ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")


def called(call_id: str, box: int) -> ResponseFunctionToolCall:
    """A call."""
    return ResponseFunctionToolCall(call_id=call_id, name="look", arguments=f'{{"box": {box}}}', type="function_call")


class Scripted(Model):
    """Answers what the script says, and remembers what it was shown."""

    def __init__(self, script: list[list[Any]]) -> None:
        self._script = iter(script)
        self.shown: list[list[dict[str, Any]]] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **how: Any) -> ModelResponse:  # noqa: A002
        """The next answer."""
        self.shown.append([dict(one) for one in input])
        return ModelResponse(output=next(self._script), usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **how: Any) -> AsyncIterator[Any]:
        """Nobody streams here."""
        raise NotImplementedError


@function_tool
def look(box: int) -> str:
    """Look into a box."""
    return f"Box {box} holds {box * 7} apples."


@pytest.fixture
def session(quoted: App, limits: Limits) -> PrecisSession:
    """Ana's."""
    return PrecisSession(quoted, "t1", user_id="ana", limits=limits)


async def test_it_is_a_session(session: PrecisSession) -> None:
    """By the SDK's own protocol."""
    assert isinstance(session, Session)
    assert await session.get_items() == []
    assert await session.pop_item() is None
    await session.clear_session()


async def test_items_come_back_as_they_went_in(session: PrecisSession) -> None:
    """Every field of them."""
    items: list[Any] = [
        {"role": "user", "content": [{"type": "input_text", "text": "Hello, I am Ana."}]},
        {"type": "reasoning", "id": "rs1", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "7 apples"},
    ]
    await session.add_items(items)
    assert items == await session.get_items()
    assert items[-2:] == await session.get_items(limit=2)


async def test_a_long_talk_through_the_runner(session: PrecisSession, quoted: App) -> None:
    """The model reads the summary and the rest; calls keep their outputs."""
    script = [one for n in range(1, 5) for one in ([called(f"c{n}", n), called(f"d{n}", n)], [said(f"Seen {n}.")])]
    model = Scripted(script)
    agent = Agent(name="looker", model=model, tools=[look])
    for number in range(1, 5):
        await Runner.run(agent, f"Look into box {number}.", session=session, run_config=QUIET)
    assert len(model.shown) == 8
    for shown in model.shown:
        asked = {one["call_id"] for one in shown if one.get("type") == "function_call"}
        assert asked == {one["call_id"] for one in shown if one.get("type") == "function_call_output"}
    last = model.shown[-1]
    assert "Look into box 1." in last[0]["content"]
    assert last[0]["role"] == "system"
    context = await quoted.conversations.context("t1")
    assert context.total == 24
    assert context.covered >= 12


async def test_the_latest_item_can_be_taken_back(session: PrecisSession, quoted: App) -> None:
    """And is forgotten, not only hidden."""
    await session.add_items([{"role": "user", "content": "I am Ana."}, {"role": "user", "content": "My cat is Mia."}])
    assert await session.pop_item() == {"role": "user", "content": "My cat is Mia."}
    assert [{"role": "user", "content": "I am Ana."}] == await session.get_items()
    assert not [row for row in (await quoted.memories.list(user_id="ana")).rows if "Mia" in (row.text or "")]


async def test_clearing_forgets_summary_and_all(session: PrecisSession, quoted: App) -> None:
    """Nothing is left of it."""
    await session.add_items([{"role": "user", "content": f"Box {n} is {n * 7}."} for n in range(1, 9)])
    assert (await quoted.conversations.context("t1")).covered
    await session.clear_session()
    assert await session.get_items() == []
    assert (await quoted.memories.list(user_id="ana")).rows == ()


async def test_a_call_whose_output_was_forgotten_is_told_as_text(session: PrecisSession, quoted: App) -> None:
    """No model takes a call without its output; what was called is still said."""
    call: Any = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    output: Any = {"type": "function_call_output", "call_id": "c1", "output": "7 apples"}
    await session.add_items(
        [{"role": "user", "content": "Look."}, call, output, {"role": "user", "content": "Thanks."}]
    )
    told = await quoted.conversations.messages("t1")
    await quoted.memories.forget(told[2].id)
    items: list[Any] = await session.get_items()
    assert call not in items
    assert "[calls look {}]" in [one["content"] for one in items]


async def test_a_pending_approval_is_kept_with_what_follows(session: PrecisSession) -> None:
    """Nobody has decided yet: the request and everything behind it stay in the items."""
    ask: Any = {"type": "mcp_approval_request", "id": "a1", "name": "send", "arguments": "{}", "server_label": "mail"}
    before: list[Any] = [{"role": "user", "content": f"Box {n} is {n * 7}."} for n in range(1, 5)]
    after: list[Any] = [{"role": "user", "content": f"Tin {n} is {n * 9}."} for n in range(1, 7)]
    await session.add_items([*before, ask, *after])
    items: list[Any] = await session.get_items()
    assert [ask, *after] == items[-7:]
    settled: Any = {"type": "mcp_approval_response", "approval_request_id": "a1", "approve": True}
    await session.add_items([settled, {"role": "user", "content": "One."}, {"role": "user", "content": "Two."}])
    items = await session.get_items()
    assert (ask in items) == (settled in items)


async def test_a_corrected_item_comes_back_corrected(session: PrecisSession, quoted: App) -> None:
    """The item as the library knew it held the old words, and is gone."""
    await session.add_items([{"role": "user", "content": [{"type": "input_text", "text": "The gate is open."}]}])
    (row,) = (await quoted.memories.list()).rows
    await quoted.memories.edit(row.id, {"importance": 0.9})
    assert [
        {"role": "user", "content": [{"type": "input_text", "text": "The gate is open."}]}
    ] == await session.get_items()
    await quoted.memories.edit(row.id, {"text": "The gate is closed."})
    assert [{"role": "user", "content": "The gate is closed."}] == await session.get_items()


async def test_lookups_in_precis_are_no_items(session: PrecisSession) -> None:
    """With what was reasoned before them; a tool of that name from elsewhere stays, though its id comes again."""

    def asked(name: str, id_: str = "c1") -> Any:
        return {"type": "function_call", "call_id": id_, "name": name, "arguments": "{}"}

    def answered(output: Any, id_: str = "c1") -> Any:
        return {"type": "function_call_output", "call_id": id_, "output": output}

    thought: Any = {"type": "reasoning", "id": "r1", "summary": []}
    nothing = [{"type": "input_text", "text": "Nothing relevant is remembered."}]
    hosted: Any = {"type": "mcp_call", "id": "h", "server_label": "precis", "name": "recall", "arguments": "{}"}
    own = [thought, asked("mcp__precis__recall"), answered(nothing), hosted | {"output": nothing[0]["text"]}]
    others = [asked("recall"), answered("Recalled 3 crates of figs.")]
    beside = [thought | {"id": "r2"}, asked("look", "c2"), answered("Plums.", "c2")]
    await session.add_items([*own, *others, beside[0], asked("context", "c3"), *beside[1:], answered(nothing, "c3")])
    assert [*others, *beside] == await session.get_items()
