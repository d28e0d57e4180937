"""The work list in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from precis.store.ports import Job, JobCounts
from precis.testing.memory_nodes import GroupRow
from precis.testing.memory_rows import Rows

#: What waits for a person comes first.
_ORDER = {"failed": 0, "rejected": 1}
_NEVER = datetime.min.replace(tzinfo=UTC)


class MemoryJobs:
    """Implements ``precis.store.ports.Jobs``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """Failed ones first, then the longest due."""
        async with self._rows.lock:
            found = [(_state(group, now), group) for group in self._rows.of(tenant_id).groups.values()]
            jobs = [_job(group, is_in) for is_in, group in found if is_in is not None and state in (None, is_in)]
        return sorted(jobs, key=lambda job: (_ORDER.get(job.state, 2), job.due_at or _NEVER, job.group_id))[:limit]

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """All of them, by state."""
        async with self._rows.lock:
            found = Counter(_state(group, now) for group in self._rows.of(tenant_id).groups.values())
        return JobCounts(
            waiting=found["waiting"],
            running=found["running"],
            scheduled=found["scheduled"],
            retrying=found["retrying"],
            rejected=found["rejected"],
            failed=found["failed"],
        )

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """Make failed groups due again."""
        async with self._rows.lock:
            groups = self._rows.of(tenant_id).groups.values()
            failed = [g for g in groups if g.failed_at is not None or g.rejected is not None]
            again = [g for g in failed if group_id in (None, g.id)]
            for group in again:
                group.failed_at, group.attempts, group.error, group.due_at = None, 0, None, now
                group.rejected, group.rejections = None, 0
        return sorted(group.id for group in again)

    async def wake(self, tenant_id: str) -> None:
        """There is no worker: whoever tests calls ``work``."""


def _state(group: GroupRow, now: datetime) -> str | None:
    if group.failed_at is not None:
        return "failed"
    if group.lease_until is not None and group.lease_until > now:
        return "running"
    if group.rejected is not None:
        return "rejected"
    if group.due_at is None:
        return None
    if group.due_at > now:
        return "retrying" if group.attempts else "scheduled"
    return "waiting"


def _job(group: GroupRow, state: str) -> Job:
    return Job(
        group_id=group.id,
        policy=group.policy,
        user_id=group.scope.user_id,
        state=state,
        members=len(group.members),
        summary_id=group.summary.root.id if group.summary else None,
        attempts=group.attempts,
        error=group.error,
        due_at=group.due_at,
        failed_at=group.failed_at,
        lease_until=group.lease_until,
    )
