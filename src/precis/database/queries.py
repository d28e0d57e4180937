"""Named queries from the .sql files of precis.store.sql, and asking them inside the caller's transaction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, LiteralString, cast

from psycopg import AsyncConnection
from psycopg.rows import DictRow

Connection = AsyncConnection[DictRow]
Row = Mapping[str, Any]
_FILES = resources.files("precis.store") / "sql"
_COMMENT = re.compile(r"--[^\n]*")
_OR = re.compile(r"\bOR\b")
#: How the fragment, and whatever else leaves a condition to its parameter, begins one.
_OPEN = re.compile(r"\(%\((\w+)\)s::[\w\[\]]+ IS NULL\s+OR ")
_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
#: A part that several queries have in common stands once, in a file of its own that names no query.
_PART = re.compile(r"\{\{(\w+)\}\}")
_REMARK = re.compile(r"^--[^\n]*\n", re.MULTILINE)


@cache
def queries(resource: str) -> Mapping[str, LiteralString]:
    """The queries of ``<resource>.sql`` by name, comments included."""
    parts = _NAME.split(_text(resource))[1:]
    bodies = (cast("LiteralString", body.strip().rstrip(";")) for body in parts[1::2])
    return dict(zip(parts[::2], bodies, strict=True))


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


class Queries:
    """The queries of one resource: their texts by name, and their answers."""

    def __init__(self, resource: str) -> None:
        self._named = queries(resource)

    def __getitem__(self, name: str) -> LiteralString:
        """The text of a query."""
        return self._named[name]

    async def all(self, connection: Connection, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer."""
        return await (await connection.execute(self._named[name], parameters)).fetchall()

    async def filtered(self, connection: Connection, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer, by the query with the conditions that are given."""
        return await (await connection.execute(narrowed(self._named[name], parameters), parameters)).fetchall()

    async def one(self, connection: Connection, name: str, /, **parameters: Any) -> Row | None:
        """The first row of an answer; None when it has none."""
        return await (await connection.execute(self._named[name], parameters)).fetchone()

    async def run(self, connection: Connection, name: str, /, **parameters: Any) -> int:
        """A statement without an answer; how many rows it wrote."""
        return (await connection.execute(self._named[name], parameters)).rowcount

    async def many(self, connection: Connection, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """The same statement for each of these."""
        async with connection.cursor() as cursor:
            await cursor.executemany(self._named[name], rows)


def narrowed(query: LiteralString, parameters: Mapping[str, Any]) -> LiteralString:
    """The query with the conditions that are given, and ``true`` in the place of the others.

    It says the same. But it is short enough to be kept prepared, and planned for the indexes that serve it.
    """
    return _narrowed(query, frozenset(name for name, value in parameters.items() if value is not None))


@lru_cache(maxsize=256)
def _narrowed(query: LiteralString, given: frozenset[str]) -> LiteralString:
    said: LiteralString = ""
    at = 0
    while opened := _OPEN.search(query, at):
        end = _closing(query, opened.end())
        condition = query[opened.end() : end]
        said += query[at : opened.start()]
        said += "true" if opened[1] not in given else f"({condition})" if _OR.search(condition) else condition
        at = end + 1
    whole = _COMMENT.sub("", said + query[at:]).replace("\nAND true", "").replace(" AND true ", " ")
    return " ".join(whole.split()).replace("( ", "(").replace(" )", ")")


def _closing(query: str, at: int) -> int:
    """Where the parenthesis ends that is open here."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(query[at], 0)
        at += 1
    return at - 1
