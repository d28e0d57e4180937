"""The summarize step of a conversation: it computes, and writes nothing. What it made is written with the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from precis.engine.commit import MadeNode, count_sources
from precis.engine.conversation import POLICY, place_of
from precis.engine.groups import Groups, Lease
from precis.engine.pipeline import Engine, draft
from precis.engine.plan import Action, Plan, Snapshot, make_plan
from precis.engine.segments import Leaf
from precis.errors import DraftFailed, LeaseLost, NotFound, SourceChanged
from precis.lineage import Counts, Fate, Statement
from precis.memory import Memory, Scope
from precis.store.conversation_rows import Computed, NewMessage
from precis.summary import assemble, served_of

_NEVER = timedelta(0)


@dataclass(frozen=True, kw_only=True)
class _Held:
    """The groups as they would be with messages that nobody has written yet; what is committed is only kept."""

    stored: Groups
    unwritten: Mapping[str, Memory]
    kept: list[MadeNode] = field(default_factory=list)

    async def snapshot(self, tenant_id: str, group_id: str) -> Snapshot:
        """As stored; empty where the group is still to be made."""
        try:
            return await self.stored.snapshot(tenant_id, group_id)
        except NotFound:
            return Snapshot(group_id=group_id, tenant_id=tenant_id, version=0, leaves=(), nodes=())

    async def read_sources(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """Written ones from the store, the others as they will be."""
        written = [id_ for id_ in ids if id_ not in self.unwritten]
        found = await self.stored.read_sources(tenant_id, written) if written else {}
        return {**found, **{id_: self.unwritten[id_] for id_ in ids if id_ in self.unwritten}}

    async def read_statements(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, tuple[Statement, ...]]:
        """As stored."""
        return await self.stored.read_statements(tenant_id, node_ids) if node_ids else {}

    async def commit_node(self, lease: Lease, made: MadeNode, *, now: datetime) -> None:
        """Keep it for the transaction that writes the turn."""
        del lease, now
        self.kept.append(made)

    async def claim(
        self, tenant_id: str, *, now: datetime, lasts: timedelta, group_id: str | None = None
    ) -> Lease | None:
        """Nothing is leased: a race is noticed when the turn is written."""
        del tenant_id, now, lasts, group_id
        return None

    async def renew(self, lease: Lease, *, now: datetime) -> bool:
        """There is no lease."""
        del lease, now
        return False

    async def commit_summary(
        self, lease: Lease, plan: Plan, made: MadeNode, *, vector: Sequence[float], embedding_version: str,
        counts: Counts, now: datetime, retry_at: datetime | None,
    ) -> str:  # fmt: skip
        """Not here: the turn commits it."""
        del lease, plan, made, vector, embedding_version, counts, now, retry_at
        raise LeaseLost

    async def drop_summary(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """Not here."""
        del lease, plan, now
        raise LeaseLost

    async def silence(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """Not here."""
        del lease, plan, now
        raise LeaseLost

    async def read_fates(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, Mapping[str, Fate]]:
        """As stored."""
        return await self.stored.read_fates(tenant_id, node_ids) if node_ids else {}

    async def settle(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """There is no lease to give back."""

    async def reject(self, lease: Lease, plan: Plan, *, retry_at: datetime | None, error: str, now: datetime) -> None:
        """There is no lease to give back."""

    async def give_back(self, lease: Lease) -> None:
        """There is none."""

    async def release(self, lease: Lease, *, retry_at: datetime | None, error: str | None, now: datetime) -> None:
        """There is no lease to give back."""


async def extend(
    engine: Engine,
    scope: Scope,
    conversation_id: str,
    *,
    hand_over: Sequence[str],
    unwritten: Sequence[tuple[NewMessage, Leaf]] = (),
) -> Computed:
    """The summary with these messages as well, title included. Raises DraftFailed (and kin), SourceChanged."""
    new = {one.message.id: (one.row.memory, leaf) for one, leaf in unwritten}
    held = _Held(stored=engine.groups, unwritten={id_: memory for id_, (memory, _) in new.items()})
    group_id = place_of(conversation_id, scope).group_id
    snapshot = await _with(held, await held.snapshot(scope.tenant_id, group_id), hand_over, new)
    policy = engine.policies[POLICY]
    planned = make_plan(policy, snapshot, engine.definition_of(policy), offline=engine.offline)
    if planned.action is not Action.MAKE:
        raise DraftFailed(f"no summary was made: {planned.reason}")
    lease = Lease(
        tenant_id=scope.tenant_id, group_id=group_id, policy=POLICY, token="", until=engine.clock(), lasts=_NEVER
    )
    made = await draft(replace(engine, groups=held), lease, planned)
    if not made[-1].statements:
        raise DraftFailed("no summary was made: there is nothing but small talk and questions")
    return await _computed(engine, planned, held.kept, made[-1])


async def _with(
    held: _Held, snapshot: Snapshot, hand_over: Sequence[str], new: Mapping[str, tuple[Memory, Leaf]]
) -> Snapshot:
    """The group as it will be once these messages are members."""
    members = {leaf.id for leaf in snapshot.leaves}
    joining = [id_ for id_ in hand_over if id_ not in members]
    written = await held.stored.read_sources(snapshot.tenant_id, [id_ for id_ in joining if id_ not in new])
    if len(written) + sum(id_ in new for id_ in joining) < len(joining):
        raise SourceChanged
    leaves = [new[id_][1] if id_ in new else _leaf(written[id_]) for id_ in joining]
    # Members that come lift what was remembered of an earlier try.
    lifted: dict[str, Any] = {"rejected": None, "suppressed": None} if joining else {}
    return replace(snapshot, leaves=(*snapshot.leaves, *leaves), **lifted)


def _leaf(memory: Memory) -> Leaf:
    return Leaf(id=memory.id, created_at=memory.created_at, fingerprint=memory.fingerprint, tokens=memory.tokens)


async def _computed(engine: Engine, planned: Plan, nodes: Sequence[MadeNode], root: MadeNode) -> Computed:
    vector = (await engine.embedder.embed([assemble(served_of(root.statements, 0.0))]))[0]
    return Computed(
        plan=planned,
        nodes=tuple(nodes),
        root=root,
        vector=vector,
        embedding_version=engine.embedder.version,
        counts=count_sources(root, len(planned.leaves)),
    )
