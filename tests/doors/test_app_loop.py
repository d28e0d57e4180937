"""Reaching the event loop of an app from other loops and threads; and saying so where it cannot be reached."""

from __future__ import annotations

import asyncio
import time

import pytest
from door_contract import elsewhere

from precis.agents.loop import AppLoop
from precis.errors import WrongLoop


async def where() -> asyncio.AbstractEventLoop:
    """The loop that this runs in."""
    return asyncio.get_running_loop()


async def failing() -> None:
    """Raises."""
    raise KeyError("no such thing")


async def test_work_runs_in_the_loop_of_the_app() -> None:
    """From the loop itself, from another one, and from a thread without any; errors come back as they are."""
    here, app_loop = asyncio.get_running_loop(), AppLoop()
    assert await app_loop.run(where()) is here
    assert await elsewhere(app_loop.run(where())) is here
    assert await asyncio.to_thread(lambda: app_loop.wait(where())) is here
    for attempt in (app_loop.run(failing()), elsewhere(app_loop.run(failing()))):
        with pytest.raises(KeyError, match="no such thing"):
            await attempt


async def test_blocking_the_loop_is_refused_at_once() -> None:
    """It would wait for ever."""
    with pytest.raises(WrongLoop, match=r"asyncio\.to_thread"):
        AppLoop().wait(where())


async def test_a_loop_that_waits_for_the_caller_is_found_out() -> None:
    """A framework that blocks the loop while another of its loops works gets an error, and no hang."""
    app_loop = AppLoop(patience=0.1)
    both = asyncio.gather(
        elsewhere(app_loop.run(where())), asyncio.to_thread(lambda: app_loop.wait(where())), return_exceptions=True
    )
    await asyncio.sleep(0)
    time.sleep(0.5)  # what such a framework does
    refused = await both
    assert ["waits for this very call" in str(error) for error in refused] == [True, True]


def test_a_loop_that_has_ended_is_said_to_have_ended() -> None:
    """As after ``asyncio.run``, when an agent is kept longer than the app."""

    async def make() -> AppLoop:
        return AppLoop()

    app_loop = asyncio.run(make())
    with pytest.raises(WrongLoop, match="has ended"):
        app_loop.wait(where())
    with pytest.raises(WrongLoop, match="has ended"):
        asyncio.run(app_loop.run(where()))


def test_it_is_made_in_a_loop() -> None:
    """Else there is none to reach."""
    with pytest.raises(WrongLoop, match="make this in the event loop"):
        AppLoop()
