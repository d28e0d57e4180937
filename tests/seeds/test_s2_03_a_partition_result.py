"""S2.3: a result says which group, what of it, of how many memories, how many of them it has read, and when."""

from __future__ import annotations

import pytest
from view_steps import note, notes, ran, results, tell

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_result_has_the_documents_fields(app: App) -> None:
    """View, group, summary, count and time; and the rows it rests on, oldest first."""
    rows = notes()
    await tell(app, rows)
    view = await app.views.create(group_by=["user_id"])
    begun = app.parts.engine.clock()
    result = await app.views.run_partition(view.id, {"user_id": "ana"})
    assert (result.view_id, result.group, result.memory_count) == (view.id, {"user_id": "ana"}, 4)
    assert begun <= result.computed_at <= app.parts.engine.clock()
    assert result.source_ids == tuple(row["id"] for row in rows[:4])
    assert (result.stale, result.empty, result.empty_reason) == (False, False, None)


async def test_it_says_how_many_were_included_of_how_many(app: App) -> None:
    """What came after the run is counted and not yet included."""
    await tell(app, notes())
    view = await app.views.create(group_by=["user_id"])
    await results(app, view.id)
    await tell(app, [note("Ana adopted a greyhound.")])
    ana, ben = await app.views.partitions(view.id)
    assert (ana.included_count, ana.memory_count, ana.stale) == (4, 5, True)
    assert (ben.included_count, ben.memory_count, ben.stale) == (3, 3, False)
    await ran(app, view.id)
    (ana,) = await app.views.partitions(view.id, user_id="ana")
    assert (ana.included_count, ana.memory_count, ana.stale) == (5, 5, False)
    assert "greyhound" in ana.summary


async def test_a_group_without_a_memory_has_an_empty_result(app: App) -> None:
    """Structured, not a sentence that says so."""
    view = await app.views.create(group_by=["user_id"])
    result = await app.views.run_partition(view.id, {"user_id": "nobody"})
    assert (result.summary, result.memory_count, result.empty) == ("", 0, True)
    assert result.empty_reason == "no_matching_memories"
    assert [one.group for one in await app.views.partitions(view.id)] == [{"user_id": "nobody"}]


async def test_values_with_any_letters_name_a_group(app: App) -> None:
    """Slashes, colons, spaces and emoji come back as they were given."""
    odd = "a/b:c d%20|\u00e9\U0001f642\"'"
    await tell(app, [note("Ana drinks tea.", namespace="plain"), note("Ana drinks mate.", namespace=odd)])
    view = await app.views.create(group_by=["namespace"])
    assert {"plain", odd} == {one.group["namespace"] for one in await results(app, view.id)}
    assert "mate" in (await app.views.run_partition(view.id, {"namespace": odd})).summary


async def test_the_summary_is_a_row_with_statements(app: App) -> None:
    """Each statement names the memories it rests on."""
    rows = notes()
    await tell(app, rows)
    view = await app.views.create(group_by=["user_id"])
    result = await app.views.run_partition(view.id, {"user_id": "ben"})
    summary = await app.summaries.get(str(result.summary_id))
    assert summary.view_id == view.id
    assert summary.labels == {"user_id": "ben"}
    assert {id_ for one in summary.statements for id_ in one.source_ids} <= {row["id"] for row in rows[4:]}


async def test_rows_without_a_field_are_counted_apart(app: App) -> None:
    """They are in no partition, and the task and the plan say how many they are."""
    await tell(app, [*notes(), note("Ana whistles.")])
    view = await app.views.create(group_by=["namespace", "session_id"], filters={"user_id": ["ana", "ben"]})
    task = await ran(app, view.id)
    assert task.ungrouped_count == 3
    assert (await app.views.plan(view.id)).ungrouped_count == 3
    assert sum(one.memory_count for one in await app.views.partitions(view.id)) == 5
