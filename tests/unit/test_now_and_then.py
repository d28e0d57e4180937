"""Work that comes again and again, whatever one turn of it fails at."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from precis.jobs.upkeep import going_on, now_and_then


class Work:
    """Fails in its first turns, then works; counts them."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)
        self.turns = 0
        self.done = asyncio.Event()

    async def turn(self) -> None:
        """One of them."""
        self.turns += 1
        if self._errors:
            raise self._errors.pop(0)
        self.done.set()


async def stop(task: asyncio.Task[None]) -> None:
    """Cancel it and wait for its end, which comes at once."""
    task.cancel()
    async with asyncio.timeout(1):
        with suppress(asyncio.CancelledError):
            await task
    assert task.cancelled()


async def test_a_failed_turn_is_followed_by_another() -> None:
    """Whatever it was: the log names the kind, and not what it says, which may quote a memory."""
    work = Work(ValueError("Ana drinks tea"), OSError("Ana drinks tea"))
    with capture_logs() as logs:
        task = asyncio.create_task(now_and_then("looking", 0.001, work.turn))
        async with asyncio.timeout(5):
            await work.done.wait()
        await stop(task)
    failed = [entry for entry in logs if entry["event"] == "looking_failed"]
    assert [entry["error"] for entry in failed] == ["ValueError", "OSError"]
    assert "Ana" not in str(logs)


@pytest.mark.parametrize(("at_once", "turns"), [(True, 1), (False, 0)])
async def test_the_first_turn(at_once: bool, turns: int) -> None:
    """Comes at once, or after a pause; a pause ends when it is cancelled."""
    work = Work()
    task = asyncio.create_task(now_and_then("looking", 60, work.turn, at_once=at_once))
    await asyncio.sleep(0.01)
    assert work.turns == turns
    await stop(task)


async def test_a_turn_ends_when_it_is_cancelled() -> None:
    """And no other follows."""
    turns = []

    async def long() -> None:
        turns.append("begun")
        await asyncio.sleep(60)

    task = asyncio.create_task(now_and_then("looking", 0, long))
    await asyncio.sleep(0.01)
    await stop(task)
    assert turns == ["begun"]


async def test_one_tenant_of_several() -> None:
    """What fails for it is logged under its name; being cancelled is no failure."""
    with capture_logs() as logs, going_on("looking_failed", "t1"):
        raise ValueError("Ana drinks tea")
    assert logs == [{"event": "looking_failed", "log_level": "warning", "tenant_id": "t1", "error": "ValueError"}]
    with pytest.raises(asyncio.CancelledError), going_on("looking_failed", "t1"):
        raise asyncio.CancelledError
