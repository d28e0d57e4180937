"""Forgetting in memory: the rules of engine/forgetting.py, row by row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from precis.engine.forgetting import Receipt, TouchedSummary, rare_terms
from precis.engine.segments import Kind
from precis.testing.memory_nodes import GroupRow, NodeRow
from precis.testing.memory_rows import TenantRows, keyed_terms


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


def forget(tenant: TenantRows, redaction: Redaction, *, now: datetime) -> None:
    """The memories leave their groups and everything that was derived from them, then their rows go."""
    redact(tenant, redaction, leaves=lambda _: True, now=now)
    for id_ in redaction.ids:
        del tenant.memories[id_]
        aliases = [alias for alias, named in tenant.aliases.items() if named == id_]
        for alias in aliases:
            del tenant.aliases[alias]
        tenant.tombstones.update((id_, *aliases))


def redact(tenant: TenantRows, redaction: Redaction, *, leaves: Callable[[GroupRow], bool], now: datetime) -> None:
    """Nothing rests on the memories any more, and what is left is stale; ``leaves`` tells the groups they leave."""
    for group in tenant.reading(redaction.ids):
        if leaves(group):
            for id_ in redaction.ids:
                group.members.pop(id_, None)
        _redact_group(tenant, group, redaction, now=now)


def _redact_group(tenant: TenantRows, group: GroupRow, redaction: Redaction, *, now: datetime) -> None:
    _redact_nodes(tenant, group, redaction)
    tenant.relabel(group)
    if group.summary is not None:
        _redact_summary(tenant, group, redaction, now=now)
    group.redacted(now)
    # A partition of a view that lost its last member is still one: it answers that it is empty.
    if not group.members and group.view_id is None:
        del tenant.groups[group.id]
    elif group.wants_refresh:
        redaction.queued.append(group.id)


def _redact_nodes(tenant: TenantRows, group: GroupRow, redaction: Redaction) -> None:
    """A frozen node keeps its other statements; every other node that read a forgotten memory goes whole."""
    for one in [one for one in group.nodes.values() if any(id_ in redaction.ids for id_ in one.sources)]:
        if one.kind is Kind.FROZEN:
            redaction.statements += _redact_node(tenant, one, redaction)
        if one.kind is not Kind.FROZEN or not one.sources:
            redaction.segments += 1
            del group.nodes[one.id]


def _redact_summary(tenant: TenantRows, group: GroupRow, redaction: Redaction, *, now: datetime) -> None:
    """Statements leave the summary, or the summary leaves."""
    summary = group.summary
    if summary is None or not any(id_ in redaction.ids for id_ in summary.root.sources):
        return
    stood = len(summary.root.statements)
    removed = _redact_node(tenant, summary.root, redaction)
    summary.parent_id = tuple(id_ for id_ in summary.parent_id if id_ not in redaction.ids)
    summary.vector = summary.embedding_version = None
    summary.importance = tenant.importance(group, summary.importance)
    summary.updated_at = now
    said = any(one.superseded_by is None for one in summary.root.statements)
    withdrawn = not said or len(group.members) < group.trigger.min_members
    if withdrawn:
        removed = stood
        group.summary = None
    redaction.statements += removed
    state = "deleted" if withdrawn else "redacted"
    redaction.summaries.append(TouchedSummary(id=summary.root.id, state=state, statements_removed=removed))


def _redact_node(tenant: TenantRows, one: NodeRow, redaction: Redaction) -> int:
    """Take the statements out of one node; answers how many there were."""
    gone = [id_ for id_ in one.sources if id_ in redaction.ids]
    left = [tenant.memories[id_].terms for id_ in one.sources if id_ not in gone and id_ in tenant.memories]
    rare = rare_terms(frozenset().union(*(redaction.terms[id_] for id_ in gone)), left)
    return one.withdraw(gone, lambda statement: bool(rare & keyed_terms([statement.text])))
