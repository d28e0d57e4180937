"""Clusters, what refreshing one would do, and what the models took, as callers are answered."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from precis.engine.estimates import Estimate
from precis.engine.plan import Action
from precis.engine.segments import Kind, Node
from precis.rest.answers import Answer, found_at


class ClusterBody(Answer):
    """A cluster and the figures its tuning goes by."""

    group_id: str
    user_id: str = found_at("scope", "user_id")
    project_id: str = found_at("scope", "project_id")
    environment: str = found_at("scope", "environment")
    extracted_type: str
    extracted_key: str | None = Field(description="the subject; null where no member names one")
    title: str | None = Field(description="what its summary is about, in its members' words; null without a summary")
    size: int = Field(description="memories in it")
    sparse: bool = Field(description="too few memories for a summary")
    churn: int = Field(description="refreshes in the last hour")
    last_refresh: datetime | None = Field(description="when the summary that stands was made")
    summary_id: str | None
    stale: bool = Field(description="its memories changed since")


class ClusterPage(Answer):
    """Some clusters, the largest first."""

    clusters: list[ClusterBody] = Field(validation_alias="rows")
    next_cursor: str | None


def _leaf_ids(node: Node) -> tuple[str, ...]:
    return tuple(leaf.id for leaf in node.leaves())


class StepBody(Answer):
    """One node that a refresh would make."""

    kind: Kind = found_at("node", "kind")
    sources: Annotated[tuple[str, ...], BeforeValidator(_leaf_ids)] = Field(validation_alias="node")
    reason: str


class PlanBody(Answer):
    """What refreshing one group would do and take."""

    group_id: str = found_at("plan", "group_id")
    policy: str
    action: Action = found_at("plan", "action")
    reason: str = found_at("plan", "reason")
    rejected: Annotated[bool, BeforeValidator(bool)] = found_at(
        "plan", "rejections", description="the last draft of this was rejected; why it is not tried now is the reason"
    )
    summary_id: str | None = found_at("plan", "summary_id")
    steps: list[StepBody] = found_at("plan", "steps")
    estimate: Estimate


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
