"""A LangGraph ``BaseStore`` over memories and recall: what an agent puts is found, summarized and forgettable.

    store = PrecisStore(app)
    await store.aput(("ana", "memories"), "home", {"text": "Ana moved to Lisbon."})
    await store.asearch(("ana", "memories"), query="where does she live?")

It answers as LangGraph's ``InMemoryStore`` does. Whose a memory is, the first label of its namespace says, as in
LangGraph's own pages. Who files it the other way round, ``("memories", "ana")``, says so:
``PrecisStore(app, user_of=last_label)``.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from precis.agents import langgraph_items, loop
from precis.agents.person import MAX_TEXT_CHARS, ItemInput, Namespace, id_of, label_of
from precis.app import App
from precis.app.inputs import MAX_QUERY_CHARS
from precis.app.memories import Memories
from precis.errors import Conflict, NotFound
from precis.memory import Memory
from precis.store.filtering import Filter
from precis.typed import validated

#: How many rows recall ranks; those behind them come in the order in which they were put.
_RANKED = 100
#: How long the id of a user may be.
_USER_CHARS = 512
#: How often a write is begun again that another one overtook.
_TRIES = 5


def first_label(namespace: Namespace) -> str:
    """Whose memory it is, unless told otherwise: ``("ana", "memories")`` is Ana's."""
    return namespace[0]


def last_label(namespace: Namespace) -> str:
    """For namespaces that end with the user: ``("memories", "ana")`` is Ana's."""
    return namespace[-1]


class PrecisStore(BaseStore):
    """The asynchronous methods are for every event loop, the synchronous ones for every thread but the app's own."""

    supports_ttl = True

    def __init__(
        self,
        app: App,
        *,
        user_of: Callable[[Namespace], str] = first_label,
        fields: Sequence[str] | None = None,
        summaries: bool = False,
        ttl: TTLConfig | None = None,
    ) -> None:
        self._app, self._loop = app, loop.AppLoop(app.parts.background.loop)
        # Every item stands by itself, whatever one under another key says.
        alone = app.parts.settings.model_copy(update={"supersede_by_rule": False})
        self._memories = Memories(replace(app.parts, settings=alone))
        #: Whose an item is. Items of one user are summarized together, and forgotten together.
        self._user_of = user_of
        #: Paths in a value to what is searched of it; None for ``text``, ``content`` or ``memory``, else all of it.
        self._fields = fields
        #: Whether searches answer summaries as well, under the namespace that was searched.
        self._summaries = summaries
        self.ttl_config = ttl
        self._sweeper: asyncio.Task[None] | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """From another thread than that of the app's event loop. Raises RuntimeError in that one."""
        return self._loop.wait(self._batch(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """All reads see what stood before the batch; of several writes to one key the last one counts."""
        return await self._loop.run(self._batch(list(ops)))

    async def sweep_ttl(self) -> int:
        """Forget the items whose time is over; answers how many. Until then no method of the store shows them."""
        return await self._loop.run(self._sweep())

    async def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> asyncio.Task[None]:
        """Do that every so many minutes; those of the configuration, or five, where none are named."""
        configured = (self.ttl_config or {}).get("sweep_interval_minutes")
        minutes = sweep_interval_minutes or configured or 5
        await self.stop_ttl_sweeper()

        async def sweep() -> None:
            while True:
                await asyncio.sleep(minutes * 60)
                await self.sweep_ttl()

        self._sweeper = asyncio.create_task(sweep())
        return self._sweeper

    async def stop_ttl_sweeper(self) -> None:
        """End it, if it runs."""
        sweeper, self._sweeper = self._sweeper, None
        if sweeper is not None:
            sweeper.cancel()
            await asyncio.gather(sweeper, return_exceptions=True)

    async def _batch(self, ops: Sequence[Op]) -> list[Result]:
        for op in ops:
            _refuse(op)
        answers = [await self._read(op) for op in ops]
        await self._write(list({(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}.values()))
        return answers

    async def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return await self._get(op)
        if isinstance(op, SearchOp):
            return await self._search(op)
        return await self._namespaces(op) if isinstance(op, ListNamespacesOp) else None

    async def _get(self, op: GetOp) -> Item | None:
        memories = await self._memories.get_many([id_of(op.namespace, op.key)])
        kept = [memory for memory in memories.values() if not langgraph_items.is_over(memory, self._now())]
        await self._used(kept, refresh=op.refresh_ttl)
        return langgraph_items.item_of(kept[0]) if kept else None

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        end = op.offset + op.limit
        if op.limit <= 0:
            return []
        if op.query:
            rows = await self._recalled(op, end)
        else:
            rows = [(memory, None) for memory in await self._listed(op, None if op.filter else end)]
        page = rows[op.offset : end]
        await self._used([memory for memory, _ in page], refresh=op.refresh_ttl)
        return [langgraph_items.answered(memory, score, op.namespace_prefix) for memory, score in page]

    async def _listed(self, op: SearchOp, most: int | None) -> list[Memory]:
        """The items in a namespace that fit, in the order in which they were put; so many of them, or more."""
        rows = await self._app.parts.store.memories.by_namespace(
            self._app.parts.tenant_id, Filter(under=label_of(op.namespace_prefix), turns=True), limit=most
        )
        fitting = [memory for memory in rows if self._fits(memory, op)]
        if most is not None and len(fitting) < len(rows) == most:
            return await self._listed(op, None)
        return fitting

    def _fits(self, memory: Memory, op: SearchOp) -> bool:
        item = langgraph_items.item_of(memory)
        return (
            item is not None
            and langgraph_items.is_below(item.namespace, op.namespace_prefix)
            and langgraph_items.passes(item.value, op.filter)
            and not langgraph_items.is_over(memory, self._now())
        )

    async def _recalled(self, op: SearchOp, end: int) -> list[tuple[Memory, float | None]]:
        """The best by the query; behind them, where they are wanted, the others that are searched, then the rest."""
        # What is compared with a filter is encrypted: who asks for one has all of the namespace read.
        listed = await self._listed(op, None) if op.filter else None
        ranked = await self._ranked(op, listed)
        if len(ranked) >= end:
            return ranked
        ids = {memory.id for memory, _ in ranked}
        others = [memory for memory in listed or await self._listed(op, None) if memory.id not in ids]
        last = min(0.0, *(score or 0.0 for _, score in ranked[-1:]), 0.0)
        searched = [(memory, last) for memory in others if langgraph_items.is_searched(memory)]
        return [*ranked, *searched, *((memory, None) for memory in others if not langgraph_items.is_searched(memory))]

    async def _ranked(self, op: SearchOp, listed: Sequence[Memory] | None) -> list[tuple[Memory, float | None]]:
        query = (op.query or "").replace("\0", " ").strip()[:MAX_QUERY_CHARS]
        if not query or listed == []:
            return []
        results = await self._app.recall.search(
            query,
            # As many whatever the page, so that pages neither overlap nor leave anything out.
            limit=_RANKED,
            summaries="with" if self._summaries and not op.filter else "without",
            filter_=Filter(
                under=label_of(op.namespace_prefix), among=None if listed is None else tuple(row.id for row in listed)
            ),
        )
        return [
            (result.memory, result.score.total)
            for result in results
            if self._fits(result.memory, op) or (result.memory.is_summary and self._summaries)
        ]

    async def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        items = map(langgraph_items.item_of, await self._listed(SearchOp(()), None))
        matching = {
            item.namespace
            for item in items
            if item and langgraph_items.matches(item.namespace, op.match_conditions or ())
        }
        cut = {name if op.max_depth is None else name[: op.max_depth] for name in matching}
        return sorted(cut)[op.offset : op.offset + op.limit]

    async def _write(self, ops: Sequence[PutOp]) -> None:
        """Deletes first; then everything that is new, all of it or nothing; then what replaces."""
        rows: Mapping[str, Mapping[str, Any]] = {
            id_of(op.namespace, op.key): self._row(op) for op in ops if op.value is not None
        }
        for row in rows.values():
            validated(ItemInput, row)
        await self._forget([id_of(op.namespace, op.key) for op in ops if op.value is None])
        for _ in range(_TRIES):
            rows = await self._written(rows)
            if not rows:
                return
        raise Conflict(f"{len(rows)} items were written and deleted by others all the while; put them again")

    def _row(self, op: PutOp) -> dict[str, Any]:
        user_id = self._user_of(op.namespace)
        if not 1 <= len(user_id) <= _USER_CHARS or not user_id.isprintable():
            message = f"the label that names the user is 1 to {_USER_CHARS} characters without control characters"
            raise InvalidNamespaceError(message)
        return langgraph_items.fields_of(op, user_id, self._fields)

    async def _written(self, rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
        """Write them; answers those that somebody else wrote or deleted meanwhile."""
        standing = await self._memories.get_many(list(rows))
        longest = max(MAX_TEXT_CHARS, self._app.parts.settings.max_text_chars)
        new = [validated(ItemInput, {**row, "id": id_, "revive": True})
               for id_, row in rows.items() if id_ not in standing]  # fmt: skip
        overtaken = set()
        try:
            added = (await self._memories.add(new, max_text_chars=longest)).memories if new else ()
            overtaken |= {row.id for row in added if not row.created}
        except Conflict:
            overtaken |= {row.id or "" for row in new}
        for id_ in standing:
            try:
                await self._memories.edit(id_, validated(langgraph_items.ItemChange, rows[id_]), max_text_chars=longest)
            except NotFound:
                overtaken.add(id_)
        return {id_: rows[id_] for id_ in overtaken}

    async def _forget(self, ids: Sequence[str]) -> None:
        if ids:
            with suppress(NotFound):
                await self._memories.forget(ids)

    async def _sweep(self) -> int:
        rows = await self._app.parts.store.memories.by_namespace(self._app.parts.tenant_id, Filter(), limit=None)
        over = [memory.id for memory in rows if langgraph_items.is_over(memory, self._now())]
        await self._forget(over)
        return len(over)

    async def _used(self, memories: Sequence[Memory], *, refresh: bool) -> None:
        """From now on the time of those that have one begins anew."""
        ids = [memory.id for memory in memories if langgraph_items.ttl_of(memory) is not None]
        if ids and refresh:
            moments = dict.fromkeys(ids, self._now())
            await self._app.parts.store.long_term.accessed_at(self._app.parts.tenant_id, moments)

    def _now(self) -> datetime:
        return self._app.parts.engine.clock()


def _refuse(op: Op) -> None:
    """Raise for what no store can do, before anything is done."""
    if not isinstance(op, GetOp | SearchOp | PutOp | ListNamespacesOp):
        raise ValueError(f"Unknown operation type: {type(op)}")  # noqa: TRY004 - as LangGraph's own store
    validate_op_namespace(op)
    if isinstance(op, PutOp) and op.value is not None and not op.namespace:
        raise InvalidNamespaceError("Namespace cannot be empty.")
