"""The work list over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_poisoned_group_is_seen_and_tried_again(
    api: httpx.AsyncClient, app: App, coffee: list[dict[str, Any]]
) -> None:
    """It waits for a person with its reason; a retry makes it due, and then it is refreshed."""
    written = (await api.post("/v1/memories", json={"memories": coffee, "summarize": "deferred"})).json()
    (group_id,) = written["waiting"]
    assert {"waiting": 1, "running": 0, "scheduled": 0, "retrying": 0, "rejected": 0, "failed": 0} == (
        await api.get("/v1/jobs")
    ).json()["counts"]
    engine = app.parts.engine
    lease = await engine.groups.claim(
        app.parts.tenant_id, now=engine.clock(), lasts=timedelta(minutes=1), group_id=group_id
    )
    assert lease is not None
    await engine.groups.release(lease, retry_at=None, error="ZeroDivisionError", now=engine.clock())
    (job,) = (await api.get("/v1/jobs", params={"state": "failed"})).json()["jobs"]
    assert (group_id, "failed", "ZeroDivisionError") == (job["group_id"], job["state"], job["error"])
    assert {"retried": [group_id]} == (await api.post(f"/v1/jobs/{group_id}/retry")).json()
    assert (await api.post(f"/v1/jobs/{group_id}/retry")).status_code == 404
    outcome = await app.summaries.refresh_group(group_id)
    assert outcome.summary_id is not None
    assert [] == (await api.get("/v1/jobs")).json()["jobs"]


async def test_an_unknown_state_is_refused(api: httpx.AsyncClient) -> None:
    """With the field and what it may be."""
    answer = await api.get("/v1/jobs", params={"state": "lost"})
    assert answer.status_code == 422
    assert "state" in answer.text
