"""The postings say what the rows say, whatever changes them; and a large scope is searched by its indexes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from postings import WRONG_POSTINGS
from precis.app import App
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.keys.vault import Vault
from precis.recall.question import Pool, bm25, read_question
from precis.store.changes.posting import relisting
from precis.store.filtering import Filter
from precis.store.search import Asked, Choose, PostgresSearch, pool_query
from precis.store.upkeep.lists import nearest_in_lists

pytestmark = pytest.mark.asyncio(loop_scope="session")
Owner = AsyncConnection[DictRow]


def seeing(seen: list[Pool]) -> Choose:
    """Chooses nothing and keeps what it could have chosen from."""

    def choose(pool: Pool) -> list[str]:
        seen.append(pool)
        return []

    return choose


async def agree(owner: Owner, tenant: str) -> int:
    """How many postings there are, all of them right and none missing."""
    wrong = await (await owner.execute(WRONG_POSTINGS, {"tenant_id": tenant})).fetchall()
    assert wrong == []
    counted = await owner.execute("SELECT count(*) AS rows FROM postings WHERE tenant_id = %s", [tenant])
    row = await counted.fetchone()
    return int(row["rows"]) if row else 0


async def test_they_follow_the_rows(owner: Owner, app: App, tenant: str) -> None:
    """Writes, summaries, edits, forgetting a memory and a user: in the same transaction, by the rows themselves."""
    texts = ("Ana drinks green tea, green tea only.", "Ana keeps oolong tea in a tin.", "Ana gave up sugar in tea.")
    rows = [{"text": t, "user_id": "ana", "type": "fact", "key": "tea"} for t in texts]
    written = await app.memories.add(rows)
    assert written.summaries
    whole = await agree(owner, tenant)
    assert whole > 20
    await app.memories.edit(written.memories[0].id, {"text": "Ana drinks coffee."})
    assert await agree(owner, tenant) < whole
    await app.memories.forget(written.memories[1].id)
    await agree(owner, tenant)
    await app.memories.add([{"text": "Ben likes trains.", "user_id": "ben"}])
    await app.memories.forget_user("ana")
    assert await agree(owner, tenant) == 4  # ben, likes, trains, and the row itself


async def test_an_expired_row_has_none(runtime: Runtime, owner: Owner, app: App, tenant: str) -> None:
    """Its words stay for forgetting; recall does not see them."""
    written = await app.memories.add([{"text": "Ana drinks tea.", "user_id": "ana"}])
    memory_id = written.memories[0].id
    expired = {"memory_id": memory_id, "attributes_ciphertext": None, "now": runtime.engine.clock()}
    async with runtime.database.tx(tenant) as tx:
        await tx.together(*relisting([memory_id], ("expire_memory", expired)))
    assert await agree(owner, tenant) == 0
    await app.memories.forget(written.memories[0].id)
    assert await agree(owner, tenant) == 0


async def test_what_is_carried_in_has_its_postings(runtime: Runtime, owner: Owner, app: App) -> None:
    """Rows and summaries of an export, under the keys of the other tenant."""
    rows = [{"text": f"Ove sails boat number {at}.", "user_id": "ove", "type": "fact", "key": "boat"} for at in "abc"]
    assert (await app.memories.add(rows)).summaries
    lines = [line async for line in app.persons.export("ove")]
    other = await new_tenant(runtime)
    await runtime.app(other).persons.put(lines)
    assert await agree(owner, other) > 12


def asked_for(vector: Any, version: str) -> Asked:
    """A question of no words."""
    return Asked(question=read_question(""), vector=vector, embedding_version=version, breadth=60)


async def candidates(search: PostgresSearch, tenant: str, vector: Any, version: str, chosen: Filter) -> set[str]:
    """The ids of the sixty nearest."""
    seen: list[Pool] = []
    await search.read(tenant, chosen, asked_for(vector, version), seeing(seen))
    return set(seen[0].rows)


async def test_the_index_of_a_scope_finds_what_is_nearest(runtime: Runtime, app: App, tenant: str) -> None:
    """At least 97 % of what the exact search finds, and as many rows as asked for; with a filter, all of that.

    The ids are given: which rows the lists are measured on is drawn from them.
    """
    words = "tea coffee train garden music doctor holiday kitchen dog market school friend letter bread".split()
    dice = np.random.default_rng(5)
    rows = [
        {"id": f"row-{at}", "text": " ".join(dice.choice(words, 6)), "user_id": "ana", "run_id": f"r{at % 15}"}
        for at in range(1500)
    ]
    await app.memories.add(rows, summarize="deferred")
    embedder = runtime.engine.embedder
    exact = runtime.store.search
    large = PostgresSearch(runtime.database, Vault(exact._vault.keyring), large=0, lasts=0.0)
    queries = [" ".join(dice.choice(words, 4)) for _ in range(40)]
    vectors = [np.asarray(vector, dtype=np.float32) for vector in await embedder.embed(queries)]
    indexes = runtime.store.scope_indexes
    await indexes.make(tenant, "ana", version=embedder.version)
    assert "ana" in await indexes.indexed(tenant, ["ana"], embedder.version)
    current = Filter(user_id="ana", turns=True, current=True, searched=True, recalled=True)
    async with runtime.database.tx(tenant) as tx:
        parameters = large._parameters(tenant, current, asked_for(vectors[0], embedder.version))
        assert len(await nearest_in_lists(tx, parameters) or ()) == 60
    for chosen, least in ((current, 0.97), (replace(current, run_id="r3"), 1.0)):
        shares = []
        for vector in vectors:
            wanted = await candidates(exact, tenant, vector, embedder.version, chosen)
            found = await candidates(large, tenant, vector, embedder.version, chosen)
            assert len(found) == len(wanted) == 60
            shares.append(len(wanted & found) / 60)
        assert sum(shares) / len(shares) >= least
    await indexes.drop(tenant, "ana")
    assert "ana" not in await indexes.indexed(tenant, ["ana"], embedder.version)


WORDS = [f"w{at}" for at in range(400)]


def sentence(dice: np.random.Generator, length: int) -> str:
    """Words as unequally common as those of a language."""
    weights = 1 / (np.arange(len(WORDS)) + 2.0)
    return " ".join(dice.choice(WORDS, length, p=weights / weights.sum()))


async def new_tenant(runtime: Runtime) -> str:
    """The id of a tenant nobody else uses."""
    tenant_id = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant_id, name="test", now=runtime.engine.clock())
    return tenant_id


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def worded(runtime: Runtime) -> tuple[str, list[str]]:
    """A tenant, and the ids of its rows: three sessions of one user, some words common and most rare."""
    tenant = await new_tenant(runtime)
    dice = np.random.default_rng(7)
    rows = [{"text": sentence(dice, int(dice.integers(2, 30))), "user_id": "ana", "session_id": f"s{at % 3}"}
            for at in range(1200)]  # fmt: skip
    written = await runtime.app(tenant).memories.add(rows, summarize="deferred")
    return tenant, [row.id for row in written.memories]


@pytest.mark.parametrize("summaries", [0, 5, 300])
@pytest.mark.parametrize("chosen", [Filter(user_id="ana"), Filter(user_id="ana", session_id="s1"), Filter()])
async def test_what_is_left_out_could_not_be_among_the_best(
    runtime: Runtime, owner: Owner, worded: tuple[str, list[str]], chosen: Filter, summaries: int
) -> None:
    """The best rows by words of a large scope are as good as those that are found by looking at every row."""
    tenant, ids = worded[0], worded[1][:summaries]
    await owner.execute("UPDATE memories SET is_summary = memory_id = ANY(%s) WHERE tenant_id = %s", [ids, tenant])
    await owner.execute("UPDATE postings SET is_summary = memory_id = ANY(%s) WHERE tenant_id = %s", [ids, tenant])
    exact = runtime.store.search
    large = PostgresSearch(runtime.database, Vault(exact._vault.keyring), large=0, lasts=0.0)
    everybody = replace(chosen, session_id=None)  # whose document frequencies a large scope goes by
    dice = np.random.default_rng([7, summaries])
    for at in range(40):
        asked = Asked(
            question=read_question(sentence(dice, 1 + at % 6)), vector=None, embedding_version="none", breadth=10
        )
        best = [await scores(one, tenant, asked, where) for one, where in ((exact, everybody), (large, everybody))]
        assert best[0] == best[1]
        narrow = await scores(large, tenant, asked, chosen)
        assert len(narrow) == len(await scores(exact, tenant, asked, chosen))
        assert all(one <= of_all for one, of_all in zip(narrow, best[0], strict=False))


async def test_a_filter_that_takes_the_rare_words_away_leaves_the_common_ones(
    runtime: Runtime, app: App, tenant: str
) -> None:
    """As many rows as asked for, though those that seemed to make the best ones are in another session."""
    rare = [{"text": f"walrus number {at}", "user_id": "ana", "session_id": "zoo"} for at in range(30)]
    common = [{"text": f"tea number {at}", "user_id": "ana", "session_id": "home"} for at in range(300)]
    await app.memories.add([*rare, *common], summarize="deferred")
    large = PostgresSearch(runtime.database, Vault(runtime.store.search._vault.keyring), large=0, lasts=0.0)
    asked = Asked(question=read_question("walrus tea"), vector=None, embedding_version="none", breadth=10)
    assert len(await scores(large, tenant, asked, Filter(user_id="ana", session_id="home"))) == 10


async def test_words_weigh_something_while_a_memory_grows(runtime: Runtime, app: App, tenant: str) -> None:
    """The size of a large scope is known for a while: it is never less than the rows that hold a word."""
    large = PostgresSearch(runtime.database, Vault(runtime.store.search._vault.keyring), large=100)
    asked = Asked(question=read_question("tea walrus"), vector=None, embedding_version="none", breadth=10)
    rows = [{"text": f"Ana drank tea number {at}", "user_id": "ana"} for at in range(900)]
    await app.memories.add(rows[:110], summarize="deferred")
    before = await scores(large, tenant, asked, Filter(user_id="ana"))
    both = {"text": "Ana drank tea with the walrus", "user_id": "ana"}
    await app.memories.add([*rows[110:], both, {"text": "Ana met the walrus", "user_id": "ana"}], summarize="deferred")
    best, second, *others = await scores(large, tenant, asked, Filter(user_id="ana"))
    assert before[0] > 0
    assert best > second > others[0] > 0


async def scores(search: PostgresSearch, tenant: str, asked: Asked, chosen: Filter) -> list[float]:
    """How good the best rows by words are, the best first."""
    seen: list[Pool] = []
    await search.read(tenant, chosen, asked, seeing(seen))
    pool, rows = seen[0], list(seen[0].rows.values())
    counts = np.asarray([row.frequencies for row in rows], float).reshape(len(rows), len(pool.holding))
    lengths = np.asarray([row.length for row in rows], float)
    found = bm25(counts, lengths, np.full(len(rows), pool.mean_length), pool)
    return sorted((round(float(one), 6) for one in found if one > 0), reverse=True)[: asked.breadth]


def plan_rows(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(how, of what) of every scan in a plan; what reads rows that an index named is told by that index alone."""
    read = plan.get("Index Name", plan.get("Relation Name"))
    if read and plan["Node Type"] != "Bitmap Heap Scan":
        yield plan["Node Type"], read
    for below in plan.get("Plans", []):
        yield from plan_rows(below)


async def planned(runtime: Runtime, tenant: str, user: str, *, large: bool) -> dict[str, Any]:
    """How the candidates of a question in a user's memory are found, as the server plans it."""
    search, embedder = runtime.store.search, runtime.engine.embedder
    vector = np.asarray((await embedder.embed(["green tea"]))[0], dtype=np.float32)
    asked = Asked(question=read_question("green tea"), vector=vector, embedding_version=embedder.version, breadth=30)
    parameters = search._parameters(tenant, Filter(user_id=user), asked)
    async with runtime.database.tx(tenant, one_moment=True, generic_plans=not large) as tx:
        if large:
            figures = await PostgresSearch(runtime.database, search._vault, large=0)._figures(tx, parameters)
            parameters |= figures or {}
            await tx.set("settle_in")
            parameters["nearest"] = []
        query = pool_query(parameters, large=large)
        explain: Any = f"EXPLAIN (FORMAT JSON) {query}"
        row = await (await tx.connection.execute(explain, parameters)).fetchone()
    assert row is not None
    plan: dict[str, Any] = row["QUERY PLAN"][0]["Plan"]
    return plan


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def crowded(runtime: Runtime) -> str:
    """A tenant with twenty users of sixty rows: whoever read more than one user's would be seen to."""
    tenant = await new_tenant(runtime)
    for user in range(20):
        rows = [{"text": f"tea number {at} of user {user}", "user_id": f"u{user}"} for at in range(60)]
        await runtime.app(tenant).memories.add(rows, summarize="deferred")
    return tenant


async def test_a_scope_is_read_by_its_indexes(runtime: Runtime, owner: Owner, crowded: str) -> None:
    """One user's rows, the postings of the question's words, and each candidate by its key: never a table whole."""
    await owner.execute("ANALYZE memories, postings")
    plan = await planned(runtime, crowded, "u3", large=False)
    scans = set(plan_rows(plan))
    # By the size that the table happens to have it is a scan by the index, or of what the index names.
    assert "memories_by_user" in {of for _, of in scans}
    assert {of for how, of in scans if "postings" in of} == {"postings_pkey"}
    assert not {of for how, of in scans if how == "Seq Scan" and of in ("memories", "postings")}


async def test_one_very_large_user_spoils_no_plan(runtime: Runtime, owner: Owner, crowded: str) -> None:
    """By the figures of a table of millions of rows and few users, the rows of a small one are still hashed."""
    await owner.execute("ANALYZE memories, postings")
    try:
        await owner.execute("UPDATE pg_class SET reltuples = 6000000 WHERE relname = 'memories'")
        plan = await planned(runtime, crowded, "u3", large=False)
    finally:
        await owner.execute("ANALYZE memories")
    assert "hashed SubPlan" in json.dumps(plan)


#: Characters of a query that is converted in a tenth of a millisecond.
_SHORT = 4_800


async def test_a_question_in_a_scope_is_planned_once(runtime: Runtime, tenant: str) -> None:
    """Only the conditions that are given stand in it: all of them would be parsed with every question."""
    search, embedder = runtime.store.search, runtime.engine.embedder
    asked = Asked(
        question=read_question("tea"),
        vector=np.ones(256, dtype=np.float32),
        embedding_version=embedder.version,
        breadth=30,
    )
    query = pool_query(search._parameters(tenant, Filter(user_id="ana"), asked), large=False)
    assert len(query) <= _SHORT


async def test_a_large_scope_is_found_by_its_indexes(runtime: Runtime, owner: Owner, crowded: str) -> None:
    """The words by the postings alone, the vectors by the lists of that user; no table is read whole."""
    await owner.execute("ANALYZE memories, postings")
    scans = set(plan_rows(await planned(runtime, crowded, "u3", large=True)))
    assert {of for how, of in scans if "postings" in of} == {"postings_pkey", "postings_of_summaries"}
    assert not {of for how, of in scans if how == "Seq Scan" and of in ("memories", "postings")}
