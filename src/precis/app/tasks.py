"""app.tasks: runs of views, as callers follow them."""

from __future__ import annotations

from precis.app import view_runs
from precis.app.parts import Parts
from precis.store.tasks import Task


class Tasks:
    """Verbs over the tasks of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def get(self, task_id: str) -> Task:
        """Where a task is. One whose worker gave no sign of life has failed. Raises NotFound."""
        return await self._parts.store.tasks.get(self._parts.tenant_id, task_id, now=self._parts.engine.clock())

    async def wait(self, task_id: str, *, seconds: float = 3600) -> Task:
        """The task once it has ended. Raises NotFound, TimeoutError."""
        return await view_runs.wait(self._parts, task_id, seconds=seconds)
