"""A LangGraph PostgresStore, read from its table. What moves in is what ``PrecisStore`` would have put."""

import json
from collections.abc import AsyncGenerator, Mapping
from importlib.resources import files
from typing import Any

from psycopg import AsyncConnection, OperationalError, ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import UndefinedTable
from psycopg.rows import DictRow, dict_row

from precis.agents.person import TEXTS, ItemInput, id_of, label_of
from precis.errors import InvalidInput, StoreUnavailable
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, memory

_CONNECT_SECONDS = 10


class LangGraphStore:
    """Reads through one transaction that writes nothing, so that it sees the store at one moment."""

    def __init__(self, source: str, options: MoveOptions) -> None:
        """``source`` is the URL of the database. Raises InvalidInput."""
        try:
            conninfo_to_dict(source)
        except ProgrammingError as error:
            raise InvalidInput("a PostgresStore is named by its URL: postgresql://user@host/database") from error
        if options.user_label == 0:
            raise InvalidInput("--user-label: 1 is the first label of a namespace, -1 the last; there is no label 0")
        self._url, self._options = source, options
        self.total: int | None = None

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises StoreUnavailable; InvalidInput where there is no such table."""
        query = files("precis.moving").joinpath("langgraph.sql").read_bytes()
        try:
            connection = await AsyncConnection.connect(self._url, connect_timeout=_CONNECT_SECONDS)
        except OperationalError as error:
            raise StoreUnavailable(f"the database of the store cannot be reached: {_line(error)}") from error
        async with connection:
            await connection.set_read_only(True)
            async with connection.cursor("precis_moving", row_factory=dict_row) as cursor:
                try:
                    await cursor.execute(query)
                except UndefinedTable as error:
                    raise InvalidInput("there is no table called store: a PostgresStore makes it in setup()") from error
                async for row in cursor:
                    yield self._item(row)

    def _item(self, row: DictRow) -> Arrival:
        prefix, key, value = str(row["prefix"]), str(row["key"]), row["value"]
        namespace, name = prefix.split("."), f"{prefix}/{key}"
        expires = row.get("expires_at")
        if expires is not None and expires <= self._options.now:
            return LeftOut(id=name, reason="expired in the store")
        if not isinstance(value, Mapping):
            return LeftOut(id=name, reason="its value is no object", refused=True)
        item = {"key": key, "namespace": namespace, "value": value}
        ttl = row.get("ttl_minutes")
        return memory(
            id_of(namespace, key),
            {
                "text": _words(value),
                "user_id": self._user(namespace),
                "namespace": label_of(namespace),
                "created_at": row["created_at"],
                "metadata": {"item": item if ttl is None else item | {"ttl": ttl}},
            },
            ItemInput,
        )

    def _user(self, namespace: list[str]) -> str | None:
        """The label that names the user; where the namespace is shorter, whom the options name."""
        label = self._options.user_label
        place = label - 1 if label > 0 else label
        try:
            return namespace[place] or self._options.user_id
        except IndexError:
            return self._options.user_id


def _words(value: Mapping[str, Any]) -> str:
    """The words of a value; all of it as JSON where none of its keys says which they are."""
    texts = (cleaned(text) for text in map(value.get, TEXTS) if isinstance(text, str))
    return next((text for text in texts if text.strip()), cleaned(json.dumps(value, ensure_ascii=False, default=str)))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
