"""Both services in ADK's own runner, with a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import pytest_asyncio
from door_contract import DoorContract, Talk
from google.adk.agents import LlmAgent
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.session import Session
from google.adk.tools.load_memory_tool import LoadMemoryTool
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from precis.agents.adk_memory import PrecisMemoryService
from precis.agents.adk_sessions import PrecisSessionService
from precis.app import App
from precis.errors import InvalidInput, NotFound

pytestmark = pytest.mark.asyncio(loop_scope="session")
TOVE: dict[str, Any] = {"app_name": "market", "user_id": "tove"}


def words(text: str, role: str = "user") -> types.Content:
    """A content."""
    return types.Content(role=role, parts=[types.Part(text=text)])


def event(text: str, author: str = "user", **fields: Any) -> Event:
    """Somebody says something."""
    return Event(author=author, content=words(text), invocation_id="i1", **fields)


class Scripted(BaseLlm):
    """Calls what the script says, then sees; and remembers what it was shown."""

    model: str = "scripted"
    script: list[types.Part]
    shown: list[LlmRequest]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """The next answer."""
        self.shown.append(llm_request)
        part = self.script.pop(0) if self.script else types.Part(text="I see.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def text_of(request: LlmRequest) -> str:
    """All that a model is shown."""
    return "\n".join(part.text or "" for content in request.contents for part in content.parts or [])


@dataclass
class Run:
    """A talk through a runner with both services."""

    sessions: PrecisSessionService
    memory: PrecisMemoryService
    user: str
    session: str
    llm: Scripted = field(default_factory=lambda: Scripted(script=[], shown=[]))
    tools: list[Any] = field(default_factory=lambda: [PreloadMemoryTool()])

    async def say(self, text: str) -> None:
        """One run; at its end the session is added to memory, as ADK's pages do it."""
        agent = LlmAgent(name="seller", model=self.llm, tools=self.tools)
        runner = Runner(
            app_name="market", agent=agent, session_service=self.sessions, memory_service=self.memory,
            auto_create_session=True,
        )  # fmt: skip
        async for _ in runner.run_async(user_id=self.user, session_id=self.session, new_message=words(text)):
            pass
        await self.say_again(text)

    async def say_again(self, text: str) -> None:
        """The session is added once more."""
        del text
        kept = await self.sessions.get_session(app_name="market", user_id=self.user, session_id=self.session)
        assert kept is not None
        await self.memory.add_session_to_memory(kept)

    async def ask(self, question: str) -> str:
        """What ADK preloads from memory."""
        await self.say(question)
        return text_of(self.llm.shown[-1]).partition("<PAST_CONVERSATIONS>")[2].partition("</PAST_CONVERSATIONS>")[0]


class TestADK(DoorContract):
    """The contract."""

    def open(self, app: App, *, user: str, session: str) -> Talk:
        """A runner for that user in that session."""
        return Run(PrecisSessionService(app), PrecisMemoryService(app), user, session)


@pytest_asyncio.fixture(loop_scope="session")
async def sessions(app: App) -> PrecisSessionService:
    """The service."""
    return PrecisSessionService(app)


@pytest_asyncio.fixture(loop_scope="session")
async def memory(app: App) -> PrecisMemoryService:
    """The other one."""
    return PrecisMemoryService(app)


async def test_a_session_comes_back_as_it_was_written(sessions: PrecisSessionService) -> None:
    """Every field of its events, whatever they hold."""
    session = await sessions.create_session(**TOVE, session_id=" one ")
    assert session.id == "one"
    call = types.Part(function_call=types.FunctionCall(id="c1", name="weigh", args={"crate": 4}))
    answer = types.Part(function_response=types.FunctionResponse(id="c1", name="weigh", response={"kg": 12}))
    picture = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\x00\xff\x10"))
    written = [
        event("Weigh crate 4."),
        Event(author="seller", content=types.Content(role="model", parts=[call]), long_running_tool_ids={"c1"}),
        Event(author="seller", content=types.Content(role="user", parts=[answer]), branch="root.seller"),
        Event(author="seller", content=types.Content(parts=[types.Part(text="hm", thought=True), picture])),
        Event(author="seller", actions=EventActions(escalate=True, transfer_to_agent="clerk")),
        event("It weighs 12 kg.", "seller"),
    ]
    for each in written:
        assert await sessions.append_event(session, each) is each
    kept = await sessions.get_session(**TOVE, session_id="one")
    assert kept is not None
    assert kept.events == written == session.events
    assert kept.last_update_time > 0


async def test_state_of_session_user_and_application(sessions: PrecisSessionService) -> None:
    """Each reaches as far as its prefix says; what is temporary is nowhere."""
    state = {"step": 1, "user:name": "Tove", "app:rate": 7, "temp:draft": "x"}
    first = await sessions.create_session(**TOVE, state=state, session_id="one")
    assert first.state == {"step": 1, "user:name": "Tove", "app:rate": 7}
    delta = {"step": 2, "user:size": 38, "app:rate": 8, "temp:draft": "y"}
    appended = await sessions.append_event(first, event("Size 38.", actions=EventActions(state_delta=delta)))
    assert "temp:draft" not in appended.actions.state_delta
    assert first.state["temp:draft"] == "y"
    second = await sessions.create_session(**TOVE, session_id="two")
    assert second.state == {"user:name": "Tove", "user:size": 38, "app:rate": 8}
    kept = await sessions.get_session(**TOVE, session_id="one")
    assert kept is not None
    assert kept.state == {"step": 2, "user:name": "Tove", "user:size": 38, "app:rate": 8}
    stranger = await sessions.create_session(app_name="market", user_id="ulf")
    assert stranger.state == {"app:rate": 8}
    assert (await sessions.create_session(app_name="library", user_id="tove")).state == {}
    assert await sessions.get_user_state(**TOVE) == {"name": "Tove", "size": 38}
    assert await sessions.get_user_state(app_name="market", user_id="ulf") == {}


async def test_an_event_is_written_once(sessions: PrecisSessionService) -> None:
    """Delivered again, it changes neither the events nor the state that others have changed since."""
    session = await sessions.create_session(**TOVE, session_id="one")
    first = event("One.", actions=EventActions(state_delta={"step": 1}))
    await sessions.append_event(session, first)
    await sessions.append_event(session, event("Two.", actions=EventActions(state_delta={"step": 2})))
    await sessions.append_event(session, first.model_copy(deep=True))
    kept = await sessions.get_session(**TOVE, session_id="one")
    assert kept is not None
    assert [each.content.parts[0].text for each in kept.events if each.content and each.content.parts] == [
        "One.",
        "Two.",
    ]
    assert (kept.state, session.state, len(session.events)) == ({"step": 2}, {"step": 2}, 2)
    partial = event("Thr", partial=True)
    assert await sessions.append_event(session, partial) is partial
    assert len(session.events) == 2


async def test_writers_at_once_lose_no_state(sessions: PrecisSessionService) -> None:
    """Neither of the session nor of the user."""
    session = await sessions.create_session(**TOVE, session_id="one")
    copies = [session.model_copy(deep=True) for _ in range(4)]
    await asyncio.gather(
        *(
            sessions.append_event(
                copy, event(f"{n}.", actions=EventActions(state_delta={f"s{n}": n, f"user:u{n}": n, f"app:a{n}": n}))
            )
            for n, copy in enumerate(copies)
        )
    )
    kept = await sessions.get_session(**TOVE, session_id="one")
    assert kept is not None
    assert len(kept.events) == 4
    assert len(kept.state) == 12


async def test_first_writers_at_once_lose_no_state(sessions: PrecisSessionService) -> None:
    """Also where nobody has written any of the user or the application before; and one session is made once."""
    states = [{f"user:u{n}": n, f"app:a{n}": n} for n in range(6)]
    await asyncio.gather(*(sessions.create_session(**TOVE, state=state) for state in states))
    assert len((await sessions.create_session(**TOVE)).state) == 12
    made = (sessions.create_session(**TOVE, session_id="one", state={f"s{n}": n}) for n in range(4))
    made_once = await asyncio.gather(*made, return_exceptions=True)
    assert [type(each) for each in made_once].count(AlreadyExistsError) == 3
    await sessions.delete_session(**TOVE, session_id="one")
    assert (await sessions.create_session(**TOVE, session_id="one")).id == "one"


async def test_sessions_are_listed_and_deleted(sessions: PrecisSessionService, app: App) -> None:
    """Of one user or of all; what is deleted is gone from memory as well."""
    for name in ("one", "two"):
        session = await sessions.create_session(**TOVE, session_id=name, state={"n": name})
        await sessions.append_event(session, event(f"The {name} kestrel nests in the tower."))
    await sessions.create_session(app_name="market", user_id="ulf", session_id="three")
    await sessions.create_session(app_name="library", user_id="tove", session_id="four")
    listed = (await sessions.list_sessions(**TOVE)).sessions
    assert [(each.id, each.events, each.state) for each in listed] == [
        ("one", [], {"n": "one"}),
        ("two", [], {"n": "two"}),
    ]
    everybody = (await sessions.list_sessions(app_name="market")).sessions
    assert {(each.id, each.user_id) for each in everybody} == {("one", "tove"), ("two", "tove"), ("three", "ulf")}
    await sessions.delete_session(**TOVE, session_id="one")
    await sessions.delete_session(**TOVE, session_id="never")
    assert await sessions.get_session(**TOVE, session_id="one") is None
    assert [row.text for row in (await app.memories.list(user_id="tove", turns=True)).rows] == [
        "The two kestrel nests in the tower."
    ]
    with pytest.raises(SessionNotFoundError, match="one"):
        await sessions.append_event(listed[0], event("Still there?"))
    with pytest.raises(AlreadyExistsError, match="two"):
        await sessions.create_session(**TOVE, session_id="two")


async def test_only_some_events_may_be_asked_for(sessions: PrecisSessionService) -> None:
    """The latest, or those since a time."""
    session = await sessions.create_session(**TOVE, session_id="one")
    for number in range(5):
        await sessions.append_event(session, event(f"{number}.", timestamp=1_700_000_000.0 + number))

    async def asked(**config: Any) -> list[float]:
        kept = await sessions.get_session(**TOVE, session_id="one", config=GetSessionConfig(**config))
        assert kept is not None
        return [each.timestamp - 1_700_000_000.0 for each in kept.events]

    assert await asked(num_recent_events=2) == [3, 4]
    assert await asked(num_recent_events=0) == []
    assert await asked(after_timestamp=1_700_000_002.0) == [2, 3, 4]
    assert await asked(num_recent_events=9, after_timestamp=1_700_000_004.0) == [4]


async def test_a_long_session_stays_short_for_the_model(app: App) -> None:
    """The summary stands in place of what it covers; calls keep their results, and every event is still there."""

    def weigh(crate: int) -> dict[str, int]:
        """Weigh a crate."""
        return {"kg": crate * 3}

    talk = Run(PrecisSessionService(app), PrecisMemoryService(app), "tove", "one", tools=[weigh])
    for number in range(1, 13):
        talk.llm.script.append(types.Part(function_call=types.FunctionCall(name="weigh", args={"crate": number})))
        await talk.say(f"Crate number {number} belongs to farmer Brand{number}, who wants it weighed.")
    kept = await talk.sessions.get_session(app_name="market", user_id="tove", session_id="one")
    assert kept is not None
    assert len([each for each in kept.events if not each.actions.compaction]) == 48
    (summary,) = [each.actions.compaction for each in kept.events if each.actions.compaction]
    assert "Brand1" in str(summary.compacted_content)
    last = talk.llm.shown[-1]
    assert len(last.contents) < 40
    assert "Brand12" in text_of(last)
    calls = [part.function_call.id for each in last.contents for part in each.parts or [] if part.function_call]
    results = [
        part.function_response.id for each in last.contents for part in each.parts or [] if part.function_response
    ]
    assert calls == results
    whole = await PrecisSessionService(app, summarized=False).get_session(
        app_name="market", user_id="tove", session_id="one"
    )
    assert whole is not None
    assert len(whole.events) == 48


async def test_memory_beside_another_session_service(memory: PrecisMemoryService, app: App) -> None:
    """A session of any service, added as often as one likes; and events by themselves."""
    said = [event("The kestrel nests in the tower."), event("Noted.", "seller"), Event(author="seller")]
    session = Session(id="s1", events=said, **TOVE)
    for _ in range(2):
        await memory.add_session_to_memory(session)
    await memory.add_events_to_memory(**TOVE, events=[*said[:1], event("The owl sleeps in the barn.")], session_id="s1")
    await memory.add_events_to_memory(**TOVE, events=[event("The heron fishes at the weir.")])
    assert len((await app.memories.list(user_id="tove", turns=True)).rows) == 4
    (first, *_) = (await memory.search_memory(**TOVE, query="Where does the kestrel nest?")).memories
    assert first.content.parts is not None
    assert (first.content.parts[0].text, first.author) == ("The kestrel nests in the tower.", "user")
    assert (
        await memory.search_memory(app_name="library", user_id="tove", query="Where does the kestrel nest?")
    ).memories == []
    assert first.id is not None
    await memory.delete_memory(**TOVE, memory_id=first.id)
    again = (await memory.search_memory(**TOVE, query="Where does the kestrel nest?")).memories
    assert "kestrel" not in str(again)
    await memory.add_session_to_memory(session)
    assert "kestrel" not in str((await memory.search_memory(**TOVE, query="Where does the kestrel nest?")).memories)


async def test_what_memory_showed_is_kept_by_its_ids(app: App) -> None:
    """load_memory: recall answers the fact and no copy of it; what is forgotten is in no event either."""
    talk = Run(PrecisSessionService(app), PrecisMemoryService(app), "tove", "one", tools=[LoadMemoryTool()])
    nests = MemoryEntry(content=words("The kestrel nests in the tower."), author="clerk")
    owl = MemoryEntry(content=words("The owl sleeps near the tower."))
    await talk.memory.add_memory(**TOVE, memories=[nests, owl])
    asks = types.FunctionCall(name="load_memory", args={"query": "Who lives in the tower?"})
    talk.llm.script.append(types.Part(function_call=asks))
    await talk.say("Who lives there?")
    response = next(part.function_response for content in talk.llm.shown[-1].contents for part in content.parts or []
                    if part.function_response)  # fmt: skip
    assert "kestrel" in str(response.response)
    assert "kestrel" in await shown_of(talk)
    assert "clerk" in await shown_of(talk)
    rows = await app.recall.search("Who lives in the tower?", user_id="tove", turns=True)
    assert {row.memory.text for row in rows} <= {
        "The kestrel nests in the tower.", "The owl sleeps near the tower.", "Who lives there?", "I see."
    }  # fmt: skip
    (kestrel,) = [row.memory.id for row in rows if "kestrel" in (row.memory.text or "")]
    await app.memories.forget(kestrel)
    assert "kestrel" not in await shown_of(talk)
    assert "owl" in await shown_of(talk)
    # What another service answers under the same name stays as it is.
    other = {"result": {"memories": [{"id": "1", "content": {"parts": [{"text": "The heron fishes."}]}}]}}
    answer = types.Part(function_response=types.FunctionResponse(id="c1", name="load_memory", response=other))
    session = await talk.sessions.create_session(**TOVE, session_id="two")
    await talk.sessions.append_event(session, Event(author="seller", content=types.Content(parts=[answer])))
    assert "heron" in await shown_of(replace(talk, session="two"))


async def shown_of(talk: Run) -> str:
    """All that the events of the session hold."""
    kept = await talk.sessions.get_session(app_name="market", user_id=talk.user, session_id=talk.session)
    assert kept is not None
    return "".join(each.model_dump_json() for each in kept.events)


async def test_facts_are_added_once_and_deleted_by_their_owner(memory: PrecisMemoryService) -> None:
    """With their author and time."""
    entry = MemoryEntry(
        content=words("The kestrel nests in the tower."), author="clerk", timestamp="2025-03-14T12:00:00"
    )
    for _ in range(2):
        await memory.add_memory(**TOVE, memories=[entry], custom_metadata={"source": "form"})
    (found,) = (await memory.search_memory(**TOVE, query="Where does the kestrel nest?")).memories
    assert (found.author, found.timestamp) == ("clerk", "2025-03-14T12:00:00+00:00")
    assert found.id is not None
    with pytest.raises(NotFound, match="of this user"):
        await memory.delete_memory(app_name="market", user_id="ulf", memory_id=found.id)
    with pytest.raises(InvalidInput, match="say which memory"):
        await memory.delete_memory(**TOVE)
    with pytest.raises(InvalidInput, match="is no time"):
        await memory.add_memory(**TOVE, memories=[MemoryEntry(content=words("The owl."), timestamp="lately")])


async def test_forgetting_a_user_takes_state_and_events(sessions: PrecisSessionService, app: App) -> None:
    """Of the user in every application; what belongs to the application stays."""
    session = await sessions.create_session(
        **TOVE, session_id="one", state={"step": 1, "user:name": "T", "app:rate": 7}
    )
    await sessions.append_event(session, event("The kestrel nests in the tower."))
    await app.memories.forget_user("tove")
    assert await sessions.get_user_state(**TOVE) == {}
    kept = await sessions.get_session(**TOVE, session_id="one")
    assert kept is None or (kept.events, kept.state) == ([], {"app:rate": 7})


async def test_a_user_of_whom_there_is_state_alone_is_forgotten(sessions: PrecisSessionService, app: App) -> None:
    """Nobody said a word, and yet there is something to forget."""
    await sessions.create_session(**TOVE, session_id="one", state={"step": 1, "user:name": "Tove"})
    await app.memories.forget_user("tove")
    assert await sessions.get_user_state(**TOVE) == {}


async def test_a_corrected_event_comes_back_corrected(sessions: PrecisSessionService, app: App) -> None:
    """Its old words are in no copy of it; what another door wrote into the conversation is an event, too."""
    session = await sessions.create_session(**TOVE, session_id="one")
    await sessions.append_event(session, event("The kestrel nests in the tower."))
    (row,) = (await app.memories.list(user_id="tove", turns=True)).rows
    await app.memories.edit(row.id, {"text": "The kestrel nests in the mill."})
    where: dict[str, Any] = {"user_id": "tove", "namespace": "market", "project_id": "market"}
    await app.conversations.turn("one", [{"role": "assistant", "content": "Noted.", "name": "clerk"}], **where)
    kept = await sessions.get_session(**TOVE, session_id="one")
    assert kept is not None
    assert [(each.author, words_of(each)) for each in kept.events] == [
        ("user", "The kestrel nests in the mill."),
        ("clerk", "Noted."),
    ]
    assert kept.events[0].id == session.events[0].id
    await PrecisMemoryService(app).add_session_to_memory(session)
    assert "tower" not in str((await app.memories.list(user_id="tove", turns=True)).rows)


def words_of(each: Event) -> str | None:
    """The first words of an event."""
    return each.content.parts[0].text if each.content and each.content.parts else None


async def test_events_that_json_cannot_say(sessions: PrecisSessionService, memory: PrecisMemoryService) -> None:
    """Photos, numbers that are none, halves of characters, names of any length: no run stops, the rest comes back."""
    who: dict[str, Any] = {"app_name": "market", "user_id": "tove \N{DODO}"}
    session = await sessions.create_session(**who, session_id="one")
    photo = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\x00\xff\x10" * 1_400_000))
    call = types.FunctionCall(id="c1", name="weigh", args={"id": 2**70, "kg": float("nan"), "by": "\ud83d"})
    result = types.FunctionResponse(id="c1", name="weigh", response={"kg": float("inf"), "at": "\ud83d"})
    written = [
        Event(
            author="user", content=types.Content(role="user", parts=[types.Part(text="My boat is Kingfisher."), photo])
        ),
        Event(author="user", content=types.Content(role="user", parts=[photo])),
        Event(author="s" * 300, content=types.Content(role="model", parts=[types.Part(function_call=call)])),
        Event(author="seller", content=types.Content(role="user", parts=[types.Part(function_response=result)])),
        Event(author="seller", content=None),
        *(event("Yes \ud83d\0.") for _ in range(2)),
    ]
    for each in written:
        await sessions.append_event(session, each)
    kept = await sessions.get_session(**who, session_id="one")
    assert kept is not None
    assert [each.id for each in kept.events] == [each.id for each in written]
    assert [each.content for each in kept.events[:2]] == [each.content for each in written[:2]]
    await memory.add_session_to_memory(session)
    await memory.add_session_to_memory(kept)
    entries = (await memory.search_memory(**who, query="What is my boat called?")).memories
    assert "Kingfisher" in str(entries[0].content)
