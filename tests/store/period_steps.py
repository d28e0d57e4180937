"""Days, weeks and months of the UTC calendar: what the tests of places and of retention begin with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from store_steps import LASTS, POLICY

from new_rows import new_memory, plain_periods
from precis.app.refreshing import refresh_leased
from precis.engine.drafted import Result
from precis.engine.engine import Engine
from precis.engine.policy import Originals, Policy
from precis.memory import Scope, Tier
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.store.rows import NewMemory
from precis.summary import Summary
from precis.testing.clock import FrozenClock
from precis.testing.fakes import hash_vector

#: Long enough that five notes of a day do not become longer when they are quoted.
TEXTS = (
    "Ada planted four apple trees behind the old barn",
    "Ada ordered twelve panes of glass for the greenhouse",
    "Ada's neighbor lent her the long ladder until May",
    "The well pump broke and Ada called the plumber",
    "Ada sold two crates of quinces at the market",
)


PERIODS = plain_periods(POLICY)
#: Batches are filled by a pass, so nothing is placed in them at a write.
BATCHES = replace(PERIODS["month"], name="archive", tier=Tier.ARCHIVE, place=None, originals=Originals.TTL)
PLACED: Mapping[str, Policy] = {POLICY.name: POLICY, **PERIODS, BATCHES.name: BATCHES}
#: A Monday at noon.
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


async def write_day(
    store: PostgresStore, tenant: str, clock: FrozenClock, *, first: int = 0, importance: float = 0.6
) -> list[str]:
    """Five notes of one day, each on a subject of its own."""
    rows: list[NewMemory] = [
        new_memory(
            f"n{first + at}", text, scope=Scope(tenant_id=tenant, user_id="ada"),
            created_at=MONDAY + timedelta(minutes=first + at), key=f"subject {first + at}", importance=importance,
            metadata={"kind": "note"},
        )
        for at, text in enumerate(TEXTS)
    ]  # fmt: skip
    await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    return [row.memory.id for row in rows]


async def work_off(engine: Engine, tenant: str) -> list[Result]:
    """Refresh what is due until nothing is."""
    results = []
    while lease := await engine.groups.claim(tenant, now=engine.clock(), lasts=LASTS):
        results.append((await refresh_leased(engine, lease)).result)
    return results


async def month_made(
    store: PostgresStore, engine: Engine, tenant: str, clock: FrozenClock, *, importance: float = 0.6
) -> list[str]:
    """Five notes of one day, and forty days later its day, week and month, made; answers the ids of the notes."""
    ids = await write_day(store, tenant, clock, importance=importance)
    clock.advance(timedelta(days=40))
    await work_off(engine, tenant)
    return ids


def day_note(tenant: str, id_: str, text: str, **fields: Any) -> NewMemory:
    """One note of the Monday."""
    return new_memory(
        id_, text, scope=Scope(tenant_id=tenant, user_id="ada"), created_at=MONDAY, key=f"subject {id_}",
        **{"metadata": {"kind": "note"}, **fields},
    )  # fmt: skip


async def move_to(store: PostgresStore, tenant: str, clock: FrozenClock, id_: str, at: datetime) -> None:
    """A note says the same of another day."""
    memory = replace((await store.memories.get(tenant, [id_]))[id_], event_date=at)
    changed = NewMemory(memory=memory, vector=hash_vector(memory.text or ""))
    await store.memories.edit(tenant, changed, policy=POLICY, now=clock())


async def group_of_policy(store: PostgresStore, tenant: str, policy: str) -> str:
    """The one group of a policy."""
    found = await store.summaries.groups(tenant, Filter(), policy=policy, stale_only=False, limit=2)
    assert 1 == len(found)
    return found[0][0]


async def summaries_of(store: PostgresStore, tenant: str, policy: str | None) -> list[Summary]:
    """The summaries of a policy, the one of the earliest period first."""
    page = await store.summaries.list(tenant, Filter(), policy=policy, limit=20, cursor=None)
    return sorted(page.rows, key=lambda one: (one.ends_on or MONDAY.date(), one.policy))


async def only_summary_of(store: PostgresStore, tenant: str, policy: str) -> Summary:
    """The one summary of a policy."""
    page = await store.summaries.list(tenant, Filter(), policy=policy, limit=10, cursor=None)
    assert [policy] == [row.policy for row in page.rows]
    return page.rows[0]
