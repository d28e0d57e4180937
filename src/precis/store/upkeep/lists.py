"""The vector index of one scope: its rows in lists of those that are near each other.

Making it takes four steps, each in transactions of a page of rows, and each goes on where it was broken off. The scope
is opened: from then on whoever writes a row puts it into the entry, the list that every search reads. Centers are
measured on a sample. The rows of before go to the lists whose centers are nearest, and searches may rely on the lists.
And the rows of the entry follow. Where the scope has grown by much, new lists are made and the rows move once more.
"""

import asyncio
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from precis.database.connections import Database, Row, Tx, retried
from precis.errors import StoreUnavailable
from precis.recall.listing import PER_LIST, SAMPLED, Vectors, centers, nearest, probes, unit

#: The scope of all rows of a tenant, beside those of its users.
WHOLE = ""
#: Lists are made anew when a scope has so many times the rows that they were measured for; and rows of a transaction.
_GROWN, _PAGE = 2.0, 2_000
_WAIT_SECONDS, _PATIENCE_SECONDS = 0.1, 600.0
#: How many of the nearest in the lists are looked at for rows that the filter lets through; and how many candidates are
#: compared exactly for each that is looked for, where the lists compare bits.
_WITHIN, _BY_BITS = 2_000, 15
#: Vectors of more dimensions are compared by bits first.
_WIDE = 1_000


@dataclass(frozen=True, slots=True)
class ScopeLists:
    """The lists of a scope. One process at a time makes lists (``ScopeIndexes``)."""

    database: Database
    tenant_id: str
    scope: str

    async def make(self, version: str) -> None:
        """Make the lists, or bring them up to the rows there are; of another embedder's vectors they are made anew."""
        state = await self._state()
        if state is not None and state["embedding_version"] != version:
            await self.drop()
            state = None
        if state is None:
            async with self._tx() as tx:
                await tx.run("open_vector_scope", scope=self.scope, version=version, entry=_number())
        is_ready = state is not None and state["ready"]
        if not is_ready:
            await self._outlive_writers()
            await self._clear()
        await self._measure(version, is_ready=is_ready)
        if not is_ready:
            await self._fill(version)
        await self._move(version)

    async def drop(self) -> None:
        """Take them away. Searches compare row by row from the first moment on."""
        async with self._tx() as tx:
            await tx.run("close_vector_scope", scope=self.scope)
        await self._clear()

    async def _clear(self) -> None:
        """Rows in lists of before, and of a writer who had not yet heard that the scope was closed."""
        while page := await self._page("listed_of_none"):
            async with self._tx() as tx:
                await tx.run("delete_listed", scope=self.scope, ids=page)

    async def _fill(self, version: str) -> None:
        """Put every row of before into its list, or into the entry as long as there are no others."""
        lists, means = await self._centers()
        after = ("" if self.scope == WHOLE else self.scope, "")
        while True:
            async with self._tx() as tx:
                rows = await tx.all(
                    "rows_to_enlist", user_id=self.scope or None, after_user=after[0], after=after[1], limit=_PAGE
                )
            if not rows:
                break
            ids = [row["memory_id"] for row in rows]
            if len(means):
                await self._put(ids, version, lists, means)
            else:
                await self._enter(ids)
            after = (rows[-1]["user_id"], rows[-1]["memory_id"])
        async with self._tx() as tx:
            await tx.run("set_ready", scope=self.scope)

    async def _outlive_writers(self) -> None:
        """Wait for all who began to write before the scope was opened: they put no row into its entry."""
        limit = time.monotonic() + _PATIENCE_SECONDS
        number = await self._transaction("own_transaction")
        while await self._transaction("oldest_transaction") < number:
            if time.monotonic() > limit:
                raise StoreUnavailable("a transaction does not end: the vector index is made when it has")
            await asyncio.sleep(_WAIT_SECONDS)

    async def _transaction(self, name: str) -> int:
        async with self._tx() as tx:
            row = await tx.one(name)
        return int(row["number"]) if row else 0

    async def _measure(self, version: str, *, is_ready: bool) -> None:
        """New centers, where the scope has outgrown the rows that those it has were measured on, or lost many of them.

        The rows of the new sample move first: the lists are found by their vectors.
        """
        state = await self._state()
        every = max(1, PER_LIST // SAMPLED)
        async with self._tx() as tx:
            listed = await tx.one("count_listed", scope=self.scope) or {"rows": 0, "counted": 0}
            size = listed if is_ready else await tx.one("count_raw_rows", user_id=self.scope or None)
        rows = size["rows"] if size else 0
        if state is None or rows < PER_LIST or _GROWN * every * listed["counted"] >= rows:
            return
        async with self._tx() as tx:
            sample = await tx.all("sample_rows", user_id=self.scope or None, every=every)
        ids = [row["memory_id"] for row in sample]
        for page in () if is_ready else _pages(ids):
            await self._enter(page)
        vectors = await self._vectors(ids, version)
        if not len(vectors):
            return
        means = await asyncio.to_thread(centers, vectors, max(1, rows // PER_LIST))
        enough = await asyncio.to_thread(probes, vectors, means, rows)
        lists = np.asarray([_number() for _ in means], dtype=np.int64)
        generation = state["generation"] + 1
        async with self._tx() as tx:
            await tx.many(
                "insert_vector_list",
                [{"scope": self.scope, "list": int(list_), "generation": generation} for list_ in lists],
            )
            await tx.run("next_generation", scope=self.scope, generation=generation, probes=enough)
        for page in _pages(ids):
            await self._placed(page, version, lists, means, counted=True)

    async def _vectors(self, ids: Sequence[str], version: str) -> Vectors:
        arrays: list[Vectors] = []
        for page in _pages(ids):
            async with self._tx() as tx:
                rows = await tx.vectors("vectors_of", ids=page, version=version)
            if rows:
                arrays.append(_array(rows))
        return np.concatenate(arrays) if arrays else np.zeros((0, 1), dtype=np.float32)

    async def _centers(self) -> tuple[NDArray[np.int64], Vectors]:
        """The last lists, and a center for each."""
        async with self._tx() as tx:
            rows = await tx.vectors("totals", scope=self.scope)
        lists = np.asarray([row["list"] for row in rows], dtype=np.int64)
        return lists, unit(_array(rows, "total")) if rows else np.zeros((0, 1), dtype=np.float32)

    async def _move(self, version: str) -> None:
        """Rows of the entry, and of lists of before, go to the lists of the last centers."""
        lists, means = await self._centers()
        if not len(means):
            return
        async with self._tx() as tx:
            sources = [row["list"] for row in await tx.all("lists_to_empty", scope=self.scope)]
        for source in sources:
            page = [""]
            while page := await self._page("page_of_list", list=source, after=page[-1]):
                await self._placed(page, version, lists, means, counted=False)
        async with self._tx() as tx:
            await tx.run("drop_empty_lists", scope=self.scope)

    @retried
    async def _placed(
        self, ids: Sequence[str], version: str, lists: NDArray[np.int64], means: Vectors, *, counted: bool
    ) -> None:
        """Move a page of rows; those that have no vector of this embedder by now leave."""
        names = {"scope": self.scope, "ids": list(ids)}
        async with self._tx() as tx:
            held = await tx.vectors("hold_vectors", ids=list(ids))
            rows = [row for row in held if row["embedding_version"] == version and row["embedding"] is not None]
            await tx.run("discount", **names)
            if len(rows) < len(ids):
                keep = {row["memory_id"] for row in rows}
                await tx.run("delete_listed", scope=self.scope, ids=[id_ for id_ in ids if id_ not in keep])
            if rows:
                nearest_lists = lists[await asyncio.to_thread(nearest, _array(rows), means)]
                kept = {"scope": self.scope, "ids": [row["memory_id"] for row in rows]}
                await tx.run("place", **kept, lists=nearest_lists.tolist(), counted=counted)
                if counted:
                    await tx.run("add_to_totals", **kept)

    @retried
    async def _put(self, ids: Sequence[str], version: str, lists: NDArray[np.int64], means: Vectors) -> None:
        """List a page of rows that are in no list yet."""
        async with self._tx() as tx:
            locked = await tx.vectors("hold_vectors", ids=list(ids))
            rows = [row for row in locked if row["embedding_version"] == version and row["embedding"] is not None]
            if rows:
                nearest_lists = lists[await asyncio.to_thread(nearest, _array(rows), means)]
                ids = [row["memory_id"] for row in rows]
                await tx.run("enlist_in", scope=self.scope, ids=ids, lists=nearest_lists.tolist())

    @retried
    async def _enter(self, ids: Sequence[str]) -> None:
        async with self._tx() as tx:
            await tx.run("hold_memories", ids=list(ids))
            await tx.run("enlist", ids=list(ids))

    async def _page(self, name: str, **parameters: Any) -> list[str]:
        async with self._tx() as tx:
            rows = await tx.all(name, scope=self.scope, limit=_PAGE, **parameters)
        return [row["memory_id"] for row in rows]

    async def _state(self) -> Row | None:
        async with self._tx() as tx:
            return await tx.one("vector_scope", scope=self.scope)

    def _tx(self) -> AbstractAsyncContextManager[Tx]:
        return self.database.tx(self.tenant_id)


def _array(rows: Sequence[Row], column: str = "embedding") -> Vectors:
    return np.asarray([row[column].to_numpy() for row in rows], dtype=np.float32)


def _pages(ids: Sequence[str]) -> Iterator[list[str]]:
    return (list(ids[at : at + _PAGE]) for at in range(0, len(ids), _PAGE))


def _number() -> int:
    """Of a list: it is never that of another, so that a row in a list of before is in no list of now."""
    return secrets.randbits(62)


async def nearest_in_lists(tx: Tx, parameters: Mapping[str, Any]) -> Sequence[str] | None:
    """The nearest raw rows of a scope by its lists; None where it has none, or they do not name enough rows."""
    vector, user_id = parameters["vector"], parameters["user_id"]
    wide = vector.dimensions() > _WIDE
    bits = "".join("1" if number > 0 else "0" for number in vector.to_list()) if wide else None
    enough = parameters["limit"] * (_BY_BITS if wide else 1)
    scope = {"scope": WHOLE if user_id is None else user_id, "bits": bits, "within": _WITHIN, "enough": enough}
    rows = await tx.filtered("nearest_listed", **{**parameters, "is_summary": None, **scope})
    return [row["memory_id"] for row in rows] if len(rows) == enough else None
