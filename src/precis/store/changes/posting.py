"""Rows of memories with their postings and places in lists of near vectors.

Every statement that changes terms or vectors, or inserts or deletes a row, goes by here. Each group of statements is
one round trip. See store/sql/postings.sql and vector_lists.sql.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from precis.database.connections import Call, Tx


def inserting(rows: Sequence[Mapping[str, Any]]) -> list[Call]:
    """What inserts rows of memories: each is the parameters of insert_memory."""
    ids = [row["memory_id"] for row in rows]
    return [("insert_memory", list(rows)), ("post_terms", {"ids": ids}), ("enlist", {"ids": ids})] if rows else []


async def insert_memories(tx: Tx, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert them."""
    if rows:
        await tx.together(*inserting(rows))


def reposting(ids: Sequence[str], *calls: Call) -> list[Call]:
    """Around statements that change terms, vector or retention state of these summaries, which are in no list."""
    names = {"ids": list(ids)}
    return [("hold_terms", names), ("unpost_terms", names), *calls, ("post_terms", names)]


def relisting(ids: Sequence[str], *calls: Call) -> list[Call]:
    """The same of raw rows, and where their user is another one."""
    names = {"ids": list(ids)}
    return [*reposting(ids, ("unlist", names), *calls), ("enlist", names)]


@asynccontextmanager
async def relisted(tx: Tx, ids: Sequence[str]) -> AsyncIterator[None]:
    """Around statements that change nothing but the vectors of raw rows, which the transaction holds."""
    await tx.run("unlist", ids=list(ids))
    yield
    await tx.run("enlist", ids=list(ids))


async def delete_memories(tx: Tx, ids: Sequence[str]) -> None:
    """Delete rows of memories, and what refers to them."""
    if ids:
        names = {"ids": list(ids)}
        steps = ("hold_terms", "unpost_terms", "unlist", "delete_memories")
        await tx.together(*((step, names) for step in steps))
