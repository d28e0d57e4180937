"""The published client (agent-memory-client 0.14.0), unmodified, against a running precis: long-term memory, tools."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from agent_memory_client import MemoryAPIClient, MemoryClientConfig, MemoryNotFoundError, MemoryServerError
from agent_memory_client.filters import (
    CreatedAt,
    Entities,
    LastAccessed,
    MemoryType,
    Namespace,
    SessionId,
    Topics,
    UserId,
)
from agent_memory_client.integrations.langchain import get_memory_tools
from agent_memory_client.models import ClientMemoryRecord, ForgetPolicy, RecencyConfig
from ulid import ULID
from wire_rooms import connected

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: What this file calls; working memory, views and tasks have files of their own.
CALLED_HERE = set(
    """health_check create_long_term_memory delete_long_term_memories get_long_term_memory edit_long_term_memory
    forget_long_term_memories search_long_term_memory search_memory_tool bulk_create_long_term_memories
    search_all_long_term_memories memory_prompt hydrate_memory_prompt resolve_tool_call resolve_tool_calls
    resolve_function_call resolve_function_calls""".split()
)
CALLED_ELSEWHERE = set(
    """list_sessions get_working_memory get_or_create_working_memory put_working_memory delete_working_memory
    set_working_memory_data add_memories_to_working_memory get_working_memory_tool get_or_create_working_memory_tool
    add_memory_tool update_memory_data_tool promote_working_memories_to_long_term update_working_memory_data
    append_messages_to_working_memory list_summary_views create_summary_view get_summary_view delete_summary_view
    run_summary_view_partition list_summary_view_partitions run_summary_view get_task""".split()
)


@pytest_asyncio.fixture(loop_scope="session")
async def client(url: str, key: str) -> AsyncIterator[MemoryAPIClient]:
    """As its own factory makes it: the base URL holds the key, for the client has no place for one."""
    async with connected(url, key) as made:
        yield made


def record(text: str, **fields: Any) -> ClientMemoryRecord:
    """A memory whose id the client makes."""
    return ClientMemoryRecord(text=text, **{"user_id": "ana", "memory_type": "semantic"} | fields)


@pytest_asyncio.fixture(loop_scope="session")
async def stored(client: MemoryAPIClient) -> dict[str, ClientMemoryRecord]:
    """Three memories, written by the client."""
    then = datetime.now(UTC) - timedelta(days=3)
    records = {
        "ui": record("Ana prefers dark mode in her editor", topics=["ui", "preferences"], entities=["editor"]),
        "trip": record("Ana went to Bruges by night train", memory_type="episodic", topics=["travel"], session_id="s1",
                       created_at=then, last_accessed=then, event_date=then, namespace="trips"),
        "ben": record("Ben prefers light mode", user_id="ben", topics=["ui"]),
    }  # fmt: skip
    said = await client.create_long_term_memory(list(records.values()))
    assert said.status == "ok"
    return records


def texts(found: Any) -> set[str]:
    """What was found."""
    return {memory.text for memory in found.memories}


async def test_every_method_of_the_client_is_called_somewhere() -> None:
    """A method of a later client is missed here until somebody calls it."""
    methods = {
        name for name, one in inspect.getmembers(MemoryAPIClient, inspect.isfunction) if not name.startswith("_")
    }
    talking = {
        n for n in methods if inspect.iscoroutinefunction(getattr(MemoryAPIClient, n)) or n.startswith("search_all")
    }
    assert talking - {"close"} == CALLED_HERE | CALLED_ELSEWHERE


async def test_health(client: MemoryAPIClient) -> None:
    """The factory asked already; the answer is a time."""
    now = datetime.now(UTC).timestamp() * 1000
    assert abs((await client.health_check()).now - now) < 60_000


async def test_a_round_trip(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """Every field that the client knows comes back as it was given."""
    for given in stored.values():
        found = await client.get_long_term_memory(given.id)
        same = {"id", "text", "user_id", "session_id", "namespace", "memory_type", "event_date", "created_at"}
        assert given.model_dump(include=same) == found.model_dump(include=same)
        assert (given.topics or []) == found.topics
        assert found.persisted_at is not None
        assert found.memory_hash


async def test_what_is_not_there(client: MemoryAPIClient) -> None:
    """The client tells not found and refused apart by status and detail."""
    with pytest.raises(MemoryNotFoundError):
        await client.get_long_term_memory(str(ULID()))
    with pytest.raises(MemoryNotFoundError):
        await client.edit_long_term_memory(str(ULID()), {"text": "x"})
    with pytest.raises(MemoryServerError, match="No fields provided for update") as refused:
        await client.edit_long_term_memory(str(ULID()), {})
    assert refused.value.status_code == 400


async def test_search_with_the_clients_filters(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """Each filter class with each of its words; the original answers 500 for half of them."""
    del stored
    ui, trip, ben = "Ana prefers dark mode in her editor", "Ana went to Bruges by night train", "Ben prefers light mode"
    past = datetime.now(UTC) - timedelta(days=1)
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({"user_id": UserId(eq="ana")}, {ui, trip}),
        ({"user_id": UserId(in_=["ana", "ben"])}, {ui, trip, ben}),
        ({"user_id": UserId(not_eq="ana")}, {ben}),
        ({"user_id": UserId(not_in=["ben"])}, {ui, trip}),
        ({"namespace": Namespace(eq="trips")}, {trip}),
        ({"namespace": Namespace(not_eq="trips")}, {ui, ben}),
        ({"session_id": SessionId(in_=["s1"])}, {trip}),
        ({"session_id": SessionId(not_in=["s1"])}, {ui, ben}),
        ({"topics": Topics(any=["ui"])}, {ui, ben}),
        ({"topics": Topics(all=["ui", "preferences"])}, {ui}),
        ({"topics": Topics(none=["preferences"])}, {trip, ben}),
        ({"entities": Entities(any=["editor"])}, {ui}),
        ({"memory_type": MemoryType(eq="episodic")}, {trip}),
        ({"memory_type": MemoryType(not_eq="episodic")}, {ui, ben}),
        ({"memory_type": MemoryType(in_=["episodic", "message"])}, {trip}),
        ({"created_at": CreatedAt(gte=past)}, {ui, ben}),
        ({"created_at": CreatedAt(lte=past)}, {trip}),
        ({"last_accessed": LastAccessed(gte=past)}, {ui, trip, ben}),
        ({"user_id": {"eq": "ana"}, "topics": {"any": ["ui"]}}, {ui}),
    ]
    for filters, expected in cases:
        found = await client.search_long_term_memory("what do people prefer", **filters)
        assert (expected, len(expected)) == (texts(found), found.total), filters


async def test_search_options(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """Recency, threshold and pages as the client sends them."""
    del stored
    recency = RecencyConfig(
        recency_boost=True, semantic_weight=0.5, recency_weight=0.5, freshness_weight=0.5, novelty_weight=0.5,
        half_life_last_access_days=1, half_life_created_days=1, server_side_recency=True,
    )  # fmt: skip
    found = await client.search_long_term_memory("dark mode", recency=recency, optimize_query=True, limit=1)
    assert (1, 3, 1) == (len(found.memories), found.total, found.next_offset)
    near = await client.search_long_term_memory("dark mode in her editor", distance_threshold=0.4)
    assert {"Ana prefers dark mode in her editor"} == texts(near)
    assert near.memories[0].dist <= 0.4
    rest = await client.search_long_term_memory("dark mode", limit=2, offset=1)
    assert (2, None) == (len(rest.memories), rest.next_offset)
    with pytest.raises(MemoryServerError) as refused:
        await client.search_long_term_memory("dark mode", limit=101)
    assert refused.value.status_code == 422


async def test_bulk_and_all(client: MemoryAPIClient) -> None:
    """Batches in, every page out, each memory once."""
    batches = [[record(f"Ana drank {n} cups of tea") for n in range(at, at + 30)] for at in (0, 30)]
    said = await client.bulk_create_long_term_memories(batches, batch_size=20, delay_between_batches=0)
    assert ["ok"] * 4 == [one.status for one in said]
    found = [one.id async for one in client.search_all_long_term_memories("tea", batch_size=25)]
    assert sorted(one.id for batch in batches for one in batch) == sorted(found)


async def test_edit_and_delete(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """The edited record comes back; the deleted one is gone."""
    id_ = stored["trip"].id
    edited = await client.edit_long_term_memory(id_, {"text": "Ana went to Ghent by bus", "topics": ["travel", "bus"]})
    assert ("Ana went to Ghent by bus", ["travel", "bus"]) == (edited.text, edited.topics)
    said = await client.delete_long_term_memories([id_, stored["ben"].id])
    assert "ok, deleted 2 memories" == said.status
    assert "ok, deleted 0 memories" == (await client.delete_long_term_memories([])).status
    with pytest.raises(MemoryNotFoundError):
        await client.get_long_term_memory(id_)


async def test_forget(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """This client leaves dry_run=False out, so a pass only says what it picks; those ids can be deleted."""
    policy = ForgetPolicy(max_age_days=1, max_inactive_days=1, memory_type_allowlist=["episodic"])
    for dry_run in (True, False):
        said = await client.forget_long_term_memories(policy, user_id="ana", limit=10, dry_run=dry_run)
        assert ([stored["trip"].id], True) == (said.deleted_ids, said.dry_run)
    spared = await client.forget_long_term_memories(ForgetPolicy(budget=0), pinned_ids=[stored["ui"].id])
    assert {stored["trip"].id, stored["ben"].id} == set(spared.deleted_ids)
    await client.delete_long_term_memories(said.deleted_ids)
    assert 2 == (await client.search_long_term_memory("")).total


async def test_forgetting_for_good_by_a_parameter_of_every_call(url: str, key: str) -> None:
    """Or the parameter that the client leaves out is set on its connection."""
    async with connected(url, key) as client:
        client._client.params = httpx.QueryParams({"dry_run": "false"})
        await client.create_long_term_memory([record("old", created_at=datetime(2026, 1, 1, tzinfo=UTC))])
        said = await client.forget_long_term_memories(ForgetPolicy(max_age_days=30))
        assert (1, False) == (said.deleted, said.dry_run)
        assert 0 == (await client.search_long_term_memory("")).total


async def test_prompts(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """With and without a session; the number of tokens comes as a string from this client."""
    del stored
    prompt = await client.memory_prompt(
        "Which mode does Ana like?", session_id="s9", user_id="ana", namespace=None, model_name="gpt-4o",
        context_window_max=8000, long_term_search={"topics": {"any": ["ui"]}, "user_id": {"eq": "ana"}},
    )  # fmt: skip
    assert ["system", "user"] == [one["role"] for one in prompt["messages"]]
    assert "Ana prefers dark mode" in prompt["messages"][0]["content"]["text"]
    assert 1 == len(prompt["long_term_memories"])
    hydrated = await client.hydrate_memory_prompt(
        "Where has Ana been?",
        user_id={"eq": "ana"},
        memory_type={"eq": "episodic"},
        session_id={"in_": ["s1"]},
        limit=3,
    )
    assert "Bruges" in hydrated["messages"][0]["content"]["text"]
    with pytest.raises(MemoryServerError, match="Either session or long_term_search must be provided"):
        await client.memory_prompt("Who?")


async def test_a_default_namespace(url: str, key: str) -> None:
    """The client's own setting bounds what it writes and what it finds."""
    async with connected(url, key, default_namespace="mine") as mine, connected(url, key) as anybody:
        await mine.create_long_term_memory([record("Ana prefers dark mode")])
        await anybody.create_long_term_memory([record("Ana prefers light mode")])
        assert {"Ana prefers dark mode"} == texts(await mine.search_long_term_memory("mode"))
        assert 2 == (await anybody.search_long_term_memory("mode")).total


async def test_the_key_may_be_a_header(url: str, key: str) -> None:
    """For those who can reach the client's connection; without a key nobody is answered, health apart."""
    for headers, allowed in (({"X-API-Key": key}, True), ({"Authorization": f"Bearer {key}"}, True), ({}, False)):
        async with MemoryAPIClient(MemoryClientConfig(base_url=url)) as client:
            client._client.headers.update(headers)
            await client.health_check()
            if allowed:
                assert 0 == (await client.search_long_term_memory("x")).total
            else:
                with pytest.raises(MemoryServerError) as refused:
                    await client.search_long_term_memory("x")
                assert refused.value.status_code == 401


# --- tools for models ---


async def test_the_search_tool(client: MemoryAPIClient, stored: dict[str, ClientMemoryRecord]) -> None:
    """Relevance is 1 less the distance, and a page says whether there is more."""
    found = await client.search_memory_tool("dark mode", topics=["ui"], memory_type="semantic", user_id="ana")
    assert ([stored["ui"].id], 1, False) == (
        [one["id"] for one in found["memories"]], found["total_found"], found["has_more"],
    )  # fmt: skip
    more = await client.search_memory_tool("mode", max_results=1, min_relevance=0.0)
    assert (True, 1) == (more["has_more"], more["next_offset"])


async def test_tool_calls_of_every_provider(client: MemoryAPIClient) -> None:
    """The formats of two providers and the plain one, for each tool that touches long-term memory."""
    memory = {"text": "Ana prefers dark mode", "memory_type": "semantic", "topics": ["ui"]}
    openai = {
        "id": "c1", "type": "function",
        "function": {"name": "eagerly_create_long_term_memory", "arguments": json.dumps({"memories": [memory]})},
    }  # fmt: skip
    made = await client.resolve_tool_call(openai, session_id="s1", user_id="ana", namespace="app")
    assert (True, None) == (made["success"], made["error"])
    anthropic = {"type": "tool_use", "id": "c2", "name": "search_memory", "input": {"query": "dark mode"}}
    found = await client.resolve_tool_call(anthropic, session_id="s1", user_id="ana")
    assert found["result"] is not None
    assert 1 == found["result"]["total_found"]
    id_ = found["result"]["memories"][0]["id"]
    assert ("ana", "app") == await _whose(client, id_)
    answers = await client.resolve_tool_calls(
        [
            {"name": "get_long_term_memory", "arguments": {"memory_id": id_}},
            {"name": "edit_long_term_memory", "arguments": {"memory_id": id_, "text": "Ana prefers light mode"}},
            {"name": "get_current_datetime", "arguments": {}},
        ],
        session_id="s1",
    )
    assert [True] * 3 == [one["success"] for one in answers]
    edited = answers[1]["result"]
    assert edited is not None
    assert "Ana prefers light mode" == edited["memory"].text
    gone = await client.resolve_function_call("delete_long_term_memories", {"memory_ids": [id_]}, session_id="s1")
    assert {"status": "ok, deleted 1 memories"} == gone["result"]
    (missing,) = await client.resolve_function_calls(
        [{"name": "get_long_term_memory", "arguments": {"memory_id": id_}}], session_id="s1"
    )
    assert (False, True) == (missing["success"], "not found" in (missing["error"] or ""))


async def _whose(client: MemoryAPIClient, id_: str) -> tuple[str | None, str | None]:
    found = await client.get_long_term_memory(id_)
    return found.user_id, found.namespace


@pytest.mark.filterwarnings("ignore:get_working_memory is deprecated:DeprecationWarning")  # the client's own use of it
async def test_tools_that_go_by_working_memory(client: MemoryAPIClient) -> None:
    """What a model notes in a session is found in long-term memory; promoting it once more changes nothing."""
    for tool, arguments in (
        ("lazily_create_long_term_memory", {"text": "Ana plays chess on Mondays", "memory_type": "semantic"}),
        ("update_working_memory_data", {"data": {"mood": "calm"}}),
        ("get_or_create_working_memory", {}),
    ):
        said = await client.resolve_function_call(tool, arguments, session_id="s7", user_id="ana", namespace="app")
        assert said["success"], said
        assert (said["result"] or {}).get("success", True), said
    for _ in range(2):
        found = await client.search_long_term_memory("chess", user_id=UserId(eq="ana"), namespace=Namespace(eq="app"))
        assert ["Ana plays chess on Mondays"] == [one.text for one in found.memories if one.memory_type == "semantic"]
        promoted = await client.promote_working_memories_to_long_term("s7", namespace="app")
        assert promoted.status == "ok"


async def test_langchain_tools(client: MemoryAPIClient) -> None:
    """The client's LangChain tools write, find, read, edit and delete."""
    tools = {one.name: one for one in get_memory_tools(client, session_id="s1", user_id="ana", namespace="app")}
    assert 9 == len(tools)
    memory = {"text": "Ana prefers dark mode", "memory_type": "semantic", "topics": ["ui"], "entities": ["Ana"]}
    assert "Created 1 memories" in await tools["eagerly_create_long_term_memory"].ainvoke({"memories": [memory]})
    assert "Found 1 relevant memories" in await tools["search_memory"].ainvoke({"query": "dark mode"})
    found = await client.search_long_term_memory("dark mode")
    id_ = found.memories[0].id
    assert "dark mode" in await tools["get_long_term_memory"].ainvoke({"memory_id": id_})
    edited = await tools["edit_long_term_memory"].ainvoke({"memory_id": id_, "text": "Ana prefers light mode"})
    assert "light mode" in edited
    assert "deleted 1" in await tools["delete_long_term_memories"].ainvoke({"memory_ids": [id_]})
    assert "Error" in await tools["get_long_term_memory"].ainvoke({"memory_id": id_})
    assert "iso_utc" in await tools["get_current_datetime"].ainvoke({})
