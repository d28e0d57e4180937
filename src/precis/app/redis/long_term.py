"""app.long_term: the same memories with the manners of the wire: ids overwrite, equal texts merge, ids have aliases."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from precis.app.inputs import MemoryChange, UnownedInput, read_inputs
from precis.app.memories import Memories
from precis.app.parts import Parts, Verbs, lessened, of_somebody, recalled_by
from precis.app.redis.long_term_search import Found, Pruning, Wanted, picked, search
from precis.errors import Conflict, Forgotten, NotFound
from precis.ids import is_storable
from precis.memory import Memory, RetentionState, Words
from precis.store.filtering import Filter
from precis.store.long_term import twin_key
from precis.trust import class_of
from precis.typed import AnyId, Label

#: Longest text on the wire, where the settings allow no longer one.
MAX_TEXT_CHARS = 200_000
#: A memory read again within this time was read once.
READ_ONCE_IN = timedelta(minutes=15)
#: Labels that a merge takes over from the copy.
_LISTS = ("topics", "entities")


class LabelChange(MemoryChange):
    """What an edit may replace on the wire: also whose the memory is."""

    user_id: AnyId | Literal[""] | None = None
    namespace: Label | None = None
    session_id: Label | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """A memory on its way in, and when it was last read where it comes from."""

    memory: UnownedInput
    last_accessed: datetime | None = None

    @property
    def id(self) -> str:
        """The writer's id."""
        return self.memory.id or ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pruned:
    """What a policy of forgetting picked."""

    scanned: int
    ids: tuple[str, ...]


class LongTerm(Verbs):
    """Verbs of the wire over the memories of one tenant."""

    def __init__(self, parts: Parts, memories: Memories) -> None:
        super().__init__(parts)
        self._memories = memories

    @property
    def _longest(self) -> int:
        """Characters of a text: what is written elsewhere may have been written with the limit of the original."""
        return max(MAX_TEXT_CHARS, self._settings.max_text_chars)

    async def add(self, rows: Sequence[Recorded], *, deduplicate: bool = True) -> None:
        """Write; an id that is there is overwritten. Summaries follow in the background.

        With ``deduplicate`` a text that stands already with the same labels is not written again: its id becomes an
        alias of the memory that stands. Raises InvalidInput, Conflict or Forgotten, naming the row, and then nothing is
        new.
        """
        await self.check(rows)
        last = {row.id: row for row in rows}  # of two rows with one id the later one counts
        names = await self._store.long_term.resolve(self._tenant_id, list(last))
        existing = await self._memories.get_many([*last, *names.values()])
        said = {names.get(id_, id_): row.memory.text for id_, row in last.items() if not row.memory.revive}
        # What lost a part since it said this stays as it is.
        rests = await lessened(self._parts, {id_: text for id_, text in said.items() if id_ in existing})
        last = {id_: row for id_, row in last.items() if names.get(id_, id_) not in rests}
        news = [row for id_, row in last.items() if id_ not in existing]
        twins = await self._twins(news) if deduplicate else {}
        fresh = [row for row in news if row.id not in twins]
        freed = names.keys() & {row.id for row in fresh}
        written = [_revived(row.memory) if row.id in freed else row.memory for row in fresh]
        if written:
            await self._memories.add(written, summarize="deferred", max_text_chars=self._longest)
        await self._store.long_term.unalias(self._tenant_id, freed)
        await self._merge({id_: named for id_, named in twins.items() if names.get(id_) != named}, last)
        for id_ in last.keys() & existing.keys():
            await self._overwrite(existing[id_], last[id_].memory)
        await self._read_elsewhere([row for row in last.values() if row.id not in twins])

    async def check(self, rows: Sequence[Recorded]) -> None:
        """Raise what ``add`` would raise, naming the row; write nothing."""
        settings, clock = self._settings, self._engine.clock
        read_inputs(
            [row.memory for row in rows], clock=clock, max_text_chars=self._longest, max_batch=settings.max_batch
        )
        store, ids = self._store.long_term, [row.id for row in rows]
        names = await store.resolve(self._tenant_id, ids)
        standing = await self._memories.get_many([*ids, *names.values()])
        unaliased = [id_ for id_ in ids if id_ not in names]
        forgotten = await self._store.memories.forgotten(self._tenant_id, unaliased)
        for at, row in enumerate(rows):
            where = f"memories.{at}.id: memory {row.id!r}"
            if row.id in forgotten and not row.memory.revive:
                raise Forgotten(f"{where} was forgotten; leave it out, or write it over /v1/memories with revive=true")
            _refuse(where, standing.get(row.id) or standing.get(names.get(row.id, "")), row.memory)

    async def get(self, memory_id: str) -> Memory:
        """A memory by its id or an alias; counts as reading it. Raises NotFound."""
        memory = await self._memories.get(await self._name(memory_id))
        if memory.retention_state is RetentionState.EXPIRED:
            raise NotFound(f"memory {memory_id!r} has expired: its text is gone")
        await self._accessed([memory.id])
        return memory

    async def search(self, request: Wanted) -> Found:
        """A page of what is found; counts as reading it. Raises InvalidInput."""
        recalled = recalled_by(self._settings)
        filter_ = replace(request.filter_, turns=recalled.turns, recalled=recalled.recalled)
        of_somebody(self._settings, filter_)
        page = await search(self._parts, replace(request, filter_=filter_))
        await self._accessed([row.memory.id for row in page.rows if not row.memory.is_summary])
        return page

    async def edit(self, memory_id: str, change: LabelChange) -> Memory:
        """Replace what the change names. Raises NotFound, InvalidInput, Conflict."""
        name = await self._name(memory_id)
        memory, _ = await self._memories.edit(name, change, max_text_chars=self._longest)
        return memory

    async def forget(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Forget memories by their ids or aliases (law 4); answers the memories that went. Raises Conflict."""
        ids = [id_ for id_ in ids if is_storable(id_)]
        names = await self._store.long_term.resolve(self._tenant_id, ids)
        memory_ids = list(dict.fromkeys(names.get(id_, id_) for id_ in ids))
        try:
            return (await self._memories.forget(memory_ids)).forgotten if memory_ids else ()
        except NotFound:
            return ()

    async def prune(
        self, filter_: Filter, policy: Pruning, *, kept: Collection[str] = (), limit: int = 1000, dry_run: bool = True
    ) -> Pruned:
        """Forget what a policy picks among the ``limit`` oldest memories; with ``dry_run`` only say which."""
        store, tenant_id = self._store.long_term, self._tenant_id
        originals = replace(filter_, is_summary=False)
        scanned = await store.page(tenant_id, originals, limit=limit, offset=0, oldest_first=True)
        beyond = 0
        if policy.budget is not None:
            types = {} if policy.memory_types is None else {"memory_type": Words(any=policy.memory_types)}
            beyond = await store.count(tenant_id, replace(originals, pinned=False, words={**originals.words, **types}))
            beyond -= sum(not memory.pinned and policy.is_of_its_types(memory) for memory in scanned)
        names = await store.resolve(tenant_id, list(kept))
        spared = {names.get(id_, id_) for id_ in kept}
        ids = picked(scanned, policy, kept=spared, beyond=beyond, now=self._now())
        pruned = tuple(ids) if dry_run else await self.forget(ids)
        return Pruned(scanned=len(scanned), ids=pruned)

    async def compact(self, filter_: Filter) -> int:
        """Merge memories that say the same with the same labels; answers how many are left."""
        store, tenant_id = self._store.long_term, self._tenant_id
        originals = replace(filter_, is_summary=False)
        for kept, *copies in await store.repeated(tenant_id, originals):
            # The alias first: a copy that has gone is found under its other name from then on.
            await store.alias(tenant_id, dict.fromkeys(copies, kept), now=self._now())
            memories = await self._memories.get_many([kept, *copies])
            for copy in copies:
                await self._take_over(memories[kept], memories[copy])
            await self._memories.forget(copies)
        return await store.count(tenant_id, originals)

    async def _name(self, memory_id: str) -> str:
        """The memory that an id or alias names; the id itself when it is neither. Raises NotFound for what is no id."""
        if not is_storable(memory_id):
            raise NotFound(f"there is no memory {memory_id!r}")
        if await self._memories.get_many([memory_id]):
            return memory_id
        names = await self._store.long_term.resolve(self._tenant_id, [memory_id])
        return names.get(memory_id, memory_id)

    async def _twins(self, rows: Sequence[Recorded]) -> dict[str, str]:
        """Which of these say what stands already, or what an earlier one of them says; and the id of that one."""
        sketches = [_sketch(row.memory, self._parts) for row in rows]
        standing = await self._store.long_term.same_text(self._tenant_id, sketches)
        first: dict[tuple[object, ...], str] = {}
        for sketch in sketches:
            first.setdefault(twin_key(sketch), standing.get(sketch.id, sketch.id))
        return {sketch.id: first[twin_key(sketch)] for sketch in sketches if first[twin_key(sketch)] != sketch.id}

    async def _merge(self, twins: Mapping[str, str], recorded: Mapping[str, Recorded]) -> None:
        """The ids of copies become aliases; labels that only a copy has are taken over."""
        if not twins:
            return
        await self._store.long_term.alias(self._tenant_id, twins, now=self._now())
        for id_, kept in twins.items():
            memories = await self._memories.get_many([kept])
            if kept in memories:
                await self._take_over(memories[kept], recorded[id_].memory)

    async def _take_over(self, kept: Memory, copy: Memory | UnownedInput) -> None:
        """No label is lost with a copy."""
        gained = {name: tuple(dict.fromkeys([*getattr(kept, name), *getattr(copy, name)])) for name in _LISTS}
        change: dict[str, Any] = {name: words for name, words in gained.items() if words != getattr(kept, name)}
        if copy.pinned and not kept.pinned:
            change["pinned"] = True
        if change:
            await self._memories.edit(kept.id, MemoryChange(**change))

    async def _overwrite(self, old: Memory, new: UnownedInput) -> None:
        """Make a memory what was written under its id; the same again is nothing."""
        fields = {name: getattr(new, name) for name in LabelChange.model_fields if name in new.model_fields_set}
        fields = {name: value for name, value in fields.items() if value is not None and value != _value(old, name)}
        if fields.keys() - {"metadata"}:
            await self._memories.edit(old.id, LabelChange(**fields), max_text_chars=self._longest)

    async def _accessed(self, ids: Sequence[str]) -> None:
        if ids:
            now = self._now()
            await self._store.long_term.accessed(self._tenant_id, ids, now=now, before=now - READ_ONCE_IN)

    async def _read_elsewhere(self, rows: Sequence[Recorded]) -> None:
        now = self._now()
        moments = {row.id: min(row.last_accessed, now) for row in rows if row.last_accessed is not None}
        if moments:
            await self._store.long_term.accessed_at(self._tenant_id, moments)


def _refuse(where: str, old: Memory | None, new: UnownedInput) -> None:
    """What is there and cannot be written over. Raises Conflict."""
    if old is None:
        return
    if old.is_summary:
        raise Conflict(f"{where} is a summary: write its sources, or give another id")
    if old.retention_state is RetentionState.EXPIRED:
        raise Conflict(f"{where} has expired: its text is gone and cannot be edited; give another id")
    if new.user_id and old.scope.user_id not in ("", new.user_id):
        raise Conflict(f"{where} is another user's; give another id, or move it with PATCH")


def _revived(memory: UnownedInput) -> UnownedInput:
    """An alias that comes with another text is an id of its own again, though its first row may have been merged."""
    return memory.model_copy(update={"revive": True})


def _value(memory: Memory, name: str) -> object:
    """A field of an edit as it is now."""
    return memory.scope.user_id if name == "user_id" else getattr(memory, name, None)


def _sketch(row: UnownedInput, parts: Parts) -> Memory:
    """As much of a row as tells whether it says what another one says."""
    now = parts.engine.clock()
    return Memory(
        id=row.id or "",
        scope=row.scope_in(parts.tenant_id),
        text=row.text,
        created_at=now,
        updated_at=now,
        memory_type=row.memory_type,
        namespace=row.namespace,
        session_id=row.session_id,
        event_date=row.event_date,
        metadata=row.metadata,
        source_class=row.source_class or class_of(row.metadata),
    )
