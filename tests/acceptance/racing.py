"""A tenant with one cluster whose refresh can be held at each step, and eyes for all that is derived in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from new_rows import new_memory
from precis.database.connections import Database
from precis.engine.drafted import NodeContent, Outcome
from precis.engine.engine import Engine
from precis.engine.forgetting import Receipt
from precis.engine.lease import Lease
from precis.engine.pipeline import refresh
from precis.engine.policy import Policy
from precis.language.words import terms
from precis.memory import Scope
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.store.rows import NewMemory
from precis.testing.fakes import HashEmbedder, Quoting

CANARY = "marzipan"
LASTS = timedelta(minutes=2)
_EVERYTHING = Filter()
Act = Callable[[], Awaitable[None]]


class Pausing(HashEmbedder):
    """Does something between a draft and its commit."""

    def __init__(self) -> None:
        self.meanwhile: Act | None = None

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """The vectors, after whatever is to happen first."""
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            await act()
        return await super().embed(texts)


@dataclass(kw_only=True)
class Room:
    """One tenant with one cluster, and an engine that can be held at each step."""

    tenant: str
    database: Database
    store: PostgresStore
    #: One for each time a transaction was the victim of a deadlock.
    deadlocks: list[str]
    engine: Engine
    model: Quoting
    embedder: Pausing
    group_id: str = ""

    @property
    def policy_name(self) -> str:
        """The name of the engine's one policy."""
        return next(iter(self.engine.policies))

    async def write(self, count: int, *, canary: int, first: int = 0) -> None:
        """Members m0, m1, ..., of which one says the canary."""
        rows = [self.row(f"m{n}", CANARY if n == canary else f"word{n}") for n in range(first, first + count)]
        added = await self.store.memories.add(self.tenant, rows, policy=self.policy, now=now())
        (self.group_id,) = {one.group_id or "" for one in added}

    def row(self, id_: str, word: str) -> NewMemory:
        """A member that says this word."""
        scope = Scope(tenant_id=self.tenant, user_id="ana")
        return new_memory(id_, f"Ana packs {word} for tea.", scope=scope, created_at=now())

    async def claim(self) -> Lease:
        """The right to refresh the cluster."""
        lease = await self.engine.groups.claim(self.tenant, now=now(), lasts=LASTS, group_id=self.group_id)
        assert lease is not None
        return lease

    async def refresh(self) -> Outcome:
        """One refresh from its lease on."""
        return await refresh(self.engine, await self.claim())

    async def forget(self, id_: str) -> Receipt:
        """Take one member back."""
        receipt = await self.store.memories.forget(self.tenant, [id_], now=now())
        assert receipt.forgotten == (id_,)
        return receipt

    @property
    def policy(self) -> Policy:
        """That policy."""
        return self.engine.policies[self.policy_name]

    async def said(self) -> dict[str, str]:
        """Every text that is derived or stored: statements of every node by node id, and every row by its id."""
        async with self.database.tenant(self.tenant) as connection:
            nodes = await (await connection.execute("SELECT node_id, kind FROM nodes")).fetchall()
            rows = await (await connection.execute("SELECT memory_id FROM memories")).fetchall()
        contents = await self.store.groups.reader(self.tenant).contents([row["node_id"] for row in nodes])
        memories = await self.store.memories.get(self.tenant, [row["memory_id"] for row in rows])
        found = {id_: memory.text or "" for id_, memory in memories.items()}
        for node in nodes:
            content = contents.get(node["node_id"], NodeContent())
            found[f"{node['kind']} {node['node_id']}"] = " ".join(s.text for s in content.statements)
        return found

    async def traces(self, id_: str) -> dict[str, int]:
        """Rows that still know the forgotten id, and rows with the keyed hash of a word only it said."""
        keyed = list(self.store.memories._vault.keys(self.tenant).terms(terms(CANARY)))
        assert keyed
        queries = {
            "memories": ("SELECT count(*) AS n FROM memories WHERE memory_id = %s OR %s = ANY(parent_id)", [id_, id_]),
            "members": ("SELECT count(*) AS n FROM members WHERE memory_id = %s", [id_]),
            "node_sources": ("SELECT count(*) AS n FROM node_sources WHERE memory_id = %s", [id_]),
            "statement_sources": ("SELECT count(*) AS n FROM statement_sources WHERE memory_id = %s", [id_]),
            "terms of memories": ("SELECT count(*) AS n FROM memories WHERE terms && %s", [keyed]),
            "terms of statements": ("SELECT count(*) AS n FROM statements WHERE terms && %s", [keyed]),
        }
        found = {}
        async with self.database.tenant(self.tenant) as connection:
            for name, (query, values) in queries.items():
                row = await (await connection.execute(query, values)).fetchone()  # type: ignore[call-overload]
                found[name] = row["n"]
        return {name: n for name, n in found.items() if n}

    async def gone(self, id_: str) -> None:
        """Nothing of it is anywhere."""
        assert {where: text for where, text in (await self.said()).items() if CANARY in text} == {}
        assert await self.traces(id_) == {}
        assert self.deadlocks == []

    async def settled(self, *survivors: str) -> None:
        """After the refreshes that are due: one current summary of the survivors, and still nothing of the rest."""
        for _ in range(5):
            if not await self.store.summaries.due(self.tenant, now=now()):
                break
            await self.refresh()
        page = await self.store.summaries.list(self.tenant, _EVERYTHING, policy=None, limit=9, cursor=None)
        (summary,) = page.rows
        assert set(summary.parent_id) == set(survivors)
        assert not summary.stale


def now() -> datetime:
    """The time now."""
    return datetime.now(UTC)
