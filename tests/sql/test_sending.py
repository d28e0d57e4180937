"""Statements that are sent at once: what is prepared of them is known, whatever became of the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
import pytest_asyncio
from psycopg import DataError, errors
from psycopg.rows import dict_row

from precis.bootstrap import Runtime
from precis.database.sending import Answer, Connection, Statement

pytestmark = pytest.mark.asyncio(loop_scope="session")
ECHO = "SELECT %(word)s::text AS word"
FAILS = "SELECT %(number)s::integer / 0"


@pytest_asyncio.fixture
async def connection(owner_dsn: str) -> AsyncIterator[Connection]:
    """One that may make tables of its own."""
    async with await Connection.connect(owner_dsn, autocommit=True, row_factory=dict_row) as connection:
        yield connection


async def _echo(connection: Connection, word: str) -> str:
    (answer,) = await connection.send([Statement(ECHO, {"word": word})])
    return str(answer.rows[0]["word"])


async def _prepared(connection: Connection) -> list[str]:
    (answer,) = await connection.send([Statement(b"SELECT statement FROM pg_prepared_statements")])
    return [row["statement"] for row in answer.rows]


async def test_each_statement_has_its_own_answer(connection: Connection) -> None:
    """In their order, as mappings or as what is made of their columns, in text or in binary."""
    both = "SELECT n, n * 2 AS twice FROM generate_series(1, %(most)s::integer) AS n"
    answers = await connection.send([
        Statement(ECHO, {"word": "50%"}), Statement(b"BEGIN"), Statement(both, {"most": 2}),
        Statement(both, {"most": 3}, binary=True, row=lambda one, two: (one, two)), Statement(b"COMMIT"),
    ])  # fmt: skip
    assert [list(answer.rows) for answer in answers] == [
        [{"word": "50%"}], [], [{"n": 1, "twice": 2}, {"n": 2, "twice": 4}], [(1, 2), (2, 4), (3, 6)], [],
    ]  # fmt: skip
    assert [answer.count for answer in answers if answer.rows] == [1, 2, 3]


async def test_what_comes_again_is_prepared_once(connection: Connection) -> None:
    """Also where it comes several times in what is sent at once."""
    for _ in range(3):
        await connection.send([Statement(ECHO, {"word": word}) for word in "abc"])
    assert len([text for text in await _prepared(connection) if "AS word" in text]) == 1


async def test_a_failure_leaves_what_was_prepared_before_it(connection: Connection) -> None:
    """What stands behind it did not run and is not prepared, and can be asked all the same."""
    for _ in range(2):
        await connection.send([Statement(ECHO, {"word": "a"})])
    behind = Statement("SELECT %(word)s::text AS behind", {"word": "b"})
    await connection.send([behind])
    for _ in range(3):
        with pytest.raises(errors.DivisionByZero):
            await connection.send([Statement(FAILS, {"number": 1}), behind])
    before = await _prepared(connection)
    assert [await _echo(connection, "c"), (await connection.send([behind]))[0].rows[0]["behind"]] == ["c", "b"]
    assert len([text for text in before if "AS word" in text]) == 1


async def test_what_cannot_be_written_sends_nothing(connection: Connection) -> None:
    """No statement before it runs either."""
    await connection.send([Statement(b"CREATE TEMPORARY TABLE noted (word text)")])
    with pytest.raises(DataError):
        await connection.send([
            Statement("INSERT INTO noted VALUES (%(word)s)", {"word": "a"}), Statement(ECHO, {"word": "\0"}),
        ])  # fmt: skip
    (answer,) = await connection.send([Statement(b"SELECT * FROM noted")])
    assert answer.rows == ()


async def test_a_statement_whose_answer_changes_is_prepared_anew(connection: Connection) -> None:
    """A migration changes a table under a connection that goes on: who asks meanwhile is told, the next one is served.

    So is who asks after the server has forgotten all that was prepared.
    """
    await connection.send([Statement(b"CREATE TEMPORARY TABLE changed (word text)")])
    ask = Statement("SELECT * FROM changed WHERE word = %(word)s", {"word": "a"})
    for statements in ([ask], [ask], [Statement(b"ALTER TABLE changed ADD COLUMN more text")]):
        await connection.send(statements)
    with pytest.raises(errors.FeatureNotSupported):
        await connection.send([ask])
    for statements in ([ask], [ask], [Statement(b"DEALLOCATE ALL")]):
        await connection.send(statements)
    with pytest.raises(errors.InvalidSqlStatementName):
        await connection.send([ask])
    assert (await connection.send([ask]))[0].rows == ()


async def test_who_gives_up_leaves_a_connection_that_works(connection: Connection) -> None:
    """The server ends the statement, and what was prepared in front of it is known."""
    slow = [Statement(ECHO, {"word": "a"}), Statement("SELECT pg_sleep(%(seconds)s)", {"seconds": 30})]
    await connection.send(slow[:1])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await connection.send(slow)
    assert [await _echo(connection, word) for word in "bc"] == ["b", "c"]


async def test_no_more_is_kept_than_so_many(connection: Connection) -> None:
    """The least recently used goes, on the server too."""

    def texts() -> Iterator[Statement]:
        return (Statement(f"SELECT %(number)s::integer AS n{at}", {"number": at}) for at in range(320))

    for _ in range(2):
        for at, statement in enumerate(texts()):
            assert (await connection.send([statement, statement]))[0].rows == [{f"n{at}": at}]
            await _echo(connection, "kept")
    prepared = await _prepared(connection)
    assert len(prepared) <= 300
    assert any("AS word" in text for text in prepared)


async def test_who_commits_by_hand_has_a_transaction(owner_dsn: str) -> None:
    """As any other statement of psycopg, the first one begins it."""
    async with await Connection.connect(owner_dsn, row_factory=dict_row) as connection:
        await connection.send([Statement(b"CREATE TEMPORARY TABLE undone (word text)")])
        await connection.rollback()
        with pytest.raises(errors.UndefinedTable):
            await connection.send([Statement(b"SELECT * FROM undone")])


async def test_a_start_asks_of_each_tenant_twice(
    runtime: Runtime, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that its keys and its log are held against at once, and the end: a store may have thousands of tenants."""
    sent, send = [], Connection.send

    async def noting(connection: Connection, statements: Sequence[Statement]) -> list[Answer]:
        sent.append(statements)
        return await send(connection, statements)

    monkeypatch.setattr(Connection, "send", noting)
    await runtime.store.tenants.prove(tenant)
    assert len(sent) == 2
