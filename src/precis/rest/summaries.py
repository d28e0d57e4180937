"""The resource /v1/summaries."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from precis.app.inputs import Id
from precis.engine.commit import Outcome, Result
from precis.errors import Conflict, DraftFailed
from precis.rest.answers import CountsBody, MemoryBody, SourceList, SummaryBody, SummaryPage
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, Refresh, SummaryQuery
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["summaries"], route_class=StrictRoute)


@router.get("/summaries")
async def page(app: Tenant, query: Annotated[SummaryQuery, Query()]) -> SummaryPage:
    """List summaries, the newest refresh first."""
    found = await app.summaries.list(policy=query.policy, limit=query.limit, cursor=query.cursor, **query.fields())
    return SummaryPage(summaries=[SummaryBody.of(row) for row in found.rows], next_cursor=found.next_cursor)


@router.get("/summaries/{summary_id}", dependencies=NO_QUERY)
async def read(app: Tenant, summary_id: Id) -> SummaryBody:
    """Read one summary: each statement with the memories it rests on."""
    return SummaryBody.of(await app.summaries.get(summary_id))


@router.get("/summaries/{summary_id}/sources", dependencies=NO_QUERY)
async def sources(app: Tenant, summary_id: Id) -> SourceList:
    """Read the source rows of a summary, oldest first, and what became of what it rests on."""
    rows = await app.summaries.expand(summary_id)
    counts = (await app.summaries.get(summary_id)).counts
    return SourceList(memories=[MemoryBody.of(row) for row in rows], counts=CountsBody.of(counts))


@router.post(
    "/summaries/{summary_id}/refresh",
    dependencies=NO_QUERY,
    responses={503: {"description": "It failed; what stood stays, and it is tried again."}},
)
async def refresh(app: Tenant, summary_id: Id, body: Refresh | None = None) -> Outcome:
    """Make one summary current now.

    ``result`` says how it ended; ``unchanged``, ``rejected`` and ``discarded`` leave what stood. 409 while somebody
    else refreshes it.
    """
    outcome = await app.summaries.refresh(summary_id, force=body.force if body else False)
    if outcome.result is Result.FAILED:
        message = f"the refresh failed ({outcome.reason}): what stood stays, and a worker tries again"
        raise DraftFailed(message)
    return outcome


@router.delete("/summaries/{summary_id}", status_code=204, dependencies=NO_QUERY)
async def delete(app: Tenant, summary_id: Id) -> None:
    """Remove a summary. None is made of the same sources until they change."""
    await app.summaries.delete(summary_id)


@router.patch("/summaries/{summary_id}", status_code=409, dependencies=NO_QUERY)
async def edit(app: Tenant, summary_id: Id) -> None:
    """Refuse: a summary is derived."""
    await app.summaries.get(summary_id)
    message = f"summary {summary_id!r} is derived: PATCH /v1/memories/<id> of its sources, and it follows"
    raise Conflict(message)
