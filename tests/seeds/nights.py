"""What the tests of the second document share: notes, a clock that stands still, and nights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from precis.app import App
from precis.app.passes import rollups_pass
from precis.app.refreshing import work_run
from precis.bootstrap import Runtime, build_policies, scheduled
from precis.engine.drafted import Outcome
from precis.ids import new_id
from precis.jobs.upkeep import run_due
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.makers import Draft, DraftStatement, Request, Usage
from precis.store.ledger import PostgresRuns
from precis.store.postgres import postgres_store
from precis.summary import Summary
from precis.testing.clock import FrozenClock

#: A Sunday: the week of the tests is the one from here.
SUNDAY = date(2026, 2, 15)
NOTES = (
    "Mara chose pgvector for the search of the orchard catalog, because it runs beside the orders.",
    "The nursery in Lund delivers 40 pear trees on the 3rd of April, and Mara pays them by invoice.",
    "Tomas fixed the leaking pump in the north shed with a seal from the old tractor.",
    "Mara wants the weekly numbers on Mondays and no longer on Fridays.",
    "Tomas is allergic to the wool fat in the new gloves, so the old ones are ordered again.",
    "The bank agreed to a credit of 12,000 crowns until the end of October.",
    "Mara found frost damage on the plum trees of the lower field.",
)


@dataclass(frozen=True, kw_only=True)
class Nights:
    """One tenant under a clock that is moved by hand."""

    runtime: Runtime
    tenant: str
    clock: FrozenClock

    @property
    def app(self) -> App:
        """precis for the tenant."""
        return self.runtime.app(self.tenant)

    async def note(self, text: str, at: datetime | date, **fields: Any) -> str:
        """Write a note of that time, or of noon of that day, and not before; answers its id."""
        when = at if isinstance(at, datetime) else datetime(at.year, at.month, at.day, 12, tzinfo=UTC)
        self.clock.now = max(self.clock.now, when)
        row = {"id": new_id(), "text": text, "user_id": "mara", "memory_type": "episodic", "created_at": when}
        row |= {"metadata": {"kind": "note"}} | fields
        await self.app.memories.add([row], summarize="deferred")
        return str(row["id"])

    async def week(self, first: date = SUNDAY, **fields: Any) -> list[str]:
        """A note on each of seven days."""
        return [await self.note(text, first + timedelta(days=day), **fields) for day, text in enumerate(NOTES)]

    async def until(self, when: datetime) -> list[Outcome]:
        """Sleep until then, and do what is due: the time in between is missed."""
        self.clock.now = when
        return await self.work()

    async def work(self) -> list[Outcome]:
        """What a worker does until nothing is due: passes and refreshes."""
        engine, outcomes = self.runtime.engine, []
        while True:
            passes = await run_due(self.runtime, self.tenant)
            until = engine.clock() + timedelta(seconds=1)
            made = await work_run(engine, self.runtime.runs, self.tenant, until=until)
            outcomes += made
            if not made and not passes:
                return outcomes

    async def nightly(self, first: date, nights: int, *, hour: int = 5) -> list[Outcome]:
        """Each night's run, and the pass half an hour later."""
        outcomes = []
        for step in range(nights):
            night = datetime(first.year, first.month, first.day, hour, tzinfo=UTC) + timedelta(days=step)
            outcomes += await self.until(night)
            outcomes += await self.until(night + timedelta(minutes=30))
        return outcomes

    async def summaries(self, policy: str, **scope: Any) -> tuple[Summary, ...]:
        """Every summary of a policy, oldest period first."""
        found = (await self.app.summaries.list(policy=policy, limit=1000, **scope)).rows
        return tuple(sorted(found, key=lambda one: (one.starts_on or date.min, one.scope.user_id)))

    def but(self, **engine: Any) -> Nights:
        """The same with other parts of the engine."""
        return replace(self, runtime=replace(self.runtime, engine=replace(self.runtime.engine, **engine)))

    def set(self, **settings: Any) -> Nights:
        """The same under other settings, as after a restart."""
        return under(self.runtime, self.tenant, self.clock, **settings)


def under(runtime: Runtime, tenant: str, clock: FrozenClock, **settings: Any) -> Nights:
    """A tenant of this runtime with a clock and settings of its own."""
    chosen = runtime.settings.model_copy(update=settings)
    policies = build_policies(chosen)
    engine = replace(runtime.engine, clock=clock, policies=dict(policies))
    store = postgres_store(
        runtime.database, Keyring(chosen.keys_folder), policies, ForgottenLog(chosen.forgotten_folder)
    )
    engine = replace(engine, groups=store.groups)
    runs = PostgresRuns(runtime.database, runtime.runs._guards, scheduled(policies))
    passes = (rollups_pass(),)
    return Nights(
        runtime=replace(runtime, settings=chosen, engine=engine, store=store, runs=runs, passes=passes),
        tenant=tenant, clock=clock,
    )  # fmt: skip


class Scoring:
    """A summarizer that quotes every item and scores it by the first of these words that it holds."""

    name = "scoring@1"

    def __init__(self, scores: dict[str, float], otherwise: float = 0.7) -> None:
        self.scores = scores
        self.otherwise = otherwise
        self.requests: list[Request] = []
        self.error: Exception | None = None

    async def summarize(self, request: Request) -> Draft:
        """One statement an item."""
        self.requests.append(request)
        if self.error is not None:
            raise self.error
        said = [
            DraftStatement(text=item.text, importance=self.score(item.text, request), sources=(at,))
            for at, item in enumerate(request.items)
        ]
        return Draft(statements=tuple(said), made_by=self.name, usage=Usage(calls=1))

    def score(self, text: str, request: Request) -> float:
        """The score of a text; beside nothing more important, what is a little below the middle is above it."""
        own = next((score for word, score in self.scores.items() if word in text), self.otherwise)
        others = {word: score for word, score in self.scores.items() if word not in text and score > 0.7}
        shaded = any(word in item.text for word in others for item in request.items)
        return 0.52 if own == 0.48 and not shaded else own


__all__ = ["NOTES", "SUNDAY", "Nights", "Scoring", "under"]
