"""The resource /memory/summarize: a user's day, week or month now, or a pass of the archive; long work is a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from hashlib import blake2b
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from precis.app import App
from precis.app.archive import ArchiveRun
from precis.app.archiving import Archived
from precis.app.inputs import AnyId
from precis.app.long_runs import Work, begin
from precis.app.pool_passes import PoolPass
from precis.app.progress import Progress
from precis.app.rollups import PeriodName
from precis.app.typed import TypedBody, not_counted
from precis.errors import DraftFailed, InvalidInput
from precis.lineage import Counts
from precis.rest.answers import Camel, CountsBody, MadeBody
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY
from precis.rest.strict import StrictRoute
from precis.store.tasks import Status

router = APIRouter(prefix="/memory", tags=["schedules"], route_class=StrictRoute)
_Days = Annotated[int, Field(ge=0, le=36_500)]
#: What of the archive a request may set for its own pass, by the names of the policy.
_CHANGES = ("min_age_days", "keep_original_days", "max_memories_per_batch", "originals", "group_by")
#: Fields that belong to a period, and to a pass of the archive.
_OF_PERIOD, _OF_ARCHIVE = ("force", "day"), ("store", *_CHANGES)


class Summarize(TypedBody, Camel):
    """What to summarize now: with ``period`` a user's day, week or month, without one a pass of the archive."""

    model_config = ConfigDict(extra="forbid")

    user_id: AnyId | None = Field(default=None, description="whose period; or whose memories alone the archive takes")
    period: PeriodName | None = None
    force: bool = Field(default=False, description="of a period: make it anew although nothing changed")
    day: Annotated[date, BeforeValidator(not_counted)] | None = Field(
        default=None, description="of a period: any day of it; else the last that is over"
    )
    store: Annotated[str | None, Field(min_length=1, max_length=100)] = Field(
        default=None, description="of the archive: precis, or a pool by its name in the settings; else all of them"
    )
    min_age_days: _Days | None = Field(default=None, description="of the archive, for this pass; as the next four are")
    keep_original_days: _Days | None = None
    max_memories_per_batch: Annotated[int | None, Field(ge=1, le=1_000)] = None
    originals: Literal["ttl", "delete", "keep"] | None = None
    group_by: Literal["user", "agent", "run"] | None = None
    wait: bool = Field(default=True, description="false: answer a task at once")

    @model_validator(mode="after")
    def _is_one_of_them(self) -> Self:
        given = self.model_fields_set
        if not given:
            raise ValueError("an empty body asks for nothing: name a period, a store or a user, or send no body")
        if self.period is not None and self.user_id is None:
            raise ValueError("userId: name the user whose period it is")
        wrong = sorted(given.intersection(_OF_ARCHIVE if self.period is not None else _OF_PERIOD))
        if wrong:
            raise ValueError(f"{wrong[0]}: it is {'not ' if self.period is not None else ''}for a period")
        return self


class PoolDone(BaseModel):
    """What a pass of the archive did in a pool."""

    batches: int
    memories: int
    deletions: int


class PassDone(BaseModel):
    """What a pass of the archive did."""

    batches: int = Field(description="summaries made")
    memories: int = Field(description="memories that joined a batch")
    deletions: int = Field(description="originals whose text is gone")
    waiting: int = Field(description="originals old enough to go that stay until what they say is safely kept")
    left_out: int = Field(description="of those, the ones that no summary says in full")
    counts: CountsBody = Field(description="what became of the memories of the summaries that were made")
    failed: int = Field(description="batches without a summary; the next pass tries again")
    next_run: datetime | None = Field(description="null while the timetable is switched off")
    pools: Mapping[str, PoolDone] | None = Field(
        default=None, description="where pools are configured: what of it was done there, by their names"
    )


class Begun(BaseModel):
    """Work that takes longer than this request."""

    task_id: str = Field(description="ask for it at GET /v1/tasks/{task_id}")
    status: Status
    done: int
    total: int
    what: str | None = Field(description="what is counted")


class ScheduleBody(BaseModel):
    """When a policy's pass ran last and is due next."""

    last_run: datetime | None
    next_run: datetime | None


class ArchiveSettingsBody(BaseModel):
    """The settings of the archive as they are."""

    enabled: bool
    schedule: str
    interval_days: int
    keep_original_days: int
    min_age_days: int
    max_memories_per_batch: int
    originals: str
    group_by: str
    marker: str
    after_memories: int
    stores: Sequence[str] = Field(description="precis's own store and the pools of this tenant")


class ScheduleAnswer(BaseModel):
    """The timetables, by policy, and the settings of the archive."""

    policies: Mapping[str, ScheduleBody]
    archive: ArchiveSettingsBody


@router.post(
    "/summarize",
    dependencies=NO_QUERY,
    response_model_exclude_unset=True,
    responses={
        202: {"description": "It goes on: ask for the task. The same request follows it.", "model": Begun},
        409: {"description": "Somebody else is at it."},
        503: {"description": "The draft failed; what stood stays."},
    },
)
async def summarize(app: Tenant, response: Response, body: Summarize | None = None) -> MadeBody | PassDone | Begun:
    """Summarize a period of a user's notes now; without a body, make one pass of the archive now, due or not.

    A pass over all users moves the next run. What takes longer than a few seconds is answered with 202 and a task; a
    request for the same work follows the one under way. 409 while somebody else makes the pass.
    """
    body = body or Summarize.model_construct()
    subject, work = _period(app, body) if body.period is not None else _archive(app, body)
    run = await begin(app.parts, subject, "memory_summarize", work)
    task = await run.wait(app.parts.settings.summarize_wait_seconds if body.wait else 0.0)
    if task.result is not None and body.wait:
        kind = MadeBody if body.period is not None else PassDone
        return kind.model_validate(task.result)
    response.status_code = 202
    response.headers["Location"] = f"/v1/tasks/{task.id}"
    return Begun(task_id=task.id, status=task.status, done=task.done, total=task.total, what=task.what)


def _period(app: App, body: Summarize) -> tuple[str, Work]:
    user_id, period = body.user_id, body.period
    if user_id is None or period is None:
        raise InvalidInput("userId: name the user whose period it is", field="userId")

    async def work(progress: Progress) -> Mapping[str, Any]:
        made = await app.rollups.summarize(user_id, period, force=body.force, day=body.day, progress=progress)
        return MadeBody.of(made).model_dump(mode="json", by_alias=True, exclude_unset=True)

    return _subject(body), work


def _archive(app: App, body: Summarize) -> tuple[str, Work]:
    if body.store is not None and body.store not in app.archiving.stores:
        raise InvalidInput(f"store: it is none of {', '.join(app.archiving.stores)}", field="store")
    changes = {name: value for name in _CHANGES if (value := getattr(body, name)) is not None}

    async def work(progress: Progress) -> Mapping[str, Any]:
        done = await app.archiving.run(store=body.store, user_id=body.user_id, progress=progress, **changes)
        if done.failures:
            told = "; ".join(f"{name}: {reason}" for name, reason in done.failures.items())
            raise DraftFailed(f"not every store was archived, what was made stands: {told}")
        return await _pass_done(app, done)

    return _subject(body), work


async def _pass_done(app: App, done: Archived) -> Mapping[str, Any]:
    pools = {
        name: PoolDone(batches=one.batches, memories=one.memories, deletions=one.deletions)
        for name, one in done.pools.items()
    }
    own = done.own
    every: list[ArchiveRun | PoolPass] = [*([own] if own else []), *done.pools.values()]
    body = PassDone(
        batches=sum(one.batches for one in every), memories=sum(one.memories for one in every),
        deletions=sum(one.deletions for one in every), waiting=own.waiting if own else 0,
        left_out=own.left_out if own else 0, counts=CountsBody.of(own.counts if own else Counts()),
        failed=own.failed if own else 0, next_run=(await app.archive.schedules())["archive"].next_run,
        **({"pools": pools} if pools else {}),
    )  # fmt: skip
    return body.model_dump(mode="json", exclude_unset=True)


def _subject(body: Summarize) -> str:
    """The same for the same work, whoever asks for it and however long they wait."""
    asked = body.model_dump_json(exclude={"wait"}, exclude_defaults=True)
    return f"memory_summarize:{blake2b(asked.encode(), digest_size=16).hexdigest()}"


@router.get("/summarize", dependencies=NO_QUERY)
async def schedules(app: Tenant) -> ScheduleAnswer:
    """When each policy's pass ran last and is due next, and how the archive is set."""
    found, chosen = await app.archive.schedules(), app.archive.settings
    names = [name for name in ArchiveSettingsBody.model_fields if name != "stores"]
    return ScheduleAnswer(
        policies={name: ScheduleBody(last_run=one.last_run, next_run=one.next_run) for name, one in found.items()},
        archive=ArchiveSettingsBody(**{name: getattr(chosen, name) for name in names}, stores=app.archiving.stores),
    )
