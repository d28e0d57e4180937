"""Killed between any two steps of a forget: the chain of receipts is whole, and what was forgotten has its receipt."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from forgetting import STEPS
from test_forget_killed import copy, process, stopped

from precis.bootstrap import Runtime, open_runtime
from precis.errors import NotFound
from precis.ids import new_id
from precis.settings import Settings
from rooms import with_database

#: Every step, before and after; and one that is not interrupted.
EVERY = [f"{when} {step}" for step in STEPS["forget"] for when in ("before", "after")]
#: Where what was asked for is in the forgotten-log, so that the next start has forgotten it.
LOGGED = set(EVERY) - {"before sign", "after sign", "before log"}


@pytest.fixture
def data(rooms_folder: Path) -> Path:
    """A data folder nobody used before."""
    return with_database(rooms_folder / new_id())


async def _write(runtime: Runtime, *ids: str) -> None:
    rows = [{"id": id_, "user_id": "ana", "text": f"The door opens at {at} o'clock."} for at, id_ in enumerate(ids)]
    await runtime.app("default").memories.add(rows)


async def _check(runtime: Runtime, killed: dict[str, str]) -> None:
    """The chain holds; each memory is gone with a receipt, or there without one."""
    app = runtime.app("default")
    verdict = await app.receipts.verify()
    assert verdict.holds, verdict.faults
    for id_, step in killed.items():
        named = len((await app.receipts.list(memory_id=id_)).receipts)
        try:
            await app.memories.get(id_)
        except NotFound:
            assert named >= 1, (id_, step)
            assert step in LOGGED, (id_, step)
        else:
            assert (named, step in LOGGED) == (0, False), (id_, step)


async def _kill(data: Path, steps: list[str]) -> None:
    """A process dies at each step in turn; then somebody starts, and starts from a copy of before as well."""
    killed = {f"m{at}": step for at, step in enumerate(steps)}
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await _write(runtime, *killed, "last", "later")
        await runtime.app("default").memories.forget("last")
    older = data.with_name(data.name + "-older")
    copy(data / "db", older)
    async with open_runtime(Settings(data_dir=data)):
        for id_, step in killed.items():
            await process(data, "forget", step, id_)
    await stopped(data)
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await _check(runtime, killed)
        await runtime.app("default").memories.forget("later")
        lines = [line async for line in runtime.app("default").receipts.export()][:-1]
    copy(older, data / "db")
    async with open_runtime(Settings(data_dir=data)) as runtime:
        await _check(runtime, killed)
        assert [line async for line in runtime.app("default").receipts.export()][:-1] == lines


async def test_killed_at_a_step(data: Path) -> None:
    """The steps that differ most: signed but not logged, logged but not committed, committed but not told."""
    await _kill(data, ["after sign", "after log", "before finish"])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
async def test_killed_a_hundred_times(data: Path, seed: int) -> None:
    """Every step, in any order, several times over: with the other seeds a hundred kills."""
    chance = random.Random(seed)  # noqa: S311 - steps, no secrets
    await _kill(data, chance.sample(EVERY * 3, 26))
