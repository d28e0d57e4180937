"""Statements that are sent to PostgreSQL at once, and waited for once.

psycopg's own pipeline waits for the socket before each statement, and makes a cursor for each. Here libpq is given all
of them, which sends them together; values are written and read by the package's adapters. A statement that comes again
is prepared; what the server has prepared is known by its answers, whatever became of the others.

Nearly every statement has a list among its values, and psycopg writes lists item by item. A list of nothing but texts,
or of nothing but numbers, is written at once, under the type that psycopg gives it. Every other is left to psycopg.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from typing import Any

from psycopg import AsyncConnection, DataError, OperationalError, errors, generators
from psycopg.abc import DumperKey, PQGen
from psycopg.adapt import Dumper, PyFormat, Transformer
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.rows import DictRow
from psycopg.types.array import ListDumper

#: Statements that a connection keeps prepared. A server that serves all doors asks some 130 in turn: with fewer, one is
#: forgotten shortly before it comes again.
_PREPARED = 300
_PARAMETER = re.compile(r"%\((\w+)\)s")
_OK = frozenset({ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.EMPTY_QUERY})
#: The server takes a statement, as it was prepared, for another by now, or knows none of that name.
_OUTDATED = frozenset({b"0A000", b"26000"})
#: A text with the types of its values.
_Key = tuple[bytes, tuple[int, ...]]


@dataclass(slots=True)
class Statement:
    """A statement with names in it, and their values; one without values is never prepared."""

    text: str | bytes
    values: Mapping[str, Any] | None = None
    #: Whether the answer comes in binary: as text vectors take long to read.
    binary: bool = False
    #: What makes a row of its columns, in their order; a mapping by their names where nothing does.
    row: Callable[..., Any] | None = None


@dataclass(slots=True)
class Answer:
    """What a statement answers, and how many rows it wrote or read."""

    rows: Sequence[Any]
    count: int


class Connection(AsyncConnection[DictRow]):
    """A connection that sends many statements at once."""

    @cached_property
    def _sender(self) -> "_Sender":
        return _Sender(self)

    async def send(self, statements: Sequence[Statement]) -> list[Answer]:
        """Run these in their order. Raises what the first one that fails says; none behind it runs."""
        async with self.lock:
            begins = not self.autocommit and self.info.transaction_status is TransactionStatus.IDLE
            begun = [Statement(b"BEGIN"), *statements] if begins else statements
            return (await self.wait(self._sender.exchange(begun)))[int(begins) :]


@dataclass(slots=True)
class _Written:
    """A statement as it is sent."""

    text: bytes
    values: Sequence[Any] | None = None
    types: tuple[int, ...] = ()
    formats: Sequence[Format] | None = None
    format: Format = Format.TEXT
    row: Callable[..., Any] | None = None


class _Sender:
    """What a connection has prepared, and how it writes and reads values."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._pgconn: PGconn = connection.pgconn
        self._values = Transformer(connection)
        #: The least recently used first; a statement that came once has no name yet.
        self._names: dict[_Key, bytes] = {}
        self._numbers = count()

    def exchange(self, statements: Sequence[Statement]) -> PQGen[list[Answer]]:
        """Send these and answer what comes back. Raises the error of the first that failed."""
        written = [self._write(statement) for statement in statements]
        self._pgconn.enter_pipeline_mode()
        try:
            # Of each command the statement that it is, or the one that it prepares under a name.
            sent = [command for statement in written for command in self._send(statement)]
            self._pgconn.pipeline_sync()
            yield from generators.send(self._pgconn)
            results = yield from self._received(len(sent))
        finally:
            if self._pgconn.status != ConnStatus.BAD:
                self._pgconn.exit_pipeline_mode()
        failed = next((result for result in results if result.status not in _OK), None)
        if failed is None and len(results) < len(sent):
            raise OperationalError("the connection is lost")
        self._note(sent, results, failed)
        if failed is not None:
            raise errors.error_from_result(failed, encoding=self._values.encoding)
        answered = [(*command, result) for command, result in zip(sent, results, strict=True)]
        return [self._answer(statement, result) for statement, name, result in answered if name is None]

    def _write(self, statement: Statement) -> _Written:
        format_ = Format.BINARY if statement.binary else Format.TEXT
        if statement.values is None:
            text = statement.text if isinstance(statement.text, bytes) else statement.text.encode()
            return _Written(text, format=format_, row=statement.row)
        text, names = numbered(str(statement.text))
        values = self._values.dump_sequence([statement.values[name] for name in names], _automatic(len(names)))
        types, formats = self._values.types or (), self._values.formats
        return _Written(text, values, types, formats, format_, statement.row)

    def _send(self, statement: _Written) -> list[tuple[_Written, bytes | None]]:
        """Give it to libpq, after what prepares it where it came before."""
        if statement.values is None:
            self._pgconn.send_query_params(statement.text, None, result_format=statement.format)
            return [(statement, None)]
        sent: list[tuple[_Written, bytes | None]] = []
        key = statement.text, statement.types
        name = self._names.pop(key, None)
        if name == b"":
            name = b"precis_%d" % next(self._numbers)
            self._pgconn.send_prepare(name, *key)
            sent.append((statement, name))
        self._names[key] = name or b""
        if name:
            self._pgconn.send_query_prepared(
                name, statement.values, param_formats=statement.formats, result_format=statement.format
            )
        else:
            self._pgconn.send_query_params(
                statement.text, statement.values, statement.types, statement.formats, statement.format
            )
        sent.append((statement, None))
        if len(self._names) > _PREPARED and (oldest := self._names.pop(next(iter(self._names)))):
            self._pgconn.send_query_params(b"DEALLOCATE " + oldest, None)
            sent.append((_Written(b""), oldest))
        return sent

    def _received(self, number: int) -> PQGen[list[PGresult]]:
        """The answers to so many commands, and to the end of them; fewer where the connection is lost."""
        results: list[PGresult] = []
        for _ in range(number + 1):
            answer = yield from generators.fetch_many(self._pgconn)
            if not answer:
                break
            results.append(answer[0])
        return results[:number]

    def _note(
        self, sent: Sequence[tuple[_Written, bytes | None]], results: Sequence[PGresult], failed: PGresult | None
    ) -> None:
        """Know what is prepared, where one has failed: what came behind it is not."""
        if failed is None:
            return
        if failed.error_field(DiagnosticField.SQLSTATE) in _OUTDATED:
            self._names.clear()
            return
        for (statement, name), result in zip(sent, results, strict=False):
            key = statement.text, statement.types
            if name is not None and result.status not in _OK and self._names.get(key) == name:
                del self._names[key]

    def _answer(self, statement: _Written, result: PGresult) -> Answer:
        count_ = result.command_tuples or 0
        if result.status != ExecStatus.TUPLES_OK or not result.ntuples:
            return Answer((), count_)
        self._values.set_pgresult(result)
        make = statement.row
        if make is None:
            names = [(result.fname(place) or b"").decode() for place in range(result.nfields)]
            return Answer(self._values.load_rows(0, result.ntuples, lambda row: dict(zip(names, row))), count_)  # noqa: B905
        return Answer(self._values.load_rows(0, result.ntuples, lambda row: make(*row)), count_)


@lru_cache(maxsize=2048)
def numbered(query: str) -> tuple[bytes, tuple[str, ...]]:
    """The query with numbers in the place of names, and the names in their order."""
    names = tuple(dict.fromkeys(_PARAMETER.findall(query)))
    text = _PARAMETER.sub(lambda match: f"${names.index(match[1]) + 1}", query)
    return text.replace("%%", "%").encode(), names


@lru_cache
def _automatic(number: int) -> list[PyFormat]:
    return [PyFormat.AUTO] * number


def write_lists_at_once(connection: AsyncConnection[Any]) -> None:
    """Have this connection write lists of nothing but texts, or of nothing but numbers, at once."""
    connection.adapters.register_dumper(list, _Lists)


class _Texts(Dumper):
    """Of no type: the database takes them for what the statement compares them with."""

    encoding = "utf-8"

    def dump(self, obj: list[str]) -> bytes:
        """The texts in quotes. Raises DataError for one that PostgreSQL cannot hold."""
        text = "\0".join(obj)
        if text.count("\0") >= len(obj):
            raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", '","')
        return f'{{"{text}"}}'.encode(self.encoding)


class _Numbers(Dumper):
    """Of 64 bits."""

    oid = 1016

    def dump(self, obj: list[int]) -> bytes:
        """The numbers, between commas."""
        return f"{{{','.join(map(str, obj))}}}".encode()


class _Numbers32(_Numbers):
    oid = 1007


class _Numbers16(_Numbers):
    oid = 1005


class _Lists(ListDumper):
    def get_key(self, obj: list[Any], format: PyFormat) -> DumperKey:  # noqa: A002 - psycopg's name
        """See psycopg."""
        own = _dumper_of(obj)
        return super().get_key(obj, format) if own is None else (self.cls, own)

    def upgrade(self, obj: list[Any], format: PyFormat) -> Any:  # noqa: A002 - psycopg's name
        """See psycopg: the dumper of such lists."""
        own = _dumper_of(obj)
        if own is None:
            return super().upgrade(obj, format)
        dumper = own(self.cls, self._tx)
        if isinstance(dumper, _Texts):
            dumper.encoding = self._tx.encoding
        return dumper


def _dumper_of(items: list[Any]) -> type[Dumper] | None:
    """What writes a list at once; None for one of other things, or of numbers of more than 64 bits."""
    kinds = {*map(type, items)}
    if kinds == {str}:
        return _Texts
    if kinds != {int}:
        return None
    largest = max(*items, ~min(items))
    sizes = {1 << 15: _Numbers16, 1 << 31: _Numbers32, 1 << 63: _Numbers}
    return next((dumper for limit, dumper in sizes.items() if largest < limit), None)
