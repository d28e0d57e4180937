"""Spend, as callers are answered."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from precis.rest.answers.answer import Answer


class CostBody(Answer):
    """What the models took for one policy of the tenant in one month (UTC)."""

    tenant_id: str
    policy: str
    month: date
    calls: int = Field(description="attempts: failed ones and retries count")
    failed: int = Field(description="calls that brought no usable answer, lost ones included")
    lost: int = Field(description="calls whose process died; they count with all they may have taken")
    tokens_in: int
    tokens_out: int
    tokens_cached: int = Field(description="of tokens_in, what the provider had in its cache")
    cost: float = Field(description="US dollars; a call under way counts with what it may cost at most")


class CostAnswer(Answer):
    """Spend by month and policy, newest first."""

    costs: list[CostBody]
    monthly_ceiling: float | None = Field(description="US dollars; null is no ceiling")
