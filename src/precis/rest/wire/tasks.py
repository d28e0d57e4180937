"""The resource /v1/tasks of the wire: runs of summary views."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from fastapi import APIRouter
from pydantic import BaseModel, Field

from precis.app.inputs import Id
from precis.rest.auth import Tenant
from precis.store.view_ports import Status, Task

router = APIRouter(prefix="/v1/tasks", tags=["wire: tasks"])


class TaskBody(BaseModel):
    """A request to run a view."""

    id: str
    type: str
    status: Status
    view_id: str
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    error_message: str | None
    run_id: str = Field(description="the piece of work it follows; simultaneous requests share one")
    done: int = Field(description="groups that were looked at")
    total: int = Field(description="groups there are to look at")
    ungrouped_count: int | None = Field(description="memories the view takes that lack a field it groups by")

    @classmethod
    def of(cls, task: Task) -> Self:
        """The body for a task."""
        return cls.model_validate(task, from_attributes=True)


@router.get("/{task_id}")
async def read(app: Tenant, task_id: Id) -> TaskBody:
    """Answer where a task is. One whose worker gave no sign of life has failed."""
    return TaskBody.of(await app.tasks.get(task_id))
