"""S3.1: per user, older than a week, oldest first, at most 50 a batch, each one summary that keeps the facts."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from archiving import TODAY, batches_of, chroma_store, fill, ids_in, old_rows, on_day, pool_in, remember

from precis.app import App
from precis.memory import Tier
from precis.policies.archive import archive
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_whole_backlog_goes_in_one_pass(app: App) -> None:
    """120 memories are three summaries: the oldest 50, the next 50, the last 20."""
    today, _ = on_day(app)
    ids = await remember(today, old_rows(120))
    done = await today.archive.run()
    assert (3, 120, 0) == (done.batches, done.memories, done.failed)
    found = await batches_of(today)
    assert [ids[:50], ids[50:100], ids[100:]] == [list(one.parent_id) for one in found]
    assert {Tier.ARCHIVE} == {one.tier for one in found}


async def test_a_second_pass_finds_nothing(app: App) -> None:
    """What is in a batch is in no other one, and nothing is asked of a model again."""
    model = Quoting()
    today, _ = on_day(app, summarizer=model)
    await remember(today, old_rows(60))
    await today.archive.run()
    calls = len(model.requests)
    done = await today.archive.run()
    assert (0, 0, 0) == (done.batches, done.memories, done.deletions)
    assert calls == len(model.requests)
    assert 2 == len(await batches_of(today))


async def test_young_memories_are_left_alone(app: App) -> None:
    """One is a week old to the second and stays; one is a second older and goes."""
    today, _ = on_day(app)
    young, old = old_rows(2)
    young["created_at"] = TODAY - timedelta(days=7)
    old["created_at"] = TODAY - timedelta(days=7, seconds=1)
    await remember(today, [young, old])
    await today.archive.run()
    assert [(old["id"],)] == [one.parent_id for one in await batches_of(today)]


async def test_users_never_share_a_batch(app: App) -> None:
    """Nor do projects, nor environments."""
    today, _ = on_day(app)
    rows = [
        *old_rows(3, user_id="ana"), *old_rows(3, user_id="ben"), *old_rows(3, user_id="ana", project_id="boat"),
        *old_rows(3, user_id="ana", environment="staging"),
    ]  # fmt: skip
    await remember(today, rows)
    done = await today.archive.run()
    assert (4, 12) == (done.batches, done.memories)
    scopes = {(one.scope.user_id, one.scope.project_id, one.scope.environment) for one in await batches_of(today)}
    assert scopes == {(row["user_id"], row.get("project_id", ""), row.get("environment", "production")) for row in rows}


@pytest.mark.parametrize(("by", "batches"), [("user", 1), ("agent", 2), ("run", 3)])
async def test_agents_and_runs_apart_when_asked(app: App, by: str, batches: int) -> None:
    """Two agents, one of them in two runs."""
    today, _ = on_day(app, group_by=by)
    rows = old_rows(6)
    for row, label in zip(rows, ["a1", "a1", "a2", "a2", "b9", "b9"], strict=True):
        agent, run = label[0], label[1]
        row |= {"agent_id": agent, "run_id": run}
    await remember(today, rows)
    assert batches == (await today.archive.run()).batches


async def test_the_prompt_is_the_documents(app: App) -> None:
    """Facts, preferences and decisions stay; small talk and questions asked once go. In our words."""
    model = Quoting()
    today, _ = on_day(app, summarizer=model)
    await remember(today, old_rows(3))
    await today.archive.run()
    prompt = model.requests[0].prompt
    assert archive().summarize.summary == prompt
    for word in ("facts", "preferences", "decisions", "small talk", "questions that were asked once", "paragraphs"):
        assert word in prompt


async def test_small_talk_leaves_and_facts_stay(app: App) -> None:
    """Offline, by sentences of the memories: a greeting, thanks and a question asked once are in the batch only."""
    chat = ("Hi there!", "Thanks a lot, bye!", "What time is it?")
    facts = (
        "I prefer window seats on night trains.",
        "We decided to move the launch to 14 May.",
        "My sister Clara lives in Porto.",
    )
    today, _ = on_day(app, summarizer=app.parts.engine.fallback)
    rows = old_rows(6)
    for row, text in zip(rows, [text for pair in zip(chat, facts, strict=True) for text in pair], strict=True):
        row |= {"text": text, "metadata": {"speaker": "Ana"}}
        row.pop("type")
        row.pop("key")
    ids = await remember(today, rows)
    await today.archive.run()
    (summary,) = await batches_of(today)
    assert tuple(ids) == summary.parent_id
    assert [True] * 3 == [fact.split(" ", 1)[1].rstrip(".") in summary.text for fact in facts]
    assert [False] * 3 == [text in summary.text for text in chat]


async def test_the_same_batches_in_a_pool(app: App, tmp_path: Path) -> None:
    """120 memories of a Chroma store, and one user more."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(120))
    fill(store, old_rows(4, user_id="ben"))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    done = await today.pools.archive(pool)
    assert (4, 124, 0) == (done.batches, done.memories, done.deletions)
    made = await today.pools.list(pool, "ana", summaries=True)
    assert [ids[:50], ids[50:100], ids[100:]] == [
        list(one.summarized_memory_ids) for one in sorted(made, key=lambda one: str(one.summarized_until))
    ]
    assert 128 == len(ids_in(store))
    again = await today.pools.archive(pool)
    assert (0, 0, 0) == (again.batches, again.memories, again.deletions)
