"""How long the database takes, statement by statement."""

from __future__ import annotations

from typing import Any, Self

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from precis.metrics import STATEMENT_SECONDS


class TimedCursor(AsyncCursor[DictRow]):
    """A cursor whose statements are counted with how long they took."""

    async def execute(self, *args: Any, **kwargs: Any) -> Self:
        """The same."""
        with STATEMENT_SECONDS.time():
            return await super().execute(*args, **kwargs)

    async def executemany(self, *args: Any, **kwargs: Any) -> None:
        """All of them count as one."""
        with STATEMENT_SECONDS.time():
            await super().executemany(*args, **kwargs)
