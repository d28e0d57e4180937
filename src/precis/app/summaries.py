"""app.summaries: read, expand, plan, refresh and delete summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from precis.app.costs import Costs
from precis.app.inputs import checked_limit
from precis.app.parts import Parts
from precis.app.refreshing import refresh_leased
from precis.engine.commit import Outcome, Result
from precis.engine.estimates import Estimate
from precis.engine.pipeline import plan
from precis.engine.plan import Plan
from precis.errors import Conflict, InvalidInput, NotFound
from precis.memory import Memory
from precis.store.filtering import Filter
from precis.store.paging import Page
from precis.store.summaries import ClusterStats
from precis.summary import Summary


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A plan and what it would take."""

    plan: Plan
    policy: str
    estimate: Estimate


class Summaries:
    """Verbs over the summaries of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def get(self, summary_id: str) -> Summary:
        """One summary with its statements. Raises NotFound."""
        found = await self._parts.store.summaries.get(self._parts.tenant_id, [summary_id])
        if summary_id not in found:
            raise NotFound(f"there is no summary {summary_id!r}")
        return found[summary_id]

    async def list(
        self, *, policy: str | None = None, limit: int = 50, cursor: str | None = None, **fields: Any
    ) -> Page[Summary]:
        """Newest refresh first; filter by policy, user_id, project_id, environment, extracted_type.

        ``limit`` is 1 to 1000.
        """
        self._known(policy)
        return await self._parts.store.summaries.list(
            self._parts.tenant_id, _of_groups(fields), policy=policy, limit=checked_limit(limit), cursor=cursor
        )

    async def expand(self, summary_id: str) -> Sequence[Memory]:
        """The direct source rows of a summary, oldest first. Raises NotFound."""
        summary = await self.get(summary_id)
        found = await self._parts.store.memories.get(self._parts.tenant_id, summary.parent_id)
        return [found[id_] for id_ in summary.parent_id if id_ in found]

    async def plan(
        self, *, policy: str | None = None, stale_only: bool = True, limit: int = 1000, **fields: Any
    ) -> Sequence[Planned]:
        """What refreshing the groups of a scope would do and take, without a call."""
        self._known(policy)
        groups = await self._parts.store.summaries.groups(
            self._parts.tenant_id, _of_groups(fields), policy=policy, stale_only=stale_only, limit=checked_limit(limit)
        )
        return [await self._planned(group_id, name) for group_id, name in groups]

    async def _planned(self, group_id: str, policy_name: str) -> Planned:
        engine = self._parts.engine
        found = await plan(engine, self._parts.tenant_id, group_id, policy_name)
        return Planned(plan=found, policy=policy_name, estimate=await Costs(self._parts).estimate(found, policy_name))

    async def refresh(self, summary_id: str, *, force: bool = False, rebuild: bool = False) -> Outcome:
        """Make one summary current now. Raises NotFound; Conflict while somebody else refreshes it."""
        group_id, _ = await self._parts.store.summaries.group_of(self._parts.tenant_id, summary_id)
        return await self.refresh_group(group_id, force=force, rebuild=rebuild)

    async def refresh_group(self, group_id: str, *, force: bool = False, rebuild: bool = False) -> Outcome:
        """The same by group, also where no summary stands yet."""
        engine = self._parts.engine
        lease = await engine.groups.claim(
            self._parts.tenant_id, now=engine.clock(), lasts=engine.lease_lasts, group_id=group_id
        )
        if lease is None:
            raise Conflict("somebody refreshes this summary right now; read it again in a moment")
        return await refresh_leased(engine, lease, force=force, rebuild=rebuild, again=True)

    async def refresh_all(
        self, *, policy: str | None = None, stale_only: bool = True, **fields: Any
    ) -> Sequence[Outcome]:
        """Refresh the groups of a scope; with ``stale_only=False`` re-make every live node under today's definition."""
        self._known(policy)
        groups = await self._parts.store.summaries.groups(
            self._parts.tenant_id, _of_groups(fields), policy=policy, stale_only=stale_only, limit=100_000
        )
        outcomes = []
        for group_id, _ in groups:
            try:
                outcomes.append(await self.refresh_group(group_id, rebuild=not stale_only))
            except Conflict as error:
                outcomes.append(Outcome(group_id=group_id, result=Result.BUSY, reason=str(error)))
        return outcomes

    async def delete(self, summary_id: str) -> None:
        """Remove a summary; none is made of the same sources until they change. Raises NotFound."""
        await self._parts.store.summaries.delete(self._parts.tenant_id, summary_id, now=self._parts.engine.clock())

    async def stats(self, **fields: Any) -> ClusterStats:
        """SPEC S0.11: sparse ratio, churn and tokens per summary of the clusters in a scope."""
        return await self._parts.store.summaries.stats(
            self._parts.tenant_id,
            _of_groups(fields),
            min_members=self._parts.clusters.trigger.min_members,
            now=self._parts.engine.clock(),
        )

    def _known(self, policy: str | None) -> None:
        if policy is not None and policy not in self._parts.engine.policies:
            known = ", ".join(sorted(self._parts.engine.policies))
            raise InvalidInput(f"policy: {policy!r} is not one of {known}", field="policy")


#: What a group has besides its members.
_GROUP_FIELDS = {"user_id", "project_id", "environment", "extracted_type"}


def _of_groups(fields: dict[str, Any]) -> Filter:
    """A filter over groups. Raises InvalidInput for a field that groups do not have."""
    for name in fields:
        if name not in _GROUP_FIELDS:
            message = f"{name}: summaries are filtered by {', '.join(sorted(_GROUP_FIELDS))}"
            raise InvalidInput(message, field=name)
    return Filter(**fields)
