"""Memories: writes, reads, edits, forgetting and expiry."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from store_steps import EVERYTHING, POLICY, TEXTS, claim, draft, make, notes, only_summary, store_with, unit, write

from precis.bootstrap import Runtime
from precis.engine.engine import Engine
from precis.engine.pipeline import commit, plan
from precis.engine.retention import freeze
from precis.errors import Conflict, Forgotten, NotFound
from precis.memory import RetentionState
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.summary import Statement
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def store(runtime: Runtime) -> PostgresStore:
    """A store that knows the policy, and so lets originals go."""
    return store_with(runtime, {POLICY.name: POLICY})


async def test_rows_are_read_as_written(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Every field comes back; the store adds a fingerprint of 16 bytes."""
    row = notes(tenant, clock, ["green tea"], session_id="s", speaker="Ada", topics=("tea",), metadata={"a": [1]})[0]
    await write(store, tenant, [row], clock())
    read = (await store.memories.get(tenant, ["n0", "nobody"]))["n0"]
    assert row.memory == replace(read, fingerprint=b"")
    assert len(read.fingerprint) == 16


async def test_a_repeated_write_changes_nothing(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """The same id with the same content is answered as there already."""
    rows = notes(tenant, clock)
    group_id = await write(store, tenant, rows, clock())
    version = (await store.groups.snapshot(tenant, group_id)).version
    again = await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    assert [False] * 3 == [one.created for one in again]
    assert version == (await store.groups.snapshot(tenant, group_id)).version


async def test_a_repeated_write_without_a_date_changes_nothing(
    store: PostgresStore, tenant: str, clock: FrozenClock
) -> None:
    """A retry after a lost answer comes later: the row keeps the date of the first write."""
    (row,) = [replace(row, dated=False) for row in notes(tenant, clock, TEXTS[:1])]
    await store.memories.add(tenant, [row], policy=POLICY, now=clock())
    clock.advance(timedelta(minutes=3))
    later = replace(row, memory=replace(row.memory, created_at=clock()))
    (again,) = await store.memories.add(tenant, [later], policy=POLICY, now=clock())
    assert not again.created
    found = await store.memories.get(tenant, [row.memory.id])
    assert row.memory.created_at == found[row.memory.id].created_at
    with pytest.raises(Conflict):
        await store.memories.add(tenant, [replace(later, dated=True)], policy=POLICY, now=clock())


async def test_all_rows_or_none(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """A contradiction in the last row keeps the first one out."""
    await write(store, tenant, notes(tenant, clock, ["green tea"]), clock())
    fresh = notes(tenant, clock, ["black tea"], first=1)
    with pytest.raises(Conflict):
        await store.memories.add(tenant, [*fresh, *notes(tenant, clock, ["white tea"])], policy=POLICY, now=clock())
    assert {"n0"} == set(await store.memories.get(tenant, ["n0", "n1"]))


async def test_a_tenant_sees_its_own(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Law 9: the same ids in another tenant are other rows."""
    await write(store, tenant, notes(tenant, clock), clock())
    other = f"{tenant}x"
    assert {} == await store.memories.get(other, ["n0"])
    assert () == (await store.memories.list(other, EVERYTHING, limit=10, cursor=None)).rows
    receipt = await store.memories.forget(other, ["n0"], now=clock())
    assert ("n0",) == receipt.not_found
    assert {"n0"} == set(await store.memories.get(tenant, ["n0"]))


async def test_a_key_decides_the_cluster(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """One key is one cluster; another key, user, project, environment or type is another."""
    scope = notes(tenant, clock)[0].memory.scope
    base = notes(tenant, clock, ["green tea"] * 7)
    changes: list[dict[str, Any]] = [
        {"extracted_key": "train"},
        {"extracted_type": "preference"},
        {"scope": replace(scope, user_id="ben")},
        {"scope": replace(scope, project_id="p")},
        {"scope": replace(scope, environment="staging")},
    ]
    other = [replace(row.memory, **change) for row, change in zip(base[2:], changes, strict=True)]
    rows = [*base[:2], *(replace(row, memory=memory) for row, memory in zip(base[2:], other, strict=True))]
    added = await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    assert added[0].group_id == added[1].group_id
    assert len({one.group_id for one in added}) == 6


async def test_a_near_row_without_a_key_joins(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """The nearest centroid within the distance; a far row opens a cluster."""
    first, near, far = notes(tenant, clock, ["a tea", "a cup", "a train"], key=None)
    rows = [replace(first, vector=unit(1, 0)), replace(near, vector=unit(1, 0.2)), replace(far, vector=unit(0, 1))]
    groups = [(await store.memories.add(tenant, [row], policy=POLICY, now=clock()))[0].group_id for row in rows]
    assert groups[0] == groups[1] != groups[2]


async def test_a_list_pages_newest_first(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Each row once, whatever the size of a page; a filter holds on every page."""
    await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await store.memories.add(tenant, notes(tenant, clock, ["cocoa"], user="ben", first=9), policy=POLICY, now=clock())
    seen: list[str] = []
    cursor = None
    while len(seen) < 10:
        page = await store.memories.list(tenant, Filter(user_id="ada"), limit=2, cursor=cursor)
        seen += [memory.id for memory in page.rows]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert ["n4", "n3", "n2", "n1", "n0"] == seen


async def test_forgetting_takes_what_rests_on_it(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Law 4: the statement leaves with the memory, the rest stays and is stale; the receipt says so."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    made = await make(engine, tenant, group_id)
    receipt = await store.memories.forget(tenant, ["n2", "n2", "nobody"], now=clock())
    assert (("n2",), ("nobody",), 1) == (receipt.forgotten, receipt.not_found, receipt.statements_removed)
    assert [(made.summary_id, "redacted")] == [(one.id, one.state) for one in receipt.summaries]
    assert (group_id,) == receipt.refreshes_queued
    left = await only_summary(store, tenant)
    assert (True, "matcha" in left.text, "n2" in left.parent_id) == (left.stale, False, False)
    assert [text for at, text in enumerate(TEXTS) if at != 2] == [one.text for one in left.statements]
    assert {} == await store.memories.get(tenant, ["n2"])
    assert left.text == (await store.memories.get(tenant, [left.id]))[left.id].text


async def test_rare_words_leave_too(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """A statement that cites another source but holds a word only the forgotten memory had goes as well."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    made = (await draft(engine, lease, planned))[-1]
    wrong = Statement(text="green tea from Kyoto", importance=0.5, source_ids=("n0",))
    shared = Statement(text="green tea and honey", importance=0.5, source_ids=("n0", "n1"))
    await commit(engine, lease, planned, replace(made, statements=(wrong, shared)))
    receipt = await store.memories.forget(tenant, ["n2"], now=clock())
    assert 1 == receipt.statements_removed
    assert "green tea and honey" == (await only_summary(store, tenant)).text


async def test_a_displaced_statement_comes_back(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """It is kept unserved while a newer one stands, and served again when that one is forgotten."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    made = (await draft(engine, lease, planned))[-1]
    old, *others = made.statements
    statements = (replace(old, superseded_by=1), *others)
    await commit(engine, lease, planned, replace(made, statements=statements))
    assert "dawn" not in (await only_summary(store, tenant)).text
    await store.memories.forget(tenant, ["n1"], now=clock())
    text = (await only_summary(store, tenant)).text
    assert ("dawn" in text, "honey" in text) == (True, False)


async def test_a_value_that_was_displaced_twice_stays_so(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """When the one between is forgotten the newest still stands, at once and for every reader."""
    group_id = await write(store, tenant, notes(tenant, clock, [*TEXTS, "barley bread"]), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    planned = await plan(engine, tenant, group_id, POLICY.name)
    made = (await draft(engine, lease, planned))[-1]
    texts = {"oldest": ("n0", 1), "between": ("n1", 2), "newest": ("n2", None)}
    said = [
        Statement(text=f"{name} value", importance=0.5, source_ids=(id_,), superseded_by=by)
        for name, (id_, by) in texts.items()
    ]
    await commit(engine, lease, planned, replace(made, statements=tuple(said)))
    assert "newest value" == (await only_summary(store, tenant)).text
    await store.memories.forget(tenant, ["n1"], now=clock())
    assert "newest value" == (await only_summary(store, tenant)).text
    await store.memories.forget(tenant, ["n2"], now=clock())
    assert "oldest value" == (await only_summary(store, tenant)).text


async def test_too_few_members_withdraw_the_summary(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Below the minimum the summary goes in the forget itself, and all its statements are counted."""
    made = await make(engine, tenant, await write(store, tenant, notes(tenant, clock), clock()))
    stood = len((await only_summary(store, tenant)).statements)
    receipt = await store.memories.forget(tenant, ["n0"], now=clock())
    assert 1 < stood == receipt.statements_removed
    assert [(made.summary_id, "deleted", stood)] == [
        (one.id, one.state, one.statements_removed) for one in receipt.summaries
    ]
    assert {} == await store.summaries.get(tenant, [made.summary_id])
    assert {} == await store.memories.get(tenant, [made.summary_id])


async def test_a_forgotten_id_is_refused(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """A tombstone answers a later write, unless the writer insists."""
    rows = notes(tenant, clock, ["green tea"])
    await write(store, tenant, rows, clock())
    await store.memories.forget(tenant, ["n0"], now=clock())
    with pytest.raises(Forgotten):
        await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    revived = [replace(rows[0], revive=True)]
    assert (await store.memories.add(tenant, revived, policy=POLICY, now=clock()))[0].created
    assert {"n0"} == set(await store.memories.get(tenant, ["n0"]))


async def test_a_revived_memory_is_said_again(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """A redacted summary is not the summary of the same sources when they are whole again."""
    rows = notes(tenant, clock, TEXTS)
    group_id = await write(store, tenant, rows, clock())
    await make(engine, tenant, group_id)
    await store.memories.forget(tenant, ["n2"], now=clock())
    await write(store, tenant, [replace(rows[2], revive=True)], clock())
    await make(engine, tenant, group_id)
    assert "matcha" in (await only_summary(store, tenant)).text


async def test_a_summary_is_not_forgotten_or_edited(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Both are answered with Conflict, and nothing happens to the other ids asked for."""
    made = await make(engine, tenant, await write(store, tenant, notes(tenant, clock), clock()))
    with pytest.raises(Conflict):
        await store.memories.forget(tenant, ["n0", made.summary_id], now=clock())
    row = notes(tenant, clock)[0]
    with pytest.raises(Conflict):
        await store.memories.edit(
            tenant, replace(row, memory=replace(row.memory, id=made.summary_id)), policy=POLICY, now=clock()
        )
    assert {"n0"} == set(await store.memories.get(tenant, ["n0"]))


async def test_forgetting_a_user(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Rows, summaries and groups of the user go; those of others stay."""
    mine = await write(store, tenant, notes(tenant, clock), clock())
    await make(engine, tenant, mine)
    theirs = await write(store, tenant, notes(tenant, clock, user="ben", first=10), clock())
    receipt = await store.memories.forget_user(tenant, "ada", now=clock())
    assert {"n0", "n1", "n2"} == set(receipt.forgotten)
    assert receipt.key_destroyed
    page = await store.memories.list(tenant, EVERYTHING, limit=10, cursor=None)
    assert {"n10", "n11", "n12"} == {memory.id for memory in page.rows}
    with pytest.raises(NotFound):
        await store.groups.snapshot(tenant, mine)
    with pytest.raises(NotFound):
        await store.memories.forget_user(tenant, "nobody", now=clock())
    assert len((await store.groups.snapshot(tenant, theirs)).leaves) == 3


async def test_an_edit_forgets_the_old_text(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """The old statement goes at once, the row stays where it was, and a refresh says the new text."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await make(engine, tenant, group_id)
    changed = notes(tenant, clock, ["espresso at noon"], first=2)[0]
    receipt = await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    assert 1 == receipt.statements_removed
    assert "matcha" not in (await only_summary(store, tenant)).text
    assert "espresso at noon" == (await store.memories.get(tenant, ["n2"]))["n2"].text
    await make(engine, tenant, group_id)
    fresh = await only_summary(store, tenant)
    assert ("espresso" in fresh.text, fresh.stale) == (True, False)


async def test_an_edit_keeps_a_smallest_group(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """A group of just the minimum keeps group and summary: an edited row has not left it."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    await store.memories.edit(tenant, notes(tenant, clock, ["espresso at noon"])[0], policy=POLICY, now=clock())
    assert {made.summary_id} == set(await store.summaries.get(tenant, [made.summary_id]))
    assert len((await store.groups.snapshot(tenant, group_id)).leaves) == 3


async def test_an_edit_keeps_when_it_was_written(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Law 3: an edited row is as one that was written so, also where the edit names another moment."""
    await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    (row,) = notes(tenant, clock, ["espresso at noon"])
    moved = replace(row, memory=replace(row.memory, created_at=row.memory.created_at + timedelta(days=9)))
    await store.memories.edit(tenant, moved, policy=POLICY, now=clock())
    assert row.memory.created_at == (await store.memories.get(tenant, ["n0"]))["n0"].created_at
    again = await store.memories.add(tenant, [row], policy=POLICY, now=clock())
    assert [False] == [added.created for added in again]


async def test_an_edit_of_the_subject_moves_the_row(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """With another key the row joins another cluster."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await store.memories.edit(
        tenant, notes(tenant, clock, ["espresso"], key="coffee beans")[0], policy=POLICY, now=clock()
    )
    leaves = (await store.groups.snapshot(tenant, group_id)).leaves
    assert {"n1", "n2", "n3", "n4"} == {leaf.id for leaf in leaves}
    groups = await store.summaries.groups(tenant, EVERYTHING, policy=None, stale_only=False, limit=10)
    assert len(groups) == 2


async def test_an_edit_needs_a_row(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Editing nothing is NotFound."""
    with pytest.raises(NotFound):
        await store.memories.edit(tenant, notes(tenant, clock)[0], policy=POLICY, now=clock())


async def test_retention_waits_for_a_current_frozen_node(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Law 6: nothing expires before it is frozen, nor before a refresh has read the frozen node."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await make(engine, tenant, group_id)
    assert () == await store.retention.expire(tenant, ["n0", "n1"], now=clock())
    await freeze_members(engine, tenant, group_id, ["n0", "n1"])
    assert () == await store.retention.expire(tenant, ["n0", "n1"], now=clock())
    await make(engine, tenant, group_id)
    assert ("n1", "n0") == await store.retention.expire(tenant, ["n1", "n0", "n2"], now=clock())


async def test_expired_is_kept(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Law 5: the text goes, the stub and everything derived stay; a refresh still knows it."""
    group_id = await expire_two(store, tenant, clock, engine)
    stub = (await store.memories.get(tenant, ["n0"]))["n0"]
    assert (None, RetentionState.EXPIRED, 4) == (stub.text, stub.retention_state, stub.tokens)
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    await make(engine, tenant, group_id)
    fresh = await only_summary(store, tenant)
    assert ("dawn" in fresh.text, "cocoa" in fresh.text, "n0" in fresh.parent_id) == (True, True, True)
    with pytest.raises(Conflict):
        await store.memories.edit(tenant, notes(tenant, clock, ["new"])[0], policy=POLICY, now=clock())


async def test_forgetting_an_expired_memory(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """What rests on it goes from the frozen node as well, and does not come back."""
    group_id = await expire_two(store, tenant, clock, engine)
    await store.memories.forget(tenant, ["n0"], now=clock())
    assert "dawn" not in (await only_summary(store, tenant)).text
    await make(engine, tenant, group_id)
    fresh = await only_summary(store, tenant)
    assert ("dawn" in fresh.text, "honey" in fresh.text) == (False, True)


async def test_editing_a_frozen_member(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """It leaves the frozen node, and its new text is read like any other."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await make(engine, tenant, group_id)
    await freeze_members(engine, tenant, group_id, ["n0", "n1"])
    await make(engine, tenant, group_id)
    await store.memories.edit(tenant, notes(tenant, clock, ["espresso at noon"])[0], policy=POLICY, now=clock())
    await make(engine, tenant, group_id)
    fresh = await only_summary(store, tenant)
    assert ("dawn" in fresh.text, "espresso" in fresh.text, "honey" in fresh.text) == (False, True, True)
    assert ("n1",) == await store.retention.expire(tenant, ["n0", "n1"], now=clock())


async def freeze_members(engine: Engine, tenant: str, group_id: str, ids: list[str]) -> None:
    """Seal these members in a frozen node."""
    lease = await engine.groups.claim(tenant, now=engine.clock(), lasts=timedelta(minutes=2), group_id=group_id)
    assert lease is not None
    outcome = await freeze(engine, lease, ids)
    assert outcome.nodes_made == 1


async def expire_two(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> str:
    """Five notes, of which the two oldest have expired."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await make(engine, tenant, group_id)
    await freeze_members(engine, tenant, group_id, ["n0", "n1"])
    await make(engine, tenant, group_id)
    assert ("n0", "n1") == await store.retention.expire(tenant, ["n0", "n1"], now=clock())
    return group_id
