"""A forgotten-log of which every copy is lost begins again, with what the database knows of what was forgotten.

That is every forgotten id, as a keyed hash, and every signed receipt. Which users were forgotten it does not know by
then: an older copy of the database forgets their memories again, but only those that the database had heard of.
"""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Database, Row
from precis.errors import ConfigurationError
from precis.keys.forgotten_log import ForgottenLog, Mark
from precis.keys.log_lines import Entry

#: Of a line whose forget has no receipt any more.
_BEGUN = "begun again"


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """What a log began again with."""

    tenant_id: str
    memories: int
    receipts: int


async def begin_again(database: Database, log: ForgottenLog, tenant_id: str, *, now: datetime) -> Begun | None:
    """Write it anew behind what is there; None where it lacks nothing. Raises ConfigurationError, StoreUnavailable."""
    async with database.tx(tenant_id, one_moment=True) as tx:
        head, mark = await tx.one("read_head"), await tx.one("read_mark", receipt_id=log.mark)
        signed = head["logged"] if head else 0
        heard = None if mark is None else Mark(**mark["body"])
        try:
            await asyncio.to_thread(log.prove, tenant_id, signed=signed, heard=heard)
        except ConfigurationError:
            stones, in_pools = await tx.all("all_tombstones"), await tx.all("all_tombstones_in_pools")
            receipts = [row["body"] for row in await tx.all("receipts_after", after=0, limit=sys.maxsize)]
        else:
            return None
    signed_before = (Entry(receipt=None, signed=document) for document in receipts)
    entries = [*_forgotten([*stones, *in_pools], receipts, now), *signed_before]
    await asyncio.to_thread(log.begin_again, tenant_id, entries)
    end = await asyncio.to_thread(_end_of, log, tenant_id)
    async with database.tx(tenant_id) as tx:
        await tx.run("keep_mark", receipt_id=log.mark, now=now, body=Jsonb(end, dumps=orjson.dumps))
    return Begun(tenant_id=tenant_id, memories=len(stones) + len(in_pools), receipts=len(receipts))


def _forgotten(stones: Sequence[Row], receipts: Sequence[Mapping[str, Any]], now: datetime) -> Iterator[Entry]:
    """An entry for the ids of each kind. A copy that has the last receipt has forgotten all of them."""
    last = receipts[-1]["id"] if receipts else _BEGUN
    for pool, renewable in sorted({(row["pool"] or "", row["renewable"]) for row in stones}):
        hashes = frozenset(
            row["memory_hash"] for row in stones if (row["pool"] or "", row["renewable"]) == (pool, renewable)
        )
        until = None if pool else now
        yield Entry(receipt=last, memories=hashes, pool=pool or None, until=until, renewable=renewable)


def _end_of(log: ForgottenLog, tenant_id: str) -> Mark:
    mark = Mark()
    while (unread := log.unread(tenant_id, mark, limit=10_000)).entries:
        mark = unread.mark
    return mark
