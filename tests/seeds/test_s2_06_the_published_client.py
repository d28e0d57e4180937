"""S2.6: the client published for the Redis Agent Memory Server works against precis, unmodified, by base URL alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from agent_memory_client import MemoryAPIClient, create_memory_client
from agent_memory_client.exceptions import MemoryServerError
from agent_memory_client.models import CreateSummaryViewRequest, Task
from view_steps import note, notes, tell

from precis.app import App
from precis.bootstrap import Runtime
from precis.rest.server import listening

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def client(runtime: Runtime, tenant: str) -> AsyncIterator[MemoryAPIClient]:
    """As its own factory makes it."""
    key = await runtime.store.tenants.create_key(tenant, name="test", now=runtime.engine.clock())
    async with listening(runtime) as url:
        made = await create_memory_client(f"{url}/t/{key}")
        async with made:
            yield made


async def polled(client: MemoryAPIClient, task_id: str) -> Task:
    """The task once it has ended."""
    while True:
        task = await client.get_task(task_id)
        assert task is not None
        if task.completed_at is not None:
            return task
        await asyncio.sleep(0.05)


async def test_every_method_of_views_and_tasks(client: MemoryAPIClient, app: App) -> None:
    """Make, read, list, run one group, run all, poll, list results by group, delete."""
    await tell(app, notes())
    view = await client.create_summary_view(
        CreateSummaryViewRequest(name="profile", source="long_term", group_by=["user_id"], filters={})
    )
    assert await client.get_summary_view(view.id) == view
    assert await client.list_summary_views() == [view]
    result = await client.run_summary_view_partition(view.id, {"user_id": "ben"})
    assert (result.view_id, result.group, result.memory_count) == (view.id, {"user_id": "ben"}, 3)
    assert "cello" in result.summary
    begun = await client.run_summary_view(view.id)
    assert (begun.type, begun.status, begun.view_id) == ("summary_view_full_run", "pending", view.id)
    assert (await polled(client, begun.id)).status == "success"
    assert len(await client.list_summary_view_partitions(view.id)) == 2
    (ana,) = await client.list_summary_view_partitions(view.id, user_id="ana")
    assert (ana.group, ana.memory_count) == ({"user_id": "ana"}, 4)
    assert (await client.delete_summary_view(view.id)).status == "ok"
    assert await client.get_summary_view(view.id) is None
    assert await client.list_summary_views() == []


async def test_its_force_is_honored(client: MemoryAPIClient, app: App) -> None:
    """The results are made anew although nothing changed."""
    await tell(app, notes())
    view = await client.create_summary_view(CreateSummaryViewRequest(source="long_term", group_by=["user_id"]))
    await polled(client, (await client.run_summary_view(view.id)).id)
    before = await client.list_summary_view_partitions(view.id)
    await polled(client, (await client.run_summary_view(view.id)).id)
    assert before == await client.list_summary_view_partitions(view.id)
    await polled(client, (await client.run_summary_view(view.id, force=True)).id)
    after = await client.list_summary_view_partitions(view.id)
    assert all(str(old.computed_at) < str(new.computed_at) for old, new in zip(before, after, strict=True))


async def test_its_filters_by_namespace_session_and_type(client: MemoryAPIClient, app: App) -> None:
    """Of results, by every field it knows."""
    await tell(app, notes())
    fields = ["namespace", "session_id", "memory_type"]
    view = await client.create_summary_view(CreateSummaryViewRequest(source="long_term", group_by=fields))
    await polled(client, (await client.run_summary_view(view.id)).id)
    assert len(await client.list_summary_view_partitions(view.id, namespace="work")) == 3
    assert len(await client.list_summary_view_partitions(view.id, namespace="work", session_id="s2")) == 2
    assert len(await client.list_summary_view_partitions(view.id, memory_type="episodic")) == 1
    assert await client.list_summary_view_partitions(view.id, user_id="ana") == []


async def test_what_it_is_told_when_something_is_wrong(client: MemoryAPIClient, app: App) -> None:
    """None for what is unknown, an error with status and words for what makes no sense."""
    assert await client.get_task("unknown") is None
    assert await client.get_summary_view("unknown") is None
    assert (await client.delete_summary_view("unknown")).status == "ok"
    with pytest.raises(MemoryServerError, match="Unsupported group_by fields: color") as refused:
        await client.create_summary_view(CreateSummaryViewRequest(source="long_term", group_by=["color"]))
    assert refused.value.status_code == 400
    await tell(app, [note("Ana drinks tea.")])
    view = await client.create_summary_view(CreateSummaryViewRequest(source="long_term", group_by=["user_id"]))
    with pytest.raises(MemoryServerError, match="must exactly match") as refused:
        await client.run_summary_view_partition(view.id, {"namespace": "home"})
    assert refused.value.status_code == 400
