"""Every named query is understood by the server against the migrated schema, by the role that runs it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.rows import DictRow

import precis
from precis.bootstrap import Runtime
from precis.database.queries import every_query
from precis.embedded.server import APPLICATION
from servers import SERVER

pytestmark = pytest.mark.asyncio(loop_scope="session")

_PARAMETER = re.compile(r"%\((\w+)\)s")
_COMMENTS = r"(?:--[^\n]*\n)*"
_PLANNED = re.compile(rf"{_COMMENTS}(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b")
#: The care of the whole server: refused in a transaction, or not undone by rolling one back.
_ALONE = re.compile(rf"{_COMMENTS}(?:VACUUM|ANALYZE|ALTER SYSTEM|CHECKPOINT|DO|COMMIT|ROLLBACK)\b")
_DO = re.compile(r"^DO \$\$\n(.*)\$\$$", re.MULTILINE | re.DOTALL)
#: The care of the server itself, and migrations: the owner's business.
_OWNERS = re.compile(r"migrations\.\w+|scan\.(?:reload|log_mark|switch_log|log_segments)")
#: What the owner's definitions are completed with; an index is made within the transaction here.
_PUT_IN = {"{name}": "an_index", "{dimensions}": "256", "{listed}": "400", "CONCURRENTLY ": ""} | {
    f"{{{name}}}": "'x'" for name in ("salt", "digest", "version", "tenant_id")
}
#: Those that need Citus are tried in test_distribute.py.
QUERIES = every_query()
EVERYWHERE = [name for name in QUERIES if not name.startswith("distributing.")]
PLANNED = sorted(name for name in EVERYWHERE if _PLANNED.match(QUERIES[name]))
ALONE = sorted(name for name in EVERYWHERE if _ALONE.match(QUERIES[name]))
OTHERS = sorted(set(EVERYWHERE) - {*PLANNED, *ALONE})
#: What rewrites the files of the embedded server, which other releases of PostgreSQL need not understand.
_EMBEDDED = re.compile(r"purge\.\w+" if SERVER else "$")
SERVED = [name for name in PLANNED if not (_OWNERS.fullmatch(name) or _EMBEDDED.fullmatch(name))]
OWNERS = [name for name in PLANNED if _OWNERS.fullmatch(name)]


def numbered(query: str) -> str:
    """``%(name)s`` as ``$n``, each name one number, as the driver sends it; what is put in besides is one of ours."""
    names = list(dict.fromkeys(_PARAMETER.findall(query)))
    plain = query.replace("{table}", "memories").replace("{dimensions}", "256").replace("{columns}", "memory_id")
    if plain != query:  # what is put into is written with each of its other braces twice
        plain = plain.replace("{{", "{").replace("}}", "}")
    return _PARAMETER.sub(lambda match: f"${names.index(match[1]) + 1}", plain).replace("%%", "%")


@pytest.mark.parametrize("name", SERVED)
async def test_it_is_planned_for_the_role_that_serves(runtime: Runtime, name: str) -> None:
    """The server finds every table, column and type, and the role has the right to all of it."""
    async with runtime.database.tenant("nobody") as connection:
        asked = await connection.execute(f"EXPLAIN (GENERIC_PLAN) {numbered(QUERIES[name])}")
        assert await asked.fetchall()


@pytest.mark.parametrize("name", OWNERS)
async def test_the_owners_queries_are_planned_for_the_owner(owner: AsyncConnection[DictRow], name: str) -> None:
    """The same for what only the owner of the database runs."""
    asked = await owner.execute(f"EXPLAIN (GENERIC_PLAN) {numbered(QUERIES[name])}")
    assert await asked.fetchall()


@pytest.mark.parametrize("name", OTHERS)
async def test_what_cannot_be_planned_runs_and_is_rolled_back(owner: AsyncConnection[DictRow], name: str) -> None:
    """Definitions, grants and session statements are run by the owner."""
    query = QUERIES[name].replace("{role}", APPLICATION)
    for place, value in _PUT_IN.items():
        query = query.replace(place, value)
    assert not _PARAMETER.search(query)
    async with owner.transaction(force_rollback=True):
        await owner.execute(query)


@pytest.mark.parametrize("name", ALONE)
async def test_what_cannot_be_rolled_back_is_parsed(owner: AsyncConnection[DictRow], name: str) -> None:
    """The body of a function is checked against the grammar when it is made, and this one is never called."""
    block = _DO.search(QUERIES[name])
    body = block[1] if block else f"BEGIN\n{QUERIES[name]};\nEND"
    async with owner.transaction(force_rollback=True):
        await owner.execute(_function("parsed", body))
        with pytest.raises(psycopg.errors.SyntaxError):
            await owner.execute(_function("other", body.replace(";", " 1 2;", 1).replace(" /*", " 1 2 /*", 1)))


def _function(name: str, body: str) -> str:
    return f"CREATE FUNCTION pg_temp.{name}() RETURNS void LANGUAGE plpgsql AS $parsed$ {body} $parsed$"


async def test_a_wrong_query_is_found(runtime: Runtime) -> None:
    """The check itself: a column that is not there, and a table that may not be read, are errors."""
    for wrong in ("SELECT memory_key FROM memories WHERE tenant_id = $1", "SELECT * FROM schema_versions"):
        with pytest.raises(psycopg.errors.Error):
            async with runtime.database.tenant("nobody") as connection:
                await connection.execute(f"EXPLAIN (GENERIC_PLAN) {wrong}")


async def test_every_query_is_used() -> None:
    """A name that no code asks for is dead SQL."""
    folder = Path(precis.__file__).parent
    modules = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    assert unused(QUERIES, modules) == []


async def test_a_dead_query_is_found() -> None:
    """The check itself: part of a name is no name."""
    modules = ['tx.run("put")', 'tx.all(f"{table}_with_terms")']
    names = ["groups.put", "views.put_view", "scan.memories_with_terms"]
    assert unused(names, modules) == ["views.put_view"]


async def test_no_two_queries_have_one_name() -> None:
    """A query is asked by its name alone, whatever file it stands in."""
    names = Counter(name.partition(".")[2] for name in QUERIES)
    assert [name for name, count in names.items() if count > 1] == []


def unused(names: Iterable[str], modules: Sequence[str]) -> list[str]:
    """The queries whose names stand in no module."""
    code = "".join(modules)

    def is_asked(name: str) -> bool:
        """By its name, or by a name made of a table's and a suffix."""
        plain = name.partition(".")[2]
        return f'"{plain}"' in code or f'}}_{plain.partition("_")[2]}"' in code

    return [name for name in names if not is_asked(name)]


async def test_every_query_says_what_it_is_for() -> None:
    """The line under the name is a comment."""
    assert [name for name, query in QUERIES.items() if not query.startswith("-- ")] == []
