"""Tokens and calls of a refresh against reading the whole group again, counted by the model server.

For each group size: the group is built and refreshed once (not counted), then single appends and single deletes are
each followed by a refresh. The baseline sends every member in one prompt, through the same client to the same server.
Where segments end follows from fingerprints, whose key is new in every run: so figures differ a little between runs.

    python benchmarks/refresh.py --sizes 10 30 100 300 1000 3000
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from precis.app import App, app_over
from precis.app.refreshing import refresh_leased
from precis.extractive.summarizer import Extractive
from precis.makers import Item, Request
from precis.models.chat import ChatSummarizer
from precis.models.tokens import counter
from precis.policies.clusters import clusters
from precis.store.filtering import Filter
from precis.testing import temporary
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder
from precis.testing.model_server import ModelServer, model_server

MODEL = "gpt-4o-mini"
#: US dollars a million tokens, in and out.
PRICE = (0.15, 0.60)
_NOUNS = "harbor timetable invoice puffin migration garden engine recipe museum bicycle ledger antenna violin".split()
_VERBS = "repaired cancelled measured painted renamed postponed tested bought borrowed described counted sold".split()
_PLACES = "Lisbon Bergen Kyoto Turin Oslo Porto Leeds Malmo Ghent Riga Faro Cork Nantes Graz Tartu Bari".split()


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What some refreshes took together."""

    refreshes: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            refreshes=self.refreshes + other.refreshes,
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )

    def cost(self) -> float:
        """US dollars a refresh."""
        return (self.tokens_in * PRICE[0] + self.tokens_out * PRICE[1]) / 1e6 / self.refreshes


def text(rng: random.Random) -> str:
    """A memory of 15 to 60 tokens with facts of its own."""
    clauses = [
        f"{rng.choice(_VERBS)} the {rng.choice(_NOUNS)} number {rng.randrange(10_000)} in {rng.choice(_PLACES)}"
        for _ in range(rng.randint(1, 4))
    ]
    return f"On day {rng.randrange(1000)} she {', and '.join(clauses)}."


@asynccontextmanager
async def precis_over(server: ModelServer, clock: FrozenClock) -> AsyncIterator[App]:
    """precis for the length of a block, with the server as its model."""
    model = ChatSummarizer(model=MODEL, base_url=server.base_url, api_key="none")
    async with temporary(clock=clock, inline_rows=0, max_batch=100_000) as app:
        engine = replace(
            app.parts.engine, policies={"clusters": clusters()}, summarizer=model, fallback=Extractive(),
            embedder=HashEmbedder(), count=counter(MODEL),
        )  # fmt: skip
        yield app_over(replace(app.parts, engine=engine))
    await model.aclose()


async def add(app: App, rng: random.Random, clock: FrozenClock, count: int) -> list[str]:
    """Write ``count`` members of one group, a minute apart."""
    rows = []
    for _ in range(count):
        clock.advance(timedelta(minutes=1))
        rows.append({"text": text(rng), "user_id": "ana", "type": "fact", "key": "log", "created_at": clock()})
    return [one.id for one in (await app.memories.add(rows, summarize="deferred")).memories]


async def refresh(app: App) -> None:
    """Make the group current; a refresh that does not commit would make the figures a lie."""
    tenant, engine = app.parts.tenant_id, app.parts.engine
    groups = await app.parts.store.summaries.groups(tenant, Filter(), policy=None, stale_only=False, limit=2)
    ((group_id, _),) = groups
    lease = await engine.groups.claim(tenant, now=engine.clock(), lasts=engine.lease_lasts, group_id=group_id)
    if lease is None:
        raise RuntimeError("the group is leased")
    outcome = await refresh_leased(engine, lease)
    if outcome.result != "committed":
        raise RuntimeError(f"{outcome.result}: {outcome.reason}")


async def reread(app: App, server: ModelServer) -> Figures:
    """The baseline: one call over every member."""
    page = await app.memories.list(limit=1000, is_summary=False)
    rows = list(page.rows)
    while page.next_cursor:
        page = await app.memories.list(limit=1000, is_summary=False, cursor=page.next_cursor)
        rows += page.rows
    engine = app.parts.engine
    policy = engine.policies["clusters"]
    items = [Item(text=r.text or "", source_ids=(r.id,), created_at=r.created_at) for r in reversed(rows)]
    server.reset()
    await engine.summarizer.summarize(
        Request(items=tuple(items), max_tokens=policy.budget.summary_tokens, prompt=policy.summarize.summary)
    )
    return read(server)


def read(server: ModelServer) -> Figures:
    """What the server counted since its last reset, as one refresh."""
    stats = server.stats
    return Figures(refreshes=1, calls=stats.calls, tokens_in=stats.tokens_in, tokens_out=stats.tokens_out)


async def measure(size: int, *, appends: int, deletes: int, seed: int) -> None:
    """Build a group of ``size``, then append and delete."""
    rng = random.Random(seed)
    clock = FrozenClock(datetime(2026, 1, 1, tzinfo=UTC))
    async with model_server() as server, precis_over(server, clock) as app:
        ids = await add(app, rng, clock, size - appends // 2)
        await refresh(app)
        ours = Figures()
        for at in range(appends):
            ids += await add(app, rng, clock, 1)
            server.reset()
            await refresh(app)
            ours += read(server)
            if at == appends // 2:
                baseline = await reread(app, server)
        report(size, "append", ours, baseline)
        server.reset()
        for id_ in rng.sample(ids, deletes):
            await app.memories.forget(id_)
            await refresh(app)
        report(size, "delete", replace(read(server), refreshes=deletes), baseline)


def report(size: int, what: str, ours: Figures, baseline: Figures) -> None:
    """One row of the table."""
    n = ours.refreshes
    print(
        f"{size:6} {what:7} {ours.calls / n:7.2f} {ours.tokens_in / n:9.0f} {ours.tokens_out / n:8.0f} "
        f"{baseline.tokens_in:9.0f} {baseline.tokens_in * n / ours.tokens_in:8.1f}x "
        f"{baseline.cost() / ours.cost():8.1f}x",
        flush=True,
    )


async def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 30, 100, 300, 1000, 3000])
    parser.add_argument("--appends", type=int, default=40)
    parser.add_argument("--deletes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args(arguments)
    print("  size change    calls  tokens in      out  re-read in  fewer in   cheaper")
    for size in chosen.sizes:
        await measure(
            size, appends=min(chosen.appends, size // 2), deletes=min(chosen.deletes, size // 3), seed=chosen.seed
        )


if __name__ == "__main__":
    asyncio.run(main())
