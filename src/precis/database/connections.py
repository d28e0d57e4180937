"""Connections to PostgreSQL, and Tx: one transaction of one tenant, in which every store method runs."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from typing import Any, ParamSpec, TypeVar

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection, DataError, OperationalError, errors
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from precis.database import queries
from precis.database.sending import Answer, Connection, Statement, write_lists_at_once
from precis.errors import ConfigurationError, InvalidInput, StoreUnavailable
from precis.ids import UNSTORABLE

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Row = Mapping[str, Any]
#: A statement by its name, with its parameters, or with those of each time that it runs.
Call = tuple[str, Mapping[str, Any] | list[Mapping[str, Any]]]
#: The same, or a statement as it is sent.
First = Call | Statement

#: Statements of ``together`` with vectors or sealed texts among their columns: as text they take long to read.
_IN_BINARY = frozenset({"lock_groups", "asserting", "get_memories"})


@dataclass(slots=True)
class _Ending:
    """The end of a transaction."""

    is_sent: bool = False


@dataclass(frozen=True, slots=True)
class Tx:
    """A transaction that is open; ``Database.tx`` begins and ends it.

    Queries are those of store/sql, by their names. Each is given ``tenant_id`` besides the parameters of the call.
    """

    connection: Connection
    #: Empty in the directory of tenants, where no row of anybody is seen.
    tenant_id: str
    #: The answers to the statements that it began with.
    answers: list[Sequence[Any]] = field(default_factory=list)
    ending: _Ending = field(default_factory=_Ending)

    async def all(self, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer."""
        return (await self._ask(queries.query(name), parameters)).rows

    async def vectors(self, name: str, /, **parameters: Any) -> Sequence[Row]:
        """The same where vectors are among the columns: as text they take long to read."""
        return (await self._ask(queries.query(name), parameters, binary=True)).rows

    async def made(self, text: str, row: Callable[..., T], parameters: Mapping[str, Any]) -> Sequence[T]:
        """What is made of the columns of each row that a query by its text answers, in binary."""
        return (await self._ask(text, parameters, binary=True, row=row)).rows

    async def filtered(self, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer, by the query with the conditions that are given."""
        return (await self._ask(queries.narrowed(queries.query(name), self._of_tenant(parameters)), parameters)).rows

    async def one(self, name: str, /, **parameters: Any) -> Row | None:
        """The first row of an answer; None when it has none."""
        return next(iter((await self._ask(queries.query(name), parameters)).rows), None)

    async def run(self, name: str, /, **parameters: Any) -> int:
        """A statement without an answer; how many rows it wrote."""
        return (await self._ask(queries.query(name), parameters)).count

    async def together(self, *calls: Call) -> list[Sequence[Row]]:
        """The answers of statements that do not depend on one another: sent at once, they are waited for once.

        They run in this order, and each sees what is committed when its own turn comes.
        """
        return await _sent(self.connection, self.tenant_id, calls)

    async def last(self, *calls: Call) -> list[Sequence[Row]]:
        """The same, and the transaction ends with them: where their answers are lost, so is whether it did."""
        self.ending.is_sent = True
        return await _sent(self.connection, self.tenant_id, calls, after=[queries.query("commit_transaction").encode()])

    async def many(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """The same statement for each of these."""
        await self.together((name, list(rows)))

    async def set(self, name: str, /, **values: str | int) -> None:
        """Settings for the rest of the transaction; SET takes no parameters, and set_config() reaches one machine."""
        await self.connection.execute(queries.settings_of(name, **values), prepare=False)

    async def _ask(
        self, text: str, parameters: Mapping[str, Any], *, binary: bool = False, row: Callable[..., Any] | None = None
    ) -> Answer:
        with queries.watched(text):
            (answer,) = await self.connection.send([Statement(text, self._of_tenant(parameters), binary, row)])
        return answer

    def _of_tenant(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return _of_tenant(self.tenant_id, parameters)


def _of_tenant(tenant_id: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"tenant_id": tenant_id, **parameters} if tenant_id else dict(parameters)


async def _sent(
    connection: Connection, tenant_id: str, calls: Sequence[First], *, before: Sequence[bytes] = (),
    after: Sequence[bytes] = (),
) -> list[Sequence[Row]]:  # fmt: skip
    """The answers to these calls, sent at once with what begins or ends their transaction."""
    of_calls = [_statements_of(tenant_id, call) for call in calls]
    statements = [*map(Statement, before), *chain.from_iterable(of_calls), *map(Statement, after)]
    if not statements:
        return [()] * len(calls)
    with queries.watched_together(
        queries.name_of(call.text) if isinstance(call, Statement) else call[0] for call in calls
    ):
        answers = iter((await connection.send(statements))[len(before) :])
    # Nobody asks what a statement answers that runs several times, or never.
    answered = [[answer.rows for answer in islice(answers, len(sent))] for sent in of_calls]
    return [rows[0] if len(rows) == 1 else () for rows in answered]


def _statements_of(tenant_id: str, call: First) -> list[Statement]:
    if isinstance(call, Statement):
        return [call]
    name, parameters = call
    rows = parameters if isinstance(parameters, list) else [parameters]
    return [Statement(queries.query(name), _of_tenant(tenant_id, row), name in _IN_BINARY) for row in rows]


_TRIES = 5
#: Seconds between two attempts to connect, for as long as the server is away.
_RECONNECT_SECONDS = 0.5
#: How long a caller waits for a connection that nobody else holds: a dead embedded server is back by then, mostly.
_ABSENT_SECONDS = 4.0
#: How long a caller waits while all connections are in use.
_CROWDED_SECONDS = 30.0
_FULL = "the disk of the database is full; nothing was written, make room and try again"
_NOTHING_WRITTEN = "the database cannot be reached; nothing was written, try again"
_CLOSED = "precis was closed here; nothing was written, open it again"
_IN_DOUBT = (
    "the connection to the database was lost before it answered; the write may have been made: "
    "repeat it with the same ids"
)
_NO_TEXT = f"an id or a name in this call holds {UNSTORABLE}; leave that out"
_TOO_LONG = (
    "an id and a name in this call are too long together for an index: they take more than 2,600 bytes; shorten one"
)


class Database:
    """A pool whose transactions see one tenant."""

    def __init__(self, pool: AsyncConnectionPool[Connection]) -> None:
        self.pool = pool
        self.copies = queries.Copies()
        #: Connections that transactions of this process hold now.
        self._in_use = 0

    @asynccontextmanager
    async def tx(
        self, tenant_id: str = "", *, one_moment: bool = False, generic_plans: bool = False, steady: bool = False,
        first: Sequence[First] = (), ends: bool = False,
    ) -> AsyncIterator[Tx]:  # fmt: skip
        """A transaction that queries are asked of by name; row-level security shows it the rows of this tenant only.

        Without a tenant it sees the directory of tenants, no rows of anybody. With ``one_moment`` everything read in it
        is of one moment, and it writes nothing; with ``steady`` it may write what nobody else has written since:
        otherwise it raises SerializationFailure. With ``generic_plans`` a query that comes again is not planned again.
        ``first`` are calls that are sent at once with what begins it: it has their answers. Where it ``ends`` with them
        nothing more is asked in it, and where the connection is lost they may be sent again.

        Raises StoreUnavailable; InvalidInput for a parameter that is no valid text.
        """
        kind = "begin_one_moment" if one_moment else "begin_steady" if steady else "begin"
        begin = _beginning(kind, tenant_id, generic_plans=generic_plans)
        end = [queries.query("commit_transaction").encode()] if ends else []
        tx: Tx | None = None
        try:
            async with AsyncExitStack() as stack:
                tx = await self._begin(stack, tenant_id, begin, first, end)
                yield tx
                # psycopg leaves a transaction without a word, and without COMMIT, where the connection is gone.
                if tx.connection.closed and not tx.ending.is_sent:
                    raise StoreUnavailable(_NOTHING_WRITTEN)
                # From here on COMMIT is sent; where its answer is lost, nobody knows what the server did.
                tx.ending.is_sent = True
        except (PoolTimeout, OperationalError) as error:
            if isinstance(error, errors.DeadlockDetected | errors.SerializationFailure):
                raise
            if isinstance(error, errors.ProgramLimitExceeded):
                raise InvalidInput(_TOO_LONG) from error
            if tx is not None and tx.ending.is_sent and tx.connection.closed and not one_moment:
                raise StoreUnavailable(_IN_DOUBT) from error
            kinds = {errors.DiskFull: _FULL, PoolClosed: _CLOSED}
            raise StoreUnavailable(kinds.get(type(error), _NOTHING_WRITTEN)) from error
        except (DataError, UnicodeEncodeError) as error:
            if isinstance(error, DataError) and "NUL" not in str(error):
                raise
            raise InvalidInput(_NO_TEXT) from error

    async def read(self, tenant_id: str, *calls: First) -> list[Sequence[Any]]:
        """The answers of statements that only read, all of one moment, in one turn."""
        async with self.tx(tenant_id, one_moment=True, first=calls, ends=True) as tx:
            return tx.answers

    @asynccontextmanager
    async def tenant(self, tenant_id: str, *, one_moment: bool = False) -> AsyncIterator[Connection]:
        """The connection of such a transaction, for statements that have no name."""
        async with self.tx(tenant_id, one_moment=one_moment) as tx:
            yield tx.connection

    @asynccontextmanager
    async def directory(self) -> AsyncIterator[Connection]:
        """The same in no tenant."""
        async with self.tx() as tx:
            yield tx.connection

    async def ask(self, name: str, /, **parameters: Any) -> Row | None:
        """The first row of a statement that needs neither tenant nor transaction. Raises StoreUnavailable."""
        try:
            async with self._lent() as connection:
                return await (await connection.execute(queries.query(name), parameters)).fetchone()
        except (PoolTimeout, OperationalError) as error:
            raise StoreUnavailable from error

    async def _begin(
        self,
        stack: AsyncExitStack,
        tenant_id: str,
        begin: Sequence[bytes],
        first: Sequence[First],
        end: Sequence[bytes],
    ) -> Tx:
        """Begin a transaction that ends with the stack.

        A connection that was lost while it lay in the pool shows it at its first statement: the next one is taken,
        until one works or a new one cannot be made.
        """
        for _ in range(self.pool.max_size):
            async with AsyncExitStack() as attempt:
                connection = await attempt.enter_async_context(self._lent())
                try:
                    tx = await attempt.enter_async_context(_begun(connection, tenant_id, begin, first, end))
                except OperationalError:
                    if not connection.closed:
                        raise
                else:
                    stack.push_async_exit(attempt.pop_all())
                    return tx
        raise StoreUnavailable(_NOTHING_WRITTEN)

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[Connection]:
        """A connection of the pool for the length of a block, to a copy that was followed. Raises PoolTimeout."""
        while True:
            await self.copies.follow()
            connection = await self._next_free()
            self._in_use += 1
            try:
                # Whoever follows the copy needs a connection, too: nobody waits for it with one in hand.
                if await self.copies.is_followed(connection):
                    async with connection:
                        yield connection
                    return
            finally:
                self._in_use -= 1
                await self.pool.putconn(connection)

    async def _next_free(self) -> Connection:
        """Whoever waits while nobody holds a connection waits for a server that is away, and not for long."""
        try:
            return await self.pool.getconn(timeout=_ABSENT_SECONDS)
        except PoolTimeout:
            if not self._in_use:
                raise
        return await self.pool.getconn(timeout=_CROWDED_SECONDS - _ABSENT_SECONDS)

    async def check_role(self) -> None:
        """Refuse to serve as superuser or as owner of the tables: row-level security would not hold."""
        async with self.directory() as connection:
            row = await (await connection.execute(queries.query("who_am_i"))).fetchone()
        if row is None or row["above_the_law"] or row["owner"]:
            name = row["name"] if row else "this role"
            message = (
                f"precis will not serve as {name!r}: a superuser, a role with BYPASSRLS or the owner of the tables is "
                "above row-level security. Give PRECIS_DATABASE_URL a plain login role, and the owner's URL to "
                "PRECIS_DATABASE_OWNER_URL (used for migrations only)."
            )
            raise ConfigurationError(message)

    async def ping(self) -> None:
        """Raises StoreUnavailable when the server does not answer."""
        try:
            async with asyncio.timeout(_ABSENT_SECONDS), self.directory() as connection:
                await connection.execute(queries.query("ping"))
        except TimeoutError as error:
            raise StoreUnavailable from error


@asynccontextmanager
async def beside(tx: Tx) -> AsyncIterator[Tx]:
    """Reads what is committed by now, while the caller's own transaction goes on; for what is seldom needed.

    It takes no connection of the pool: whoever holds one and waits for another could wait for ever.
    """
    info = tx.connection.info
    connection = await Connection.connect(info.dsn, password=info.password, row_factory=dict_row, autocommit=True)
    async with connection:
        await connection.send([*map(Statement, _beginning("begin_one_moment", tx.tenant_id, generic_plans=False))])
        yield Tx(connection, tx.tenant_id)


@asynccontextmanager
async def _begun(
    connection: Connection, tenant_id: str, begin: Sequence[bytes], first: Sequence[First], end: Sequence[bytes]
) -> AsyncIterator[Tx]:
    """A transaction that these statements begin, and end; they and the first calls are sent at once."""
    try:
        if first:
            answers = await _sent(connection, tenant_id, first, before=begin, after=end)
            yield Tx(connection, tenant_id, answers)
        else:
            await connection.send([*map(Statement, begin)])
            yield Tx(connection, tenant_id)
    except BaseException:
        await _roll_back(connection)
        raise
    if connection.info.transaction_status is not TransactionStatus.IDLE:
        await connection.send([Statement(queries.query("commit_transaction"))])


async def _roll_back(connection: Connection) -> None:
    """The caller is told what ended the block. A connection that cannot be rolled back is closed."""
    try:
        if not connection.closed:
            await connection.send([Statement(queries.query("undo_transaction"))])
    except BaseException as error:
        await connection.close()
        if not isinstance(error, Exception):
            raise


@lru_cache(maxsize=10_000)
def _beginning(kind: str, tenant_id: str, *, generic_plans: bool) -> Sequence[bytes]:
    """What begins a transaction. Its settings take no parameters, and end with it."""
    steps = [queries.settings_of(kind)]
    if tenant_id:
        steps.append(queries.settings_of("enter_tenant", tenant_id=tenant_id))
    if generic_plans:
        steps += queries.settings_of("plan_generically").split(b";\n")
    return tuple(steps)


#: How a pool comes back: the package's own pauses double, and would outlast an outage by its length. Here a pool gives
#: up soon and at once asks for a connection anew, for as long as nobody closes it.
RECONNECTING: Mapping[str, Any] = {
    "reconnect_timeout": _RECONNECT_SECONDS,
    "reconnect_failed": AsyncConnectionPool.check,
}


@asynccontextmanager
async def open_database(dsn: str, *, min_size: int = 1, max_size: int = 16) -> AsyncIterator[Database]:
    """A database with a pool of connections, closed at the end."""
    pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
        dsn,
        connection_class=Connection,
        min_size=min_size,
        max_size=max_size,
        open=False,
        configure=_configure,
        kwargs={"row_factory": dict_row, "autocommit": True, "cursor_factory": queries.TimedCursor},
        timeout=_CROWDED_SECONDS,
        **RECONNECTING,
    )
    async with pool:
        database = Database(pool)
        try:
            yield database
        finally:
            await database.copies.end()


async def _configure(connection: AsyncConnection[Any]) -> None:
    # ``send`` prepares. What psycopg has prepared, it has the server forget at each rollback of its own, with all else.
    connection.prepare_threshold = None
    write_lists_at_once(connection)
    await register_vector_async(connection)


def retried(method: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Run a whole transaction again when it lost a race: a deadlock, or a row somebody inserted first."""

    @functools.wraps(method)
    async def attempt(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(_TRIES - 1):
            try:
                return await method(*args, **kwargs)
            except (errors.DeadlockDetected, errors.SerializationFailure, errors.UniqueViolation):
                continue
        return await method(*args, **kwargs)

    return attempt
