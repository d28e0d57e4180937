"""The resource /v1/tasks of the wire: runs of summary views, and other work that takes long."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from fastapi import APIRouter
from pydantic import BaseModel, Field

from precis.app.inputs import Id
from precis.rest.auth import Tenant
from precis.store.tasks import VIEW_RUN, Status, Task

router = APIRouter(prefix="/v1/tasks", tags=["wire: tasks"])


class TaskBody(BaseModel):
    """A request to run a view, or to summarize for longer than a request should take."""

    id: str
    type: str
    status: Status
    view_id: str | None = Field(description="null for work that runs no view")
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    error_message: str | None
    run_id: str = Field(description="the piece of work it follows; simultaneous requests share one")
    done: int = Field(description="groups that were looked at; of other work what is done")
    total: int = Field(description="groups there are to look at; of other work what is to do, as far as is known")
    what: str | None = Field(description="what is counted, where it runs no view")
    result: dict[str, Any] | None = Field(description="what came of it, where it runs no view: ids and counts")
    ungrouped_count: int | None = Field(description="memories the view takes that lack a field it groups by")

    @classmethod
    def of(cls, task: Task) -> Self:
        """The body for a task."""
        body = cls.model_validate(task, from_attributes=True)
        return body if task.type == VIEW_RUN else body.model_copy(update={"view_id": None})


@router.get("/{task_id}")
async def read(app: Tenant, task_id: Id) -> TaskBody:
    """Answer where a task is. One whose worker gave no sign of life has failed."""
    return TaskBody.of(await app.tasks.get(task_id))
