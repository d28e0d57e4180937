"""A place of small named bytes that several machines write: nobody overwrites what somebody else has written.

S3 is such a place (`s3.py`). So is a second PostgreSQL database: another one than that of the memories, in which no
backup of those takes part.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib import resources
from threading import BoundedSemaphore
from typing import Any, LiteralString, Protocol

from psycopg import Connection, Error, OperationalError
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from precis.database.queries import queries_in
from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.elsewhere.service import CONNECT_SECONDS, READ_SECONDS, Service, away_words


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """What lies under a name."""

    body: bytes = field(repr=False)
    #: Another one after each change.
    version: str


class Objects(Protocol):
    """What S3 and PostgreSQL have in common. Every call is synchronous. Raises StoreUnavailable."""

    @property
    def where(self) -> str:
        """How a person would find it; without a secret."""

    def check(self, *, erases: bool) -> None:
        """Raise ConfigurationError where this place may not be used; ``erases``: what is replaced has to be gone."""

    def read(self, name: str) -> Stored | None:
        """What lies there now."""

    def add(self, name: str, body: bytes) -> Stored | None:
        """Put it where nothing lies, durably; None where something does."""

    def replace(self, name: str, body: bytes, *, version: str) -> Stored | None:
        """Put it in the place of this version, durably; None where another one lies there."""

    def names(self, prefix: str, *, limit: int | None = None) -> Sequence[str]:
        """The names with this prefix, in order; at most so many."""


def digest_of(body: bytes) -> str:
    """Tells contents apart."""
    return sha256(body).hexdigest()


_NAME = "the database of the keys or the forgotten-log"


def _away(error: BaseException) -> str:
    return f"{away_words(_NAME, error)}: check PRECIS_KEYS_URL and PRECIS_FORGOTTEN_URL"


class PostgresObjects:
    """One table, made at the first use. Calls are seldom, so each has a connection of its own."""

    def __init__(self, url: str) -> None:
        self._to = conninfo_to_dict(url)
        self._queries: Mapping[str, LiteralString] = queries_in(resources.files(__package__) / "objects.sql")
        self._url = url
        self._turns = BoundedSemaphore(4)
        self._is_made = False
        probe = partial(self._rows, "object_names", {"prefix": "", "limit": 1})
        self._service = Service(_NAME, probe, away=(OperationalError,), words=_away)

    @property
    def where(self) -> str:
        """Without user and password."""
        return f"postgresql://{self._to.get('host', '')}/{self._to.get('dbname', '')}"

    def check(self, *, erases: bool) -> None:
        """Whether it answers, and is another database than that of the memories."""
        del erases  # its rows are replaced in place; what its own log and backups keep is in docs/why/encryption.md
        self._ask("object_names", prefix="", limit=1)

    def read(self, name: str) -> Stored | None:
        """See Objects."""
        rows = self._ask("read_object", name=name)
        return _stored(rows[0][0]) if rows else None

    def add(self, name: str, body: bytes) -> Stored | None:
        """See Objects."""
        return _stored(body) if self._ask("add_object", name=name, body=body) else None

    def replace(self, name: str, body: bytes, *, version: str) -> Stored | None:
        """See Objects."""
        rows = self._ask("replace_object", name=name, body=body, version=version)
        return _stored(body) if rows else None

    def names(self, prefix: str, *, limit: int | None = None) -> Sequence[str]:
        """See Objects."""
        return [name for (name,) in self._ask("object_names", prefix=prefix, limit=limit)]

    def _ask(self, query: str, **parameters: object) -> Sequence[TupleRow]:
        try:
            return self._service.ask(lambda: self._rows(query, parameters))
        except Error as error:
            raise StoreUnavailable(_away(error)) from error

    def _rows(self, query: str, parameters: Mapping[str, object]) -> Sequence[TupleRow]:
        with self._turns, _Impatient.connect(self._url, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
            if not self._is_made:
                self._make(connection)
                self._is_made = True
            return connection.execute(self._queries[query], parameters).fetchall()

    def _make(self, connection: Connection[TupleRow]) -> None:
        if connection.execute(self._queries["is_ours"]).fetchone():
            raise ConfigurationError(
                f"{self.where} holds the memories, too: one backup would hold both, and a restore put both back. "
                "Name another database"
            )
        connection.execute(self._queries["make_objects"])


class _Impatient(Connection[TupleRow]):
    """Waits for an answer a few seconds at most: a server may hang, and nothing else would end its thread."""

    def wait(self, gen: Generator[Any, Any, Any], *options: Any, **more: Any) -> Any:
        """See Connection. Raises OperationalError."""
        return super().wait(_until(gen, time.monotonic() + READ_SECONDS), *options, **more)


def _until(steps: Generator[Any, Any, Any], deadline: float) -> Generator[Any, Any, Any]:
    """The steps of psycopg, which it takes some ten times a second while it waits. Raises OperationalError."""
    try:
        state = next(steps)
        while True:
            ready = yield state
            if time.monotonic() >= deadline:
                raise OperationalError("no answer in time")
            state = steps.send(ready)
    except StopIteration as end:
        return end.value


def _stored(body: bytes) -> Stored:
    return Stored(body=body, version=digest_of(body))
