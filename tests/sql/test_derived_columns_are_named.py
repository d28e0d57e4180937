"""docs/reference/forgetting.md names every column that could hold something of a memory, and what becomes of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from precis.bootstrap import Runtime
from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "forgetting.md"
#: Types whose values can say something; a number or a date alone says nothing.
_TELLING = re.compile(r"text|character|name|uuid|bytea|json|xml|vector|halfvec|sparsevec|bit|hstore|.*\[\]")
_NAMED = re.compile(r"`(\w+\.[\w*]+)`")
Owner = AsyncConnection[DictRow]


def table() -> dict[str, list[str]]:
    """The page's table: what each row says of each column it names."""
    found: dict[str, list[str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == 5, line
            for name in _NAMED.findall(cells[0]):
                assert name not in found, f"{name} is named twice"
                found[name] = cells[1:]
    return found


async def columns(owner: Owner) -> dict[str, str]:
    """Every column of every table outside PostgreSQL's own, with its type."""
    asked = await owner.execute(
        "SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_attribute a "
        "JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped "
        "AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'"
    )
    return {row["name"]: row["type"] for row in await asked.fetchall()}


def is_named(column: str, named: dict[str, list[str]]) -> bool:
    """By its own name, or by its table's where the whole table is of one kind."""
    return column in named or f"{column.partition('.')[0]}.*" in named


async def test_every_telling_column_is_named(owner: Owner) -> None:
    """A new text, vector, document, byte or list column fails here until the page says what forgetting does to it."""
    named = table()
    telling = [name for name, type_ in (await columns(owner)).items() if _TELLING.match(type_)]
    assert len(telling) > 80
    assert [name for name in telling if not is_named(name, named)] == []


async def test_nothing_is_named_that_is_not_there(owner: Owner) -> None:
    """The page does not outlive a column."""
    there = set(await columns(owner))
    tables = {name.partition(".")[0] + ".*" for name in there}
    assert [name for name in table() if name not in there | tables] == []


async def test_only_foreign_tables_are_named_whole() -> None:
    """For a table of ours each column has its say."""
    whole = {name.partition(".")[0] for name in table() if name.endswith(".*")}
    assert {name.partition("_")[0] for name in whole} == {"procrastinate", "schema"}


async def test_every_cell_says_something() -> None:
    """What it holds, and what forget, expiry and forgetting a user do to it."""
    assert [name for name, cells in table().items() if not all(cells)] == []


@pytest.mark.parametrize("type_", ["text", "bytea", "jsonb", "vector", "halfvec", "bigint[]", "character varying"])
async def test_the_types_are_recognized(type_: str) -> None:
    """The check itself."""
    assert _TELLING.match(type_)
    assert not _TELLING.match("integer")
    assert not _TELLING.match("timestamp with time zone")


async def holders(owner: Owner, needle: str) -> set[str]:
    """The columns of any table that hold this string."""
    asked = await owner.execute("SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' "
                                "AND relnamespace = 'public'::regnamespace")  # fmt: skip
    found: set[str] = set()
    for row in await asked.fetchall():
        query = sql.SQL(
            "SELECT DISTINCT c.key AS name FROM {} t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) c "
            "WHERE position(%s IN c.value) > 0"
        ).format(sql.Identifier(row["name"]))
        hits = await (await owner.execute(query, [needle])).fetchall()
        found |= {f"{row['name']}.{hit['name']}" for hit in hits}
    return found


async def remembered(runtime: Runtime, tenant: str, user: str) -> list[str]:
    """Write a user's memories with a summary; answers their ids."""
    texts = ("Ana drinks green tea.", "Ana keeps oolong in a tin.", "Ana gave up sugar in tea.", "Ana spilled tea.")
    rows: list[dict[str, Any]] = [{"text": t, "user_id": user, "type": "fact", "key": "tea"} for t in texts]
    return [one.id for one in (await runtime.app(tenant).memories.add(rows)).memories]


async def test_a_forgotten_id_is_nowhere(runtime: Runtime, tenant: str, owner: Owner) -> None:
    """Before: in eight columns at least. After: in none; its receipt holds a keyed hash of it, as the page says."""
    ids = await remembered(runtime, tenant, "ana")
    before = await holders(owner, ids[0])
    assert {"memories.memory_id", "memories.parent_id", "members.memory_id", "node_sources.memory_id"} <= before
    await runtime.app(tenant).memories.forget(ids[0])
    assert await holders(owner, ids[0]) == set()
    (kept,) = (await runtime.app(tenant).receipts.list(memory_id=ids[0])).receipts
    assert await holders(owner, kept["memories"][0]) == {"receipts.body", "tombstones.memory_hash"}


async def test_a_forgotten_user_is_nowhere(runtime: Runtime, tenant: str, owner: Owner) -> None:
    """No column holds the id of the user or of a memory of theirs."""
    user = f"user-{new_id()}"
    ids = await remembered(runtime, tenant, user)
    assert {"memories.user_id", "groups.user_id"} <= await holders(owner, user)
    receipt = await runtime.app(tenant).memories.forget_user(user)
    assert receipt.key_destroyed
    assert await holders(owner, user) == set()
    assert await holders(owner, ids[1]) == set()


async def test_jobs_carry_no_arguments(runtime: Runtime, tenant: str, owner: Owner) -> None:
    """A tick knows its tenant by the name of its lock, and nothing else."""
    await runtime.app(tenant).memories.add(
        [{"text": f"Ana drinks tea {n}.", "user_id": "ana", "type": "fact", "key": "tea"} for n in range(3)],
        summarize="deferred",
    )
    asked = await owner.execute("SELECT args::text AS args, lock FROM procrastinate_jobs")
    jobs = await asked.fetchall()
    assert tenant in {job["lock"].rpartition(":")[0] for job in jobs}
    assert {job["args"] for job in jobs} == {"{}"}
