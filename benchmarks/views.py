"""A day of a continuous view: tokens and calls against recomputing every partition every hour, counted in one run.

1,000 users, a view grouped by user, a tick every 60 minutes; in each hour 1 % of the memories change (half are edited,
half are new). The baseline is the rule of the server whose wire format precis speaks: at each tick every partition is
summarized again from its memories, at most the 200 oldest, whether anything changed or not. Both talk to the same
counting model server through the same client. Then: a day without changes, two full runs at once, and a model that is
down.

    python benchmarks/views.py --users 1000 --memories 20 --hours 24
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from precis.app import App, app_over
from precis.app.refreshing import work
from precis.bootstrap import open_runtime
from precis.makers import Item, Request
from precis.models.chat import ChatSummarizer
from precis.models.setbacks import Patience
from precis.settings import Settings
from precis.testing.clock import FrozenClock
from precis.testing.model_server import ModelServer, model_server

MODEL = "gpt-4o-mini"
HOUR = timedelta(minutes=60)
#: What the baseline reads at most of one partition.
MOST = 200
#: The default prompt of the document.
PROMPT = (
    "You are a summarization assistant. Given a set of long-term memories, produce a concise summary that highlights "
    "key facts, stable preferences, and important events relevant to the group."
)
_NOUNS = "harbor timetable invoice puffin migration garden engine recipe museum bicycle ledger antenna violin".split()
_VERBS = "repaired cancelled measured painted renamed postponed tested bought borrowed described counted sold".split()
_PLACES = "Lisbon Bergen Kyoto Turin Oslo Porto Leeds Malmo Ghent Riga Faro Cork Nantes Graz Tartu Bari".split()


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What some work took."""

    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float


class Day:
    """The store, the model and what was written."""

    def __init__(self, app: App, server: ModelServer, clock: FrozenClock, baseline: ChatSummarizer) -> None:
        self.app, self.server, self.clock, self.baseline = app, server, clock, baseline
        self.random = random.Random(7)
        self.texts: dict[str, dict[str, str]] = defaultdict(dict)
        self.made = 0

    def text(self) -> str:
        """One memory of some 25 tokens."""
        pick, number = self.random.choice, self.random.randrange(10, 9000)
        return (
            f"The user {pick(_VERBS)} the {pick(_NOUNS)} and {pick(_VERBS)} {number} {pick(_NOUNS)}s in "
            f"{pick(_PLACES)}, and said that the {pick(_NOUNS)} in {pick(_PLACES)} comes next."
        )

    def row(self, user: str) -> dict[str, Any]:
        """A new memory of a user; its type keeps it out of clusters, which are not measured here."""
        self.made += 1
        id_, text = f"m{self.made}", self.text()
        self.texts[user][id_] = text
        return {"id": id_, "text": text, "user_id": user, "type": "smalltalk", "key": "day"}

    async def write(self, users: list[str]) -> None:
        """One new memory for each of these."""
        rows = [self.row(user) for user in users]
        for start in range(0, len(rows), 1000):
            await self.app.memories.add(rows[start : start + 1000], summarize="deferred")

    async def change(self, share: float) -> int:
        """Edit half of so many memories, and write as many new ones as the other half."""
        everything = [(user, id_) for user, own in self.texts.items() for id_ in own]
        number = round(len(everything) * share)
        for user, id_ in self.random.sample(everything, number // 2):
            self.texts[user][id_] = self.text()
            await self.app.memories.edit(id_, {"text": self.texts[user][id_]})
        await self.write([self.random.choice(list(self.texts)) for _ in range(number - number // 2)])
        return number

    async def tick(self) -> Spent:
        """The next tick: what a worker finds to do is done."""
        self.clock.advance(HOUR)
        async with self.spending() as spent:
            engine, tenant = self.app.parts.engine, self.app.parts.tenant_id
            await asyncio.gather(*(work(engine, tenant, until=self.clock() + HOUR) for _ in range(3)))
        return spent[0]

    async def recompute(self) -> Spent:
        """What the baseline does at a tick: every partition, from all of it that one prompt holds."""
        waiting = iter(list(self.texts.values()))

        async def worker() -> None:
            for own in waiting:
                items = [Item(text=text, source_ids=(id_,), created_at=self.clock()) for id_, text in own.items()]
                await self.baseline.summarize(
                    Request(items=tuple(items[:MOST]), max_tokens=350, prompt=PROMPT, prose=True)
                )

        async with self.spending() as spent:
            await asyncio.gather(*(worker() for _ in range(3)))
        return spent[0]

    @asynccontextmanager
    async def spending(self) -> AsyncIterator[list[Spent]]:
        """What the server counts during the block, put into the list at its end."""
        before, started, found = self.server.stats, time.perf_counter(), list[Spent]()
        yield found
        after = self.server.stats
        found.append(
            Spent(
                calls=after.chat_calls - before.chat_calls,
                tokens_in=after.tokens_in - before.tokens_in,
                tokens_out=after.tokens_out - before.tokens_out,
                seconds=time.perf_counter() - started,
            )
        )


def total(spent: list[Spent]) -> Spent:
    """All of it."""
    return Spent(
        calls=sum(one.calls for one in spent),
        tokens_in=sum(one.tokens_in for one in spent),
        tokens_out=sum(one.tokens_out for one in spent),
        seconds=sum(one.seconds for one in spent),
    )


def line(name: str, spent: Spent) -> None:
    """One row of the table."""
    figures = (f"{spent.calls:,}", f"{spent.tokens_in:,}", f"{spent.tokens_out:,}", f"{spent.seconds:.1f}")
    print(f"| {' | '.join((name, *figures))} |", flush=True)


async def measured(day: Day, hours: int, share: float) -> dict[str, Spent]:
    """A busy day and an idle one, hour by hour."""
    busy: list[Spent] = []
    again: list[Spent] = []
    for hour in range(hours):
        await day.change(share)
        busy.append(await day.tick())
        again.append(await day.recompute())
        line(f"hour {hour + 1}: precis", busy[-1])
        line(f"hour {hour + 1}: recomputed", again[-1])
    idle = [await day.tick() for _ in range(hours)]
    return {"busy day, precis": total(busy), "busy day, recomputed": total(again), "idle day, precis": total(idle)}


async def at_once(day: Day, view_id: str) -> tuple[Spent, Spent]:
    """One full run, forced; then two at once."""
    async with day.spending() as alone:
        await day.app.tasks.wait((await day.app.views.run(view_id, force=True)).id)
    async with day.spending() as both:
        tasks = [await day.app.views.run(view_id, force=True) for _ in range(2)]
        for task in tasks:
            await day.app.tasks.wait(task.id)
    return alone[0], both[0]


async def with_the_model_down(day: Day, view_id: str) -> tuple[bool, str | None]:
    """Whether every result is as it was, and why the task failed."""
    await day.change(0.01)
    before = [(one.group, one.summary) for one in await day.app.views.partitions(view_id)]
    day.server.behave("status", status=503)
    task = await day.app.tasks.wait((await day.app.views.run(view_id)).id)
    day.server.reset()
    after = [(one.group, one.summary) for one in await day.app.views.partitions(view_id)]
    edited = sum(1 for old, new in zip(before, after, strict=True) if old != new)
    return edited == 0, task.error_message


async def main(users: int, memories: int, hours: int, share: float) -> None:
    """Measure, and print a table."""
    folder, clock = Path(tempfile.mkdtemp(prefix="precis-bench-")), FrozenClock()
    folder.chmod(0o755)
    try:
        async with model_server() as server:
            settings = Settings(data_dir=folder / "data", model=MODEL, model_base_url=server.base_url)
            patience = Patience(attempts=1)
            async with open_runtime(settings, clock=clock) as runtime:
                model = ChatSummarizer(model=MODEL, base_url=server.base_url, patience=patience)
                day = Day(replace_model(runtime.app("default"), model), server, clock, model)
                await fill(day, users, memories, hours, share)
                await model.aclose()
    finally:
        shutil.rmtree(folder)


def replace_model(app: App, model: ChatSummarizer) -> App:
    """The same app with another summarizer: this one does not wait between its attempts."""
    return app_over(replace(app.parts, engine=replace(app.parts.engine, summarizer=model)))


async def fill(day: Day, users: int, memories: int, hours: int, share: float) -> None:
    """Write, declare, and measure one thing after the other."""
    for _ in range(memories):
        await day.write([f"u{n}" for n in range(users)])
    started = time.perf_counter()
    view = await day.app.views.create(name="profiles", group_by=["user_id"], continuous=True)
    print(f"view over {users * memories:,} memories in {users:,} partitions: {time.perf_counter() - started:.1f} s\n")
    print("| | calls | tokens in | tokens out | seconds |\n|---|--:|--:|--:|--:|")
    line("first run, precis", await day.tick())
    found = await measured(day, hours, share)
    for name, spent in found.items():
        line(name, spent)
    alone, both = await at_once(day, view.id)
    line("one full run, forced", alone)
    line("two full runs at once, forced", both)
    unchanged, why = await with_the_model_down(day, view.id)
    busy, again = found["busy day, precis"], found["busy day, recomputed"]
    print(f"\nmodel down: results {'unchanged' if unchanged else 'CHANGED'}; task failed with: {why}")
    print(
        json.dumps(
            {
                "calls_saved": round(again.calls / max(1, busy.calls), 1),
                "tokens_in_saved": round(again.tokens_in / max(1, busy.tokens_in), 1),
                "tokens_out_saved": round(again.tokens_out / max(1, busy.tokens_out), 1),
                "idle_calls": found["idle day, precis"].calls,
                "two_at_once": round(both.calls / max(1, alone.calls), 2),
            }
        )
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=1000)
    parser.add_argument("--memories", type=int, default=20, help="a user has when the day begins")
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--share", type=float, default=0.01, help="of the memories that changes in an hour")
    given = parser.parse_args()
    asyncio.run(main(given.users, given.memories, given.hours, given.share))
