"""Raw rows in memory: writes, edits, forgetting and expiry."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from precis.engine.forgetting import Receipt
from precis.engine.policy import Originals, Policy
from precis.errors import Conflict, Forgotten, NotFound
from precis.memory import Memory
from precis.store.ports import Added, Filter, NewMemory, Page
from precis.testing.memory_clusters import place
from precis.testing.memory_forgetting import Redaction, forget, redact
from precis.testing.memory_nodes import MemoryRow
from precis.testing.memory_paging import matches, page
from precis.testing.memory_places import join, places_of, replace_places
from precis.testing.memory_retention import may_expire
from precis.testing.memory_rows import Rows, TenantRows, expired, fingerprint, keyed_terms, memory_of


class MemoryMemories:
    """Implements ``precis.store.ports.Memories``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def add(self, tenant_id: str, rows: Sequence[NewMemory], *, policy: Policy, now: datetime) -> list[Added]:
        """Write all rows or none, each into its cluster."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            fresh = _fresh(tenant, rows)
            for id_, new in fresh.items():
                tenant.memories[id_] = _row(new)
                tenant.tombstones.discard(id_)
            for group in place(tenant, list(fresh.values()), policy, self._rows.new_id):
                added = sum(id_ in group.members for id_ in fresh)
                group.joined(policy.trigger, added=added, now=now)
            join(self._rows, tenant_id, places_of(self._rows, tenant_id, [new.memory for new in fresh.values()], now))
            return [
                Added(id=id_, created=fresh.get(id_) is new, group_id=_group_id(tenant, id_))
                for new in rows
                for id_ in [new.memory.id]
            ]

    async def get(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """The rows that exist, by id."""
        async with self._rows.lock:
            everything = _everything(self._rows.of(tenant_id))
            return {id_: everything[id_] for id_ in ids if id_ in everything}

    async def among(self, tenant_id: str, chosen: Filter, ids: Collection[str]) -> set[str]:
        """Expired ones, too."""
        async with self._rows.lock:
            rows = _everything(self._rows.of(tenant_id))
        return {id_ for id_ in ids if id_ in rows and matches(rows[id_], chosen)}

    async def list(self, tenant_id: str, chosen: Filter, *, limit: int, cursor: str | None) -> Page[Memory]:
        """Newest first."""
        async with self._rows.lock:
            rows = [memory for memory in _everything(self._rows.of(tenant_id)).values() if matches(memory, chosen)]
            return page(rows, lambda memory: (memory.created_at, memory.id), limit=limit, cursor=cursor)

    async def edit(self, tenant_id: str, changed: NewMemory, *, policy: Policy, now: datetime) -> Receipt:
        """Replace a raw row; its old text is forgotten at once."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            old = _editable(tenant, changed.memory.id)
            count, accessed = old.memory.access_count, old.memory.last_accessed
            memory = replace(changed.memory, updated_at=now, access_count=count, last_accessed=accessed)
            row = _row(replace(changed, memory=memory))
            redaction = Redaction(terms={row.memory.id: old.terms})
            moves = _subject(old.memory) != _subject(row.memory)
            tenant.memories[row.memory.id] = row
            same = old.memory.fingerprint == row.memory.fingerprint and not moves
            if not same:
                stranger = old.memory.scope.user_id != row.memory.scope.user_id
                # What follows a rule is placed anew by it; a batch that a pass filled keeps what it has.
                redact(tenant, redaction, leaves=lambda g: stranger or (moves and g.place is None), now=now)
            for group in place(tenant, [changed] if moves else [], policy, self._rows.new_id):
                group.joined(policy.trigger, added=1, now=now)
            replace_places(self._rows, tenant_id, row.memory, now)
            forgotten = () if same else (row.memory.id,)
            return redaction.receipt(id_=self._rows.new_id(), at=now, forgotten=forgotten)

    async def forget(self, tenant_id: str, ids: Sequence[str], *, now: datetime, renewable: bool = False) -> Receipt:
        """Law 4."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            for id_ in ids:
                if tenant.summary(id_) is not None:
                    message = f"{id_!r} is a summary: delete the summary, or forget the memories it rests on"
                    raise Conflict(message)
            asked = list(dict.fromkeys(ids))
            found = [id_ for id_ in asked if id_ in tenant.memories]
            redaction = Redaction(terms={id_: tenant.memories[id_].terms for id_ in found})
            forget(tenant, redaction, now=now)
            if renewable:
                tenant.tombstones.difference_update(found)
            missing = [id_ for id_ in asked if id_ not in found]
            return redaction.receipt(id_=self._rows.new_id(), at=now, forgotten=found, not_found=missing)

    async def forget_user(self, tenant_id: str, user_id: str, *, now: datetime) -> Receipt:
        """Every row of the user goes. This store encrypts nothing; the user's key is the rows themselves."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            found = [id_ for id_, row in tenant.memories.items() if row.memory.scope.user_id == user_id]
            if not found and user_id not in tenant.zones:
                raise NotFound
            redaction = Redaction(terms={id_: tenant.memories[id_].terms for id_ in found})
            forget(tenant, redaction, now=now)
            for group in [group for group in tenant.groups.values() if group.scope.user_id == user_id]:
                del tenant.groups[group.id]
            tenant.zones.pop(user_id, None)
            return redaction.receipt(id_=self._rows.new_id(), at=now, forgotten=found, key_destroyed=True)

    async def expire(self, tenant_id: str, ids: Sequence[str], *, now: datetime) -> tuple[str, ...]:
        """Laws 5 and 6: text and vector go, the stub stays."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            policies = self._rows.policies.values()
            keepers = {policy.name for policy in policies if policy.originals is not Originals.KEEP}
            gone = [id_ for id_ in dict.fromkeys(ids) if may_expire(tenant, id_, keepers)]
            for id_ in gone:
                row = tenant.memories[id_]
                row.memory, row.vector = replace(expired(row.memory), updated_at=now), None
            return tuple(gone)


def _fresh(tenant: TenantRows, rows: Sequence[NewMemory]) -> dict[str, NewMemory]:
    """The rows of a write that are not there yet. Raises Conflict and Forgotten before anything is written."""
    fresh: dict[str, NewMemory] = {}
    for new in rows:
        id_ = new.memory.id
        there = tenant.memories.get(id_)
        seen = there.memory if there else fresh[id_].memory if id_ in fresh else None
        known = there.memory.fingerprint if there else fingerprint(seen) if seen else None
        told = new.memory if new.dated or seen is None else replace(new.memory, created_at=seen.created_at)
        if tenant.summary(id_) is not None or (seen is not None and known != fingerprint(told)):
            message = f"{id_!r} is there already with other content: edit it, or write under another id"
            raise Conflict(message)
        if seen is None and id_ in tenant.tombstones and not new.revive:
            raise Forgotten
        if seen is None:
            fresh[id_] = new
    return fresh


def _row(new: NewMemory) -> MemoryRow:
    memory = replace(new.memory, fingerprint=fingerprint(new.memory))
    return MemoryRow(memory=memory, vector=new.vector, person=new.person, terms=keyed_terms([memory.text or ""]))


def _editable(tenant: TenantRows, id_: str) -> MemoryRow:
    """The raw row of this id. Raises NotFound, or Conflict for what cannot be edited."""
    if tenant.summary(id_) is not None:
        message = f"{id_!r} is a summary: it follows its sources and cannot be edited"
        raise Conflict(message)
    if id_ not in tenant.memories:
        raise NotFound
    if not tenant.memories[id_].live:
        message = f"{id_!r} has expired: its text is gone and cannot be edited"
        raise Conflict(message)
    return tenant.memories[id_]


def _subject(memory: Memory) -> tuple[object, ...]:
    """What decides which clusters a row may join, besides its vector."""
    return (memory.scope, memory.extracted_type, memory.extracted_key, memory.memory_type)


def _group_id(tenant: TenantRows, id_: str) -> str | None:
    return next((group.id for group in tenant.holding([id_]) if group.place is None), None)


def _everything(tenant: TenantRows) -> dict[str, Memory]:
    """Raw rows and summaries by id."""
    raw = {id_: row.memory for id_, row in tenant.memories.items()}
    return raw | {summary.root.id: memory_of(group, summary) for group, summary in tenant.summarized()}
