"""A place of small named bytes that several machines write: nobody overwrites what somebody else has written.

S3 is such a place (`s3.py`). So is a second PostgreSQL database: another one than that of the memories, in which no
backup of those takes part. A service may be away or hang: nobody waits for it longer than a few seconds, and the next
one not at all. Keys are opened while requests are served, in the event loop as well, so what waits for such a service
waits for all.
"""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib import resources
from threading import BoundedSemaphore, Lock, Thread
from typing import Any, LiteralString, Protocol, TypeVar

from psycopg import Connection, Error, OperationalError
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from precis.database.queries import queries_in
from precis.errors import ConfigurationError, StoreUnavailable

T = TypeVar("T")
NEEDS_AWS = "S3 and AWS KMS need pip install 'precis-memory[aws]'"
#: Seconds within which a service has to answer.
SECONDS = 3.0
#: Seconds to connect, and between two pieces of an answer: for the clients' own threads, which end soon after that.
CONNECT_SECONDS, READ_SECONDS = 2, 2
#: Seconds between two looks whether a service that was away is back, and those for which one who asks waits for that.
_PAUSE, _GRACE = 1.0, 0.25
#: Calls under way at once, those that nobody waits for any more included.
_AT_ONCE = 64


def away_words(name: str, error: BaseException) -> str:
    """What is told of a service that could not be asked; of the error its kind, for its message may hold anything."""
    kind = type(error).__name__
    return f"{name} {'does not answer' if 'Timeout' in kind else 'cannot be asked'} ({kind})"


class Service:
    """Calls a service for a few seconds, and while it is away, only to see whether it is back.

    ``probe`` changes nothing; ``away`` are the errors by which the client says that the service could not be asked, and
    ``words`` what is told of one.
    """

    def __init__(
        self, name: str, probe: Callable[[], object], *, away: tuple[type[Exception], ...],
        words: Callable[[BaseException], str],
    ) -> None:  # fmt: skip
        self._name, self._probe, self._away, self._words = name, probe, away, words
        self._turns = BoundedSemaphore(_AT_ONCE)
        self._lock = Lock()
        #: Why it is away; None while it answers.
        self._reason: str | None = None
        #: The last look whether it is back, and when that began.
        self._looking: Future[object] | None = None
        self._looked = 0.0

    def ask(self, call: Callable[[], T]) -> T:
        """What the call answers, or the error that it raises. Raises StoreUnavailable where that takes too long."""
        reason = self._still_away()
        if reason is not None:
            raise StoreUnavailable(reason)
        begun = time.monotonic()
        if not self._turns.acquire(timeout=SECONDS):
            raise StoreUnavailable(f"{self._name} has too many calls under way; try again")
        future = self._started(call, then=self._turns.release)
        try:
            error = future.exception(timeout=max(0.0, SECONDS - (time.monotonic() - begun)))
        except TimeoutError as late:
            self._reason = f"{self._name} does not answer within {SECONDS:.0f} seconds"
            raise StoreUnavailable(self._reason) from late
        self._note(error)
        return future.result()

    def _note(self, error: BaseException | None) -> None:
        """Whether it answered: an answer that refuses is one, too."""
        self._reason = self._words(error) if isinstance(error, self._away) else None

    def _still_away(self) -> str | None:
        """Why it is; after a short wait for a look whether it is back, of which one is under way at a time."""
        if self._reason is None:
            return None
        with self._lock:
            now, looking = time.monotonic(), self._looking
            if looking is None or (looking.done() and now - self._looked >= _PAUSE):
                self._looked = now
                looking = self._looking = self._started(self._look)
        with suppress(TimeoutError):  # it hangs
            looking.exception(timeout=max(0.0, self._looked + _GRACE - now))
        return self._reason

    def _look(self) -> None:
        try:
            self._probe()
        except Exception as error:  # noqa: BLE001 - a refusal is an answer
            self._note(error)
        else:
            self._note(None)

    @staticmethod
    def _started(call: Callable[[], T], then: Callable[[], None] | None = None) -> Future[T]:
        """A call in a thread of its own, which keeps no process from ending."""
        future: Future[T] = Future()

        def work() -> None:
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                future.set_exception(error)
            finally:
                if then is not None:
                    then()

        Thread(target=work, daemon=True).start()
        return future


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
