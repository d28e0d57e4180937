"""Forgetting in memory: the rules of engine/forgetting.py, row by row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from precis.engine.forgetting import Receipt, TouchedSummary, rare_terms
from precis.engine.segments import Kind
from precis.engine.trigger import Trigger
from precis.lineage import Statement, rests_on
from precis.testing.memory_rows import GroupRow, NodeRow, TenantRows, keyed_terms


@dataclass(kw_only=True, slots=True)
class Redaction:
    """What leaves with some memories, gathered group by group."""

    #: The keyed terms of what is forgotten, by memory id.
    terms: Mapping[str, frozenset[int]]
    summaries: list[TouchedSummary] = field(default_factory=list)
    statements: int = 0
    segments: int = 0
    queued: list[str] = field(default_factory=list)

    @property
    def ids(self) -> Collection[str]:
        """The memories that are forgotten."""
        return self.terms.keys()

    def receipt(
        self,
        *,
        id_: str,
        at: datetime,
        forgotten: Sequence[str],
        not_found: Sequence[str] = (),
        key_destroyed: bool = False,
    ) -> Receipt:
        """The account of it."""
        return Receipt(
            id=id_,
            at=at,
            forgotten=tuple(forgotten),
            not_found=tuple(not_found),
            summaries=tuple(self.summaries),
            statements_removed=self.statements,
            segments_removed=self.segments,
            refreshes_queued=tuple(sorted(self.queued)),
            key_destroyed=key_destroyed,
        )


def forget(tenant: TenantRows, redaction: Redaction, *, trigger: Trigger, now: datetime) -> None:
    """The memories leave their groups and everything that was derived from them, then their rows go."""
    for group in tenant.holding(redaction.ids):
        for id_ in redaction.ids:
            group.members.pop(id_, None)
        redact_group(tenant, group, redaction, trigger=trigger, now=now)
    for id_ in redaction.ids:
        del tenant.memories[id_]
        tenant.tombstones.add(id_)


def redact_group(tenant: TenantRows, group: GroupRow, redaction: Redaction, *, trigger: Trigger, now: datetime) -> None:
    """Nothing in the group rests on the memories any more; what is left of it is stale."""
    _redact_nodes(tenant, group, redaction)
    tenant.relabel(group)
    if group.summary is not None:
        _redact_summary(tenant, group, redaction, trigger=trigger, now=now)
    group.rejected = None
    group.changed(trigger, now=now, lost=True)
    if not group.members:
        del tenant.groups[group.id]
    elif group.due_at is not None:
        redaction.queued.append(group.id)


def _redact_nodes(tenant: TenantRows, group: GroupRow, redaction: Redaction) -> None:
    """A frozen node keeps its other statements; every other node that read a forgotten memory goes whole."""
    for one in [one for one in group.nodes.values() if any(id_ in redaction.ids for id_ in one.sources)]:
        if one.kind is Kind.FROZEN:
            redaction.statements += _redact(tenant, one, redaction)
        if one.kind is not Kind.FROZEN or not one.sources:
            redaction.segments += 1
            del group.nodes[one.id]


def _redact_summary(
    tenant: TenantRows, group: GroupRow, redaction: Redaction, *, trigger: Trigger, now: datetime
) -> None:
    """Statements leave the summary, or the summary leaves."""
    summary = group.summary
    if summary is None or not any(id_ in redaction.ids for id_ in summary.root.sources):
        return
    stood = len(summary.root.statements)
    removed = _redact(tenant, summary.root, redaction)
    summary.parent_id = tuple(id_ for id_ in summary.parent_id if id_ not in redaction.ids)
    summary.vector = summary.embedding_version = None
    summary.importance = tenant.importance(group, summary.importance)
    summary.updated_at = now
    withdrawn = not summary.root.statements or len(group.members) < trigger.min_members
    if withdrawn:
        removed = stood
        redaction.segments += group.drop_derived()
    redaction.statements += removed
    state = "deleted" if withdrawn else "redacted"
    redaction.summaries.append(TouchedSummary(id=summary.root.id, state=state, statements_removed=removed))


def _redact(tenant: TenantRows, one: NodeRow, redaction: Redaction) -> int:
    """Take the statements out of one node; answers how many there were."""
    gone = [id_ for id_ in one.sources if id_ in redaction.ids]
    one.sources = tuple(id_ for id_ in one.sources if id_ not in redaction.ids)
    left = [tenant.memories[id_].terms for id_ in one.sources if id_ in tenant.memories]
    rare = rare_terms(frozenset().union(*(redaction.terms[id_] for id_ in gone)), left)
    kept = [
        at
        for at, statement in enumerate(one.statements)
        if not rests_on(statement, redaction.ids) and not rare & keyed_terms([statement.text])
    ]
    removed = len(one.statements) - len(kept)
    one.statements = _renumbered(one.statements, kept)
    # Re-keyed even when nothing was removed: the memory may come back, and then this is not its node.
    one.redactions += 1
    return removed


def _renumbered(statements: Sequence[Statement], kept: Sequence[int]) -> tuple[Statement, ...]:
    """The kept statements; one comes back when nothing newer that displaced it is left."""
    places = {old: new for new, old in enumerate(kept)}

    def newer(at: int | None) -> int | None:
        seen = set()
        while at is not None and at not in places and at not in seen:
            seen.add(at)
            at = statements[at].superseded_by
        return places.get(at) if at is not None else None

    return tuple(
        Statement(
            text=s.text,
            importance=s.importance,
            source_ids=s.source_ids,
            superseded_by=newer(s.superseded_by),
        )
        for s in (statements[at] for at in kept)
    )
