"""How long the database takes, statement by statement: a figure for Prometheus, and a span where somebody traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from precis.database.queries import name_of
from precis.metrics import STATEMENT_SECONDS
from precis.tracing import is_on, span


class TimedCursor(AsyncCursor[DictRow]):
    """A cursor whose statements are counted with how long they took."""

    async def execute(self, query: Any, *args: Any, **kwargs: Any) -> Self:
        """The same."""
        with _watched(query):
            return await super().execute(query, *args, **kwargs)

    async def executemany(self, query: Any, *args: Any, **kwargs: Any) -> None:
        """All of them count as one."""
        with _watched(query):
            await super().executemany(query, *args, **kwargs)


def watched_together(names: Iterable[str]) -> AbstractContextManager[object]:
    """Statements that are sent at once are one figure, and one span that names them."""
    return _traced(" ".join(names), name="together") if is_on() else STATEMENT_SECONDS.time()


def _watched(query: Any) -> AbstractContextManager[object]:
    return _traced(name_of(query)) if is_on() else STATEMENT_SECONDS.time()


@contextmanager
def _traced(summary: str, *, name: str | None = None) -> Iterator[None]:
    """Of a statement its name is told: neither its text nor a parameter."""
    traits = {"db.system.name": "postgresql", "db.query.summary": summary}
    with STATEMENT_SECONDS.time(), span(name or summary, traits, kind="client"):
        yield
