"""Long-term memories: pages by offset, counts, second ids, and when rows were read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from store_steps import EVERYTHING, TEXTS, make, notes, only_summary, unit, write

from precis.engine.engine import Engine
from precis.errors import Forgotten
from precis.policies.clusters import clusters
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder

VERSION = HashEmbedder.version
POLICY = clusters()
QUARTER = timedelta(minutes=15)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def add_texts(store: PostgresStore, tenant: str, clock: FrozenClock, *texts: str) -> None:
    """Rows n0, n1, ... with vectors of their own."""
    rows = [replace(row, vector=unit(1, at)) for at, row in enumerate(notes(tenant, clock, list(texts)))]
    await store.memories.add(tenant, rows, policy=POLICY, now=clock())


async def test_pages_by_offset(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Newest first, or oldest first; each row once."""
    await add_texts(store, tenant, clock, "one", "two", "three")
    newest = [await store.long_term.page(tenant, EVERYTHING, limit=2, offset=at) for at in (0, 2, 4)]
    assert [["n2", "n1"], ["n0"], []] == [[memory.id for memory in page] for page in newest]
    oldest = await store.long_term.page(tenant, EVERYTHING, limit=2, offset=1, oldest_first=True)
    assert ["n1", "n2"] == [memory.id for memory in oldest]


async def test_counts(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Rows in all, and those that a search ranks."""
    await add_texts(store, tenant, clock, "green tea", "black tea", "old trains")
    assert 3 == await store.long_term.count(tenant, EVERYTHING)
    assert 0 == await store.long_term.count(tenant, Filter(user_id="ben"))
    cases = (
        ("", unit(1, 0), None, 3),
        ("", unit(1, 0), 0.5, 2),
        ("tea", None, None, 2),
        ("old", unit(1, 0), 0.5, 3),
    )
    for words, vector, distance, expected in cases:
        found = await store.long_term.count_matches(
            tenant, EVERYTHING, words=words, vector=vector, embedding_version=VERSION, distance=distance
        )
        assert expected == found, words


async def test_reading_is_counted_once_in_a_while(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """And nothing becomes stale by it."""
    await add_texts(store, tenant, clock, "one", "two")
    first = clock()
    for _ in range(3):
        await store.long_term.accessed(tenant, ["n0", "gone"], now=clock(), before=clock() - QUARTER)
        clock.advance(timedelta(minutes=10))
    found = await store.memories.get(tenant, ["n0", "n1"])
    assert (2, first + timedelta(minutes=20)) == (found["n0"].access_count, found["n0"].last_accessed)
    assert (0, None) == (found["n1"].access_count, found["n1"].last_accessed)
    assert found["n0"].updated_at < first + timedelta(minutes=1)


async def test_readings_from_elsewhere(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """The later one stays."""
    await add_texts(store, tenant, clock, "one")
    late, early = clock() - QUARTER, clock() - 2 * QUARTER
    for moment in (late, early):
        await store.long_term.accessed_at(tenant, {"n0": moment})
    assert late == (await store.memories.get(tenant, ["n0"]))["n0"].last_accessed


async def test_an_edit_of_labels_leaves_what_rests_on_it(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """No prompt shows topics: no statement goes, nothing becomes stale, and what was counted stays."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    await make(engine, tenant, group_id)
    await store.long_term.accessed(tenant, ["n0"], now=clock(), before=clock())
    changed = notes(tenant, clock, topics=("tea",), pinned=True)[0]
    receipt = await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    assert (0, ()) == (receipt.statements_removed, receipt.forgotten)
    assert not (await only_summary(store, tenant)).stale
    found = (await store.memories.get(tenant, ["n0"]))["n0"]
    assert (("tea",), True, 1) == (found.topics, found.pinned, found.access_count)


async def test_an_edit_of_the_user_moves_the_row(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """It leaves what was made of the first one's memories, and opens for the second one alone."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await make(engine, tenant, group_id)
    await store.memories.edit(tenant, notes(tenant, clock, user="ben")[0], policy=POLICY, now=clock())
    assert "dawn" not in (await only_summary(store, tenant)).text
    assert "green tea at dawn" == (await store.memories.get(tenant, ["n0"]))["n0"].text
    await store.memories.forget_user(tenant, "ada", now=clock())
    found = await store.memories.get(tenant, ["n0", "n1"])
    assert [("n0", "ben")] == [(one.id, one.scope.user_id) for one in found.values()]


async def test_the_same_text_is_found(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Exactly the same, with the same labels; the oldest one that stands."""
    await add_texts(store, tenant, clock, "one", "two", "one")
    alike = notes(tenant, clock, ["one", "One", "two"], first=5)
    alike.append(notes(tenant, clock, ["one"], first=9, session_id="s")[0])
    alike.append(notes(tenant, clock, ["one"], first=10, user="ben")[0])
    alike.append(notes(tenant, clock, ["one"], first=11, metadata={"kind": "note"})[0])
    found = await store.long_term.same_text(tenant, [row.memory for row in alike])
    assert {"n5": "n0", "n7": "n1"} == found
    turn = notes(tenant, clock, ["three"], first=12, metadata={"kind": "turn"})
    await store.memories.add(tenant, turn, policy=POLICY, now=clock())
    again = notes(tenant, clock, ["three"], first=13, metadata={"kind": "turn"})[0]
    assert {} == await store.long_term.same_text(tenant, [again.memory])
    assert [["n0", "n2"]] == [list(ids) for ids in await store.long_term.repeated(tenant, EVERYTHING)]


async def test_an_alias_names_its_memory_and_goes_with_it(
    store: PostgresStore, tenant: str, clock: FrozenClock
) -> None:
    """Law 4: the forgotten text does not come back under its other id."""
    await add_texts(store, tenant, clock, "one", "two")
    await store.long_term.alias(tenant, {"a": "n0", "b": "n0", "c": "n1"}, now=clock())
    await store.long_term.unalias(tenant, ["b"])
    assert {"a": "n0", "c": "n1"} == await store.long_term.resolve(tenant, ["a", "b", "c", "n1"])
    await store.long_term.alias(tenant, {"n0": "n1"}, now=clock())
    assert {"a": "n1"} == await store.long_term.resolve(tenant, ["a"])
    await store.memories.forget(tenant, ["n1"], now=clock())
    assert {} == await store.long_term.resolve(tenant, ["a", "c"])
    late = replace(notes(tenant, clock, ["two"])[0].memory, id="c")
    with pytest.raises(Forgotten):
        await store.memories.add(tenant, [replace(notes(tenant, clock)[0], memory=late)], policy=POLICY, now=clock())
