"""A LangGraph ``BaseStore`` over memories and recall: what an agent puts is found, summarized and forgettable.

A store is made inside the event loop that its app was opened in::

    store = PrecisStore(app)
    await store.aput(("ana", "memories"), "home", {"text": "Ana moved to Lisbon."})
    await store.asearch(("ana", "memories"), query="where does she live?")

Whose a memory is, the first label of its namespace says, as in LangGraph's own pages. Who files it the other way round,
``("memories", "ana")``, says so: ``PrecisStore(app, user_of=last_label)``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import orjson
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from precis.app import App
from precis.app.redis.long_term import LabelChange
from precis.errors import Conflict, NotFound
from precis.memory import Memory, Words

Namespace = tuple[str, ...]
#: Between the labels of a namespace; no label may hold a full stop, so this cannot be confused.
_JOIN = "."
#: Under these keys of a value the words of a memory are looked for.
_TEXTS = ("text", "content", "memory")
_PAGE = 500


def first_label(namespace: Namespace) -> str:
    """Whose memory it is, unless told otherwise: ``("ana", "memories")`` is Ana's."""
    return namespace[0]


def last_label(namespace: Namespace) -> str:
    """For namespaces that end with the user: ``("memories", "ana")`` is Ana's."""
    return namespace[-1]


class PrecisStore(BaseStore):
    """Made inside the event loop that the app was opened in; the synchronous methods are for other threads."""

    supports_ttl = False

    def __init__(self, app: App, *, user_of: Callable[[Namespace], str] = first_label, summaries: bool = False) -> None:
        self._app = app
        #: Whose an item is. Items of one user are summarized together, and forgotten together.
        self._user_of = user_of
        #: Whether searches answer summaries as well, under the namespace that was searched.
        self._summaries = summaries
        self._loop = asyncio.get_running_loop()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """From another thread than the app's."""
        if _running() is self._loop:
            raise RuntimeError("this is the app's own event loop: use the asynchronous methods (abatch, aget, aput)")
        return asyncio.run_coroutine_threadsafe(self.abatch(list(ops)), self._loop).result()

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """One after the other."""
        return [await self._do(op) for op in ops]

    async def _do(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return await self._get(op.namespace, op.key)
        if isinstance(op, PutOp):
            await self._put(op)
            return None
        if isinstance(op, SearchOp):
            return await self._search(op)
        return await self._namespaces(op)

    async def _get(self, namespace: Namespace, key: str) -> Item | None:
        try:
            return _item(await self._app.memories.get(_id(namespace, key)))
        except NotFound:
            return None

    async def _put(self, op: PutOp) -> None:
        id_ = _id(op.namespace, op.key)
        if op.value is None:
            try:
                await self._app.memories.forget(id_)
            except NotFound:
                return
            return
        row: dict[str, Any] = {
            "id": id_,
            "text": _words(op.value),
            "user_id": self._user_of(op.namespace),
            "namespace": _JOIN.join(op.namespace),
            "metadata": {"item": {"key": op.key, "namespace": list(op.namespace), "value": op.value}},
        }
        try:
            (written,) = (await self._app.memories.add([{**row, "revive": True}])).memories
            created = written.created
        except Conflict:
            created = False
        if not created:  # the rest of the value may be another, also where the words are the same
            await self._app.memories.edit(
                id_, LabelChange(text=row["text"], metadata=row["metadata"], user_id=row["user_id"])
            )

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        prefix = _JOIN.join(op.namespace_prefix)
        end = op.offset + op.limit
        items = await self._recalled(op, end) if op.query else await self._listed(prefix)
        fitting = [
            item for item in items if _below(item.namespace, op.namespace_prefix) and _passes(item.value, op.filter)
        ]
        return fitting[op.offset : end]

    async def _recalled(self, op: SearchOp, most: int) -> list[SearchItem]:
        prefix = _JOIN.join(op.namespace_prefix)
        results = await self._app.recall.search(
            op.query or "",
            # What a filter drops is not made up for below this: it is the widest search there is.
            limit=100 if op.filter else min(100, max(most, 10)),
            summaries="with" if self._summaries else "without",
            **_under(prefix),
        )
        items = []
        for result in results:
            memory, score = result.memory, result.score.total
            item = _item(memory)
            if item is not None:
                items.append(_scored(item, score))
            elif memory.is_summary:
                value = {"text": memory.text or "", "sources": list(result.source_ids)}
                items.append(
                    SearchItem(op.namespace_prefix, memory.id, value, memory.created_at, memory.updated_at, score)
                )
        return items

    async def _listed(self, prefix: str) -> list[SearchItem]:
        """Everything below a namespace, the latest first."""
        items = []
        cursor: str | None = None
        while True:
            page = await self._app.memories.list(limit=_PAGE, cursor=cursor, is_summary=False, **_under(prefix))
            items += [_scored(item, None) for item in map(_item, page.rows) if item is not None]
            cursor = page.next_cursor
            if cursor is None:
                return items

    async def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        namespaces = {item.namespace for item in await self._listed("")}
        matching = [name for name in namespaces if all(_matches(name, rule) for rule in op.match_conditions or ())]
        cut = {name[: op.max_depth] if op.max_depth else name for name in matching}
        return sorted(cut)[op.offset : op.offset + op.limit]


def _under(prefix: str) -> dict[str, Any]:
    return {"words": {"namespace": Words(startswith=prefix)}} if prefix else {}


def _id(namespace: Namespace, key: str) -> str:
    if not namespace:
        raise InvalidNamespaceError("a namespace has at least one label")
    named = "\x1f".join([*namespace, "", key])
    return blake2b(named.encode(), digest_size=16, person=b"precis-item").hexdigest()


def _words(value: Mapping[str, Any]) -> str:
    """The words of a value; the whole of it as JSON where none of its keys says which they are."""
    for name in _TEXTS:
        words = value.get(name)
        if isinstance(words, str) and words.strip():
            return words
    return orjson.dumps(value).decode()


def _item(memory: Memory) -> Item | None:
    """A memory as it was put; None for one that came in by another door."""
    kept = memory.metadata.get("item")
    if not isinstance(kept, Mapping):
        return None
    return Item(
        value=dict(kept["value"]), key=kept["key"], namespace=tuple(kept["namespace"]), created_at=memory.created_at,
        updated_at=memory.updated_at,
    )  # fmt: skip


def _scored(item: Item, score: float | None) -> SearchItem:
    return SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, score)


def _below(namespace: Namespace, prefix: Namespace) -> bool:
    return namespace[: len(prefix)] == tuple(prefix)


_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, operand: bool(value == operand),
    "$ne": lambda value, operand: bool(value != operand),
    "$gt": lambda value, operand: value is not None and bool(value > operand),
    "$gte": lambda value, operand: value is not None and bool(value >= operand),
    "$lt": lambda value, operand: value is not None and bool(value < operand),
    "$lte": lambda value, operand: value is not None and bool(value <= operand),
}


def _passes(value: Mapping[str, Any], rules: Mapping[str, Any] | None) -> bool:
    return all(_fits(value.get(name), rule) for name, rule in (rules or {}).items())


def _fits(value: Any, rule: Any) -> bool:
    if not isinstance(rule, Mapping) or not all(name in _RULES for name in rule):
        return bool(value == rule)
    return all(_RULES[name](value, operand) for name, operand in rule.items())


def _matches(namespace: Namespace, rule: MatchCondition) -> bool:
    path: Sequence[str] = rule.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if rule.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(pattern in ("*", label) for pattern, label in zip(path, part, strict=True))


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
