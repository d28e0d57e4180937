"""Write src/precis/store/schema.sql, the schema as it is after all migrations, for readers: ``make schema``.

Tables, keys, indexes and policies come from the catalog of a freshly migrated database; the comments are those that
stand above them in the migrations.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row

from precis.database.migrate import migrate, migrations
from precis.embedded import server as embedded
from precis.embedded.server import APPLICATION

TARGET = Path(__file__).parents[1] / "src" / "precis" / "store" / "schema.sql"
HEAD = """\
-- The schema of precis after migration {last}, for readers.
-- Written by scripts/write_schema.py (make schema); nothing runs it.
-- The tables of procrastinate, which wakes the workers, are not shown.
"""
#: For tables that no migration has a word on.
UNSAID = {
    "api_keys": "Who may speak for a tenant. Of a secret only the hash is kept.",
    "memories": "Every row of memory, raw or derived: a summary is a row like any other.",
    "members": "Which memory is in which group. Stored input: a refresh never moves anybody.",
    "statements": "What a node says, one sentence-sized claim a row.",
}
#: How long a line may be.
_WIDTH = 120

_OURS = """c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  AND c.relname NOT LIKE 'procrastinate%' AND c.relname <> 'schema_migrations'"""
_TABLES = f"""
SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced FROM pg_class c
WHERE {_OURS} ORDER BY c.oid
"""  # noqa: S608 - a constant of this file, here and below
_COLUMNS = f"""
SELECT c.relname AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS not_null, pg_get_expr(d.adbin, d.adrelid) AS value
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE {_OURS} AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.oid, a.attnum
"""  # noqa: S608
#: Not null is shown with its column.
_CONSTRAINTS = f"""
SELECT c.relname AS relation, pg_get_constraintdef(k.oid) AS text FROM pg_constraint k
JOIN pg_class c ON c.oid = k.conrelid WHERE {_OURS} AND k.contype <> 'n'
ORDER BY c.oid, k.contype = 'p' DESC, k.oid
"""  # noqa: S608
_INDEXES = f"""
SELECT c.relname AS relation, pg_get_indexdef(i.indexrelid) AS text FROM pg_index i
JOIN pg_class c ON c.oid = i.indrelid
WHERE {_OURS}
  AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
ORDER BY c.oid, i.indexrelid
"""  # noqa: S608
_POLICIES = f"""
SELECT c.relname AS relation, p.polname AS name, pg_get_expr(p.polqual, p.polrelid) AS seen,
       pg_get_expr(p.polwithcheck, p.polrelid) AS written
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE {_OURS} ORDER BY c.oid, p.oid
"""  # noqa: S608

_ADDED = re.compile(r"((?:^[ ]*--[^\n]*\n)+)^ALTER TABLE (\w+) ADD(?: COLUMN)? (\w+)", re.MULTILINE)
_TABLE = re.compile(r"^CREATE TABLE (\w+) \(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"((?:^[ ]*--[^\n]*\n)+)^[ ]*(\w+) ", re.MULTILINE)
_ABOVE_TABLE = re.compile(r"((?:^--[^\n]*\n)+)^CREATE TABLE (\w+) ", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """What the server knows, as rows."""

    tables: Sequence[DictRow]
    columns: Sequence[DictRow]
    constraints: Sequence[DictRow]
    indexes: Sequence[DictRow]
    policies: Sequence[DictRow]


async def read_catalog(owner_dsn: str) -> Catalog:
    """The schema of a database, in the order in which it was made."""
    async with await AsyncConnection[DictRow].connect(owner_dsn, row_factory=dict_row) as connection:
        found = [
            await (await connection.execute(query)).fetchall()
            for query in (_TABLES, _COLUMNS, _CONSTRAINTS, _INDEXES, _POLICIES)
        ]
    tables, columns, constraints, indexes, policies = found
    return Catalog(tables=tables, columns=columns, constraints=constraints, indexes=indexes, policies=policies)


def comments(texts: Iterable[str]) -> dict[str, str]:
    """The comments of migrations: by table, and by ``table.column``; a later migration's word is the last."""
    found = dict(UNSAID)
    for text in texts:
        found |= {table: _plain(lines) for lines, table in _ABOVE_TABLE.findall(text)}
        for table, body in _TABLE.findall(text):
            found |= {f"{table}.{column}": _plain(lines) for lines, column in _COLUMN.findall(body)}
        found |= {f"{table}.{column}": _plain(lines) for lines, table, column in _ADDED.findall(text)}
    return found


def _plain(lines: str) -> str:
    return " ".join(line.strip().removeprefix("--").strip() for line in lines.splitlines())


def render(catalog: Catalog, said: dict[str, str], *, last: str) -> str:
    """The whole file."""
    parts = [HEAD.format(last=last)]
    parts += [_table(row["name"], catalog, said, forced=row["forced"]) for row in catalog.tables]
    return "\n".join(parts)


def _table(name: str, catalog: Catalog, said: dict[str, str], *, forced: bool) -> str:
    lines = _wrapped(said.get(name, ""), indent="")
    lines.append(f"CREATE TABLE {name} (")
    entries = [(said.get(f"{name}.{c['name']}", ""), _column(c)) for c in _of(catalog.columns, name)]
    entries += [("", row["text"]) for row in _of(catalog.constraints, name)]
    for at, (comment, entry) in enumerate(entries, start=1):
        lines += _wrapped(comment, indent="    ")
        lines.append(f"    {entry}{',' if at < len(entries) else ''}")
    lines.append(");")
    lines += [f"{_short(row['text'])};" for row in _of(catalog.indexes, name)]
    if forced:
        lines += [f"ALTER TABLE {name} {way} ROW LEVEL SECURITY;" for way in ("ENABLE", "FORCE")]
    for row in _of(catalog.policies, name):
        lines.append(f"CREATE POLICY {row['name']} ON {name}")
        lines += [f"    USING {row['seen']}", f"    WITH CHECK {row['written']};"]
    return "\n".join([*lines, ""])


def _short(index: str) -> str:
    return index.replace(" ON public.", " ON ").replace(" USING btree", "")


def _of(rows: Sequence[DictRow], relation: str) -> list[DictRow]:
    return [row for row in rows if row["relation"] == relation]


def _column(row: DictRow) -> str:
    needed = " NOT NULL" if row["not_null"] else ""
    value = f" DEFAULT {row['value']}" if row["value"] is not None else ""
    return f"{row['name']} {row['type']}{needed}{value}"


def _wrapped(comment: str, *, indent: str) -> list[str]:
    lines: list[str] = []
    for word in comment.split():
        if lines and len(f"{lines[-1]} {word}") <= _WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(f"{indent}-- {word}")
    return lines


async def schema_text(owner_dsn: str) -> str:
    """schema.sql of a migrated database."""
    carried = migrations()
    return render(await read_catalog(owner_dsn), comments(text for _, text in carried), last=carried[-1][0])


async def write() -> None:
    """Make a database, migrate it, write the file, and throw the database away."""
    with tempfile.TemporaryDirectory(prefix="precis-schema-") as folder:
        place = Path(folder)
        place.chmod(0o755)  # noqa: ASYNC240 - nobody else waits
        async with embedded.running(place / "db") as server:
            await migrate(server.owner_dsn, app_role=APPLICATION, now=datetime.now(UTC))
            text = await schema_text(server.owner_dsn)
    TARGET.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{TARGET.name}: {len(text.splitlines())} lines\n")


if __name__ == "__main__":
    asyncio.run(write())
