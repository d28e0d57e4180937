"""What distributing the tables by tenant needs: tenant_id leads every key, and the server makes no ids or times."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from databases import rows_of
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from precis.database.migrate import migrations
from precis.database.queries import every_query

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).resolve().parents[2]
_CLOCK = re.compile(
    r"\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|"
    r"\bcurrent_(?:timestamp|date|time)\b|\blocaltime(?:stamp)?\b|'(?:now|today|tomorrow|yesterday)'",
    re.IGNORECASE,
)
_CHANCE = re.compile(r"\b(?:random|gen_random_uuid|uuid_generate_v\d\w*|uuidv[47])\s*\(", re.IGNORECASE)
#: About transactions of the server itself, whose beginnings only its own clock knows; it touches no row of a tenant.
_ABOUT_THE_SERVER = {"purge.moment"}
_COMMENT = re.compile(r"--[^\n]*")


async def keys(owner: AsyncConnection[DictRow], tables: list[str]) -> list[DictRow]:
    """Every primary key, unique constraint, unique index and foreign key: its table, name and first column."""
    asked = await owner.execute(
        """
        SELECT c.conrelid::regclass::text AS relation, c.conname AS name, c.contype::text AS kind,
               a.attname AS first, f.attname AS referenced
        FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        LEFT JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]
        WHERE c.contype IN ('p', 'u', 'f') AND c.conrelid::regclass::text = ANY(%(tables)s)
        UNION ALL
        SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, 'i', a.attname, NULL
        FROM pg_index i LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indisunique AND i.indrelid::regclass::text = ANY(%(tables)s)
        """,
        {"tables": tables},
    )
    return await asked.fetchall()


async def test_tenant_id_leads_every_key(owner: AsyncConnection[DictRow], our_tables: list[str]) -> None:
    """On both sides of a foreign key, too."""
    found = await keys(owner, our_tables)
    assert {"p", "f", "i"} <= set(rows_of(found, "kind"))
    assert [row for row in found if row["first"] != "tenant_id"] == []
    assert [row for row in found if row["kind"] == "f" and row["referenced"] != "tenant_id"] == []


async def test_every_table_has_tenant_id(owner: AsyncConnection[DictRow], our_tables: list[str]) -> None:
    """Not null, so that no row belongs to nobody."""
    asked = await owner.execute(
        "SELECT attrelid::regclass::text AS relation FROM pg_attribute WHERE attname = 'tenant_id' AND attnotnull "
        "AND attrelid::regclass::text = ANY(%s)",
        [our_tables],
    )
    assert sorted(rows_of(await asked.fetchall(), "relation")) == our_tables


async def test_every_index_begins_with_the_tenant(owner: AsyncConnection[DictRow], our_tables: list[str]) -> None:
    """A query of one tenant never walks another's entries."""
    asked = await owner.execute(
        "SELECT i.indexrelid::regclass::text AS name FROM pg_index i "
        "LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] "
        "WHERE i.indrelid::regclass::text = ANY(%s) AND a.attname IS DISTINCT FROM 'tenant_id'",
        [our_tables],
    )
    assert rows_of(await asked.fetchall(), "name") == []


async def test_no_default_is_made_by_the_server(owner: AsyncConnection[DictRow], our_tables: list[str]) -> None:
    """No sequence, no identity column, no clock and no chance: ids and times are passed in."""
    asked = await owner.execute(
        "SELECT a.attrelid::regclass || '.' || a.attname AS name, pg_get_expr(d.adbin, d.adrelid) AS value, "
        "a.attidentity::text AS identity FROM pg_attribute a "
        "LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum "
        "WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid::regclass::text = ANY(%s)",
        [our_tables],
    )
    columns = await asked.fetchall()
    defaults = {row["name"]: row["value"] for row in columns if row["value"] is not None}
    assert [row["name"] for row in columns if row["identity"]] == []
    assert {name: value for name, value in defaults.items() if not re.fullmatch(r"\d+|false|true", value)} == {}
    assert defaults, "the catalog was read"


async def test_no_query_reads_the_servers_clock_or_dice() -> None:
    """Times come from the caller's clock, so that a frozen clock freezes everything and replicas agree."""
    texts = {name: text for name, text in every_query().items() if name not in _ABOUT_THE_SERVER} | dict(migrations())
    bare = {name: _COMMENT.sub("", text) for name, text in texts.items()}
    assert [name for name, text in bare.items() if _CLOCK.search(text) or _CHANCE.search(text)] == []


async def test_what_the_lint_takes_for_immutable_is(owner: AsyncConnection[DictRow]) -> None:
    """Every function of those names but one, that reads a date in words."""
    names = runpy.run_path(str(ROOT / "scripts" / "lint_sql.py"))["IMMUTABLE"]
    asked = await owner.execute(
        "SELECT p.proname || '(' || pg_get_function_arguments(p.oid) || ')' AS name, p.proname AS plain, "
        "p.provolatile = 'i' AS immutable FROM pg_proc p "
        "WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY(%s)",
        [sorted(names)],
    )
    rows = await asked.fetchall()
    assert {row["plain"] for row in rows} == names
    assert [row["name"] for row in rows if not row["immutable"]] == ["to_timestamp(text, text)"]


@pytest.mark.parametrize("text", ["SELECT now()", "DEFAULT CURRENT_TIMESTAMP", "x > localtimestamp", "'today'::date"])
async def test_the_lint_finds_a_clock(text: str) -> None:
    """The check itself."""
    assert _CLOCK.search(text)
    assert not _CLOCK.search("%(now)s AND known_at < now_ish")
