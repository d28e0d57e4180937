"""Rows of large scopes come into the lists that their vectors are found by, and leave them.

See store/sql/vector_lists.sql.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from precis.database.connections import Tx


async def enlist(tx: Tx, ids: Sequence[str]) -> None:
    """Raw rows that were written, or have another vector; nothing happens to those of scopes without lists."""
    if ids:
        await tx.run("enlist", ids=ids)


async def unlist(tx: Tx, ids: Sequence[str]) -> None:
    """Rows that are about to go, or to lose their vector; the caller's transaction holds them."""
    if ids:
        await tx.run("unlist", ids=ids)


@asynccontextmanager
async def relisted(tx: Tx, ids: Sequence[str]) -> AsyncIterator[None]:
    """Around statements that change the vectors or the users of these rows, which the transaction holds."""
    await unlist(tx, ids)
    yield
    await enlist(tx, ids)
