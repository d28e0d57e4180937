"""The queries that run on every write, refresh, read and forget use their index on tables of several tenants."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
import pytest_asyncio
from databases import Scratch, connect
from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from precis.database.connections import Database, open_database
from precis.database.migrate import migrate
from precis.database.queries import every_query, query
from precis.database.sending import numbered
from precis.embedded.server import APPLICATION
from precis.keys.cipher import TenantKeys
from precis.store.filtering import Filter, filter_parameters

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
QUERIES = every_query()
NO_CONDITION = filter_parameters(Filter(), cast("TenantKeys", None))  # no condition, nothing to hash
NOTHING: dict[str, Any] = NO_CONDITION | {"before": None, "before_id": None, "limit": 50}
SCOPE = {"policy": "clusters", "user_id": "u3", "project_id": "", "environment": "production", "extracted_type": "fact"}

#: What a row replaces, what replaces it, and on which messages it rests.
PAIRS = ("supersessions_by_newer", "supersessions_pkey", "fact_sources_pkey", "memories_pkey")

#: What a write, the refresh after it and a recall ask of tables that grow, by their names.
EVERYDAY = """
    add_node_sources asserting clear_statements content_of delete_unread_nodes drop_node_sources enlist
    existing_fingerprints finish_refresh get_memories group_leaves group_nodes group_row hold_terms hold_user_keys
    lock_group lock_groups lock_sources marks_of_group marks_on member_fingerprints members_alike post_terms
    put_asserted read_clusters scope_stamps set_fates tombstoned unpost_terms update_group update_summary user_keys
""".split()
#: Tables of which the plans are looked at: the others are empty here.
FILLED = set(
    "asserted groups members memories node_sources nodes postings statement_sources statements tombstones".split()
)

#: Five tenants of 2,000 memories, 50 users and 400 groups; one group in forty is due.
_FILL = """
CREATE TEMP TABLE made AS SELECT 't' || t AS tenant_id, n, 'm' || n AS memory_id, 'g' || n / 5 AS group_id,
    'u' || n / 40 AS user_id, %(now)s::timestamptz - n * interval '1 minute' AS at
    FROM generate_series(0, 4) t, generate_series(0, 1999) n;
INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, members, due_at,
                    summary_id, run, created_at)
    SELECT tenant_id, group_id, 'clusters', user_id, '', 'production', 'fact', 5,
           CASE WHEN n / 5 %% 40 = 0 THEN at END, 's' || n / 5, CASE WHEN n / 5 %% 4 = 0 THEN n / 100 END, at
    FROM made WHERE n %% 5 = 0;
INSERT INTO memories (tenant_id, memory_id, user_id, project_id, environment, session_id, memory_type, extracted_type,
                      tier, retention_state, is_summary, text_ciphertext, terms, importance, fingerprint, tokens,
                      created_at, updated_at, embedding_version, source_class)
    SELECT tenant_id, memory_id, user_id, '', 'production', 'c' || n / 20, 'semantic', 'fact', 'raw', 'live', false,
           decode(repeat('ab', 150), 'hex'), ARRAY[n, n + 1, n + 2]::bigint[], 0.5, '\\x00', 20, at, at, 'old@1', 'user'
    FROM made;
INSERT INTO aliases SELECT tenant_id, 'a' || n, memory_id, at FROM made;
INSERT INTO members SELECT tenant_id, group_id, memory_id FROM made;
INSERT INTO nodes (tenant_id, node_id, group_id, node_key, kind, definition, made_by, fallback, quality, tokens,
                   created_at)
    SELECT tenant_id, 's' || n / 5, group_id, '\\x00', 'root', 'd', 'm', false, 1, 20, at FROM made WHERE n %% 5 = 0;
INSERT INTO node_sources SELECT tenant_id, 's' || n / 5, memory_id FROM made;
INSERT INTO statements (tenant_id, statement_id, node_id, position, text_ciphertext, importance, terms)
    SELECT tenant_id, 'x' || n, 's' || n / 5, n %% 5, '\\x00', 0.5, ARRAY[n, n + 1]::bigint[] FROM made;
INSERT INTO statement_sources SELECT tenant_id, 'x' || n, memory_id, 0 FROM made;
INSERT INTO refreshes SELECT tenant_id, group_id, at, 1, 100 FROM made;
INSERT INTO model_calls (tenant_id, call_id, policy, group_id, model, state, reserved_cost, created_at)
    SELECT tenant_id, 'k' || n, 'clusters', group_id, 'm', 'settled', 0, at FROM made;
INSERT INTO tasks (tenant_id, task_id, run_id, type, view_id, status, forced, lease_until, created_at, completed_at)
    SELECT tenant_id, 'k' || n, 'k' || n, 'run', 'v' || n %% 20, CASE WHEN n < 5 THEN 'running' ELSE 'success' END,
           false, at, at, CASE WHEN n >= 5 THEN at END FROM made;
INSERT INTO supersessions SELECT tenant_id, memory_id, 'm' || n + 1, at, 'rule' FROM made WHERE n %% 10 = 0;
INSERT INTO fact_sources SELECT tenant_id, memory_id, 'm' || n + 1 FROM made WHERE n %% 10 = 0;
INSERT INTO asserted SELECT tenant_id, user_id, n / 3, memory_id FROM made;
INSERT INTO postings SELECT tenant_id, term, user_id, memory_id, 1, 3, false
    FROM made CROSS JOIN LATERAL unnest(ARRAY[n + 1, n + 2, n + 3, 0]) AS t (term);
INSERT INTO summary_refreshes SELECT tenant_id, memory_id, 1, at, 'r', 'm', false, '{}', '{}', '{}', 0, 0, 0 FROM made;
INSERT INTO past_statements SELECT tenant_id, 'p' || n, memory_id, 0, '\\x00', 0.5, '{}', '\\x00', 1 FROM made;
INSERT INTO past_sources SELECT tenant_id, 'p' || n, memory_id FROM made;
INSERT INTO tombstones SELECT tenant_id, decode(lpad(to_hex(n), 8, '0'), 'hex'), at FROM made;
ANALYZE
"""

#: One tenant, everything due at once.
_BACKLOG = """
INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, members, due_at,
                    created_at)
SELECT 't2', 'g' || n, 'clusters', 'u', '', 'production', 'fact', 3, %(now)s, %(now)s
FROM generate_series(1, 20000) n
"""

#: query → its parameters, and the indexes it must go by; the tables behind them are never read whole.
HOT: Mapping[str, tuple[dict[str, Any], set[str]]] = {
    "groups.claim_stalest": ({"now": NOW, "until": NOW, "token": "x", "policies": None}, {"groups_due"}),
    "runs.claim_for_run": (
        {"now": NOW, "until": NOW, "token": "x", "run": 7, "began_at": NOW, "jobs": 20, "policies": None},
        {"groups_due", "groups_by_run"},
    ),
    "runs.jobs_under_way": ({"run": 7, "now": NOW}, {"groups_by_run"}),
    "groups.claim_group": ({"now": NOW, "until": NOW, "token": "x", "group_id": "g7", "soon": NOW}, {"groups_pkey"}),
    "groups.group_leaves": ({"group_id": "g7"}, {"members_pkey", "memories_pkey"}),
    "groups.group_nodes": ({"group_id": "g7"}, {"nodes_by_group"}),
    "groups.read_statements": ({"ids": ["s7", "s8"]}, {"statements_by_node"}),
    "groups.lock_sources": (
        {"ids": ["m7", "m8", "m9"], "cited": ["m7"], "node_id": "s7"},
        {"memories_pkey"},
    ),
    "memories.get_memories": ({"ids": ["m7", "m8"]}, {"memories_pkey", *PAIRS}),
    "memories.list_memories": (NOTHING | {"user_id": "u3"}, {"memories_by_user", *PAIRS}),
    "memories.scope_stamps": (SCOPE, {"groups_by_scope"}),
    "memories.read_clusters": ({"ids": ["g7", "g8"]}, {"groups_pkey", "memories_pkey"}),
    "memories.lock_groups": ({"ids": ["g7", "g8"]}, {"groups_pkey"}),
    "memories.tombstoned": ({"hashes": [b"\0\0\0\7"]}, {"tombstones_pkey"}),
    "memories.hold_memories": ({"ids": ["m7"]}, {"memories_pkey"}),
    "census.user_held": ({"user_id": "u3", "bounds": [NOW]}, {"memories_by_user"}),
    "census.users_held": ({"after": "u3", "bounds": [NOW], "limit": 3}, {"memories_by_user"}),
    "long_term.newest": (NOTHING | {"user_id": "u3", "offset": 0}, {"memories_by_user"}),
    "long_term.same_text": ({"hashes": [7]}, {"memories_by_text"}),
    "long_term.accessed": ({"ids": ["m7"], "before": NOW, "now": NOW}, {"memories_pkey"}),
    "long_term.resolve": ({"ids": ["m7"]}, {"aliases_pkey"}),
    "forgetting.aliases_of": ({"ids": ["m7"]}, {"aliases_by_memory"}),
    "forgetting.lock_memories": ({"ids": ["m7"]}, {"memories_pkey"}),
    "forgetting.lock_groups_of": ({"ids": ["m7"]}, {"members_by_memory"}),
    "forgetting.forget_past": (
        {"ids": ["m7"], "groups": ["g1"], "terms": [7]},
        {"past_sources_by_memory", "past_statements_by_summary"},
    ),
    "facts.facts_resting_on": ({"ids": ["m7"]}, {"fact_sources_by_message"}),
    "superseding.asserting": (
        {"ids": ["m7"], "keys": [40], "limit": 16, "most": 512},
        {"asserted_pkey", "memories_pkey"},
    ),
    "superseding.pairs_touching": ({"ids": ["m7"]}, {"supersessions_pkey", "supersessions_by_newer"}),
    "history.statements_of_history": ({"ids": ["m7"]}, {"past_statements_by_summary", "past_sources_pkey"}),
    "forgetting.delete_live_nodes": ({"ids": ["m7"]}, {"node_sources_by_memory"}),
    "forgetting.delete_statements": (
        {"ids": ["m7"], "terms": [7, 8]},
        {"node_sources_by_memory", "statement_sources_by_memory"},
    ),
    "forgetting.detach_sources": ({"ids": ["m7"]}, {"node_sources_by_memory"}),
    "forgetting.detach_members": ({"ids": ["m7"], "clusters": False}, {"members_by_memory"}),
    "summaries.due": ({"now": NOW, "policies": None}, {"groups_due"}),
    "views.stale_partitions": ({"view_id": "v7"}, {"groups_stale_of_view"}),
    "views.list_partitions": ({"view_id": "v7", "labels": Jsonb({})}, {"groups_by_view"}),
    "tasks.open_run": ({"view_id": "v7"}, {"tasks_open"}),
    "tasks.get_task": ({"task_id": "k7"}, {"tasks_pkey"}),
    "tasks.note_progress": ({"run_id": "k7", "done": 1, "total": 2, "what": "days", "until": NOW}, {"tasks_by_run"}),
    "rule_groups.leaving": ({"now": NOW, "limit": 100}, {"members_leaving"}),
    "rule_groups.memberships": ({"memory_id": "m7", "policies": ["clusters"]}, {"members_by_memory"}),
    "embeddings.embedded": ({}, {"memories_by_embedder"}),
    "embeddings.outdated": ({"version": "old@1", "after": "", "limit": 500}, {"memories_by_embedder"}),
    "rule_groups.hold_groups": ({"ids": ["g7", "g8"]}, {"groups_pkey"}),
    "summaries.group_of": ({"summary_id": "s7"}, {"groups_by_summary"}),
    "summaries.list_summaries": (
        NOTHING | {"user_id": "u3", "policy": None},
        {"groups_of_summaries", "memories_pkey"},
    ),
    "summaries.churn": (NOTHING | {"since": NOW}, {"refreshes_by_time"}),
    "summaries.prune_refreshes": ({"before": NOW - timedelta(days=35)}, {"refreshes_by_time"}),
    "ledger.spent_since": ({"since": NOW}, {"model_calls_by_time"}),
    "ledger.reap": ({"now": NOW, "before": NOW}, {"model_calls_under_way"}),
    "ledger.under_way": ({}, {"model_calls_under_way"}),
}
#: What a write or a forget asks of a hundred rows at once.
_MANY = [f"m{n}" for n in range(100)]
OF_MANY: Mapping[str, dict[str, Any]] = {
    "memories.insert_members": {"ids": _MANY, "groups": ["g1999"] * 100},
    "postings.post_terms": {"ids": _MANY},
    "postings.unpost_terms": {"ids": _MANY},
    "superseding.asserting": {"ids": _MANY, "keys": list(range(100)), "limit": 16, "most": 512},
    "superseding.put_asserted": {"ids": _MANY, "users": ["u3"] * 100, "keys": list(range(100))},
    "vector_lists.enlist": {"ids": _MANY},
}
#: The same question as another caller puts it.
VARIANTS: Mapping[str, tuple[str, dict[str, Any], set[str]]] = {
    "a page of the whole tenant": ("memories.list_memories", NOTHING, {"memories_newest", *PAIRS}),
    "the next page of a user": (
        "memories.list_memories",
        NOTHING | {"user_id": "u3", "before": NOW, "before_id": "m5"},
        {"memories_by_user"},
    ),
    "a session": ("memories.list_memories", NOTHING | {"session_id": "c9"}, {"memories_by_session", *PAIRS}),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def filled(scratch: Callable[[], Awaitable[Scratch]]) -> AsyncIterator[Database]:
    """A database as it is after a while, and the serving role's way into it."""
    place = await scratch()
    await migrate(place.owner, app_role=APPLICATION, now=NOW)
    async with await connect(place.owner) as owner:
        for statement in _FILL.split(";\n"):
            await owner.execute(statement, {"now": NOW})
    async with open_database(place.serving, max_size=1) as database:
        yield database


async def plan_of(connection: AsyncConnection[DictRow], name: str, parameters: dict[str, Any]) -> str:
    """How the server would run a query for these values."""
    asked = await connection.execute(f"EXPLAIN {QUERIES[name]}", {"tenant_id": "t2"} | parameters)
    return "\n".join(row["QUERY PLAN"] for row in await asked.fetchall())


async def plan_for_any(connection: AsyncConnection[DictRow], name: str) -> str:
    """How the server runs a query that it keeps prepared, whatever its values are."""
    text, names = numbered(query(name))
    await connection.execute(b"PREPARE again AS " + text)
    nothing = ", ".join(["NULL"] * len(names))
    asked = await connection.execute(f"EXPLAIN EXECUTE again ({nothing})".encode())
    await connection.execute("DEALLOCATE again")
    return "\n".join(row["QUERY PLAN"] for row in await asked.fetchall())


def through_a_tenant(plan: str) -> set[str]:
    """What a plan goes through for all rows of a tenant."""
    return set(re.findall(r"Index Cond: (\(tenant_id = [^()]*\))\n", f"{plan}\n"))


def indexes(plan: str) -> set[str]:
    """The indexes a plan goes by."""
    return set(re.findall(r"(?:using|Bitmap Index Scan on) (\w+)", plan))


def read_whole(plan: str) -> set[str]:
    """The tables a plan reads from end to end."""
    return set(re.findall(r"Seq Scan on (\w+)", plan))


async def test_the_plans_go_by_their_indexes(filled: Database) -> None:
    """One at a time, with what the plan was where it is not so."""
    cases = [(name, name, *case) for name, case in HOT.items()] + [(label, *case) for label, case in VARIANTS.items()]
    wrong = {}
    for label, name, parameters, wanted in cases:
        async with filled.tenant("t2") as connection:
            plan = await plan_of(connection, name, parameters)
        if not wanted <= indexes(plan) or read_whole(plan):
            wrong[label] = plan
    assert wrong == {}, "\n\n".join(f"{label}\n{plan}" for label, plan in wrong.items())


async def test_plans_for_any_values_stay_within_what_is_asked_for(filled: Database) -> None:
    """A connection that asks the same often keeps a plan made without its values: it goes through no whole tenant."""
    wrong = {}
    async with filled.tenant("t2") as connection:
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        for name in EVERYDAY:
            plan = await plan_for_any(connection, name)
            if read_whole(plan) & FILLED or through_a_tenant(plan):
                wrong[name] = plan
        # With fewer users than here it looked cheaper to save the sort: as if that were dear.
        await connection.execute("SET LOCAL enable_sort = off")
        few = await plan_for_any(connection, "asserting")
    assert wrong == {}, "\n\n".join(f"{name}\n{plan}" for name, plan in wrong.items())
    assert {"asserted_pkey", "memories_pkey"} == indexes(few), few


async def test_a_write_of_many_looks_each_row_up_where_a_tenant_is_larger_than_thought(
    scratch: Callable[[], Awaitable[Scratch]],
) -> None:
    """In tables that were never analyzed, as for a large tenant among small ones: nothing goes through its rows."""
    place = await scratch()
    await migrate(place.owner, app_role=APPLICATION, now=NOW)
    async with await connect(place.owner) as owner:
        for table in ("memories", "members", "asserted", "postings", "groups"):
            await owner.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")
        for statement in _FILL.removesuffix("ANALYZE\n").split(";\n"):
            await owner.execute(statement, {"now": NOW})
    wrong = {}
    async with open_database(place.serving, max_size=1) as database, database.tenant("t2") as connection:
        for name, parameters in OF_MANY.items():
            plan = await plan_of(connection, name, parameters)
            if "memories_pkey" not in indexes(plan) or through_a_tenant(plan) or read_whole(plan) & FILLED:
                wrong[name] = plan
    assert wrong == {}, "\n\n".join(f"{name}\n{plan}" for name, plan in wrong.items())


async def test_a_claim_looks_at_the_first_of_a_backlog(scratch: Callable[[], Awaitable[Scratch]]) -> None:
    """Twenty thousand groups due since the same moment, in a table that was never analyzed: a few blocks are read."""
    place = await scratch()
    await migrate(place.owner, app_role=APPLICATION, now=NOW)
    async with await connect(place.owner) as owner:
        await owner.execute("ALTER TABLE groups SET (autovacuum_enabled = false)")
        await owner.execute(_BACKLOG, {"now": NOW})
        counted = await owner.execute("SELECT reltuples FROM pg_class WHERE relname = 'groups'")
        assert [row["reltuples"] for row in await counted.fetchall()] == [-1]
    wrong = {}
    async with open_database(place.serving, max_size=1) as database:
        for name in ("groups.claim_stalest", "runs.claim_for_run"):
            async with database.tenant("t2") as connection:
                await connection.execute(QUERIES["groups.walk_in_order"])
                query = f"EXPLAIN (ANALYZE, BUFFERS) {QUERIES[name]}"
                asked = await connection.execute(query, {"tenant_id": "t2"} | HOT[name][0])
                plan = "\n".join(row["QUERY PLAN"] for row in await asked.fetchall())
            blocks = sum(int(n) for n in re.findall(r"shared (?:hit|read)=(\d+)", plan.splitlines()[1]))
            if "Sort" in plan or "groups_due" not in indexes(plan) or not 0 < blocks < 150:
                wrong[name] = plan
    assert wrong == {}, "\n\n".join(wrong.values())


async def test_forced_security_does_not_cost_the_index(filled: Database) -> None:
    """The policy's condition is one more filter on the row, not a reason to read the table."""
    async with filled.tenant("t2") as connection:
        plan = await plan_of(connection, "memories.get_memories", {"ids": ["m7"]})
    assert "current_setting('precis.tenant_id'" in plan
    assert indexes(plan) == {"memories_pkey", *PAIRS}


async def test_a_plan_without_an_index_would_be_seen(filled: Database) -> None:
    """The check itself: where the planner may use no index, the same query is found to read the table."""
    async with filled.tenant("t2") as connection:
        for way in ("indexscan", "indexonlyscan", "bitmapscan"):
            await connection.execute(f"SET LOCAL enable_{way} = off")
        plan = await plan_of(connection, "memories.get_memories", {"ids": ["m7"]})
    assert (indexes(plan), read_whole(plan)) == (set(), {"fact_sources", "memories", "supersessions"})


async def test_a_page_of_a_user_reads_about_a_page(filled: Database) -> None:
    """Fifty rows of a user among ten thousand are found within a few blocks."""
    async with filled.tenant("t2") as connection:
        query = f"EXPLAIN (ANALYZE, BUFFERS) {QUERIES['memories.list_memories']}"
        asked = await connection.execute(query, NOTHING | {"tenant_id": "t2", "user_id": "u3"})
        plan = "\n".join(row["QUERY PLAN"] for row in await asked.fetchall())
    blocks = sum(int(n) for n in re.findall(r"shared (?:hit|read)=(\d+)", plan.splitlines()[1]))
    assert "actual" in plan
    assert 0 < blocks < 60
