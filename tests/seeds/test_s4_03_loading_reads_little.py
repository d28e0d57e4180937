"""S4.3: with a summary, loading reads it and the last messages; without one, all messages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from psycopg import AsyncConnection
from talks import hold, said, short, texts, told

from precis.app import App
from precis.bootstrap import Runtime
from precis.conversation import Address
from precis.database.queries import queries
from precis.embedded import server as embedded
from precis.errors import Conflict, InvalidInput, NotFound

pytestmark = pytest.mark.asyncio(loop_scope="session")
MANY = 10_000
GROWING = ("memories", "messages", "members", "node_sources")  # a row or more a message; the others have one in all
SQL = queries("conversations")


async def test_without_a_summary_all_messages(app: App) -> None:
    """As they were written, with what their library kept beside them."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"box": 1}'}}
    asked = {"role": "assistant", "content": "", "id": "a", "tool_calls": [call]}
    found = {"role": "tool", "content": "7 apples", "id": "b", "tool_call_id": "c1"}
    await app.conversations.turn("talk", [said(1), asked, found], user_id="ana")
    context = await app.conversations.context("talk")
    assert (context.summary, context.covered, context.total) == ("", 0, 3)
    assert told(context) == [said(1)["content"], '[calls look {"box": 1}]', "7 apples"]
    assert (context.messages[1].opens, context.messages[2].closes) == (("c1",), ("c1",))


async def test_with_a_summary_the_last_four_at_least(app: App) -> None:
    """All that the summary does not speak for; and where that is less, the last four."""
    await hold(app, range(1, 8), each=7, limits=short())
    assert told(await app.conversations.context("talk")) == texts(range(4, 8))
    await hold(app, range(8, 12), each=4)
    assert told(await app.conversations.context("talk")) == texts(range(5, 12))


async def test_a_budget_is_kept(app: App) -> None:
    """Summary and messages together; what is missing is counted and marked."""
    await hold(app, range(1, 22), each=21)
    whole = await app.conversations.context("talk")
    for budget in (whole.tokens, 200, 60, 10):
        context = await app.conversations.context("talk", token_budget=budget)
        assert context.tokens <= budget
        assert context.degraded == (context.messages_left > 0)
        assert context.messages_left == 5 - sum(one.seq > 16 for one in context.messages)
    with pytest.raises(InvalidInput):
        await app.conversations.context("talk", token_budget=0)


async def test_names_that_say_too_little(app: App) -> None:
    """Two conversations of one name: whose must be told; a name nobody has is not there."""
    await app.conversations.turn("talk", [said(1)], user_id="ana")
    await app.conversations.turn("talk", [said(2)], user_id="ben")
    with pytest.raises(Conflict, match="several"):
        await app.conversations.context("talk")
    assert told(await app.conversations.context("talk", user_id="ben")) == texts(range(2, 3))
    with pytest.raises(NotFound):
        await app.conversations.context("nowhere")


async def test_a_namespace_makes_another_conversation(app: App) -> None:
    """Written without one, it is not the one in a namespace, and read with one it is that."""
    await app.conversations.turn("talk", [said(1)], user_id="ana", namespace="app")
    await app.conversations.turn("talk", [said(2)], user_id="ana")
    assert told(await app.conversations.context("talk", namespace="app")) == texts(range(1, 2))
    assert told(await app.conversations.context("talk", namespace="")) == texts(range(2, 3))
    with pytest.raises(Conflict, match="namespace"):
        await app.conversations.context("talk", user_id="ana")


async def _many(runtime: Runtime, tenant: str) -> Any:
    """A conversation of ten thousand messages, all but nine behind its summary, by way of the tables."""
    app = runtime.app(tenant)
    await hold(app, range(1, 8), each=7, limits=short())
    loaded = await app.conversations.load("talk")
    found = loaded.conversation
    async with runtime.database.tenant(tenant) as connection:
        for table, columns in (
            ("memories", {"memory_id": "'x' || n"}),
            ("messages", {"memory_id": "'x' || n", "message_id": "'x' || n", "seq": "-n"}),
            ("members", {"memory_id": "'x' || n"}),
            ("node_sources", {"memory_id": "'x' || n"}),
        ):
            asked = await connection.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_generated = 'NEVER' "
                "ORDER BY ordinal_position",
                [table],
            )
            names = [row["column_name"] for row in await asked.fetchall()]
            values = ", ".join(columns.get(name, f"o.{name}") for name in names)
            where = "o.memory_id = %s" + (" AND o.node_id = %s" if table == "node_sources" else "")
            given = [(await app.conversations.messages("talk", limit=7))[0].id]
            given += [found.summary_id or ""] if table == "node_sources" else []
            await connection.execute(
                f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} "  # noqa: S608 - our own names
                f"FROM {table} o CROSS JOIN generate_series(1, {MANY}) AS n WHERE {where}",
                given,
            )
    await _analyze(runtime)
    return found


async def _analyze(runtime: Runtime) -> None:
    """As the owner: for anybody else it does nothing."""
    async with (
        embedded.running(runtime.settings.data_dir) as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        for table in GROWING:
            await owner.execute(f"ANALYZE {table}")


def _read(plan: dict[str, Any], relation: str | None = None) -> int:
    """Rows of the growing tables that the leaves of a plan touched, kept or not; ``relation`` is a bitmap's."""
    relation = plan.get("Relation Name", relation)
    if below := plan.get("Plans", []):
        return sum(_read(one, relation) for one in below)
    counted = relation is None or relation in GROWING
    return int((plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)) * plan["Actual Loops"]) * counted


async def test_ten_thousand_messages_are_not_read(runtime: Runtime, tenant: str) -> None:
    """By the plans that PostgreSQL makes: each query of a load touches a handful of rows."""
    found = await _many(runtime, tenant)
    here = {
        "tenant_id": tenant, "conversation_id": found.id, "summary_id": found.summary_id, "after": 4, "at_least": 4,
        "session_id": "talk", "user_id": None, "namespace": None, "project_id": None, "environment": None,
        "now": datetime.now(UTC),
    }  # fmt: skip
    touched = {}
    async with runtime.database.tenant(tenant) as connection:
        for name in ("find_conversation", "last_covered", "tail", "spoken"):
            asked = await connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {SQL[name]}", here)
            row = await asked.fetchone()
            assert row is not None
            touched[name] = _read(row["QUERY PLAN"][0]["Plan"])
    assert all(rows <= 40 for rows in touched.values()), touched
    context = await runtime.app(tenant).conversations.context("talk")
    assert told(context) == texts(range(4, 8))
    assert Address(session_id="talk", user_id="ana").conversation_id == found.id
