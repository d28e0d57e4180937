"""Moving in from a Redis Agent Memory Server, which precis' own wire is: small pages, and all that goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from moving_rooms import behind_proxy, move, options, reasons

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import InvalidInput, StoreUnavailable, Unauthorized
from precis.ids import new_id
from precis.moving.agent_memory_server import AgentMemoryServer
from precis.moving.mover import Mover

pytestmark = pytest.mark.asyncio(loop_scope="session")
NO_WAITS = (0.0, 0.0, 0.0)
PEOPLE = ("oona", "pavel", None)


@pytest_asyncio.fixture(loop_scope="session")
async def target(runtime: Runtime) -> App:
    """An empty tenant to move into."""
    tenant_id = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant_id, name="target", now=runtime.engine.clock())
    return runtime.app(tenant_id)


@dataclass(frozen=True, kw_only=True)
class Source:
    """A tenant that plays the other server."""

    api: httpx.AsyncClient
    key: str


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def source(runtime: Runtime, url: str) -> AsyncIterator[Source]:
    """Eleven memories of two users and of nobody in two namespaces, one of them a message; four sessions; a view."""
    key = await runtime.store.tenants.create_key(f"t-{new_id()}", name="k", now=runtime.engine.clock())
    async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}, timeout=60) as api:
        await fill(api)
        yield Source(api=api, key=key)


async def fill(api: httpx.AsyncClient) -> None:
    """As clients of the wire do."""
    memories = [
        {
            "id": f"m {number}/ü", "text": f"The {number}th crate holds walnuts.", "topics": ["crates"],
            "namespace": ("barn", None)[number % 2], "pinned": number == 3, "memory_type": "episodic",
            "event_date": "2024-02-03T00:00:00Z", "created_at": f"2024-03-{number + 1:02}T08:00:00Z",
            "metadata": {"row": number}, **({"user_id": PEOPLE[number % 3]} if PEOPLE[number % 3] else {}),
        }
        for number in range(11)
    ]  # fmt: skip
    # The original keeps messages of sessions among its memories too, under the same id.
    copy = {
        "id": "oona-1", "text": "assistant: oona says 1", "memory_type": "message", "session_id": "harvest",
        "user_id": "oona",
    }  # fmt: skip
    answer = await api.post("/v1/long-term-memory/", json={"memories": [*memories, copy]})
    assert answer.status_code == 200, answer.text
    for name, user, namespace in (
        ("harvest", "oona", "barn"), ("harvest", "pavel", "barn"), ("market day/1", "pavel", None),
        ("alone", None, None),
    ):  # fmt: skip
        body: dict[str, Any] = {
            "user_id": user, "namespace": namespace, "data": {"basket": [1, 2]}, "context": "They grow walnuts.",
            "messages": [
                {"id": f"{user}-{at}", "role": ("user", "assistant")[at % 2],
                 "content": f"{user or 'nobody'} says {at}", "created_at": f"2024-04-0{at + 1}T09:00:00Z"}
                for at in range(5)
            ],
            "memories": [{"id": f"kept-{user}", "text": f"{user} keeps bees."}] if user == "oona" else [],
        }  # fmt: skip
        answer = await api.put(f"/v1/working-memory/{name}", json=body)
        assert answer.status_code == 200, answer.text
    view = {"source": "long_term", "name": "by user", "group_by": ["user_id"], "time_window_days": 90}
    assert (await api.post("/v1/summary-views", json=view)).status_code == 200


def origin(url: str, key: str, **wishes: Any) -> AgentMemoryServer:
    """The server, with a header that says who asks."""
    return AgentMemoryServer(url, options(header=f"Authorization: Bearer {key}", **wishes), NO_WAITS)


async def listed(api: httpx.AsyncClient) -> dict[str, Any]:
    """Every long-term memory as a client of the wire sees it, without what each server makes itself."""
    rows = (await api.post("/v1/long-term-memory/search", json={"text": "", "limit": 100})).json()["memories"]
    own = ("last_accessed", "updated_at", "persisted_at", "access_count")
    return {row["id"]: {name: value for name, value in row.items() if name not in own} for row in rows}


async def test_all_that_it_shows_moves_count_for_count(
    runtime: Runtime, client: Any, url: str, source: Source, target: App
) -> None:
    """A client of the wire sees here what it saw there: memories with all their fields, sessions, views."""
    report = await move(target, origin(url, source.key))
    # The one that was written as a memory as well, and those that the server itself lists as memories.
    assert {"a message of its session, which is moved with it": 21} == reasons(report)
    assert (12, 12, 0) == (report.memories.shown, report.memories.written, report.refused), reasons(report)
    assert (4, 4) == (report.sessions.shown, report.sessions.written)
    assert (20, 20) == (report.messages.shown, report.messages.written)
    assert (1, 1) == (report.views.shown, report.views.written)
    assert 32 == report.in_precis
    secret = await runtime.store.tenants.create_key(target.parts.tenant_id, name="k", now=runtime.engine.clock())
    async with client(secret) as there:
        there_too = await listed(source.api)
        assert "assistant: oona says 1" == there_too.pop("oona-1")["text"]
        assert there_too == await listed(there)
        for name, where in (("harvest", {"user_id": "oona", "namespace": "barn"}), ("alone", {})):
            path = f"/v1/working-memory/{name}"
            old, new = (await source.api.get(path, params=where)).json(), (await there.get(path, params=where)).json()
            for field in ("data", "context", "user_id", "namespace", "long_term_memory_strategy"):
                assert old[field] == new[field]
            shown = [
                [(m["id"], m["role"], m["content"], m["created_at"]) for m in body["messages"]] for body in (old, new)
            ]
            assert 5 == len(shown[0])
            assert shown[0] == shown[1]


async def test_run_again_nothing_is_moved_twice_and_nothing_newer_is_lost(
    url: str, source: Source, target: App
) -> None:
    """A session that has gone on here keeps what was said since; what was forgotten here stays away."""
    await move(target, origin(url, source.key))
    await target.conversations.turn(
        "harvest", [{"role": "user", "content": "We sold all crates."}], user_id="oona", namespace="barn"
    )
    await target.memories.forget("m 4/ü")
    report = await move(target, origin(url, source.key))
    assert (0, 11, 1) == (report.memories.written, report.memories.already_there, report.memories.forgotten)
    assert (0, 20) == (report.messages.written, report.messages.already_there)
    assert (0, 1) == (report.views.written, report.views.already_there)
    messages = await target.conversations.messages("harvest", user_id="oona", namespace="barn")
    assert "We sold all crates." == messages[-1].text
    assert 0 == report.refused


async def test_a_dry_run_counts_and_writes_nothing(url: str, source: Source, target: App) -> None:
    """The same counts as the move, and an empty store after it."""
    report = await move(target, origin(url, source.key), dry_run=True)
    assert (12, 4, 20, 1) == tuple(
        count.written for count in (report.memories, report.sessions, report.messages, report.views)
    )
    assert () == tuple((await target.memories.list()).rows)
    assert [] == list(await target.views.list())


async def test_errors_in_passing_are_asked_again(url: str, source: Source, target: App) -> None:
    """Errors, cut answers, pages of a proxy in between: as many as there are, the counts are the same."""
    ways = ["pass", "500", "cut", "pass", "html", "429", "pass", "503", "pass", "pass"]
    async with behind_proxy(url, lambda number: ways[number % len(ways)]) as proxy:
        report = await move(target, origin(proxy, source.key))
    assert (12, 4, 20, 0) == (
        report.memories.written, report.sessions.written, report.messages.written, report.refused
    )  # fmt: skip


@pytest.mark.parametrize("failing", [7, 21])
async def test_what_fails_for_good_is_gone_on_with(url: str, source: Source, target: App, failing: int) -> None:
    """A server that goes away in the middle is an error; the next run moves what is missing, and only that."""
    async with behind_proxy(url, lambda number: "pass" if number < failing else "502") as proxy:
        first = Mover(target, batch=2, progress=None)
        with pytest.raises(StoreUnavailable, match="Run it again"):
            await first.move(origin(proxy, source.key))
    second = await move(target, origin(url, source.key))
    assert 12 == first.report.memories.written + second.memories.written
    assert 20 == first.report.messages.written + second.messages.written
    assert 32 == second.in_precis


async def test_interrupted_it_goes_on_later(url: str, source: Source, target: App) -> None:
    """A task that is cancelled closes what it opened; what it wrote is known again."""
    reached = asyncio.Event()
    mover = Mover(target, batch=2, progress=lambda shown, _: reached.set() if shown > 5 else None)
    task = asyncio.create_task(mover.move(origin(url, source.key)))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    second = await move(target, origin(url, source.key))
    assert second.memories.already_there >= 4
    assert 12 == second.memories.written + second.memories.already_there


async def test_what_names_nobody_becomes_the_user_who_is_named(url: str, source: Source, target: App) -> None:
    """Only what has no user: those of others stay theirs."""
    await move(target, origin(url, source.key, user_id="rada"))
    counts = {
        user: len((await target.memories.list(user_id=user, turns=False)).rows)
        for user in ("oona", "pavel", "rada", "")
    }
    assert {"oona": 5, "pavel": 4, "rada": 3, "": 0} == counts


def playing(server: AgentMemoryServer, rows: list[Any], sessions: dict[str, Any]) -> AgentMemoryServer:
    """An origin whose server answers these."""
    pages: dict[str, int] = {}

    async def ask(method: str, path: str, expected: type = dict, **request: Any) -> Any:
        del method, request
        if expected is list:
            return None
        pages[path] = pages.get(path, 0) + 1
        first = pages[path] % 2 == 1
        if path.endswith("search"):
            return {"memories": rows if first else []}
        if path.endswith("working-memory/"):
            return {"sessions": list(sessions) if first else []}
        session = sessions[path.rpartition("/")[2]]
        if isinstance(session, Exception):
            raise session
        return session

    server._calls.ask = ask  # type: ignore[method-assign]
    return server


async def test_one_bad_message_does_not_keep_its_session(url: str, source: Source, target: App) -> None:
    """Nor does a bad memory of it; and a message that cannot be one still moves where it is a memory as well."""
    talk = {
        "session_id": "talk", "user_id": None, "namespace": None, "data": None, "context": None, "ttl_seconds": None,
        "messages": [
            {"id": "1", "role": "user", "content": "I moor at pier 9.", "created_at": None},
            {"id": "2", "role": "user", "content": " "},
            {"id": "3", "role": "user", "content": "From then.", "created_at": "2100-01-01T00:00:00Z"},
            {"id": "4", "role": "", "content": "Nobody says."},
            {"role": "user", "content": "Without an id."},
        ],
        "memories": [{"id": "5", "text": "Moors at pier 9."}, {"id": "6", "text": ""}],
    }  # fmt: skip
    rows = [{"id": "3", "text": "user: From then.", "memory_type": "message", "session_id": "talk"}]
    sessions = {"talk": talk, "lost": None, "odd": InvalidInput("422")}
    report = await move(target, playing(origin(url, source.key), rows, sessions))
    assert (2, 2, 1) == (report.messages.written, report.memories.written, report.sessions.written), reasons(report)
    assert 6 == report.refused, reasons(report)
    again = await move(target, playing(origin(url, source.key), rows, {"talk": talk}))
    assert (0, 0, 4) == (again.messages.written, again.memories.written, again.refused)


async def test_what_cannot_be_a_memory_is_named_and_the_rest_moves(url: str, source: Source, target: App) -> None:
    """A server of an older day may hold what precis does not take: each is counted by its reason."""
    rows = [
        {"id": "fine", "text": "Fine."},
        {"id": "blank", "text": "  "},
        {"id": "kind", "text": "Odd.", "memory_type": "procedural"},
        {"id": "later", "text": "From the year 2100.", "created_at": "2100-01-01T00:00:00Z"},
        {"id": "x" * 600, "text": "Long id."},
    ]
    server = playing(origin(url, source.key), rows, {})
    report = await move(target, server)
    assert (1, 4) == (report.memories.written, report.refused), reasons(report)
    assert all(len(entry.examples) == 1 for entry in report.reasons.values())
    assert not any("2100" in reason or "0." in reason for reason in reasons(report)), reasons(report)


async def test_a_wrong_key_or_address_is_refused(url: str, source: Source, target: App) -> None:
    """At once, without a second attempt, and without the key in the error."""
    with pytest.raises(Unauthorized, match="--header"):
        await move(target, origin(url, "wrong"))
    with pytest.raises(InvalidInput, match="is it a Redis"):
        await move(target, origin(f"{url}/nowhere", source.key))
    with pytest.raises(InvalidInput, match="http"):
        AgentMemoryServer("localhost:8000", options())
    with pytest.raises(InvalidInput, match="--header"):
        AgentMemoryServer(url, options(header="Bearer abc"))
