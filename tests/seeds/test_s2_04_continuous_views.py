"""S2.4: continuous views refresh by themselves, every 60 minutes; each view may have its own prompt and model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from view_steps import later, note, notes, ran, results, tell, with_engine

from precis.app import App
from precis.app.refreshing import work
from precis.engine.drafted import Outcome, Result
from precis.engine.policy import Trigger
from precis.errors import ModelUnavailable
from precis.policies.views import views
from precis.prompts import load
from precis.settings import Settings
from precis.store.tasks import Status
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOUR = timedelta(minutes=60)


async def after(app: App, by: timedelta) -> list[Outcome]:
    """What a worker finds to do by then, views only."""
    engine = later(app, by).parts.engine
    outcomes = await work(engine, app.parts.tenant_id, until=engine.clock() + HOUR)
    of_views = {one.group_id for view in await app.views.list() for one in await partitions(app, view.id)}
    return [one for one in outcomes if one.group_id in of_views]


async def partitions(app: App, view_id: str) -> list[Outcome]:
    """Its group ids, as outcomes that did nothing."""
    found = await app.parts.store.views.stale(app.parts.tenant_id, view_id, forced=True)
    return [Outcome(group_id=one.group_id, result=Result.UNCHANGED) for one in found]


async def test_a_continuous_view_is_made_by_a_worker_at_the_next_tick(app: App) -> None:
    """Nobody asks for a run; another hour without a change costs nothing."""
    await tell(app, notes())
    view = await app.views.create(group_by=["user_id"], continuous=True)
    assert await app.views.partitions(view.id) == []
    assert [one.result for one in await after(app, HOUR)] == [Result.COMMITTED, Result.COMMITTED]
    assert [one.memory_count for one in await app.views.partitions(view.id)] == [4, 3]
    assert await after(app, 2 * HOUR) == []


async def test_only_what_changed_is_made_again(app: App) -> None:
    """A note of one person leaves the other's result alone."""
    view = await app.views.create(group_by=["user_id"], continuous=True)
    await tell(app, notes())
    await after(app, HOUR)
    await tell(app, [note("Ben sold the cello.", user_id="ben")])
    (outcome,) = await after(app, 2 * HOUR)
    assert outcome.result is Result.COMMITTED
    (ben,) = await app.views.partitions(view.id, user_id="ben")
    assert ben.memory_count == ben.included_count == 4


async def test_other_views_wait_to_be_asked(app: App) -> None:
    """Hours later a worker has found nothing to do."""
    await tell(app, notes())
    view = await app.views.create(group_by=["user_id"])
    assert await after(app, 5 * HOUR) == []
    assert await app.views.partitions(view.id) == []


async def test_a_window_moves_by_itself(app: App) -> None:
    """What is too old is gone from a continuous view's result at the tick after."""
    now = app.parts.engine.clock()
    old = note("Ana drank oolong.", created_at=now - timedelta(hours=23))
    await tell(app, [old, note("Ana drank sencha.", created_at=now)])
    view = await app.views.create(time_window_days=1, continuous=True)
    await after(app, HOUR)
    then = later(app, 2 * HOUR)
    await then.parts.store.rule_groups.sweep(app.parts.tenant_id, now=then.parts.engine.clock())
    await after(app, 4 * HOUR)
    (result,) = await app.views.partitions(view.id)
    assert (result.memory_count, result.included_count) == (1, 1)
    assert "oolong" not in result.summary


async def test_all_processes_mean_the_same_tick() -> None:
    """Multiples of the interval since 1970, after now."""
    trigger = Trigger(every=timedelta(minutes=60))
    assert trigger.tick(datetime(2026, 2, 17, 9, 0, tzinfo=UTC)) == datetime(2026, 2, 17, 10, 0, tzinfo=UTC)
    assert trigger.tick(datetime(2026, 2, 17, 9, 59, 59, tzinfo=UTC)) == datetime(2026, 2, 17, 10, 0, tzinfo=UTC)


async def test_the_interval_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """60 minutes unless told otherwise."""
    assert Settings().view_refresh_minutes == 60
    monkeypatch.setenv("PRECIS_VIEW_REFRESH_MINUTES", "5")
    assert Settings().view_refresh_minutes == 5


async def test_a_view_may_have_its_own_model(app: App) -> None:
    """The others use PRECIS_FAST_MODEL where it is set, and the configured model where it is not."""
    model = Quoting("configured")
    policies = {**app.parts.engine.policies, "views": views(model="fast")}
    watched = with_engine(app, summarizer=model, policies=policies)
    await tell(app, notes()[:2])
    own, default = await app.views.create(model_name="gpt-4o-mini"), await app.views.create()
    await watched.views.run_partition(own.id, {})
    await watched.views.run_partition(default.id, {})
    assert [request.model for request in model.requests] == ["gpt-4o-mini", "fast"]
    assert views().summarize.model is None


async def test_without_a_prompt_the_default_one_is_used(app: App) -> None:
    """Its statements cite their sources."""
    model = Quoting("model@1")
    await tell(app, notes()[:2])
    view = await app.views.create()
    result = await with_engine(app, summarizer=model).views.run_partition(view.id, {})
    assert [(request.prompt, request.prose) for request in model.requests] == [(load("view"), False)]
    assert (await app.summaries.get(str(result.summary_id))).prose is None


async def test_the_default_prompt_is_the_documents() -> None:
    """Word for word, with the form of the answer asked for after it."""
    words = (
        "You are a summarization assistant. Given a set of long-term memories, produce a concise summary that "
        "highlights key facts, stable preferences, and important events relevant to the group."
    )
    asked = views().summarize.summary
    assert asked.startswith(words + "\n")
    assert "statements" in asked.removeprefix(words)


async def test_a_prompt_of_its_own_gives_free_prose(app: App) -> None:
    """Served as written, line breaks included; statements with sources stand behind it."""
    model = Quoting("model@1")
    await tell(app, notes()[:2])
    view = await app.views.create(prompt="Output as bullet points.")
    result = await with_engine(app, summarizer=model).views.run_partition(view.id, {})
    assert [(request.prompt, request.prose) for request in model.requests] == [("Output as bullet points.", True)]
    assert result.summary == "Ana drinks green tea every morning.\nAna keeps her oolong in a tin from Kyoto."
    assert result.model == "model@1"
    summary = await app.summaries.get(str(result.summary_id))
    assert all(one.source_ids for one in summary.statements)
    assert len(summary.statements) == 2


async def test_prose_is_checked_like_any_draft(app: App) -> None:
    """A sentence with a name nobody said is left out; a draft of nothing else is rejected, and what stood stays."""
    model = Quoting("model@1")
    watched = with_engine(app, summarizer=model)
    await tell(app, notes()[:2])
    view = await app.views.create(prompt="Write a portrait.")
    model.says = ("Ana drinks green tea every morning.", "Reginald owns 47 llamas.", "Habits:")
    result = await watched.views.run_partition(view.id, {})
    assert result.summary == "Ana drinks green tea every morning.\nHabits:"
    model.says = ("Reginald owns 47 llamas.",)
    task = await ran(watched, view.id, force=True)
    assert task.status is Status.FAILED
    assert "did not pass the checks" in str(task.error_message)
    assert [result.summary] == [one.summary for one in await app.views.partitions(view.id)]


async def test_withdrawn_prose_is_served_as_its_companion(app: App) -> None:
    """The old prose is gone with the memory it also rested on; the statements of the others are served, stale."""
    rows = notes()[:2]
    await tell(app, rows)
    view = await app.views.create(prompt="Write a portrait.")
    model = Quoting("model@1")
    watched = with_engine(app, summarizer=model)
    await watched.views.run_partition(view.id, {})
    await app.memories.forget(rows[0]["id"])
    (result,) = await app.views.partitions(view.id)
    assert (result.summary, result.stale) == ("Ana keeps her oolong in a tin from Kyoto.", True)
    assert (result.memory_count, result.included_count, result.source_ids) == (1, 1, (rows[1]["id"],))
    (again,) = await results(watched, view.id)
    assert (again.summary, again.stale) == ("Ana keeps her oolong in a tin from Kyoto.", False)
    assert (await app.summaries.get(str(again.summary_id))).prose == again.summary


async def test_without_a_model_a_prompt_of_its_own_gives_statements(app: App) -> None:
    """Offline nothing can follow it; the result is the extractive one, and says so."""
    await tell(app, notes()[:2])
    view = await app.views.create(prompt="Write a sonnet.")
    result = await app.views.run_partition(view.id, {})
    assert (result.model, result.stale) == ("extractive@2", False)
    assert "Kyoto" in result.summary


async def test_prose_that_no_model_can_write_falls_back(app: App) -> None:
    """Where nothing stands the companion alone stands in, marked, and the task says why."""
    model = Quoting("model@1")
    model.error = ModelUnavailable("The model could not be reached.")
    watched = with_engine(app, summarizer=model)
    await tell(app, notes()[:2])
    view = await app.views.create(prompt="Write a portrait.")
    task = await ran(watched, view.id)
    (result,) = await app.views.partitions(view.id)
    assert (result.fallback, result.stale, result.model) == (True, True, "extractive@2")
    assert (task.status, "extractive summary" in str(task.error_message)) == (Status.FAILED, True)
