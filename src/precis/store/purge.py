"""Take deleted bytes off the disk of the embedded database.

Forgetting deletes rows, and no read shows them again; their bytes stay in the files until those are written anew.
Four places hold them, and a plain VACUUM cleans none for sure: the free space of pages, the planner's samples, the
write-ahead log, and segments of the log that are kept to be written over. What the file system and the disk
themselves keep of removed files is out of reach.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from time import monotonic

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow, dict_row

from precis.errors import StoreUnavailable
from precis.store.sql import queries

_SQL = queries("purge")
_INDEXES = queries("scope_indexes")
_POLL_S = 0.1


async def purge(owner_dsn: str, *, patience: float = 60.0) -> None:
    """Rewrite every table and leave the old log behind, as the owner of an embedded server.

    Afterwards no file of the database holds a byte of a row that was deleted before the call. Reads and writes of a
    table wait while it is rewritten, and the disk needs room for a second copy of the largest one. Transactions that
    began before the call are waited for, ``patience`` seconds at most.

    Raises:
        StoreUnavailable: a transaction that may still see deleted rows does not end, and nothing was rewritten; or the
            log of before is kept by the server's settings.
    """
    connection = await AsyncConnection[DictRow].connect(owner_dsn, autocommit=True, row_factory=dict_row)
    async with connection:
        await _outlive_older(connection, patience)
        await connection.execute(_INDEXES["for_making"])  # those of large users are rewritten as well
        for step in ("clear_statistics", "rewrite_tables", "sample_again"):
            await connection.execute(_SQL[step])
        try:
            await connection.execute(_SQL["leave_log"])
        except errors.RaiseException as error:
            raise StoreUnavailable(error.diag.message_primary) from error


async def _outlive_older(connection: AsyncConnection[DictRow], patience: float) -> None:
    asked = await connection.execute(_SQL["moment"])
    began = (await asked.fetchone() or {})["began"]
    limit = monotonic() + patience
    while older := await _older(connection, began):
        if monotonic() > limit:
            message = (
                f"{older} transactions have been open for more than {patience:.0f} seconds and may still see deleted "
                "rows: end them and purge again"
            )
            raise StoreUnavailable(message)
        await asyncio.sleep(_POLL_S)


async def _older(connection: AsyncConnection[DictRow], began: datetime) -> int:
    asked = await connection.execute(_SQL["older_transactions"], {"began": began})
    return int((await asked.fetchone() or {})["older"])
