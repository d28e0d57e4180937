"""The store as the engine sees it: groups, their members, nodes and leases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from precis.engine.commit import MadeNode
from precis.engine.plan import Plan, Snapshot
from precis.lineage import Counts, Fate, Statement
from precis.memory import Memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Lease:
    """The right to refresh one group, until it runs out. Commits are possible only under it."""

    tenant_id: str
    group_id: str
    policy: str
    #: Fences: a commit under an older token is refused.
    token: str
    until: datetime
    #: How long it lasts; each kept node starts it anew.
    lasts: timedelta
    #: Failed refreshes since the last good one.
    attempts: int = 0
    #: A member was forgotten or edited since the last good one: this is a re-derivation.
    lost: bool = False
    #: Its time had come when it was leased: a draft that was rejected is tried again.
    due: bool = False


class Groups(Protocol):
    """What a refresh needs. Each method is one transaction; times are passed in."""

    async def claim(
        self, tenant_id: str, *, now: datetime, lasts: timedelta, group_id: str | None = None
    ) -> Lease | None:
        """Lease this group (due or not), or the one that has been due longest; None when taken or none is due."""
        ...

    async def renew(self, lease: Lease, *, now: datetime) -> bool:
        """Let the lease last from now on anew; False when it is lost."""
        ...

    async def snapshot(self, tenant_id: str, group_id: str) -> Snapshot:
        """Members and nodes at one moment. Raises NotFound."""
        ...

    async def read_sources(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """Live memories with their text, by id; the ones that are gone are absent."""
        ...

    async def read_statements(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, tuple[Statement, ...]]:
        """Every statement of these nodes, in order, by node id."""
        ...

    async def read_fates(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, Mapping[str, Fate]]:
        """What became of the sources of these nodes, by node id and source id; the rest may be left out."""
        ...

    async def commit_node(self, lease: Lease, made: MadeNode, *, now: datetime) -> None:
        """Keep one node below the summary. Raises LeaseLost, or SourceChanged when a source is not what was read."""
        ...

    async def commit_summary(
        self,
        lease: Lease,
        plan: Plan,
        made: MadeNode,
        *,
        vector: Sequence[float],
        embedding_version: str,
        counts: Counts,
        now: datetime,
        retry_at: datetime | None,
    ) -> str:
        """Put the summary in place, current as of the planned version; nodes it no longer reads go. Answers its id.

        ``retry_at`` is when a fallback is due again, which stands and counts as stale; None: when somebody asks.

        Raises LeaseLost, or SourceChanged when a source is not what was read.
        """  # fmt: skip
        ...

    async def drop_summary(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """No summary may be, or nothing is to be said: remove summary and nodes."""
        ...

    async def silence(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """All it would say was marked as wrong: remove summary and nodes, until a member or a mark changes."""
        ...

    async def settle(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """Nothing to commit: the group is current as of the planned version."""
        ...

    async def reject(self, lease: Lease, plan: Plan, *, retry_at: datetime | None, error: str, now: datetime) -> None:
        """The draft of the plan was rejected: the group stays stale and what stood stays.

        It is due again at ``retry_at``, or waits to be asked for; at once, where its sources changed meanwhile.
        """
        ...

    async def give_back(self, lease: Lease) -> None:
        """Nothing was done under the lease: the group is as it was."""
        ...

    async def release(self, lease: Lease, *, retry_at: datetime | None, error: str | None, now: datetime) -> None:
        """Give the lease back after a failure: due again at ``retry_at``, or in the failed state when that is None."""
        ...
