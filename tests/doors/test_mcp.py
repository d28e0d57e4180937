"""MCP: what a host's client sees over HTTP and over stdio, and an agent that works with it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from subprocess import PIPE
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from agents.models.interface import Model
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

import warm
from precis.agents.openai_agents import PrecisSession
from precis.app import App
from precis.app.receipts import Verification
from precis.bootstrap import Runtime
from precis.conversation import Remembering
from precis.ids import new_id
from precis.mcp.wording import is_answer
from precis.rest.server import listening

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: A connected client, for a user that its configuration names, or for nobody.
Host = Callable[[str | None], AbstractAsyncContextManager[Client]]


class _ToolFailed(Exception):
    """What a tool answers in place of a result."""


_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
_TOOLS = {
    "context", "recall", "list_summaries", "get_summary", "plan", "verify_forgotten", "remember", "correct", "forget",
}  # fmt: skip
_ID = re.compile(r"\[([^\]]+)\]|as (\S+)\.$")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url(runtime: Runtime) -> AsyncIterator[str]:
    """Where the server listens."""
    async with listening(runtime) as base:
        yield f"{base}/mcp"


@pytest_asyncio.fixture(loop_scope="session")
async def host(runtime: Runtime, tenant: str, url: str) -> Host:
    """Connects with a key of the test's tenant."""
    key = await runtime.store.tenants.create_key(tenant, name="test", now=runtime.engine.clock())

    @asynccontextmanager
    async def connected(user_id: str | None) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {key}"} | ({"X-Precis-User-Id": user_id} if user_id else {})
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            yield client

    return connected


async def _call(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool answers. Raises _ToolFailed with its text where it is an error."""
    result = await client.call_tool(tool, arguments)
    text = "\n".join(part.text for part in result.content if part.type == "text")
    if result.is_error:
        raise _ToolFailed(text)
    # A door that keeps conversations tells by it that the answer is stored already.
    assert is_answer(f"mcp__precis__{tool}", text), text
    return text


def _id_in(text: str) -> str:
    match = _ID.search(text)
    assert match, text
    return match[1] or match[2]


async def test_a_fact_is_remembered_found_corrected_and_forgotten(host: Host) -> None:
    """The whole life of a memory, as a host walks through it."""
    async with host("mia") as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == _TOOLS
        assert await _call(client, "context", question="What does Mia eat?") == "Nothing relevant is remembered."
        memory_id = _id_in(await _call(client, "remember", text="Mia is allergic to hazelnuts."))
        again = await _call(client, "remember", text="Mia is allergic to hazelnuts.")
        assert "remembered already" in again
        assert memory_id in again
        await _call(client, "remember", text="Mia moved to Bergen.", happened_at="2026-03-14T10:00:00")
        assert "hazelnuts" in await _call(client, "context", question="What can Mia not eat?", token_budget=100)
        assert memory_id in await _call(client, "recall", question="allergic to nuts")
        assert "walnuts" in await _call(client, "correct", id=memory_id, text="Mia is allergic to walnuts.")
        preview = await _call(client, "forget", ids=[memory_id])
        assert "walnuts" in preview
        assert "walnuts" in await _call(client, "recall", question="walnuts")
        assert "Forgotten: 1 memory" in await _call(client, "forget", ids=[memory_id], confirm=True)
        assert "walnuts" not in await _call(client, "recall", question="walnuts")
        assert "Nothing of the words" in await _call(client, "verify_forgotten", words=["walnuts"])
        assert "memories.text" in await _call(client, "verify_forgotten", words=["Bergen"])


async def test_summaries_are_read_with_their_sources(host: Host, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """By tool, and as resources; a wrong statement is withdrawn, and a day that is shown in part says so."""
    texts = ["Mia's rent is 900 euros.", "Mia's rent includes heating.", "Mia's rent is due on the 3rd."]
    await app.memories.add([{"text": text, "user_id": "mia", "key": "rent"} for text in texts])
    async with host("mia") as client:
        listed = await _call(client, "list_summaries")
        summary_id = _id_in(listed)
        shown = await _call(client, "get_summary", summary_id=summary_id)
        assert "0. " in shown
        assert "rests on [" in shown
        assert "900 euros" in shown
        listing = await client.read_resource("precis://summaries")
        assert summary_id in listing.contents[0].text  # type: ignore[union-attr]
        read = await client.read_resource(f"precis://summaries/{summary_id}")
        assert read.contents[0].text == shown  # type: ignore[union-attr]
        today = app.parts.engine.clock().date()
        day = await client.read_resource(f"precis://days/{today}")
        assert "900 euros" in day.contents[0].text  # type: ignore[union-attr]
        assert "The latest" not in day.contents[0].text  # type: ignore[union-attr]
        monkeypatch.setattr("precis.mcp.server._OF_A_DAY", 2)
        part = (await client.read_resource(f"precis://days/{today}")).contents[0].text  # type: ignore[union-attr]
        assert part.startswith("The latest 2 of the day; recall finds the others.")
        assert part.count("[") == 2
        assert "current" in await _call(client, "plan")
        number = int(next(line for line in shown.splitlines() if "heating" in line).split(".")[0])
        assert "Withdrawn: 1 statement" in await _call(client, "correct", id=summary_id, statement=number)
        assert "includes heating" not in (await app.summaries.get(summary_id)).text


async def test_forgetting_in_words_shows_what_is_meant_first(host: Host) -> None:
    """The preview names what goes and what stays; its id confirms it, and nobody else's connection can."""
    async with host("mia") as client:
        for text in ("Frank Olsen owes Mia 40 euros.", "Mia's tax adviser is Frank Olsen.", "Mia likes plums."):
            await _call(client, "remember", text=text)
        preview = await _call(client, "forget", what="everything about Frank Olsen")
        assert "owes Mia" in preview
        assert "plums" not in preview
        assert "Frank" in await _call(client, "recall", question="Frank Olsen")
        preview_id = preview.rsplit(" ", 1)[-1].rstrip(".")
        async with host("ben") as other:
            with pytest.raises(_ToolFailed):
                await _call(other, "forget", preview_id=preview_id)
        assert "Forgotten: 2 memories" in await _call(client, "forget", preview_id=preview_id)
        assert "Frank" not in await _call(client, "recall", question="Frank Olsen")
        assert "plums" in await _call(client, "recall", question="plums")
        with pytest.raises(_ToolFailed, match="nothing of user"):
            await _call(client, "forget", what="everything about Frank Olsen")
        with pytest.raises(_ToolFailed, match="give one of"):
            await _call(client, "forget")


async def test_what_happened_on_another_day_is_shown_with_that_day(host: Host) -> None:
    """Remembered again, forgotten, recalled, and as that day's resource; the words that stand still are named."""
    async with host("tove") as client:
        told = {"text": "Tove's boat was sold to Anders Lund.", "happened_at": "2026-03-14T10:00:00"}
        await _call(client, "remember", **told)
        assert "] 2026-03-14 Tove's boat" in await _call(client, "remember", **told)
        assert "] 2026-03-14 Tove's boat" in await _call(client, "recall", question="Who has Tove's boat?")
        assert "] 2026-03-14 Tove's boat" in await _call(client, "forget", what="everything about Anders Lund")
        (shown,) = (await client.read_resource("precis://days/2026-03-14")).contents
        assert "Tove's boat" in getattr(shown, "text", "")
        (before,) = (await client.read_resource("precis://days/2026-03-13")).contents
        assert getattr(before, "text", "") == "Nothing was remembered on 2026-03-13."
        still = await _call(client, "verify_forgotten", words=["Anders Lund", "Zanzibar"])
        assert still.endswith("These do: Anders Lund.")


async def test_what_a_fact_replaces_leaves_recall(host: Host) -> None:
    """And what is somebody else's cannot be named."""
    async with host("mia") as client:
        old = _id_in(await _call(client, "remember", text="Mia's desk is in room 12."))
        await _call(client, "remember", text="Mia's desk is in room 31.", replaces=[old])
        assert "room 12" not in await _call(client, "recall", question="Mia's desk")
        async with host("ben") as other:
            with pytest.raises(_ToolFailed, match="no memory"):
                await _call(other, "remember", text="Ben's desk is by the door.", replaces=[old])


async def test_what_a_fact_replaced_by_the_rules_is_said(host: Host) -> None:
    """In the answer, and where the day is read; so is it where two facts are of one day, by their times."""
    async with host("tove") as client:
        older = _id_in(await _call(client, "remember", text="The alarm code is 7719."))
        answer = await _call(client, "remember", text="The alarm code is 8840 now.")
        newer = answer.split()[2].rstrip(".")
        told = re.search(rf"\nIt replaces: \[{older}\] (\d{{4}}-\d\d-\d\d) The alarm code is 7719\.\Z", answer)
        assert told, answer
        (shown,) = (await client.read_resource(f"precis://days/{told[1]}")).contents
        assert f"The alarm code is 7719. (replaced by [{newer}])" in getattr(shown, "text", "")
        await _call(client, "remember", text="The alarm company is in Bergen.")
        found = await _call(client, "recall", question="What is the alarm code?")
        assert re.match(rf"\[{newer}\] \d{{4}}-\d\d-\d\d \d\d:\d\d The alarm code is 8840 now\.", found)


async def test_recall_says_that_nothing_is_surely_relevant(host: Host) -> None:
    """As the command line does, above what is only the closest."""
    async with host("tove") as client:
        await _call(client, "remember", text="The alarm code is 7719.")
        await _call(client, "remember", text="Tove has locker number 12.")
        answer = await _call(client, "recall", question="When does the flight leave?")
        assert answer.startswith(("Nothing surely relevant; the closest:\n[", "Nothing relevant is remembered."))


async def test_who_said_a_message_stays_when_it_is_corrected(host: Host, app: App) -> None:
    """Its words are others then, not its speaker."""
    message = {"role": "user", "name": "Liz", "content": "The wifi password is larchlane-otter-88."}
    await app.conversations.turn("kitchen", [message], user_id="tove")
    async with host("tove") as client:
        memory_id = _id_in(await _call(client, "recall", question="wifi password", limit=1))
        assert "Liz: The wifi" in await _call(client, "correct", id=memory_id, text="The wifi password is badger-12.")


async def test_nobody_reads_or_forgets_what_is_another_users(host: Host, app: App) -> None:
    """An id of another user names nothing, for any tool; and a connection for one user serves no other."""
    written = await app.memories.add([{"text": "Ben's safe has the code 4711.", "user_id": "ben"}])
    other = written.memories[0].id
    async with host("mia") as client:
        assert "4711" not in await _call(client, "recall", question="code of the safe")
        for tool, arguments in (
            ("forget", {"ids": [other], "confirm": True}),
            ("correct", {"id": other, "text": "Ben's safe has no code."}),
            ("recall", {"question": "code of the safe", "user_id": "ben"}),
        ):
            with pytest.raises(_ToolFailed):
                await _call(client, tool, **arguments)
    assert (await app.memories.get(other)).text == "Ben's safe has the code 4711."


async def test_another_tenant_sees_nothing(host: Host, url: str, runtime: Runtime) -> None:
    """The same user id under another key is somebody else."""
    async with host("mia") as client:
        memory_id = _id_in(await _call(client, "remember", text="Mia's locker has the number 338."))
    key = await runtime.store.tenants.create_key(f"t-{new_id()}", name="other", now=runtime.engine.clock())
    headers = {"X-API-Key": key, "X-Precis-User-Id": "mia"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        assert "338" not in await _call(client, "context", question="number of the locker")
        assert "338" not in await _call(client, "verify_forgotten", words=["locker"])
        with pytest.raises(_ToolFailed, match="no memory"):
            await _call(client, "forget", ids=[memory_id], confirm=True)


async def test_without_a_user_each_call_says_whose_memory(host: Host) -> None:
    """One connection of a service that speaks for many."""
    async with host(None) as client:
        with pytest.raises(_ToolFailed, match="say whose memory"):
            await _call(client, "recall", question="tea")
        await _call(client, "remember", text="Olu drinks black tea.", user_id="olu")
        assert "black tea" in await _call(client, "recall", question="tea", user_id="olu")
        assert "Nothing" in await _call(client, "recall", question="tea", user_id="mia")


async def test_errors_say_what_to_do(host: Host) -> None:
    """And resources that are not there are told from failures."""
    async with host("mia") as client:
        with pytest.raises(_ToolFailed, match="recall shows the ids"):
            await _call(client, "forget", ids=["nope"])
        with pytest.raises(_ToolFailed, match="give text for a memory"):
            await _call(client, "correct", id="nope")
        with pytest.raises(_ToolFailed, match="empty"):
            await _call(client, "remember", text="  ")
        with pytest.raises(MCPError, match="2026-03-14"):
            await client.read_resource("precis://days/yesterday")
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert prompts == {"what_do_you_know_about_me", "what_do_you_know_about", "forget_something"}


async def test_a_wrong_call_is_told_in_words(host: Host) -> None:
    """What a model got wrong is named without the words of our packages, and nothing it meant is dropped."""
    async with host("mia") as client:
        wrong: list[tuple[str, dict[str, Any], str]] = [
            ("remember", {"fact": "x"}, "remember takes no fact; it takes text, happened_at"),
            ("remember", {"text": "Mia moved.", "when": "2025-01-01"}, "takes no when"),
            ("remember", {}, "remember: text: Field required$"),
            ("remember", {"text": " "}, ": text: the text is empty"),
            ("remember", {"text": "x" * 32_001}, ": text: 32001 characters; the limit is 32000. Split it"),
            ("context", {"question": " "}, ": question: it is empty; say what to look for"),
            ("forget", {"preview_id": "none"}, "ask for a new one"),
            ("recall", {"question": "x", "limit": 0}, "recall: limit: Input should be greater than or equal to 1$"),
            ("get_summary", {"summary_id": "none"}, "list_summaries shows the ids"),
            ("plan", {"verbose": True}, "plan takes no verbose"),
        ]
        for tool, arguments, words in wrong:
            with pytest.raises(_ToolFailed, match=words):
                await _call(client, tool, **arguments)
        with pytest.raises(MCPError, match="Missing required arguments"):
            await client.get_prompt("what_do_you_know_about", {})
        with pytest.raises(MCPError, match="Unknown prompt"):
            await client.get_prompt("weather", {})


@pytest.mark.parametrize("user_id", ["Mia Lind", "teams/7", "\u7528\u6237"])
async def test_a_user_may_have_any_name(host: Host, user_id: str) -> None:
    """A name with spaces or slashes is written, read and forgotten like others."""
    async with host(None) as client:
        await _call(client, "remember", text="The boiler is in the cellar.", user_id=user_id)
        shown = await _call(client, "recall", question="boiler", user_id=user_id)
        receipt = await _call(client, "forget", ids=[_id_in(shown)], confirm=True, user_id=user_id)
        assert "Forgotten: 1 memory" in receipt
        with pytest.raises(_ToolFailed, match="an id is 1 to 512 characters"):
            await _call(client, "recall", question="boiler", user_id="a\nb")


async def test_what_is_all_in_doubt_says_how_to_confirm(host: Host) -> None:
    """A preview that is sure of nothing names the parameter that takes what is in doubt."""
    async with host("mia") as client:
        await _call(client, "remember", text="Torvald keeps three llamas near Tartu.")
        preview = await _call(client, "forget", what="everything about the llamas")
        assert "In doubt" in preview
        assert preview.endswith("and also or include_doubtful: nothing of it is sure.")
        preview_id = preview.rsplit("preview_id ", 1)[1].split(" ", 1)[0]
        with pytest.raises(_ToolFailed, match="does not show 'nobody'"):
            await _call(client, "forget", preview_id=preview_id, also=["nobody"])
        with pytest.raises(_ToolFailed, match="1 in doubt were not chosen"):
            await _call(client, "forget", preview_id=preview_id)
        receipt = await _call(client, "forget", preview_id=preview_id, also=[_id_in(preview)])
        assert "Forgotten: 1 memory" in receipt


async def test_it_takes_a_key_and_opens_no_stream(url: str, runtime: Runtime, tenant: str) -> None:
    """The same door as every route's, under either address. A stream without an end would keep a server from ending."""
    key = await runtime.store.tenants.create_key(tenant, name="host", now=runtime.engine.clock())
    async with httpx2.AsyncClient(headers={"Accept": "application/json, text/event-stream"}) as http:
        for address in (url, f"{url}/"):
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}
            assert (await http.post(address, json=hello, headers={"X-API-Key": "wrong"})).status_code == 401
            answer = await http.post(address, json=hello, headers={"X-API-Key": key})
            assert answer.json()["result"]["serverInfo"]["name"] == "precis"
            listening_host = await http.get(address, headers={"X-API-Key": key}, timeout=5)
            assert (listening_host.status_code, listening_host.headers["allow"]) == (405, "POST")


async def test_an_agent_works_with_it(url: str, app: App, runtime: Runtime, tenant: str) -> None:
    """A loop of a published agent library over a scripted model: it asks for the tools, calls them, and answers."""
    set_tracing_disabled(disabled=True)

    class Scripted(Model):
        """Remembers, looks it up, and repeats what it read."""

        def __init__(self) -> None:
            self.turn = 0

        async def get_response(self, *args: Any, **options: Any) -> ModelResponse:
            """The next step of the script."""
            self.turn += 1
            calls = {
                1: ("remember", {"text": "Mia's train leaves Zwettl at 7:42."}),
                2: ("context", {"question": "When does the train leave?"}),
            }
            if self.turn in calls:
                name, arguments = calls[self.turn]
                step: Any = ResponseFunctionToolCall(
                    type="function_call", call_id=str(self.turn), name=name, arguments=json.dumps(arguments)
                )
            else:
                read = str(options.get("input") or args[1])
                said = "At 7:42." if "] Mia's train leaves Zwettl at 7:42." in read else read
                content = ResponseOutputText(type="output_text", text=said, annotations=[])
                step = ResponseOutputMessage(
                    id="m", type="message", role="assistant", status="completed", content=[content]
                )
            return ModelResponse(output=[step], usage=Usage(), response_id=None)

        def stream_response(self, *_args: Any, **_options: Any) -> Any:
            """Not used."""
            raise NotImplementedError

    key = await runtime.store.tenants.create_key(tenant, name="agent", now=runtime.engine.clock())
    headers = {"Authorization": f"Bearer {key}", "X-Precis-User-Id": "mia"}
    async with MCPServerStreamableHttp(params={"url": url, "headers": headers, "timeout": 60}) as server:
        agent = Agent(name="assistant", model=Scripted(), mcp_servers=[server])
        session = PrecisSession(app, "t1", user_id="mia", remembering=Remembering(recall=True))
        result = await Runner.run(agent, "When does my train leave?", session=session)
    assert result.final_output == "At 7:42."
    # What its tools were asked and answered is no memory besides the fact, and goes with it.
    rows = await app.recall.search("When does Mia's train leave?", user_id="mia")
    assert "Mia's train leaves Zwettl at 7:42." == rows[0].memory.text
    assert ["When does my train leave?", "At 7:42."] == [
        message.text for message in await app.conversations.messages("t1", user_id="mia")
    ]
    await app.memories.forget([rows[0].memory.id])
    looked = await Verification(runtime.database, runtime.settings, tenant).look(["zwettl"], files=False)
    assert [] == [place.where for place in looked if place.hits]


async def test_over_stdio_the_host_is_answered_while_the_database_opens(runtime: Runtime) -> None:
    """A process of its own, for one person: no tool takes a user, and stdout holds the protocol alone."""
    user_id = f"mia-{new_id()}"
    arguments = ["mcp", "--user-id", user_id, "--no-worker", "--data-dir", str(runtime.settings.data_dir)]
    process = StdioServerParameters(command=warm.command(), args=arguments)
    async with Client(stdio_client(process)) as client:
        for tool in (await client.list_tools()).tools:
            assert "user_id" not in tool.input_schema["properties"]
        assert "Remembered" in await _call(client, "remember", text="Mia has two cats.")
        assert "two cats" in await _call(client, "recall", question="cats")
        assert "no summaries" in (await client.read_resource("precis://summaries")).contents[0].text  # type: ignore[union-attr]


async def test_it_ends_when_it_is_told_to(runtime: Runtime) -> None:
    """Although the host holds the pipe open."""
    command = [warm.command(), "mcp", "--no-worker", "--data-dir", str(runtime.settings.data_dir)]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    assert process.stdin
    assert process.stdout
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}
    process.stdin.write(json.dumps(hello).encode() + b"\n")
    assert b'"precis"' in await process.stdout.readline()
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 60) == 128 + signal.SIGTERM


async def test_what_is_remembered_ten_times_at_once_is_remembered_once(host: Host) -> None:
    """The others wait for the first, and find it."""
    async with host("ida") as client:
        answers = await asyncio.gather(*(_call(client, "remember", text="Ida plays the oboe.") for _ in range(10)))
    assert sum(answer.startswith("Remembered as") for answer in answers) == 1
    assert sum("remembered already" in answer for answer in answers) == 9


async def test_what_is_no_message_is_not_repeated(url: str, runtime: Runtime, tenant: str) -> None:
    """400 that says what a message is, and nothing of what was sent."""
    key = await runtime.store.tenants.create_key(tenant, name="odd", now=runtime.engine.clock())
    headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        for sent in ({"method": ["my secret peanuts"]}, [{"a": "my secret peanuts"}], {"jsonrpc": "my secret peanuts"}):
            answer = await http.post(url, json=sent)
            assert answer.status_code == 400
            assert "peanuts" not in answer.text
            assert "JSON-RPC 2.0" in answer.json()["error"]["message"]


async def test_a_request_names_one_user(url: str, runtime: Runtime, tenant: str) -> None:
    """A header and an address that differ are refused; alike they are one."""
    key = await runtime.store.tenants.create_key(tenant, name="two", now=runtime.engine.clock())
    headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {key}"}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}
    async with httpx2.AsyncClient(headers={**headers, "X-Precis-User-Id": "ana"}) as http:
        refused = await http.post(f"{url}?user_id=bob", json=hello)
        assert refused.status_code == 400
        assert "name different users" in refused.json()["error"]["message"]
        assert (await http.post(f"{url}?user_id=ana", json=hello)).status_code == 200


async def test_a_time_may_be_a_day(host: Host) -> None:
    """And what is neither is refused with both."""
    async with host("ida") as client:
        await _call(client, "remember", text="Ida moves to Bergen.", happened_at="2027-01-01")
        with pytest.raises(_ToolFailed, match="give a day, as 2025-03-01, or a time"):
            await _call(client, "remember", text="Ida sings.", happened_at="tomorrow")
        with pytest.raises(_ToolFailed, match="at least 1 character"):
            await _call(client, "remember", text="Ida sings.", topics=[""])
