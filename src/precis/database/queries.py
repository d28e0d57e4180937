"""Named queries from the .sql files of precis.store.sql, and which copy of the database answers them.

What tells two copies of a database apart is read on every new connection, and once a second on those that stay open: a
copy may be put in place under a server that is started for it, under another name, or table by table. Until the copy is
followed nobody gets a connection. To follow it is what every start does: what was forgotten since it was taken goes
again.
"""

import asyncio
import contextvars
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, LiteralString, Self
from weakref import WeakSet

import structlog
from psycopg import AsyncCursor, Error, OperationalError, sql
from psycopg.rows import DictRow

from precis.database.sending import Connection
from precis.errors import ConfigurationError, StoreUnavailable
from precis.metrics import STATEMENT_SECONDS
from precis.tracing import is_on, span

_FILES = resources.files("precis.store") / "sql"
_COMMENT = re.compile(r"--[^\n]*")
_OR = re.compile(r"\bOR\b")
#: How the fragment, and whatever else leaves a condition to its parameter, begins one.
_OPEN = re.compile(r"\(%\((\w+)\)s::[\w\[\]]+ IS NULL\s+OR ")
_ENDING = re.compile(r"/\* (\w+) \*/$")
_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
#: A part that several queries have in common stands once, in a file of its own that names no query.
_PART = re.compile(r"\{\{(\w+)\}\}")
_REMARK = re.compile(r"^--[^\n]*\n", re.MULTILINE)


@cache
def queries(resource: str) -> Mapping[str, LiteralString]:
    """The queries of ``<resource>.sql`` by name, comments included; the last of them is the name."""
    return _named(_text(resource))


def queries_in(file: Traversable) -> Mapping[str, LiteralString]:
    """The same of a file that is not about the database of the memories."""
    return _named(file.read_text(encoding="utf-8"))


def _named(text: str) -> Mapping[str, LiteralString]:
    parts = _NAME.split(text)[1:]
    named = zip(parts[::2], parts[1::2], strict=True)
    return {name: f"{body.strip().rstrip(';')} /* {name} */" for name, body in named}


def name_of(text: object) -> str:
    """The name of a query by its text, which is also what PostgreSQL shows of it; another statement has none."""
    ending = _ENDING.search(text) if isinstance(text, str) else None
    return ending[1] if ending else "statement"


@cache
def query(name: str) -> LiteralString:
    """The text of a query; its name is like no other in any file. Raises KeyError."""
    return _by_name()[name]


@cache
def _by_name() -> Mapping[str, LiteralString]:
    queries_by_name = {}
    for qualified, body in every_query().items():
        name = qualified.partition(".")[2]
        if name in queries_by_name:
            raise ValueError(f"two queries are named {name}")
        queries_by_name[name] = body
    return queries_by_name


@lru_cache(maxsize=1024)
def settings_of(name: str, /, **values: str | int) -> bytes:
    """The text of settings, with these values as literals. Raises DataError for a text that PostgreSQL cannot hold."""
    return sql.SQL(query(name)).format(**{key: sql.Literal(value) for key, value in values.items()}).as_bytes(None)


def every_query() -> dict[str, LiteralString]:
    """All of them as ``resource.name``: what the tests prepare against the schema."""
    files = [f.name for f in _FILES.iterdir() if f.name.endswith(".sql")]
    return {
        f"{name.removesuffix('.sql')}.{query}": body
        for name in sorted(files)
        for query, body in queries(name.removesuffix(".sql")).items()
    }


def _text(file: str) -> str:
    text = _FILES.joinpath(f"{file}.sql").read_text(encoding="utf-8")
    return _PART.sub(lambda match: _REMARK.sub("", _text(match[1])).strip(), text)


def narrowed(query: LiteralString, parameters: Mapping[str, Any]) -> LiteralString:
    """The query with the conditions that are given, and ``true`` in the place of the others.

    It says the same. But it is short enough to be kept prepared, and planned for the indexes that serve it.
    """
    return _narrowed(query, frozenset(name for name, value in parameters.items() if value is not None))


@lru_cache(maxsize=256)
def _narrowed(query: LiteralString, names: frozenset[str]) -> LiteralString:
    text: LiteralString = ""
    at = 0
    while opened := _OPEN.search(query, at):
        end = _closing(query, opened.end())
        condition = query[opened.end() : end]
        text += query[at : opened.start()]
        text += "true" if opened[1] not in names else f"({condition})" if _OR.search(condition) else condition
        at = end + 1
    uncommented = _COMMENT.sub("", text + query[at:]).replace("\nAND true", "").replace(" AND true ", " ")
    return " ".join(uncommented.split()).replace("( ", "(").replace(" )", ")")


def _closing(query: str, at: int) -> int:
    """Where the parenthesis ends that is open here."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(query[at], 0)
        at += 1
    return at - 1


# --- how long the database takes: a figure for Prometheus, and a span where somebody traces ---


class TimedCursor(AsyncCursor[DictRow]):
    """A cursor whose statements are counted with how long they took."""

    async def execute(self, query: Any, *args: Any, **kwargs: Any) -> Self:
        """The same."""
        with watched(query):
            return await super().execute(query, *args, **kwargs)

    async def executemany(self, query: Any, *args: Any, **kwargs: Any) -> None:
        """All of them count as one."""
        with watched(query):
            await super().executemany(query, *args, **kwargs)


def watched_together(names: Iterable[str]) -> AbstractContextManager[object]:
    """Statements that are sent at once are one figure, and one span that names them."""
    return _traced(" ".join(names), name="together") if is_on() else STATEMENT_SECONDS.time()


def watched(query: Any) -> AbstractContextManager[object]:
    """A statement is a figure, and a span where somebody traces."""
    return _traced(name_of(query)) if is_on() else STATEMENT_SECONDS.time()


@contextmanager
def _traced(summary: str, *, name: str | None = None) -> Iterator[None]:
    """Of a statement its name is told: neither its text nor a parameter."""
    traits = {"db.system.name": "postgresql", "db.query.summary": summary}
    with STATEMENT_SECONDS.time(), span(name or summary, traits, kind="client"):
        yield


_log = structlog.get_logger(__name__)
#: Seconds for which what was read is believed.
_LOOK_SECONDS = 1.0
#: Whether what runs now follows a copy: it is not held back.
_follows: contextvars.ContextVar[bool] = contextvars.ContextVar("precis_follows_a_copy", default=False)


class Copies:
    """Which copy of the database this process serves."""

    def __init__(self) -> None:
        #: What else the process keeps of the database, and lets go of when the copy is another one.
        self.kept: list[Callable[[], None]] = []
        self._follow: Callable[[], Awaitable[None]] | None = None
        #: The copy that was followed, the one that was read last, and when that was.
        self._followed = self._read = ""
        self._read_at = 0.0
        self._seen: WeakSet[Connection] = WeakSet()
        self._following: asyncio.Task[None] | None = None

    def watch(self, follow: Callable[[], Awaitable[None]]) -> None:
        """From now on every copy is followed before anybody reads it, also the one that is there now."""
        self._follow = follow

    async def is_followed(self, connection: Connection) -> bool:
        """Whether it reaches the copy that was followed. One that is lost shows that at its first statement."""
        if self._follow is None or _follows.get():
            return True
        if connection not in self._seen or time.monotonic() - self._read_at > _LOOK_SECONDS:
            try:
                # Not by the cursor of the pool, which counts statements of somebody.
                row = await (await AsyncCursor(connection).execute(query("which_copy"))).fetchone()
            except OperationalError:
                return True
            self._seen.add(connection)
            self._read_at = time.monotonic()
            self._read = row["copy"] if row else ""
        return self._read == self._followed

    async def follow(self) -> None:
        """Wait until the copy that was read last is followed. Raises what that ended with; the next one tries again."""
        if self._read == self._followed or self._follow is None or _follows.get():
            return
        if self._following is None or self._following.done():
            # Nobody's own: whoever began it may be gone before it ends.
            self._following = asyncio.create_task(self._run(self._follow), context=contextvars.Context())
        await asyncio.shield(self._following)

    async def _run(self, follow: Callable[[], Awaitable[None]]) -> None:
        _follows.set(True)
        copy = self._read
        if self._followed:
            # Also where tables were rewritten in place, so that nothing is wrong.
            _log.info("another_copy_of_the_database")
        for let_go in self.kept:
            let_go()
        try:
            await follow()
        except (Error, ConfigurationError) as error:
            if not self._followed:
                raise
            _log.exception("copy_not_followed")
            raise StoreUnavailable("another copy of the database was put in place, and is not ready yet") from error
        self._followed = copy

    async def end(self) -> None:
        """Before the connections are closed."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
