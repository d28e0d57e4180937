"""The resources /memory/summaries (days, weeks and months) and /memory/summarize, in the names of the document.

A user's day, week or month is made now, or a pass of the archive; long work is a task.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from hashlib import blake2b
from typing import Annotated, Any, Literal, Self

from fastapi import Query, Response
from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from precis.app import App
from precis.app.archive import Archived
from precis.app.rollups import PeriodName
from precis.app.runs import LongRun, Work, begin
from precis.errors import DraftFailed, InvalidInput
from precis.rest.answers import Answer, Camel
from precis.rest.auth import Tenant, keyed_router
from precis.rest.summary_answers import CountsBody, MadeBody, RollupBody
from precis.sources.archive import ArchiveRun, PoolPass
from precis.store.tasks import Status
from precis.typed import AnyId, TypedBody, not_counted
from precis.work import Progress

router = keyed_router("/memory", tag="rollups")
schedules_router = keyed_router("/memory", tag="schedules")
#: Where a list of bare rows says where the next one begins.
NEXT_CURSOR = "X-Next-Cursor"
_Days = Annotated[int, Field(ge=0, le=36_500)]
#: What of the archive a request may set for its own pass, by the names of the policy.
_CHANGES = ("min_age_days", "keep_original_days", "max_memories_per_batch", "originals", "group_by")
#: Fields that belong to a period, and to a pass of the archive.
_OF_PERIOD, _OF_ARCHIVE = ("force", "day"), ("store", *_CHANGES)


class _CamelBody(Camel):
    model_config = ConfigDict(extra="forbid")


class RollupsQuery(_CamelBody):
    """Which summaries."""

    period: PeriodName
    user_id: AnyId | None = Field(default=None, description="of everybody without it, and then with userId in each")
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    cursor: Annotated[str | None, Field(max_length=1000, description=f"what {NEXT_CURSOR} said")] = None


class SummarizeRequest(TypedBody, _CamelBody):
    """What to summarize now: with ``period`` a user's day, week or month, without one a pass of the archive."""

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
        fields = self.model_fields_set
        if not fields:
            raise ValueError("an empty body asks for nothing: name a period, a store or a user, or send no body")
        if self.period is not None and self.user_id is None:
            raise ValueError("userId: name the user whose period it is")
        wrong = sorted(fields.intersection(_OF_ARCHIVE if self.period is not None else _OF_PERIOD))
        if wrong:
            raise ValueError(f"{wrong[0]}: it is {'not ' if self.period is not None else ''}for a period")
        return self


class PoolDone(Answer):
    """What a pass of the archive did in a pool."""

    batches: int
    memories: int
    deletions: int


class PassDone(Answer):
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


class Begun(Answer):
    """Work that takes longer than this request."""

    task_id: str = Field(validation_alias="id", description="ask for it at GET /v1/tasks/{task_id}")
    status: Status
    done: int
    total: int
    what: str | None = Field(description="what is counted")


class ScheduleBody(Answer):
    """When a policy's pass ran last and is due next."""

    last_run: datetime | None
    next_run: datetime | None


class ArchiveSettingsBody(Answer):
    """The settings of the archive as they are."""

    enabled: bool
    schedule: Literal["daily", "weekly", "next_run"]
    interval_days: int
    keep_original_days: int
    min_age_days: int
    max_memories_per_batch: int
    originals: Literal["ttl", "delete", "keep"]
    group_by: Literal["user", "agent", "run"]
    marker: str
    after_memories: int
    stores: Sequence[str] = Field(description="precis's own store and the pools of this tenant")


class ScheduleAnswer(Answer):
    """The timetables, by policy, and the settings of the archive."""

    policies: Mapping[str, ScheduleBody]
    archive: ArchiveSettingsBody


@router.get("/summaries", response_model_exclude_unset=True)
async def page(app: Tenant, query: Annotated[RollupsQuery, Query()], response: Response) -> list[RollupBody]:
    """List the summaries of a period, newest first; the header X-Next-Cursor says where the next page begins."""
    rollups = await app.rollups.list(query.period, user_id=query.user_id, limit=query.limit, cursor=query.cursor)
    if rollups.next_cursor is not None:
        response.headers[NEXT_CURSOR] = rollups.next_cursor
    return [RollupBody.of(row, named=query.user_id is None) for row in rollups.rows]


@schedules_router.post(
    "/summarize",
    response_model_exclude_unset=True,
    responses={
        202: {"description": "It goes on: ask for the task. The same request follows it.", "model": Begun},
        409: {"description": "Somebody else is at it."},
        503: {"description": "The draft failed; what stood stays."},
    },
)
async def summarize(
    app: Tenant, response: Response, body: SummarizeRequest | None = None
) -> MadeBody | PassDone | Begun:
    """Summarize a period of a user's notes now; without a body, make one pass of the archive now, due or not.

    A pass over all users moves the next run. What takes longer than a few seconds is answered with 202 and a task; a
    request for the same work follows the one under way. 409 while somebody else makes the pass.
    """
    body = body or SummarizeRequest.model_construct()
    subject, work = _period(app, body) if body.period is not None else _archive(app, body)
    run = await begin(app.parts, subject, "memory_summarize", work)
    result = await waited_for(run, app, response, wait=body.wait)
    if isinstance(result, Begun):
        return result
    return (MadeBody if body.period is not None else PassDone).model_validate(result)


async def waited_for(run: LongRun, app: App, response: Response, *, wait: bool) -> Mapping[str, Any] | Begun:
    """What came of work within the seconds of the settings; what takes longer, or need not be waited for, is a task.

    Whoever does not wait gets the task however soon the work ends, also where it was refused.
    """
    task = await run.wait(app.parts.settings.summarize_wait_seconds) if wait else run.task
    if task.result is not None and wait:
        return task.result
    response.status_code = 202
    response.headers["Location"] = f"/v1/tasks/{task.id}"
    return Begun.of(task)


def _period(app: App, body: SummarizeRequest) -> tuple[str, Work]:
    user_id, period = body.user_id, body.period
    if user_id is None or period is None:
        raise InvalidInput("userId: name the user whose period it is", field="userId")

    async def work(progress: Progress) -> Mapping[str, Any]:
        summarized = await app.rollups.summarize(user_id, period, force=body.force, day=body.day, progress=progress)
        return MadeBody.of(summarized).model_dump(mode="json", by_alias=True, exclude_unset=True)

    return _subject(body), work


def _archive(app: App, body: SummarizeRequest) -> tuple[str, Work]:
    if body.store is not None and body.store not in app.archiving.stores:
        raise InvalidInput(f"store: it is none of {', '.join(app.archiving.stores)}", field="store")
    changes = {name: value for name in _CHANGES if (value := getattr(body, name)) is not None}

    async def work(progress: Progress) -> Mapping[str, Any]:
        done = await app.archiving.run(store=body.store, user_id=body.user_id, progress=progress, **changes)
        if done.failures:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in done.failures.items())
            raise DraftFailed(f"not every store was archived, what was made stands: {reasons}")
        return await _pass_done(app, done)

    return _subject(body), work


async def _pass_done(app: App, done: Archived) -> Mapping[str, Any]:
    own = done.own or ArchiveRun(batches=0, memories=0, deletions=0)
    passes: list[ArchiveRun | PoolPass] = [own, *done.pools.values()]
    answer = PassDone.of(
        own,
        batches=sum(run.batches for run in passes),
        memories=sum(run.memories for run in passes),
        deletions=sum(run.deletions for run in passes),
        next_run=(await app.archive.schedules())["archive"].next_run,
        pools=done.pools or None,
    )
    return answer.model_dump(mode="json", exclude=None if done.pools else {"pools"})


def _subject(body: SummarizeRequest) -> str:
    """The same for the same work, whoever asks for it and however long they wait."""
    work = body.model_dump_json(exclude={"wait"}, exclude_defaults=True)
    return f"memory_summarize:{blake2b(work.encode(), digest_size=16).hexdigest()}"


@schedules_router.get("/summarize", name="read")
async def schedules(app: Tenant) -> ScheduleAnswer:
    """When each policy's pass ran last and is due next, and how the archive is set."""
    return ScheduleAnswer(
        policies={name: ScheduleBody.of(times) for name, times in (await app.archive.schedules()).items()},
        archive=ArchiveSettingsBody.of(app.archive.settings, stores=app.archiving.stores),
    )
