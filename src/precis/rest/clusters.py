"""The resource /v1/clusters."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from precis.rest.answers import ClusterBody, ClusterPage
from precis.rest.auth import Tenant
from precis.rest.bodies import ClustersQuery, StatsQuery
from precis.rest.strict import StrictRoute
from precis.store.summaries import ClusterStats

router = APIRouter(prefix="/v1", tags=["clusters"], route_class=StrictRoute)


@router.get("/clusters")
async def page(app: Tenant, query: Annotated[ClustersQuery, Query()]) -> ClusterPage:
    """List clusters, the largest first, with the figures that tuning acts upon."""
    found = await app.clusters.list(**query.model_dump(exclude_none=True))
    return ClusterPage(clusters=[ClusterBody.of(row) for row in found.rows], next_cursor=found.next_cursor)


@router.get("/clusters/stats")
async def stats(app: Tenant, query: Annotated[StatsQuery, Query()]) -> ClusterStats:
    """Answer the figures for tuning: sparse ratio, churn of the last hour, tokens per summary."""
    return await app.clusters.stats(**query.model_dump(exclude_none=True))
