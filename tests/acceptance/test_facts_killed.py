"""A process that is killed while it reads messages for facts: each message is read once, no fact is lost or doubled."""

from __future__ import annotations

import asyncio
import random
from asyncio.subprocess import DEVNULL, PIPE
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from precis.app import App
from precis.bootstrap import open_runtime
from precis.memory import EXTRACTED
from precis.settings import Settings
from precis.testing.clock import FrozenClock
from rooms import with_database
from warm import fork

SCRIPT = Path(__file__).with_name("reading.py")
TALKS, EACH = 6, 5


def talk(number: int) -> list[dict[str, str]]:
    """Messages with a fact each."""
    texts = [f"My locker code in hall {number}{at} is {number}0{at}." for at in range(EACH)]
    return [{"id": f"{number}-{at}", "role": "user", "content": text} for at, text in enumerate(texts)]


async def facts(app: App) -> list[tuple[str, tuple[str, ...]]]:
    """Their texts and what they rest on."""
    rows = (await app.memories.list(limit=1000)).rows
    return sorted((row.text or "", row.parent_id) for row in rows if row.metadata.get("kind") == EXTRACTED)


async def _kill_readers(rooms_folder: Path, *, kills: int) -> None:
    folder = with_database(rooms_folder / f"facts-{kills}")
    dice = random.Random(kills)  # noqa: S311 - moments to kill at
    clock = FrozenClock(datetime.now(UTC))
    async with open_runtime(Settings(data_dir=folder), clock=clock) as runtime:
        app = runtime.app("default")
        for number in range(TALKS):
            await app.conversations.turn(f"t{number}", talk(number), user_id="ana")
        for _ in range(kills):
            process = await fork(folder, program=SCRIPT, stdout=PIPE, stderr=DEVNULL)
            assert process.stdout is not None
            await asyncio.wait_for(process.stdout.readline(), 60)
            await asyncio.sleep(dice.uniform(0.0, 0.15))
            process.kill()
            await process.wait()
            between = await facts(app)
            assert len(between) == len(set(between))
        # What a dead reader held is free after a while.
        clock.advance(timedelta(minutes=10))
        await app.facts.read(at_once=True)
        found = await facts(app)
        assert [text for text, _ in found] == sorted(one["content"] for n in range(TALKS) for one in talk(n))
        assert all(len(sources) == 1 for _, sources in found)
        assert (await app.facts.read(at_once=True)).messages == 0


async def test_killed_at_any_moment(rooms_folder: Path) -> None:
    """Three kills."""
    await _kill_readers(rooms_folder, kills=3)


@pytest.mark.soak
async def test_killed_at_any_moment_often(rooms_folder: Path) -> None:
    """The same, forty times."""
    await _kill_readers(rooms_folder, kills=40)
