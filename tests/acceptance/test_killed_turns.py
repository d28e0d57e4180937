"""A process that is killed while it writes turns of a conversation leaves whole turns, and summaries that are whole."""

from __future__ import annotations

import asyncio
import random
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import living
import pytest
from talking import ADDRESS, EACH, LIMITS, answer, turn

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.conversation import Message
from precis.settings import Settings
from rooms import with_database
from warm import Forked, fork

SCRIPT = Path(__file__).with_name("talking.py")


@asynccontextmanager
async def talker(folder: Path, first: int, mode: str) -> AsyncIterator[Forked]:
    """The process; killed at the end, if it was not before."""
    process = await fork(folder, str(first), mode, program=SCRIPT, stdout=PIPE, stderr=DEVNULL)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def everything(app: App) -> list[Message]:
    """Every message, page by page from the end."""
    messages: list[Message] = []
    while page := await app.conversations.messages(ADDRESS, before=messages[0].seq if messages else None, limit=1000):
        messages[:0] = page
    return messages


async def whole(runtime: Runtime, app: App, acknowledged: int) -> int:
    """Every turn is there with all its messages or not at all; answers how many there are."""
    messages = await everything(app)
    turns, rest = divmod(len(messages), EACH)
    assert rest == 0
    assert turns >= acknowledged
    assert [one.given for one in messages] == [one["id"] for number in range(turns) for one in turn(number)]
    assert [one.seq for one in messages] == list(range(1, len(messages) + 1))
    loaded = await app.conversations.load(ADDRESS, limits=LIMITS)
    covered = loaded.spoken.covered if loaded.spoken else 0
    assert [one.id for one in loaded.open] == [one.id for one in messages[covered:]]
    async with runtime.database.tenant("default") as connection:
        asked = await connection.execute(
            "SELECT count(*) AS odd FROM nodes n "
            "WHERE NOT EXISTS (SELECT 1 FROM statements s WHERE s.node_id = n.node_id)"
            " OR NOT EXISTS (SELECT 1 FROM node_sources s WHERE s.node_id = n.node_id)"
        )
        row = await asked.fetchone()
    assert row is not None
    assert row["odd"] == 0
    if loaded.spoken is not None:
        assert loaded.title
        known = {one.id for one in messages[:covered]}
        assert all(known.issuperset(one.source_ids) for one in loaded.spoken.statements)
    return turns


async def test_killed_between_compute_and_persist(rooms_folder: Path) -> None:
    """The summary was made and checked, and nobody wrote it: what was there is there, and nothing else."""
    folder = with_database(rooms_folder / "computed")
    async with open_runtime(Settings(data_dir=folder)) as runtime:
        app = runtime.app("default")
        for number in range(3):
            await app.conversations.turn(ADDRESS, turn(number))
        before = await app.conversations.context(ADDRESS)
        async with talker(folder, 3, "compute") as process:
            assert process.stdout is not None
            line = await asyncio.wait_for(process.stdout.readline(), 60)
            assert line.startswith(b"computed")
            process.kill()
        assert before == await app.conversations.context(ADDRESS)
        assert await whole(runtime, app, 3) == 3
        turned = await app.conversations.turn(ADDRESS, turn(3), limits=LIMITS)
        assert turned.summarized


async def _kill_at_random(rooms_folder: Path, *, kills: int) -> None:
    folder = with_database(rooms_folder / f"turns-{kills}")
    dice = random.Random(kills)  # noqa: S311 - moments to kill at
    async with open_runtime(Settings(data_dir=folder)) as runtime:
        app = runtime.app("default")
        turns = acknowledged = 0
        for _ in range(kills):
            async with talker(folder, turns, "talk") as process:
                assert process.stdout is not None
                acknowledged = 1 + int((await asyncio.wait_for(process.stdout.readline(), 60)).split()[0])
                await asyncio.sleep(dice.uniform(0.0, 0.4))
                process.kill()
                for line in (await process.stdout.read()).splitlines():
                    acknowledged = max(acknowledged, 1 + int(line.split()[0]))
            await living.nothing_under_way(runtime)
            turns = await whole(runtime, app, acknowledged)
        loaded = await app.conversations.load(ADDRESS, limits=LIMITS)
        assert loaded.spoken is not None


async def test_killed_at_any_moment(rooms_folder: Path) -> None:
    """Five kills within a turn: acknowledged turns are whole, the summary speaks for a beginning, the rest is open."""
    await _kill_at_random(rooms_folder, kills=5)


async def test_killed_while_an_answer_grows(rooms_folder: Path) -> None:
    """What stands is one version, words and parts, and none before the one that was acknowledged last."""
    folder = with_database(rooms_folder / "grown")
    dice = random.Random(7)  # noqa: S311 - moments to kill at
    async with open_runtime(Settings(data_dir=folder)) as runtime:
        app = runtime.app("default")
        number = 0
        for _ in range(5):
            async with talker(folder, number, "grow") as process:
                assert process.stdout is not None
                acknowledged = int(await asyncio.wait_for(process.stdout.readline(), 60))
                await asyncio.sleep(dice.uniform(0.0, 0.4))
                process.kill()
                acknowledged = max([acknowledged, *map(int, (await process.stdout.read()).split())])
            await living.nothing_under_way(runtime)
            (message,) = await everything(app)
            number = int(message.text.split("word")[-1])
            assert number in (acknowledged, acknowledged + 1)
            assert dict(message.payload or {})["parts"] == answer(number)["parts"]
            assert message.text == f"[calls count {{}}]\n{answer(number)['parts'][1]['text']}"


@pytest.mark.soak
async def test_killed_at_any_moment_often(rooms_folder: Path) -> None:
    """The same, sixty times."""
    await _kill_at_random(rooms_folder, kills=60)
