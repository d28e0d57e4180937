"""Conversations replayed as notes, day by day under a clock moved by hand, through the real store and scheduler.

Read by the test (the packaged conversation, a few months of it), by the soak test (with workers that are killed) and by
``benchmarks/replay.py`` (the conversations of the evaluation data).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

from precis.app import App
from precis.app.importing import read
from precis.app.refreshing import work_run
from precis.bootstrap import Runtime
from precis.jobs.upkeep import run_due
from precis.language.words import STOP_WORDS, stem, words
from precis.memory import Memory, RetentionState
from precis.policies.rollups import PeriodKind, periods_of
from precis.summary import Summary
from precis.testing.clock import FrozenClock

DAY = timedelta(days=1)
KINDS = [kind.value for kind in PeriodKind]
Row = Mapping[str, Any]


# --- what is told ---


def as_notes(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages of a conversation as daily notes, oldest first."""
    notes = [
        {
            "id": row["id"], "text": row["text"], "user_id": row["user_id"], "memory_type": "episodic",
            "created_at": _moment(row["created_at"]),
            "metadata": {"kind": "note", "speaker": row.get("metadata", {}).get("speaker") or "somebody"},
        }
        for row in rows
    ]  # fmt: skip
    return sorted(notes, key=lambda note: (note["created_at"], note["id"]))


def packaged() -> list[dict[str, Any]]:
    """The conversation that precis brings."""
    lines = (files("precis.demo") / "conversation.jsonl").read_text(encoding="utf-8").splitlines()
    return as_notes(json.loads(line) for line in lines)


def conversations(folder: Path) -> list[dict[str, Any]]:
    """The conversations of the evaluation data, a user each."""
    return as_notes(read(folder / "locomo" / "locomo.json"))


def _moment(given: Any) -> datetime:
    when = given if isinstance(given, datetime) else datetime.fromisoformat(str(given))
    return when.astimezone(UTC)


# --- the days ---


@dataclass(frozen=True, kw_only=True)
class Replay:
    """One tenant whose days go by."""

    runtime: Runtime
    tenant: str
    clock: FrozenClock
    notes: Sequence[Row]

    @property
    def app(self) -> App:
        """precis for the tenant."""
        return self.runtime.app(self.tenant)

    async def run(self, *, idle_days: int) -> None:
        """Every day's notes at their time, every night's run; and then days on which nothing is noted."""
        by_day: dict[date, list[Row]] = defaultdict(list)
        for note in self.notes:
            by_day[note["created_at"].date()].append(note)
        for day in days(min(by_day), max(by_day) + idle_days * DAY):
            await self.night(day)
            if day in by_day:
                await self.tell(by_day[day])

    async def tell(self, notes: Sequence[Row]) -> None:
        """Write the notes of a day at its end."""
        self.clock.now = max(self.clock.now, notes[-1]["created_at"])
        await self.app.memories.add([dict(note) for note in notes], summarize="deferred")

    async def night(self, day: date) -> None:
        """The run at five, and the pass half an hour later."""
        at = datetime(day.year, day.month, day.day, 5, tzinfo=UTC)
        for moment in (at, at + timedelta(minutes=30)):
            self.clock.now = moment
            await self.work()

    async def work(self) -> None:
        """What workers do until nothing is due."""
        engine = self.runtime.engine
        while True:
            passes = await run_due(self.runtime, self.tenant)
            until = engine.clock() + timedelta(seconds=1)
            if not await work_run(engine, self.runtime.runs, self.tenant, until=until) and not passes:
                return


def days(first: date, last: date) -> Iterator[date]:
    """Each of them."""
    for step in range((last - first).days + 1):
        yield first + step * DAY


def frozen(runtime: Runtime, clock: FrozenClock) -> Runtime:
    """The runtime under this clock."""
    return replace(runtime, engine=replace(runtime.engine, clock=clock))


# --- what came of it ---


@dataclass(frozen=True, kw_only=True, slots=True)
class EndState:
    """What is there in the end, comparable between two runs: no ids that are made anew, no times."""

    #: (user, first day) -> ids of the notes at the leaves, by policy.
    periods: Mapping[str, Mapping[tuple[str, date], tuple[str, ...]]]
    #: What each of them says, by policy.
    texts: Mapping[str, Mapping[tuple[str, date], str]]
    #: Notes whose text is gone.
    expired: frozenset[str]
    #: Periods that stand twice; must be empty.
    doubled: tuple[tuple[str, str, date], ...]


async def end_state(app: App, notes: Sequence[Row]) -> EndState:
    """Read it through the app."""
    periods: dict[str, dict[tuple[str, date], tuple[str, ...]]] = {}
    texts: dict[str, dict[tuple[str, date], str]] = {}
    doubled = []
    for policy in KINDS:
        found = [one async for one in summaries(app, policy)]
        keys = [(one.scope.user_id, one.starts_on or date.min) for one in found]
        doubled += [(policy, *key) for key, times in Counter(keys).items() if times > 1]
        periods[policy] = {key: one.leaf_source_ids for key, one in zip(keys, found, strict=True)}
        texts[policy] = {key: one.text for key, one in zip(keys, found, strict=True)}
    rows = await rows_of(app, notes)
    expired = frozenset(row.id for row in rows if row.retention_state is RetentionState.EXPIRED)
    return EndState(periods=periods, texts=texts, expired=expired, doubled=tuple(doubled))


async def summaries(app: App, policy: str | None) -> AsyncIterator[Summary]:
    """Every summary of a policy, or of all."""
    cursor = None
    while True:
        page = await app.summaries.list(policy=policy, limit=500, cursor=cursor)
        for one in page.rows:
            yield one
        if page.next_cursor is None:
            return
        cursor = page.next_cursor


async def rows_of(app: App, notes: Sequence[Row]) -> list[Memory]:
    """The notes as they are now."""
    rows: list[Memory] = []
    for at in range(0, len(notes), 500):
        ids = [note["id"] for note in notes[at : at + 500]]
        found = await app.memories.get_many(ids)
        rows += [found[id_] for id_ in ids]
    return rows


def expected(notes: Sequence[Row]) -> dict[str, dict[tuple[str, date], set[str]]]:
    """The periods that there must be, and their notes, by the calendar alone."""
    wanted: dict[str, dict[tuple[str, date], set[str]]] = {kind: defaultdict(set) for kind in KINDS}
    for note in notes:
        for kind in PeriodKind:
            for period in periods_of(kind, note["created_at"].date()):
                wanted[kind.value][note["user_id"], period.starts_on].add(note["id"])
    return wanted


def wrong_with(state: EndState, notes: Sequence[Row]) -> list[str]:
    """Every period once and with all of its notes; a day whose notes are still there may have no summary."""
    wrong = [f"{policy} {user} {start} stands twice" for policy, user, start in state.doubled]
    for policy, wanted in expected(notes).items():
        found = state.periods[policy]
        wrong += [f"{policy} {key} was never wanted" for key in found if key not in wanted]
        for key, ids in wanted.items():
            if key in found and set(found[key]) != ids:
                wrong.append(f"{policy} {key} rests on {len(found[key])} of {len(ids)} notes")
            if key not in found and not (policy == "day" and not ids & state.expired):
                wrong.append(f"{policy} {key} is missing")
    return wrong


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """How much there is to read and to keep."""

    #: Tokens of all notes as they were written.
    written: int
    #: Tokens of those whose text is still there.
    live: int
    #: Tokens of days, weeks, months, and of everything else that was derived.
    derived: Mapping[str, int]
    #: Bytes of texts and vectors of notes, and of everything derived from them.
    note_bytes: int
    derived_bytes: int


async def sizes(runtime: Runtime, tenant: str, notes: Sequence[Row]) -> Sizes:
    """Measured by the engine's tokenizer and by the columns as they lie."""
    app, count = runtime.app(tenant), runtime.engine.count
    live = sum(count(row.text) for row in await rows_of(app, notes) if row.text)
    derived: Counter[str] = Counter()
    async for one in summaries(app, None):
        derived[one.policy] += count(one.text)
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute(
            "SELECT is_summary, sum(coalesce(octet_length(text_ciphertext), 0) "
            "+ coalesce(octet_length(summary_ciphertext), 0) + coalesce(pg_column_size(embedding), 0)) AS bytes "
            "FROM memories GROUP BY is_summary"
        )
        size = {row["is_summary"]: int(row["bytes"]) for row in await asked.fetchall()}
    return Sizes(
        written=sum(count(note["text"]) for note in notes), live=live, derived=derived,
        note_bytes=size.get(False, 0), derived_bytes=size.get(True, 0),
    )  # fmt: skip


# --- what is still known ---


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question whose evidence has expired."""

    user_id: str
    question: str
    #: Stems of the answer's content words.
    answer: frozenset[str]
    evidence: tuple[str, ...]


def content(text: str) -> frozenset[str]:
    """Stems of the content words."""
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS)


def kept(asked: Asked, derived: Sequence[Summary]) -> float:
    """The share of the answer's words that the rows derived from its evidence still say."""
    over = [one for one in derived if set(asked.evidence) & set(one.leaf_source_ids)]
    said = frozenset().union(*(content(one.text) for one in over))
    return len(asked.answer & said) / len(asked.answer)
