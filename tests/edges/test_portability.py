"""Everything of a user goes out of one store and into another, which then has the very same export."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
import pytest
import pytest_asyncio

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import Conflict, Forgotten, InvalidInput, NotFound
from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def empty(runtime: Runtime) -> AsyncIterator[App]:
    """A tenant with other keys and nothing in it."""
    tenant_id = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant_id, name="other", now=runtime.engine.clock())
    yield runtime.app(tenant_id)


async def fill(app: App) -> dict[str, str]:
    """A user with all there is: clusters, a day, a conversation, feedback, receipts, a zone, an expired memory."""
    kettle = [
        {"id": f"k{at}", "user_id": "runa", "type": "preference", "key": "kettle", "text": text, "topics": ["Tea"],
         "metadata": {"speaker": "Runa", "nested": {"a": [1, 2.5, None]}}, "importance": 0.7}
        for at, text in enumerate((
            "I fill the copper kettle at six.", "The kettle whistles in F sharp.", "My kettle came from Ølstykke.",
            "I never boil the kettle dry.", "The old kettle is in the Kjeller.",
        ))
    ]  # fmt: skip
    notes = [
        {"id": f"n{at}", "user_id": "runa", "memory_type": "episodic", "metadata": {"kind": "note"},
         "created_at": f"2024-03-0{at + 4}T10:00:00Z", "text": f"Runa walked {at + 3} miles along the dike."}
        for at in range(5)
    ]  # fmt: skip
    summary = (await app.memories.add([*kettle, *notes])).summaries[0]
    await app.rollups.summarize("runa", "weekly", day=datetime(2024, 3, 6, tzinfo=UTC).date())
    statements = (await app.summaries.get(summary)).statements
    stays = next(at for at, statement in enumerate(statements) if "k4" not in statement.source_ids)
    await app.feedback.give(summary, verdict="good", note="Just so.", statement=stays)
    turns = [
        {"id": f"t{at}", "role": "user", "content": f"The {at}th ferry sails at {at} o'clock."} for at in range(24)
    ]
    await app.conversations.turn("ferry", turns, user_id="runa")
    await app.memories.forget(["k4"])
    await app.summaries.refresh(summary)
    await app.memories.add([{"id": "other", "user_id": "siv", "text": "Siv keeps bees."}])
    return {"summary": summary}


async def lines_of(app: App, user_id: str = "runa") -> list[bytes]:
    """The export of a user."""
    return [line async for line in app.persons.export(user_id)]


def kinds(lines: list[bytes]) -> dict[str, int]:
    """How many lines of each kind."""
    counts: dict[str, int] = {}
    for line in lines:
        kind = orjson.loads(line)["line"]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


async def test_a_long_memory_is_the_same_there(app: App, empty: App) -> None:
    """Which passages its words are in stands in the order of keyed hashes: it is made anew, and is found by them."""
    told = " ".join(
        f"Runa rowed to island {at} past lighthouse {at * 7}, and counted {at + 3} gulls." for at in range(20)
    )
    await app.memories.add([{"id": "long", "user_id": "runa", "text": told}])
    lines = await lines_of(app)
    await empty.persons.put(lines)
    assert await lines_of(empty) == lines
    found = [await one.recall.search("lighthouse 84", user_id="runa") for one in (app, empty)]
    assert ["long"] == [result.memory.id for result in found[0]]
    assert [result.relevance for result in found[0]] == [result.relevance for result in found[1]]


async def test_a_second_export_is_the_first(app: App, empty: App) -> None:
    """Byte for byte, from a tenant with other keys; what the user had works there."""
    made = await fill(app)
    lines = await lines_of(app)
    expected = {"memories", "conversations", "messages", "groups", "members", "nodes", "node_sources", "statements",
                "statement_sources", "feedback", "feedback_marks", "feedback_sources", "receipt"}  # fmt: skip
    assert expected <= kinds(lines).keys()
    assert b"Kjeller" not in b"".join(lines)
    assert b"siv" not in b"".join(lines)
    carried = await empty.persons.put(lines)
    assert (carried.forgotten, carried.receipts) == (0, 1)
    assert await lines_of(empty) == lines
    before, after = [await one.summaries.get(made["summary"]) for one in (app, empty)]
    assert (before.text, before.statements, before.stale) == (after.text, after.statements, after.stale)
    for question in ("Where does the kettle come from?", "What is about tea?", "Who walked along the dike?"):
        answers = [await one.recall.search(question, user_id="runa") for one in (app, empty)]
        rows = [[row.memory.id for row in answer] for answer in answers]
        assert rows[0] == rows[1], question
    assert (await empty.memories.get("k1")).metadata == (await app.memories.get("k1")).metadata
    contexts = [(await one.conversations.load("ferry", user_id="runa")) for one in (app, empty)]
    assert [message.text for message in contexts[0].open] == [message.text for message in contexts[1].open]


async def test_it_lives_on_there(app: App, empty: App) -> None:
    """Forgetting takes what rests on it; a new memory joins its cluster; a turn goes on; all of it can be forgotten."""
    made = await fill(app)
    await empty.persons.put(await lines_of(app))
    receipt = await empty.memories.forget("k2")
    assert receipt.statements_removed >= 1
    assert "Ølstykke" not in str(await empty.summaries.get(made["summary"]))
    row = {"user_id": "runa", "type": "preference", "key": "kettle", "text": "I descale the kettle in May."}
    added = await empty.memories.add([row])
    assert added.memories[0].group_id == (await app.summaries.get(made["summary"])).group_id
    turned = await empty.conversations.turn("ferry", [{"role": "user", "content": "And back?"}], user_id="runa")
    assert turned.version > 1
    assert (await empty.memories.forget_user("runa")).key_destroyed
    with pytest.raises(NotFound):
        await lines_of(empty)


async def test_what_was_forgotten_there_stays_away(app: App, empty: App) -> None:
    """With what rests on it; where all of it was, nothing is put in."""
    await fill(app)
    lines = await lines_of(app)
    await empty.memories.add([{"id": "k1", "user_id": "someone", "text": "The kettle whistles in F sharp."}])
    await empty.memories.forget("k1")
    carried = await empty.persons.put(lines)
    assert carried.forgotten == 1
    assert b"sharp" not in b"".join(await lines_of(empty))
    await empty.memories.forget_user("runa")
    with pytest.raises(Forgotten):
        await empty.persons.put(lines)
    with pytest.raises(NotFound):
        await lines_of(empty)


async def test_a_known_user_and_damaged_lines_are_refused(app: App, empty: App) -> None:
    """Nothing of it is put in."""
    await fill(app)
    lines = await lines_of(app)
    with pytest.raises(Conflict, match="known here"):
        await app.persons.put(lines)
    before_ends = lines[0].replace(b'"format":2', b'"format":1')
    damaged: list[tuple[list[bytes], str]] = [
        ([], "empty"), (lines[1:], "line 1 "), ([lines[0], b"{}\n"], "line 2 "), ([*lines[:4], b"x"], "line 5 is no"),
        ([lines[0], b'{"line": "tenants"}'], "line 2 "), ([lines[0], lines[1].replace(b"runa", b"siv")], "line 2 "),
        ([*lines[:3], *lines[2:]], "ends an export of"), (lines[:-1], "cut off behind line"),
        ([*lines[:-2], lines[-1]], "ends an export of"), ([*lines, lines[-2]], "behind the end"),
        ([before_ends, *lines[1:3], *lines[2:-1]], "put in"),
    ]  # fmt: skip
    broken: dict[str, Any] = orjson.loads(lines[1])
    del broken["user_id"]
    damaged.append(([before_ends, orjson.dumps(broken)], "put in"))
    for wrong, named in damaged:
        with pytest.raises(InvalidInput, match=named):
            await empty.persons.put(wrong)
    assert (await empty.memories.list()).rows == ()
    with pytest.raises(NotFound):
        await lines_of(app, "nobody")
    # A file of the format before this one has no end.
    await empty.persons.put([before_ends, *lines[1:-1]])
    assert await lines_of(empty) == lines


async def test_a_line_of_which_no_row_can_be_made_is_named(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, app: App
) -> None:
    """Without a field, or with one of another type, whoever reads the row would fail; nothing of it is put in."""
    await fill(app)
    lines = await lines_of(app)
    firsts: dict[str, int] = {}
    for at, line in enumerate(lines):
        firsts.setdefault(orjson.loads(line)["line"], at)
    damages: list[tuple[str, str, Any]] = [
        *(("memories", field, 7) for field in ("memory_id", "is_summary", "text", "memory_type", "tier", "attributes")),
        ("memories", "attributes", {"key": "kettle", "color": "red"}), ("memories", "attributes", {"topics": 3}),
        ("memories", "retention_state", "gone"), ("memories", "has_vector", None), ("conversations", "remembering", 1),
        ("messages", "payload", [1]), ("nodes", "node_id", None), ("statements", "statement", {}),
        ("feedback_marks", "position", "x"), ("past_statements", "text", None), ("receipt", "receipt", "x"),
        ("receipt", "receipt", {"id": "a\x00b"}),
    ]  # fmt: skip
    header = {"Content-Type": "application/x-ndjson"}
    for kind, field, value in damages:
        at = firsts[kind]
        damaged = [*lines[:at], orjson.dumps({**orjson.loads(lines[at]), field: value}) + b"\n", *lines[at + 1 :]]
        answer = await stranger.post("/v1/import", content=b"".join(damaged), headers=header)
        assert 422 == answer.status_code, (kind, field, value, answer.text)
        detail = answer.json()["detail"]
        assert f"line {at + 1}, of the kind {kind}: {field}" in detail or f"the lines of '{kind}'" in detail
    for kind in ("memories", "nodes", "statements", "feedback", "feedback_marks", "past_statements", "receipt"):
        bare = [*lines[: firsts[kind]], orjson.dumps({"line": kind})]
        answer = await stranger.post("/v1/import", content=b"\n".join(bare), headers=header)
        assert 422 == answer.status_code, (kind, answer.text)
    assert [] == (await stranger.get("/v1/memories")).json()["memories"]


async def test_an_import_over_rest_is_that_of_the_command_line(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, app: App
) -> None:
    """A second export is the first byte for byte; in pieces, to a store that does not know the user."""
    await fill(app)
    lines = b"".join(await lines_of(app))

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(lines), 701):
            yield lines[start : start + 701]

    header = {"Content-Type": "application/x-ndjson"}
    assert 409 == (await api.post("/v1/import", content=lines, headers=header)).status_code
    answer = await stranger.post("/v1/import", content=pieces(), headers=header)
    assert (201, "runa") == (answer.status_code, answer.json()["user_id"])
    assert lines == (await stranger.get("/v1/users/runa/export")).content
    assert 409 == (await stranger.post("/v1/import", content=lines, headers=header)).status_code


async def test_what_is_no_export_is_refused_over_rest(api: httpx.AsyncClient, app: App) -> None:
    """Another form, a wrong line, nothing at all: nothing is put in."""
    header = {"Content-Type": "application/x-ndjson"}
    opening = b'{"line": "export", "format": 1, "user_id": "runa"}\n'
    assert 415 == (await api.post("/v1/import", json={})).status_code
    for body, named in ((b"", "empty"), (b"{}", "line 1 "), (opening + b'{"line": "tenants"}\n', "line 2 ")):
        answer = await api.post("/v1/import", content=body, headers=header)
        assert 422 == answer.status_code
        assert named in answer.json()["detail"]
    assert (await app.memories.list()).rows == ()


async def test_the_export_over_rest_is_the_same(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, app: App, empty: App
) -> None:
    """Line for line, to whoever has the tenant's key and nobody else; and it can be put in elsewhere."""
    await fill(app)
    answer = await api.get("/v1/users/runa/export")
    assert (200, "application/x-ndjson") == (answer.status_code, answer.headers["content-type"])
    assert await lines_of(app) == answer.content.splitlines(keepends=True)
    assert 404 == (await stranger.get("/v1/users/runa/export")).status_code
    assert 404 == (await api.get("/v1/users/nobody/export")).status_code
    assert 422 == (await api.get("/v1/users/runa/export", params={"format": "zip"})).status_code
    await empty.persons.put(answer.content.splitlines(keepends=True))
    assert await lines_of(app) == await lines_of(empty)


async def test_what_replaces_what_goes_along(app: App, empty: App) -> None:
    """The pair, by word of its writer or by the rules; it goes on there, also after the newer one is forgotten."""
    old = {
        "id": "old",
        "user_id": "runa",
        "text": "The palm stands in the corner.",
        "created_at": "2026-01-01T00:00:00Z",
    }
    new = {"id": "new", "user_id": "runa", "text": "The palm stands at the window.", "supersedes": ["old"]}
    await app.memories.add([old])
    await app.memories.add([new, {"id": "lives", "user_id": "runa", "text": "I live in Bergen."}])
    lines = await lines_of(app)
    assert kinds(lines)["supersessions"] == 1
    await empty.persons.put(lines)
    assert await lines_of(empty) == lines
    assert [(await one.memories.get("new")).supersedes for one in (app, empty)] == [("old",), ("old",)]
    # The rules compare what is written there with what came along.
    added = await empty.memories.add([{"id": "moved", "user_id": "runa", "text": "I now live in Molde."}])
    assert added.memories[0].supersedes == ("lives",)
    for one in (app, empty):
        assert "old" not in [row.memory.id for row in await one.recall.search("Where is the palm?", user_id="runa")]
        await one.memories.forget("new")
        assert "old" in [row.memory.id for row in await one.recall.search("Where is the palm?", user_id="runa")]


async def test_the_history_of_summaries_goes_along(app: App, empty: App) -> None:
    """Each refresh with what it said, without what was forgotten; the next one there counts on."""
    made = await fill(app)
    await empty.persons.put(await lines_of(app))
    before, after = [await one.summaries.history(made["summary"]) for one in (app, empty)]
    assert len(before.refreshes) >= 2
    assert after == before
    row = {"user_id": "runa", "type": "preference", "key": "kettle", "text": "I descale the kettle in May."}
    await empty.memories.add([row])
    numbers = [refresh.number for refresh in (await empty.summaries.history(made["summary"])).refreshes]
    assert numbers == list(range(len(numbers), 0, -1))
    assert len(numbers) == len(before.refreshes) + 1
