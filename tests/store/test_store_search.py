"""Search: the two arms of recall over one scope, and recall's candidates."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from store_steps import EVERYTHING, POLICY, TEXTS, make, notes, searching_large, seeing, unit, write

from precis.bootstrap import Runtime
from precis.engine.engine import Engine
from precis.recall.question import Pool, read_question
from precis.recall.ranking import rank
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.store.rows import NewMemory
from precis.store.search import Asked, Hit
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, hash_vector

VERSION = HashEmbedder.version
HOUR = timedelta(hours=1)

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(params=["whole scopes", "postings"])
def store(runtime: Runtime, request: pytest.FixtureRequest) -> PostgresStore:
    """The shared database, searched in either of the two ways."""
    return searching_large(runtime) if request.param == "postings" else runtime.store


async def test_the_keyword_arm(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """BM25 with k1 1.5 and b 0.75 over the scope, by stems."""
    await write(store, tenant, notes(tenant, clock, ["green teas", "green apples daily", "old trains"]), clock())
    hits = {h.memory.id: h for h in await find(store, tenant, "a green tea")}
    assert {"n0", "n1"} == set(hits)
    mean = 7 / 3
    damping = 1.5 * (0.25 + 0.75 * 2 / mean)
    green, tea = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    assert hits["n0"].bm25 == pytest.approx((green + tea) * 2.5 / (1 + damping), rel=1e-4)
    assert hits["n0"].bm25 > hits["n1"].bm25
    assert hits["n0"].similarity is None


async def test_the_vector_arm(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Cosine similarity, nearest first within the limit; another embedder's vectors are never compared."""
    rows = notes(tenant, clock, TEXTS[:3])
    vectors = [unit(1, 0), unit(1, 1), unit(0, 1)]
    rows = [replace(row, vector=vector) for row, vector in zip(rows, vectors, strict=True)]
    foreign = notes(tenant, clock, ["elsewhere"], first=9)[0]
    rows.append(replace(foreign, memory=replace(foreign.memory, embedding_version="other@1")))
    await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    hits = await store.search.search(
        tenant, EVERYTHING, query="", vector=unit(1, 0), embedding_version=VERSION, limit=2
    )
    found = {hit.memory.id: hit.similarity for hit in hits}
    assert {"n0", "n1"} == set(found)
    assert found["n0"] == pytest.approx(1.0, abs=1e-3)
    assert found["n1"] == pytest.approx(math.sqrt(0.5), abs=1e-3)


async def test_both_figures_of_the_union(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """A row that one arm found carries the figure of the other as well."""
    rows = notes(tenant, clock, ["green tea", "black tea", "old trains"])
    rows[2] = replace(rows[2], vector=unit(0, 1))
    await write(store, tenant, rows, clock())
    hits = await store.search.search(
        tenant, EVERYTHING, query="green tea", vector=unit(0, 1), embedding_version=VERSION, limit=1
    )
    found = {hit.memory.id: hit for hit in hits}
    assert {"n0", "n2"} == set(found)
    assert found["n2"].bm25 == 0
    assert found["n0"].similarity is not None


async def test_one_scope(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """The filter bounds what is found and what is rare."""
    await write(store, tenant, notes(tenant, clock, ["green tea"]), clock())
    await write(store, tenant, notes(tenant, clock, ["green tea"], user="ben", first=5), clock())
    hits = await find(store, tenant, "green", Filter(user_id="ada"))
    assert ["n0"] == [hit.memory.id for hit in hits]
    assert [] == list(await find(store, f"{tenant}x", "green"))


async def test_summaries_are_found_with_their_sources(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """SPEC S0.10: a summary is a hit like any row, and says what it was made from."""
    made = await make(engine, tenant, await write(store, tenant, notes(tenant, clock, TEXTS), clock()))
    chosen = Filter(is_summary=True)
    hits = await store.search.search(
        tenant, chosen, query="honey", vector=hash_vector("oolong honey"), embedding_version=VERSION, limit=5
    )
    assert [made.summary_id] == [hit.memory.id for hit in hits]
    assert ("n0", "n1", "n2", "n3", "n4") == hits[0].memory.parent_id
    assert hits[0].similarity is not None
    assert hits[0].bm25 > 0


async def test_a_redacted_summary_is_found_by_what_is_left(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Law 4: neither the word nor the old vector of what was forgotten finds anything."""
    await make(engine, tenant, await write(store, tenant, notes(tenant, clock, TEXTS), clock()))
    await store.memories.forget(tenant, ["n2"], now=clock())
    assert [] == list(await find(store, tenant, "matcha Kyoto"))
    chosen = Filter(is_summary=True)
    hits = await store.search.search(
        tenant, chosen, query="honey", vector=hash_vector("matcha"), embedding_version=VERSION, limit=5
    )
    assert [None] == [hit.similarity for hit in hits]
    assert hits[0].bm25 > 0


async def find(store: PostgresStore, tenant: str, query: str, chosen: Filter = EVERYTHING) -> list[Hit]:
    """By words alone."""
    return list(await store.search.search(tenant, chosen, query=query, vector=None, embedding_version=VERSION, limit=5))


async def test_candidates_know_their_figures(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Term counts, lengths, document frequencies of the scope, and who said it."""
    rows = notes(tenant, clock, ["green tea, green leaves", "green apples", "old trains"], speaker="Ada Lovelace")
    await write(store, tenant, rows, clock())
    found = await pool(store, tenant, "What did Ada say of green tea?", vector=unit(1, 0))
    assert {"n0", "n1", "n2"} == set(found.rows)
    terms = read_question("What did Ada say of green tea?").terms
    assert ("ada", "say", "green", "tea") == terms
    assert (0, 0, 2, 1) == found.rows["n0"].frequencies
    assert (4, 3.0) == (found.rows["n0"].length, found.documents)
    assert (0.0, 0.0, 2.0, 1.0) == found.holding
    assert found.mean_length == pytest.approx(8 / 3)
    assert all(row.spoken for row in found.rows.values())
    asked = await pool(store, tenant, "What did Bea say of green tea?")
    assert {"n0", "n1"} == set(asked.rows)
    assert not any(row.spoken for row in asked.rows.values())


async def test_forms_of_a_word_count_as_the_word(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Of a question in another language, as far as rows have them, for less; it is as common as they are together."""
    texts = ["Filemonka śpi. Filemonki nie ma.", "Filemonką zajmuje się sąsiad.", "Filharmonia gra w sobotę."]
    await write(store, tenant, notes(tenant, clock, texts), clock())
    candidates = await pool(store, tenant, "Co z Filemonką?")
    assert {"n0": (1.2,), "n1": (1,)} == {id_: row.frequencies for id_, row in candidates.rows.items()}
    assert (3.0,) == candidates.holding


async def test_a_long_candidate_knows_its_passages(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Which of its passages holds which of the words; an edit cuts the new text."""
    filler = "\n".join(f"step {at}: turn valve{at} and write gauge{at} down" for at in range(20))
    long = notes(tenant, clock, [f"green paint\n{filler}\na pot of tea, green tea", "green tea"])
    await write(store, tenant, long, clock())
    seen = (await pool(store, tenant, "green tea")).rows
    assert (2, 2) == seen["n0"].frequencies
    assert [(1, 0), (1, 2)] == sorted(seen["n0"].passages)
    assert () == seen["n1"].passages
    edited = notes(tenant, clock, ["green tea"])[0]
    await store.memories.edit(tenant, edited, policy=POLICY, now=clock())
    assert () == (await pool(store, tenant, "green tea")).rows["n0"].passages


async def test_candidates_bring_their_neighbors(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """One to either side in the session, of the same user, in order of time; nobody from another session."""
    texts = ["one", "two", "three", "green tea", "five", "six", "seven"]
    await write(store, tenant, notes(tenant, clock, texts, session_id="s"), clock())
    await write(store, tenant, notes(tenant, clock, ["eight"], first=8, session_id="other"), clock())
    await write(store, tenant, notes(tenant, clock, ["nine"], first=9, session_id="s", user="ben"), clock())
    found = await pool(store, tenant, "tea")
    assert {"n2", "n3", "n4"} == set(found.rows)
    assert {"n3": "n2", "n4": "n3"} == dict(found.before)
    assert {"n2": "n3", "n3": "n4"} == dict(found.after)
    assert [0, 1, 0] == [found.rows[f"n{at}"].frequencies[0] for at in range(2, 5)]


async def test_a_summary_is_a_candidate_beside_the_rows(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """It says what it rests on and how new that is, and it counts in no figure of the raw rows."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    before = await pool(store, tenant, "honey")
    made = await make(engine, tenant, group_id)
    found = await pool(store, tenant, "honey")
    summary = found.rows[made.summary_id]
    assert ("n0", "n1", "n2", "n3", "n4") == summary.sources
    assert found.rows["n1"].created_at < (summary.newest_source_at or clock()) < clock()
    assert (before.documents, before.holding, before.mean_length) == (
        found.documents,
        found.holding,
        found.mean_length,
    )
    ranked = [{s.id: s.total - s.summary for s in rank(read_question("honey"), p, now=clock())}
              for p in (before, found)]  # fmt: skip
    assert ranked[0]["n1"] == pytest.approx(ranked[1]["n1"])


async def test_rows_that_no_summary_has_read(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Asked for alone they are not crowded out by better ones, by words or by vectors; nor do others count as read.

    A row that came after the summary was made has not been read, though its group has a summary.
    """
    texts = [f"green tea number {at}" for at in range(12)]
    made = await make(engine, tenant, await write(store, tenant, notes(tenant, clock, texts), clock()))
    await write(store, tenant, notes(tenant, clock, ["black tea, with a long tail of other words"], first=20), clock())
    for vector in (None, hash_vector("green tea")):
        found = await pool(store, tenant, "green tea", vector=vector, only=True)
        assert {"n20", made.summary_id} == {one.id for one in found.rows.values() if not one.summarized}
        assert len((await pool(store, tenant, "green tea", vector=vector)).rows) > 5


async def test_raw_rows_and_summaries_do_not_displace_each_other(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """The nearest of both kinds, as many as asked for of each."""
    made: list[NewMemory] = []
    for user in ("ada", "ben", "cid"):
        rows = notes(tenant, clock, TEXTS, user=user, first=10 * (len(made) + 1))
        near = [replace(row, vector=unit(1, at / 100)) for at, row in enumerate(rows)]
        made.append((await make(engine, tenant, await write(store, tenant, near, clock()))).summary_id)
    for vector in (unit(1, 0), hash_vector(TEXTS[0])):
        found = await pool(store, tenant, "", vector=vector)
        assert set(made) <= set(found.rows)
        assert sum(not row.is_summary for row in found.rows.values()) == 5


async def test_neighbors_are_of_one_namespace(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """A name of a session says little: the one of another namespace is another conversation."""
    for place, namespace in enumerate(("work", "home")):
        rows = notes(tenant, clock, ["one", "green tea", "three"], session_id="s", namespace=namespace)
        moved = [
            replace(
                row,
                memory=replace(row.memory, id=f"{namespace}{at}", created_at=row.memory.created_at + place * HOUR),
            )
            for at, row in enumerate(rows)
        ]
        await write(store, tenant, moved, clock())
    found = await pool(store, tenant, "tea")
    assert dict(found.before)["work1"] == "work0"
    assert dict(found.after)["home1"] == "home2"


async def test_the_newest_value_comes_first(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Of two values of one fact, where the question asks how things are now."""
    texts = ["I live in Utrecht, near the market where I live well", "I live in Lisbon"]
    rows = notes(tenant, clock, texts, key="home")
    await write(store, tenant, [replace(row, person="mara") for row in rows], clock())
    for query, first in (("Where does Mara live now?", "n1"), ("live near the market", "n0")):
        found = await pool(store, tenant, query)
        assert first == rank(read_question(query), found, now=clock())[0].id


async def test_only_chosen_rows_are_read(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """What is named is answered, also rows that are no candidates; what is gone is left out."""
    await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await store.memories.forget(tenant, ["n2"], now=clock())
    asked = Asked(question=read_question("honey"), vector=None, embedding_version=VERSION, breadth=5)
    found, zones = await store.search.read(tenant, EVERYTHING, asked, lambda pool: [*pool.rows, "n0", "n2", "nobody"])
    assert {"n0": TEXTS[0], "n1": TEXTS[1]} == {id_: memory.text for id_, memory in found.items()}
    assert {} == zones


async def test_summaries_over_rows(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Those that stand, by the rows they rest on."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    assert [] == list(await store.search.over(tenant, ["n0"]))
    made = await make(engine, tenant, group_id)
    assert [made.summary_id] == list(await store.search.over(tenant, ["n0", "n1"]))
    assert [] == list(await store.search.over(tenant, ["nobody"]))


async def test_nothing_is_found_in_an_empty_scope(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """And a question without a word that matters is no error."""
    assert {} == dict((await pool(store, tenant, "honey")).rows)
    await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    assert {} == dict((await pool(store, tenant, "who is it?")).rows)


async def pool(store: PostgresStore, tenant: str, query: str, *, vector: Any = None, only: bool = False) -> Pool:
    """The candidates of a question."""
    seen: list[Pool] = []
    asked = Asked(
        question=read_question(query), vector=vector, embedding_version=VERSION, breadth=5, only=only
    )  # fmt: skip
    await store.search.read(tenant, EVERYTHING, asked, seeing(seen))
    return seen[0]
