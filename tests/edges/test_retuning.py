"""Another cluster distance for what is stored: the preview tells what the change does, what stays is not touched."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from precis.app import App
from precis.app.passes import clusters_pass, regroup, regroup_small
from precis.app.refreshing import freeze_leased
from precis.bootstrap import Runtime
from precis.settings import Settings
from precis.store.upkeep.retuning import Retuned

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Told with their subject.
CATS = ("The cat sleeps on the sofa.", "The cat sleeps on the chair.", "Cats sleep for most of the day.")
#: Alike within 0.6, and far from the rain. None of them names its subject.
TAXES = ("Income tax is due in April.", "Taxes are paid in May.", "The tax office closes at noon.")
RAIN = ("It rained all week in Lisbon.", "Heavy rain flooded the street.")


def rows(texts: Sequence[str], user_id: str = "ana") -> list[dict[str, Any]]:
    """Memories, those of cats with their subject."""
    subject = {"key": "cat"} if texts == CATS else {}
    return [
        {"id": f"{user_id}-{text.replace(' ', '-')}", "text": text, "user_id": user_id, **subject} for text in texts
    ]


def ids(user_id: str, texts: Sequence[str]) -> list[str]:
    """The ids of such memories, in order."""
    return sorted(row["id"] for row in rows(texts, user_id=user_id))


async def only_member(runtime: Runtime, app: App, group_id: str) -> str:
    """Who is left in a cluster."""
    async with runtime.database.tenant(app.parts.tenant_id) as connection:
        found = await connection.execute("SELECT memory_id FROM members WHERE group_id = %s", (group_id,))
        (row,) = await found.fetchall()
    return str(row["memory_id"])


async def retuned(runtime: Runtime, app: App, distance: float, *, apply: bool) -> Retuned:
    """The verb, without its table."""
    policy, retuning = app.parts.engine.policies["clusters"], runtime.store.retuning
    grouping = replace(policy.group, distance=distance)
    if apply:
        return await retuning.apply(app.parts.tenant_id, policy=policy, grouping=grouping, now=app.parts.engine.clock())
    return await retuning.preview(app.parts.tenant_id, policy=policy, grouping=grouping)


async def clusters(runtime: Runtime, app: App) -> Mapping[str, Mapping[str, Any]]:
    """The rows of all clusters of the tenant."""
    tenant_id = app.parts.tenant_id
    async with runtime.database.tenant(tenant_id) as connection:
        found = await connection.execute(
            "SELECT group_id, user_id, version, refreshed_version, due_at, members, summary_id FROM groups"
            " WHERE tenant_id = %s AND policy = 'clusters'",
            (tenant_id,),
        )
        return {row["group_id"]: row for row in await found.fetchall()}


async def refreshed(app: App) -> None:
    """Everything due is made."""
    await app.summaries.refresh_all(stale_only=True)


async def sources(app: App) -> list[list[str]]:
    """What the summaries speak for."""
    return sorted(sorted(one.leaf_source_ids) for one in (await app.summaries.list()).rows)


@pytest_asyncio.fixture(loop_scope="session")
async def told(app: App) -> App:
    """Five memories without a subject, and three of another user's with one: written one by one at today's distance."""
    for row in rows(TAXES + RAIN) + rows(CATS, user_id="ben"):
        await app.memories.add([row])
    return app


async def test_the_preview_tells_what_the_change_does(runtime: Runtime, told: App) -> None:
    """The same figures, and only the change is there afterwards; doing it again moves nobody."""
    before = await clusters(runtime, told)
    preview = await retuned(runtime, told, 0.0, apply=False)
    assert await clusters(runtime, told) == before
    assert preview.moved > 0
    assert await retuned(runtime, told, 0.0, apply=True) == preview
    stats = await told.summaries.stats()
    assert (stats.clusters, stats.sparse) == (preview.after.clusters, preview.after.sparse) == (6, 5)
    again = await retuned(runtime, told, 0.0, apply=True)
    assert (again.members, again.moved, again.changed, again.opened, again.before) == (8, 0, 0, 0, preview.after)


async def test_what_does_not_change_is_not_touched(runtime: Runtime, told: App) -> None:
    """Ben's cluster has the same row before and after; Ana's summary speaks for who is together now."""
    await retuned(runtime, told, 0.0, apply=True)
    await refreshed(told)
    apart = await clusters(runtime, told)
    assert await sources(told) == [ids("ben", CATS)]
    wide = await retuned(runtime, told, 0.6, apply=True)
    assert (wide.changed, wide.closed, wide.opened) == (5, 3, 0)
    assert wide.before.sparse_ratio == pytest.approx(5 / 6)
    assert wide.after.sparse_ratio == pytest.approx(1 / 3)
    together = await clusters(runtime, told)
    (ben,) = [id_ for id_, row in apart.items() if row["user_id"] == "ben"]
    assert together[ben] == apart[ben]
    assert sorted(row["members"] for row in together.values()) == [2, 3, 3]
    assert [row["members"] for row in together.values() if row["due_at"] is not None] == [3]
    await refreshed(told)
    assert await sources(told) == sorted([ids("ana", TAXES), ids("ben", CATS)])
    assert not [row for row in (await clusters(runtime, told)).values() if row["due_at"] is not None]


async def test_a_cluster_that_falls_apart_loses_its_summary(runtime: Runtime, told: App) -> None:
    """And what was moved away is forgotten everywhere, also before the refresh."""
    await retuned(runtime, told, 0.6, apply=True)
    await refreshed(told)
    (summary,) = [one for one in (await told.summaries.list()).rows if one.scope.user_id == "ana"]
    await retuned(runtime, told, 0.0, apply=True)
    assert (await told.summaries.get(summary.id)).stale
    first = (await clusters(runtime, told))[summary.group_id]
    assert first["members"] == 1
    moved = [id_ for id_ in ids("ana", TAXES) if id_ != await only_member(runtime, told, summary.group_id)]
    receipt = await told.memories.forget(moved[:1])
    assert summary.id in {one.id for one in receipt.summaries}
    await refreshed(told)
    assert await sources(told) == [ids("ben", CATS)]


async def test_a_new_memory_joins_what_was_regrouped(runtime: Runtime, told: App) -> None:
    """The centroid is that of the members it has now."""
    await retuned(runtime, told, 0.6, apply=True)
    added = await told.memories.add(rows(["Taxes on income are due in April."], user_id="ana"))
    group_id = added.memories[0].group_id
    assert group_id is not None
    assert (await clusters(runtime, told))[group_id]["members"] == 4


async def test_vectors_of_two_embedders_are_not_compared(runtime: Runtime, told: App) -> None:
    """While one is replaced those of the latest row's count, and a centroid is of one of them."""
    tenant_id, stranger = told.parts.tenant_id, ids("ana", TAXES)[0]
    async with runtime.database.tenant(tenant_id) as connection:
        await connection.execute("UPDATE memories SET embedding_version = 'new@1' WHERE memory_id = %s", (stranger,))
    await retuned(runtime, told, 0.6, apply=True)
    async with runtime.database.tenant(tenant_id) as connection:
        found = await connection.execute(
            "SELECT g.members, g.centroid_version = m.embedding_version AS of_members, m.memory_id FROM groups g"
            " JOIN members USING (tenant_id, group_id) JOIN memories m USING (tenant_id, memory_id)"
            " WHERE memory_id = ANY(%s)",
            (ids("ana", TAXES),),
        )
        rows = {row["memory_id"]: (row["members"], row["of_members"]) for row in await found.fetchall()}
    assert rows == {id_: (1 if id_ == stranger else 2, True) for id_ in ids("ana", TAXES)}


async def test_the_expired_stay_where_they_are(runtime: Runtime, told: App) -> None:
    """Their cluster goes on speaking for them after the living have left."""
    await retuned(runtime, told, 0.6, apply=True)
    await refreshed(told)
    (summary,) = [one for one in (await told.summaries.list()).rows if one.scope.user_id == "ana"]
    parts, gone = told.parts, ids("ana", TAXES)[:2]
    tenant_id, group_id = parts.tenant_id, summary.group_id
    lease = await parts.engine.groups.claim(
        tenant_id, now=parts.engine.clock(), lasts=parts.engine.lease_lasts, group_id=group_id
    )
    assert lease is not None
    await freeze_leased(parts.engine, lease, gone)
    await told.summaries.refresh(summary.id)
    async with runtime.database.tenant(tenant_id) as connection:
        # Clusters keep their originals; this is what an archive of the same memories leaves of them.
        await connection.execute(
            "UPDATE memories SET retention_state = 'expired', text_ciphertext = NULL, embedding = NULL"
            " WHERE tenant_id = %s AND memory_id = ANY(%s)",
            (tenant_id, gone),
        )
    found = await retuned(runtime, told, 0.0, apply=True)
    # Its last living member keeps it, so nobody moves there.
    assert (await clusters(runtime, told))[group_id]["members"] == 3
    assert found.after.clusters == (await told.summaries.stats()).clusters
    await refreshed(told)
    assert {*gone} <= {*(await told.summaries.get(summary.id)).leaf_source_ids}


async def test_writers_of_the_scope_wait(runtime: Runtime, told: App) -> None:
    """Whoever writes, forgets and edits meanwhile ends well, and every member is in exactly one cluster."""
    later = [retuned(runtime, told, distance, apply=True) for distance in (0.0, 0.6, 0.1)]
    writes = [told.memories.add([{"text": f"Tax form {n} is due.", "user_id": "ana"}]) for n in range(4)]
    await asyncio.gather(
        *later, *writes, told.memories.forget(ids("ana", RAIN)[:1]),
        told.memories.edit(ids("ana", RAIN)[1], {"text": "It snowed in Lisbon."}),
    )  # fmt: skip
    rows_now = await clusters(runtime, told)
    assert sum(row["members"] for row in rows_now.values()) == 5 + 3 + 4 - 1
    assert (await retuned(runtime, told, 0.1, apply=True)).members == 11


#: Of one thing, a decision, a plan and an event by the rules; and of nothing else that is told.
HARP = (
    "We decided to move the recital to the old chapel; my harp fits through its door.",
    "I'm going to ask my bank whether it insures a harp that was made in 1912.",
    "Yesterday the van that brings my harp drove into a ditch near Cork.",
)
BESIDE = (
    "The canoe leaks.", "A fox ate two hens.", "My passport is lost.", "Wasps live under the porch.",
    "Oat milk curdles in tea.", "The tram to Bray is late again.",
)  # fmt: skip


async def test_what_shares_a_rare_word_comes_together_whatever_its_type(runtime: Runtime, app: App) -> None:
    """Types that rules found give way, and the memories have that of their cluster; one that was given stays."""
    texts = [{"text": text, "metadata": {"speaker": "Ida"}} for text in HARP + BESIDE]
    texts.append({"text": "A harp of marzipan needs eggs.", "metadata": {"speaker": "Ida"}, "type": "recipe"})
    written = [(await app.memories.add([{**row, "user_id": "ida"}])).memories[0] for row in texts]
    assert len({memory.group_id for memory in written[:3]}) > 1
    before = await app.memories.get_many([memory.id for memory in written])
    assert len({before[memory.id].extracted_type for memory in written[:3]}) > 1
    assert (await regroup(app.parts, app.parts.engine.clock())).moved > 0
    await refreshed(app)
    assert await sources(app) == [sorted(memory.id for memory in written[:3])]
    after = await app.memories.get_many([memory.id for memory in written])
    (summary,) = (await app.summaries.list()).rows
    assert {after[memory.id].extracted_type for memory in written[:3]} == {summary.extracted_type}
    assert after[written[-1].id].extracted_type == "recipe"
    assert (await regroup(app.parts, app.parts.engine.clock())).moved == 0


async def test_clusters_merge_by_themselves_and_summaries_follow(runtime: Runtime, told: App) -> None:
    """What was grouped too finely is together after the pass; a scope without a new cluster is not looked at again."""
    await retuned(runtime, told, 0.0, apply=True)
    await refreshed(told)
    clock = told.parts.engine.clock
    assert (await regroup(told.parts, clock())).moved > 0
    await refreshed(told)
    assert ids("ana", TAXES) in await sources(told)
    due, _ = clusters_pass(Settings(regroup_hours=1))
    began = clock()
    await runtime.store.schedules.ensure(told.parts.tenant_id, due.name, next_run=began)
    claim = await runtime.store.schedules.claim(told.parts.tenant_id, due.name, now=began, lasts=timedelta(minutes=1))
    assert claim is not None
    await runtime.store.schedules.finish(claim, last_run=began, next_run=due.after(began))
    assert 0 == (await regroup(told.parts, clock())).members
    await told.memories.add(rows(["Sails need mending in spring."]))
    assert 6 == (await regroup(told.parts, clock())).members
    assert () == clusters_pass(Settings(regroup_hours=0))


async def test_small_scopes_are_looked_at_within_minutes(runtime: Runtime, told: App) -> None:
    """Whoever begins to write has summaries before the day is over; a large scope waits for its pass."""
    await retuned(runtime, told, 0.0, apply=True)
    _, soon = clusters_pass(Settings())
    began = told.parts.engine.clock()
    assert soon.first(began) - began <= timedelta(minutes=1)
    assert soon.after(began) - began <= timedelta(minutes=5)
    assert (await regroup_small(told.parts, began)).moved > 0
    await refreshed(told)
    assert ids("ana", TAXES) in await sources(told)
