"""Databases of a test's own on the shared server, and ways into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row


@dataclass(frozen=True, kw_only=True)
class Scratch:
    """An empty database on the shared server."""

    #: As the owner of the server.
    owner: str
    #: As the role that serves.
    serving: str


async def connect(dsn: str) -> AsyncConnection[DictRow]:
    """One connection whose rows are dictionaries."""
    return await AsyncConnection[DictRow].connect(dsn, autocommit=True, row_factory=dict_row)


def rows_of(found: Sequence[DictRow], column: str) -> list[Any]:
    """One column of an answer."""
    return [row[column] for row in found]
