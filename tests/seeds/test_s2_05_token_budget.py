"""S2.5: prompts fit a token budget, one long memory cannot crowd out the others, and a group of any size is covered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from view_steps import Recording, note, results, tell, with_engine

from precis.app import App
from precis.bootstrap import build_policies
from precis.makers import Request
from precis.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")


def many(app: App, number: int) -> list[dict[str, Any]]:
    """So many notes of one person, a minute apart, the newest last."""
    first = app.parts.engine.clock() - timedelta(minutes=number)
    return [
        note(f"Ana finished ledger {n} of the harbor office on time.", created_at=first + timedelta(minutes=n))
        for n in range(number)
    ]


def size(app: App, request: Request) -> int:
    """Tokens of a request's items."""
    return sum(app.parts.engine.count(item.text) for item in request.items)


async def test_a_group_larger_than_any_prompt_is_covered_whole(app: App) -> None:
    """600 memories: each is read, the newest among them, and no prompt is over its budget."""
    rows = many(app, 600)
    await tell(app, rows)
    model = Recording()
    view = await app.views.create(group_by=["user_id"])
    (result,) = await results(with_engine(app, summarizer=model), view.id)
    assert (result.memory_count, result.included_count) == (600, 600)
    assert set(result.source_ids) == {row["id"] for row in rows}
    budget = app.parts.engine.policies["views"].budget
    assert max(size(app, request) for request in model.requests) <= budget.prompt_tokens
    read = {id_ for request in model.requests for item in request.items for id_ in item.source_ids}
    assert read == set(result.source_ids)


async def test_a_refresh_of_a_large_group_reads_little(app: App) -> None:
    """One more memory in 600: one or a few calls over a small part of the whole."""
    await tell(app, many(app, 600))
    model = Recording()
    watched = with_engine(app, summarizer=model)
    view = await app.views.create(group_by=["user_id"])
    await results(watched, view.id)
    whole = sum(size(app, request) for request in model.requests)
    model.requests.clear()
    await tell(app, [note("Ana adopted a greyhound.")])
    (result,) = await results(watched, view.id)
    assert result.included_count == 601
    assert sum(size(app, request) for request in model.requests) < whole / 5


async def test_one_long_memory_leaves_room_for_the_others(app: App) -> None:
    """It is read in part and counted as such; what stands beside it is in the prompt whole."""
    long = " ".join(f"Ana weighed crate {n} on the pier." for n in range(800))
    await tell(app, [note("Ana drinks green tea."), note(long), note("Ana plays the cello.")])
    model = Recording()
    view = await app.views.create()
    await with_engine(app, summarizer=model).views.run_partition(view.id, {})
    budget = app.parts.engine.policies["views"].budget
    assert all(size(app, request) <= budget.prompt_tokens for request in model.requests)
    shown = [item.text for request in model.requests for item in request.items if not item.derived]
    assert all(app.parts.engine.count(text) <= budget.item_tokens for text in shown)
    assert {"Ana drinks green tea.", "Ana plays the cello."} <= set(shown)
    assert sum("Ana weighed crate 0 " in text for text in shown) == 1


async def test_the_budget_is_a_share_of_what_the_model_reads() -> None:
    """A model with a small window gets smaller prompts, and smaller parts of a long memory; a large one no larger."""
    threshold: dict[str, Any] = {"working_memory_threshold": 0.5}
    small = build_policies(Settings(conversation_window=2_000, **threshold))["views"].budget
    assert (small.prompt_tokens, small.item_tokens) == (1_000, 500)
    large = build_policies(Settings(conversation_window=128_000, **threshold))["views"].budget
    assert (large.prompt_tokens, large.item_tokens) == (4_000, 1_000)


async def test_sources_are_read_oldest_first(app: App) -> None:
    """In the order in which they were created, whatever the order they were written in."""
    rows = many(app, 5)
    await tell(app, rows[::-1])
    model = Recording()
    view = await app.views.create()
    await with_engine(app, summarizer=model).views.run_partition(view.id, {})
    assert [item.text for item in model.requests[-1].items] == [row["text"] for row in rows]
