"""app.jobs: what waits, runs and failed, and trying failed ones again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from precis.app.inputs import checked_limit
from precis.app.parts import Parts
from precis.errors import InvalidInput, NotFound
from precis.store.jobs import Job, JobCounts

State = Literal["waiting", "running", "scheduled", "retrying", "rejected", "failed"]


class Jobs:
    """Verbs over the work list of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def list(self, *, state: State | None = None, limit: int = 100) -> Sequence[Job]:
        """Failed ones first, then the longest due. ``limit`` is 1 to 1000."""
        checked_limit(limit)
        if state is not None and state not in get_args(State):
            raise InvalidInput(f"state: {state!r} is not one of {', '.join(get_args(State))}", field="state")
        now = self._parts.engine.clock()
        return await self._parts.store.jobs.list(self._parts.tenant_id, state=state, limit=limit, now=now)

    async def counts(self) -> JobCounts:
        """How many there are in each state."""
        return await self._parts.store.jobs.counts(self._parts.tenant_id, now=self._parts.engine.clock())

    async def retry(self, group_id: str | None = None) -> Sequence[str]:
        """Make one job that failed or was rejected, or all of them, due again; answers which. Raises NotFound."""
        now = self._parts.engine.clock()
        again = await self._parts.store.jobs.retry(self._parts.tenant_id, group_id=group_id, now=now)
        if group_id is not None and not again:
            raise NotFound(f"there is no failed job {group_id!r}")
        return again
