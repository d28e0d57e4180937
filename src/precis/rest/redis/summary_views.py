"""The resources /v1/summary-views and /v1/tasks of the wire, with what precis adds: changing a view, the plan of a run.

A task runs a view, or is other work that takes long.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal, Self

from fastapi import HTTPException, Query
from fastapi.routing import APIRoute
from pydantic import AfterValidator, ConfigDict, Field, model_validator

from precis.app.inputs import MAX_METADATA_BYTES
from precis.app.views import PartitionResult, ViewPlan
from precis.engine.plan import Action
from precis.engine.spending import Estimate
from precis.errors import InvalidInput
from precis.ids import checked_json
from precis.rest import answers, http, summary_answers
from precis.rest.auth import Tenant, keyed_router
from precis.rest.redis.shapes import WireBody
from precis.store.tasks import VIEW_RUN, Status, Task
from precis.typed import Id, Published, Storable
from precis.view import LONGEST_WINDOW, View

router = keyed_router("/v1/summary-views", tag="wire: summary views", route_class=http.JsonRoute)
tasks_router = keyed_router("/v1/tasks", tag="wire: tasks", route_class=APIRoute)
_Name = Annotated[Storable, Field(max_length=1000)]
_Prompt = Annotated[Storable, Field(max_length=20_000, description="instead of the default one; asks for free prose")]
_Model = Annotated[Storable, Field(max_length=200, description="instead of PRECIS_FAST_MODEL")]
_Days = Annotated[int, Field(ge=1, le=LONGEST_WINDOW, description="rolling window on created_at")]
_Field = Annotated[str, Published(enum=["user_id", "namespace", "session_id", "memory_type"])]
_GroupBy = Annotated[list[_Field], Field(max_length=100, description="what to group by")]
#: Bytes of JSON of the filters of a view.
MAX_FILTER_BYTES = MAX_METADATA_BYTES
_Filters = Annotated[
    dict[str, Any],
    AfterValidator(partial(checked_json, limit=MAX_FILTER_BYTES)),
    Field(
        description="of user_id, namespace, session_id, memory_type, extraction_strategy, topics, event_date: a value, "
        "a list (any of it) or operators"
    ),
]
#: A value to compare with; the names of the fields are those of the wire.
_Value = Annotated[str | None, Query(max_length=1000, pattern=r"^[^\x00]*$")]


class ViewChange(WireBody):
    """What an update replaces; what is not given stays, null takes a value away. The wire knows no such call."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: _Name | None = None
    group_by: _GroupBy | None = None
    filters: _Filters | None = None
    time_window_days: _Days | None = None
    continuous: bool = False
    prompt: _Prompt | None = None
    model_name: _Model | None = None


class NewView(ViewChange):
    """A view to declare. What precis does not know is ignored, as on all of the wire."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    source: Literal["long_term", "working_memory"]


class ViewBody(answers.Answer):
    """A view."""

    id: str
    name: str | None
    source: str
    group_by: list[str]
    filters: dict[str, Any]
    time_window_days: int | None = Field(validation_alias="window_days")
    continuous: bool
    prompt: str | None
    model_name: str | None = Field(validation_alias="model")


class PartitionBody(answers.Answer):
    """What a view says of one group."""

    view_id: str
    group: dict[str, str]
    summary: str
    memory_count: int = Field(description="memories in the group now")
    empty: bool
    empty_reason: str | None
    computed_at: datetime
    included_count: int = Field(description="how many of them the summary has read")
    source_ids: tuple[str, ...] = Field(description="the memories it has read, oldest first")
    model: str | None = Field(description="what made it")
    stale: bool = Field(description="the group changed since; what it says still rests on living memories only")
    rejected: bool = Field(
        description="the model gave no draft that passes the checks: again after 1, 10 and 60 minutes, and in a run"
    )
    fallback: bool = Field(description="made offline because the model gave no draft; redone later")
    counts: summary_answers.CountsBody = Field(description="what became of the memories")
    summary_id: str | None = Field(description="for GET /v1/summaries/{summary_id}: its statements, each with sources")


class RunPartition(WireBody):
    """Which group to run."""

    group: dict[str, Storable]
    force: bool = Field(default=False, description="also when nothing changed")


class RunView(WireBody):
    """How to run a view."""

    task_id: Annotated[Storable, Field(min_length=1, max_length=200)] | None = None
    force: bool = Field(default=False, description="also the groups in which nothing changed")


class PlannedBody(answers.Answer):
    """What a run would do to one stale group."""

    group: dict[str, str]
    memory_count: int
    action: Action
    reason: str
    rejected: bool = Field(description="the last draft of it was rejected")
    estimate: Estimate


class ViewPlanBody(answers.Answer):
    """What a run would do and take."""

    view_id: str
    partitions: int = Field(description="groups with a memory")
    stale: int = Field(description="groups a run would look at")
    planned: list[PlannedBody] = Field(description="the first of those")
    estimate: Estimate = Field(description="calls, tokens and US dollars of those; offline calls cost nothing")
    ungrouped_count: int = Field(description="memories the view takes that lack a field it groups by")


class TaskBody(answers.Answer):
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

    @model_validator(mode="after")
    def _names_a_view(self) -> Self:
        if self.type != VIEW_RUN:
            self.view_id = None  # other work keeps what names it there
        return self


class ViewDeleted(answers.Answer):
    """It is so now."""

    status: Literal["ok"] = "ok"


@contextmanager
def _refused() -> Iterator[None]:
    """The wire answers 400 where a view makes no sense."""
    try:
        yield
    except InvalidInput as error:
        raise HTTPException(status_code=400, detail=str(error)) from error


@router.post("", response_model=ViewBody)
async def create(app: Tenant, body: NewView) -> View:
    """Declare a view. Every memory it takes is in its partition at once; a continuous one is run for the first time."""
    with _refused():
        view = await app.views.create(**body.model_dump())
    if view.continuous:
        await app.views.run(view.id)
    return view


@router.get("", response_model=list[ViewBody])
async def every(app: Tenant) -> Sequence[View]:
    """List the views, oldest first."""
    return await app.views.list()


@router.get("/{view_id}", response_model=ViewBody)
async def read(app: Tenant, view_id: Id) -> View:
    """Read one view."""
    return await app.views.get(view_id)


@router.patch("/{view_id}", response_model=ViewBody)
async def update(app: Tenant, view_id: Id, body: ViewChange) -> View:
    """Change fields of a view. Memories move to where they belong now; a new prompt or model makes results stale."""
    with _refused():
        return await app.views.update(view_id, **body.model_dump(exclude_unset=True))


@router.delete("/{view_id}")
async def delete(app: Tenant, view_id: Id) -> ViewDeleted:
    """Take a view away with its partitions, their results and its running tasks; an unknown id is no error."""
    await app.views.delete(view_id)
    return ViewDeleted()


@router.get("/{view_id}/plan", response_model=ViewPlanBody)
async def plan(app: Tenant, view_id: Id, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> ViewPlan:
    """Answer which groups a run would make anew, why, and what it would take. Calls no model."""
    return await app.views.plan(view_id, limit=limit)


@router.post("/{view_id}/partitions/run", response_model=PartitionBody)
async def run_partition(app: Tenant, view_id: Id, body: RunPartition) -> PartitionResult:
    """Make one group's result current now, and answer it; nothing changed, nothing is called."""
    with _refused():
        return await app.views.run_partition(view_id, body.group, force=body.force)


@router.get("/{view_id}/partitions", response_model=list[PartitionBody])
async def partitions(
    app: Tenant,
    view_id: Id,
    user_id: _Value = None,
    namespace: _Value = None,
    session_id: _Value = None,
    memory_type: _Value = None,
) -> Sequence[PartitionResult]:
    """List the results that stand, of all groups or of those with these values."""
    values = {"user_id": user_id, "namespace": namespace, "session_id": session_id, "memory_type": memory_type}
    group = {name: value for name, value in values.items() if value is not None}
    return await app.views.partitions(view_id, **group)


@router.post("/{view_id}/run", response_model=TaskBody)
async def run(app: Tenant, view_id: Id, body: RunView) -> Task:
    """Make every stale group current, in the background: poll /v1/tasks/{task_id}.

    Requests that come meanwhile follow the same work and end with it. 409 for a task_id that is in use.
    """
    return await app.views.run(view_id, task_id=body.task_id, force=body.force)


@tasks_router.get("/{task_id}", response_model=TaskBody, name="read")
async def read_task(app: Tenant, task_id: Id) -> Task:
    """Answer where a task is. One whose worker gave no sign of life has failed."""
    return await app.tasks.get(task_id)
