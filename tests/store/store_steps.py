"""Rows, policies and steps that the tests of the store share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from new_rows import new_memory
from precis.bootstrap import Runtime
from precis.engine import draft as drafting
from precis.engine.drafted import MadeNode
from precis.engine.engine import Engine
from precis.engine.lease import Lease
from precis.engine.pipeline import refresh
from precis.engine.plan import Plan
from precis.engine.policy import Originals, Policy
from precis.engine.segments import Shape
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.vault import Vault
from precis.memory import Scope
from precis.policies.clusters import clusters
from precis.recall.question import Pool
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore, postgres_store
from precis.store.rows import NewMemory
from precis.store.search import Choose, PostgresSearch
from precis.summary import Summary
from precis.testing.clock import FrozenClock

#: Its originals may go, so that every suite has a policy that lets them.
POLICY = replace(clusters(), originals=Originals.TTL)
#: Cuts groups of a few short notes.
CUTTING = replace(POLICY, shape=Shape(segment_tokens=10, segment_limit=24, small_tokens=16, fan=2, fan_limit=4))
LASTS = timedelta(minutes=2)
EVERYTHING = Filter()
#: Two summaries of one text share no word that matters, so that each redaction can be told apart.
TEXTS = ("green tea at dawn", "oolong with honey", "matcha from Kyoto", "rooibos before bed", "chai on Sundays")


def store_with(runtime: Runtime, policies: Mapping[str, Policy]) -> PostgresStore:
    """A store with other policies over the shared database."""
    log = ForgottenLog(runtime.settings.forgotten_folder)
    return postgres_store(runtime.database, runtime.store.tenants.keyring, policies, log)


def searching_large(runtime: Runtime) -> PostgresStore:
    """The same store with a search that takes every scope for a large one, and so goes by the postings."""
    search = PostgresSearch(runtime.database, Vault(runtime.store.tenants.keyring), large=0, lasts=0.0)
    return replace(runtime.store, search=search)


def seeing(seen: list[Pool]) -> Choose:
    """Chooses nothing and keeps what it could have chosen from."""

    def choose(pool: Pool) -> list[str]:
        seen.append(pool)
        return []

    return choose


def notes(
    tenant: str,
    clock: FrozenClock,
    texts: Sequence[str] = TEXTS[:3],
    *,
    user: str = "ada",
    first: int = 0,
    **fields: Any,
) -> list[NewMemory]:
    """Rows with ids n0, n1, ... a day apart."""
    scope = Scope(tenant_id=tenant, user_id=user)
    return [
        new_memory(f"n{at}", text, scope=scope, created_at=clock() - timedelta(days=60 - at), **fields)
        for at, text in enumerate(texts, start=first)
    ]


async def write(store: PostgresStore, tenant: str, rows: Sequence[NewMemory], now: datetime) -> str:
    """Add rows of one cluster; answers the cluster."""
    added = await store.memories.add(tenant, rows, policy=POLICY, now=now)
    groups = {one.group_id for one in added}
    assert len(groups) == 1
    return groups.pop() or ""


async def make(engine: Engine, tenant: str, group_id: str) -> Any:
    """Refresh one group; answers the outcome."""
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    return await refresh(engine, lease)


async def draft(engine: Engine, lease: Lease, planned: Plan) -> list[MadeNode]:
    """What a refresh would commit, the summary last; each node below it is kept as it is made."""

    async def keep(node: MadeNode) -> None:
        await engine.groups.commit_node(lease, node, now=engine.clock())

    drafted = await drafting.draft(planned, engine.groups.reader(lease.tenant_id), makers=engine, keep=keep)
    return [*drafted.below, drafted.root]


async def claim(engine: Engine, tenant: str, group_id: str | None = None) -> Lease | None:
    """Lease a group at the time of the engine's clock."""
    return await engine.groups.claim(tenant, now=engine.clock(), lasts=LASTS, group_id=group_id)


async def only_summary(store: PostgresStore, tenant: str) -> Summary:
    """The one summary of a tenant."""
    page = await store.summaries.list(tenant, EVERYTHING, policy=None, limit=10, cursor=None)
    assert len(page.rows) == 1
    return page.rows[0]


def unit(*places: float) -> Any:
    """A unit vector with these leading figures."""
    vector = np.zeros(64, dtype=np.float32)
    vector[: len(places)] = places
    return vector / np.linalg.norm(vector)
