"""The resource /memory/summaries: days, weeks and months, in the names of the document."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from precis.app import App
from precis.app.inputs import Id
from precis.app.rollups import Made, PeriodName, Rollup
from precis.rest.auth import Tenant
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/memory", tags=["rollups"], route_class=StrictRoute)
#: Where a list of bare rows says where the next one begins.
NEXT_CURSOR = "X-Next-Cursor"


class _Camel(BaseModel):
    """Named as the document names it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)


class _Given(_Camel):
    model_config = ConfigDict(extra="forbid")


class RollupsQuery(_Given):
    """Which summaries."""

    period: PeriodName
    user_id: Id | None = Field(default=None, description="of everybody without it, and then with userId in each")
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    cursor: Annotated[str | None, Field(max_length=1000, description=f"what {NEXT_CURSOR} said")] = None


class SummarizePeriod(_Given):
    """Whose period to summarize now."""

    user_id: Id
    period: PeriodName
    force: bool = Field(default=False, description="make it anew although nothing changed")
    day: date | None = Field(default=None, description="any day of the period; else the last that is over")


class RollupBody(_Camel):
    """One summary of a period."""

    summary_id: str
    period: PeriodName
    start_date: date
    end_date: date
    key_insights: tuple[str, ...]
    notes_consolidated: int
    user_id: str | None = Field(default=None, description="only where nobody was asked for")

    @classmethod
    def of(cls, one: Rollup, *, named: bool) -> Self:
        """The body for a row; ``named`` says whose it is."""
        said = {name: getattr(one, name) for name in cls.model_fields if name != "user_id"}
        return cls(**said, user_id=one.user_id) if named else cls(**said)


class MadeBody(_Camel):
    """What summarizing a period did."""

    summary_id: str | None
    period: PeriodName
    notes_consolidated: int = Field(description="raw notes it rests on, through every level")
    status: Literal["complete", "unchanged", "empty"]
    days_kept: tuple[date, ...] | None = Field(
        default=None, description="days whose notes stay because the compacted form would not be shorter"
    )

    @classmethod
    def of(cls, made: Made) -> Self:
        """The body for a run."""
        said = {name: getattr(made, name) for name in cls.model_fields if name != "days_kept"}
        return cls(**said, days_kept=made.days_kept) if made.days_kept else cls(**said)


async def summarize_period(app: App, asked: SummarizePeriod) -> MadeBody:
    """Make a period of a user now."""
    return MadeBody.of(await app.rollups.summarize(asked.user_id, asked.period, force=asked.force, day=asked.day))


@router.get("/summaries", response_model_exclude_unset=True)
async def page(app: Tenant, query: Annotated[RollupsQuery, Query()], response: Response) -> list[RollupBody]:
    """List the summaries of a period, newest first; the header X-Next-Cursor says where the next page begins."""
    found = await app.rollups.list(query.period, user_id=query.user_id, limit=query.limit, cursor=query.cursor)
    if found.next_cursor is not None:
        response.headers[NEXT_CURSOR] = found.next_cursor
    return [RollupBody.of(row, named=query.user_id is None) for row in found.rows]
