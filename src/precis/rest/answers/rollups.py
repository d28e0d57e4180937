"""Rollups, as callers are answered."""

from __future__ import annotations

from datetime import date
from typing import Literal, Self

from pydantic import Field

from precis.app.rollups import Made, PeriodName, Rollup
from precis.rest.answers.answer import Camel
from precis.rest.answers.summaries import CountsBody


class RollupBody(Camel):
    """One summary of a period."""

    summary_id: str
    period: PeriodName
    start_date: date
    end_date: date
    key_insights: tuple[str, ...]
    notes_consolidated: int
    counts: CountsBody = Field(description="what became of the notes")
    user_id: str | None = Field(default=None, description="only where nobody was asked for")

    @classmethod
    def of(cls, rollup: Rollup, *, named: bool) -> Self:
        """The body for a row; ``named`` says whose it is."""
        names = [name for name in cls.model_fields if named or name != "user_id"]
        return cls.model_validate({name: getattr(rollup, name) for name in names})


#: Named only where there are any.
_WHERE_ANY = ("days_kept", "notes_kept")


class MadeBody(Camel):
    """What summarizing a period did."""

    summary_id: str | None
    period: PeriodName
    notes_consolidated: int = Field(description="raw notes it rests on, through every level")
    status: Literal["complete", "unchanged", "empty"]
    days_kept: tuple[date, ...] | None = Field(
        default=None, description="days whose notes stay because the compacted form would not be shorter"
    )
    notes_kept: int | None = Field(
        default=None, description="notes old enough to go that stay because no compacted day says all that they say"
    )

    @classmethod
    def of(cls, summarized: Made) -> Self:
        """The body for a run."""
        fields = {name: getattr(summarized, name) for name in cls.model_fields}
        return cls.model_validate({name: value for name, value in fields.items() if value or name not in _WHERE_ANY})
