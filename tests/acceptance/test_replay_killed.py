"""A replay whose workers are killed at random moments ends as one that nobody disturbed."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import shifted

from precis.bootstrap import Runtime, open_runtime
from precis.language.sentences import sentences
from precis.testing.clock import FrozenClock
from replay import DAY, EndState, Replay, content, days, end_state, frozen, packaged, wrong_with
from warm import Forked, fork

SCRIPT = Path(shifted.__file__)


@dataclass(kw_only=True)
class Workers:
    """Two worker processes, one of which is killed now and then and started anew."""

    folder: Path
    clock_file: Path
    #: So many are to be killed.
    kills: int
    random: random.Random
    killed: int = 0
    running: list[Forked] = field(default_factory=list)

    async def start(self) -> None:
        """One more."""
        with self.errors.open("ab") as errors:
            process = await fork(self.folder, self.clock_file, program=SCRIPT, stderr=errors)
        self.running.append(process)

    @property
    def errors(self) -> Path:
        """What they say."""
        return self.folder.with_suffix(".errors")

    async def kill_now_and_then(self) -> None:
        """At moments nobody chose, in the middle of whatever is done."""
        while self.killed < self.kills:
            await asyncio.sleep(self.random.uniform(0.5, 5.0))
            victim = self.running.pop(self.random.randrange(len(self.running)))
            assert victim.returncode is None, f"a worker ended by itself: {self.errors.read_text()[-3000:]}"
            victim.kill()
            await victim.wait()
            self.killed += 1
            await self.start()


@asynccontextmanager
async def workers(folder: Path, clock_file: Path, *, kills: int) -> AsyncIterator[Workers]:
    """The processes, for the length of a block; what is left to kill in the end is killed."""
    made = Workers(folder=folder, clock_file=clock_file, kills=kills, random=random.Random(7))  # noqa: S311 - no secret
    for _ in range(2):
        await made.start()
    killing = asyncio.create_task(made.kill_now_and_then())
    try:
        yield made
        await asyncio.wait_for(killing, timeout=10 + 10 * kills)
    finally:
        killing.cancel()
        with suppress(asyncio.CancelledError):
            await killing
        for process in made.running:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def quiet(runtime: Runtime) -> None:
    """Wait until nothing is due, nobody works, and every pass has been made."""
    clock = runtime.engine.clock
    async with asyncio.timeout(600):
        while True:
            async with runtime.database.tenant("default") as connection:
                asked = await connection.execute(
                    "SELECT (SELECT count(*) FROM groups WHERE due_at <= %(now)s OR lease_until > %(now)s)"
                    " + (SELECT count(*) FROM schedules WHERE next_run <= %(now)s OR lease_until > %(now)s) AS left",
                    {"now": clock()},
                )
                row = await asked.fetchone()
                assert row is not None
                if row["left"] == 0:
                    return
            await asyncio.sleep(0.1)


async def disturbed(folder: Path, notes: Sequence[dict[str, Any]], nights: Sequence[date], kills: int) -> EndState:
    """Notes at their days and only these nights, by processes that are killed."""
    file = folder.with_suffix(".clock")
    clock = shifted.ShiftedClock(file)
    clock.set(notes[0]["created_at"])
    async with open_runtime(shifted.settings(folder), clock=clock) as runtime:
        app = runtime.app("default")
        async with workers(folder, file, kills=kills) as killed:
            untold = list(notes)
            for night in nights:
                at = datetime(night.year, night.month, night.day, 5, tzinfo=UTC)
                told = [note for note in untold if note["created_at"] < at]
                untold = untold[len(told) :]
                if told:
                    clock.set(told[-1]["created_at"])
                    await app.memories.add([dict(note) for note in told], summarize="deferred")
                for moment in (at, at + timedelta(minutes=30)):
                    clock.set(moment)
                    await quiet(runtime)
        assert kills == killed.killed
        # What the last one held comes free with its lease. A pass that met such a lease leaves its notes to the next.
        await asyncio.sleep(shifted.LEASE_SECONDS)
        last = FrozenClock(clock())
        replay = Replay(runtime=frozen(runtime, last), tenant="default", clock=last, notes=notes)
        await replay.night(nights[-1] + DAY)
        return await end_state(app, notes)


async def undisturbed(folder: Path, notes: Sequence[dict[str, Any]], nights: Sequence[date]) -> EndState:
    """The same in one process, which nobody kills."""
    clock = FrozenClock(notes[0]["created_at"])
    async with open_runtime(shifted.settings(folder), clock=clock) as runtime:
        told = Replay(runtime=frozen(runtime, clock), tenant="default", clock=clock, notes=notes)
        untold = list(notes)
        for night in nights:
            before = [note for note in untold if note["created_at"].date() < night]
            untold = untold[len(before) :]
            if before:
                await told.tell(before)
            await told.night(night)
        await told.night(nights[-1] + DAY)
        return await end_state(told.app, notes)


async def compare(room: Path, notes: Sequence[dict[str, Any]], nights: Sequence[date], kills: int) -> None:
    """Periods, leaves, days and what has expired: the same, and right by the calendar.

    A day whose worker was killed is made a pass later than the others of its week. The week has sealed those by then,
    and seals this one by itself: of two smaller choices it may keep other sentences than of one. So of a week it is
    asked that it says what its notes say, in less than half of their words.
    """
    wanted = await undisturbed(room / "undisturbed", notes, nights)
    found = await disturbed(room / "disturbed", notes, nights, kills)
    assert [] == wrong_with(found, notes)
    assert wanted.periods == found.periods
    assert wanted.expired == found.expired
    assert wanted.expired
    assert wanted.texts["day"] == found.texts["day"]
    for state in (wanted, found):
        assert [] == [week for week in state.texts["week"] if not is_of_its_notes(state, week, notes)]


def is_of_its_notes(state: EndState, week: tuple[str, date], notes: Sequence[dict[str, Any]]) -> bool:
    """Whether each sentence of a week is in one of its notes, but for a date in brackets, and they are few enough."""
    own = [note for note in notes if note["id"] in state.periods["week"][week]]
    said = [content(f"{note['metadata'].get('speaker', '')} {note['text']}") for note in own]
    text = re.sub(r"\([^)]*\)", "", state.texts["week"][week])
    parts = [content(sentence) for sentence in sentences(text)]
    is_short = 2 * len(text.split()) < sum(len(note["text"].split()) for note in own) or len(own) < 10
    return bool(parts) and is_short and all(any(part <= words for words in said) for part in parts)


async def test_five_kills(rooms_folder: Path) -> None:
    """Two weeks of notes, a handful of nights, five workers killed."""
    first = packaged()[0]["created_at"]
    notes = [note for note in packaged() if note["created_at"] < first + timedelta(days=14)]
    start = first.date()
    nights = [start + step * DAY for step in (6, 13, 27, 34, 40, 50)]
    room = rooms_folder / "five-kills"
    room.mkdir()
    room.chmod(0o755)
    await compare(room, notes, nights, kills=5)


@pytest.mark.soak
async def test_two_hundred_kills(rooms_folder: Path) -> None:
    """The whole conversation, every night, two hundred workers killed."""
    notes = packaged()
    room = rooms_folder / "two-hundred-kills"
    room.mkdir()
    room.chmod(0o755)
    last = notes[-1]["created_at"].date() + 40 * DAY
    await compare(room, notes, list(days(notes[0]["created_at"].date(), last)), kills=200)
