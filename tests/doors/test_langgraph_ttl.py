"""Items that stay for a while, as in LangGraph's store on PostgreSQL, on a clock that is moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from precis.agents.langgraph_store import PrecisStore
from precis.app import App, app_over
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")
SHELF = ("nora", "shelf")
LAMP = {"text": "The lamp is brass."}
HOUR = timedelta(minutes=60)


@pytest.fixture
def clock() -> FrozenClock:
    """The time of a test."""
    return FrozenClock()


@pytest.fixture
def timed(app: App, clock: FrozenClock) -> App:
    """The app on that clock."""
    return app_over(replace(app.parts, engine=replace(app.parts.engine, clock=clock)))


async def shown(store: PrecisStore) -> list[bool]:
    """Whether each way of reading shows the lamp; none of them begins its time anew."""
    return [
        await store.aget(SHELF, "lamp", refresh_ttl=False) is not None,
        bool(await store.asearch(SHELF, refresh_ttl=False)),
        bool(await store.asearch(SHELF, query="brass lamp", refresh_ttl=False)),
        bool(await store.asearch(SHELF, filter=LAMP, refresh_ttl=False)),
        bool(await store.alist_namespaces()),
    ]


async def test_an_item_is_gone_when_its_time_is_over(timed: App, clock: FrozenClock) -> None:
    """From every method; a sweep then forgets it, and one without a time stays."""
    store = PrecisStore(timed)
    await store.aput(SHELF, "lamp", LAMP, ttl=60)
    clock.advance(HOUR - timedelta(seconds=1))
    assert [True] * 5 == await shown(store)
    clock.advance(timedelta(seconds=1))
    assert [False] * 5 == await shown(store)
    await store.aput(SHELF, "vase", {"text": "The vase is blue."})
    assert 1 == await store.sweep_ttl()
    assert 0 == await store.sweep_ttl()
    assert ["The vase is blue."] == [row.text for row in (await timed.memories.list(user_id="nora")).rows]


@pytest.mark.parametrize("how", ["get", "search", "query", "put"])
async def test_use_begins_its_time_anew(timed: App, clock: FrozenClock, how: str) -> None:
    """Each read and write, unless told otherwise."""
    store = PrecisStore(timed)
    await store.aput(SHELF, "lamp", LAMP, ttl=60)
    use: dict[str, Callable[[], object]] = {
        "get": lambda: store.aget(SHELF, "lamp"),
        "search": lambda: store.asearch(SHELF),
        "query": lambda: store.asearch(SHELF, query="brass"),
        "put": lambda: store.aput(SHELF, "lamp", LAMP, ttl=60),
    }
    for _ in range(3):
        clock.advance(HOUR * 0.75)
        assert [True] * 5 == await shown(store)
        await use[how]()  # type: ignore[misc]
    clock.advance(HOUR)
    assert [False] * 5 == await shown(store)


async def test_what_a_page_leaves_out_was_not_used(timed: App, clock: FrozenClock) -> None:
    """Only items that were answered stay longer."""
    store = PrecisStore(timed)
    await store.aput(SHELF, "lamp", LAMP, ttl=60)
    await store.aput(SHELF, "vase", {"text": "The vase is blue."}, ttl=60)
    clock.advance(HOUR / 2)
    (used,) = await store.asearch(SHELF, limit=1)
    clock.advance(HOUR / 2)
    assert [used.key] == [item.key for item in await store.asearch(SHELF)]


async def test_the_configuration_says_what_nobody_says(timed: App, clock: FrozenClock) -> None:
    """The time of items put without one, and whether reading counts; None is for ever."""
    store = PrecisStore(timed, ttl={"default_ttl": 60, "refresh_on_read": False})
    await store.aput(SHELF, "lamp", LAMP)
    await store.aput(SHELF, "vase", {"text": "The vase is blue."}, ttl=None)
    clock.advance(HOUR / 2)
    assert await store.aget(SHELF, "lamp") is not None
    clock.advance(HOUR / 2)
    assert ["vase"] == [item.key for item in await store.asearch(SHELF)]


async def test_an_update_without_a_time_stays_for_ever(timed: App, clock: FrozenClock) -> None:
    """And what was over can be put again."""
    store = PrecisStore(timed)
    await store.aput(SHELF, "lamp", LAMP, ttl=60)
    clock.advance(2 * HOUR)
    assert await store.aget(SHELF, "lamp") is None
    await store.aput(SHELF, "lamp", LAMP)
    clock.advance(100 * HOUR)
    assert 0 == await store.sweep_ttl()
    assert await store.aget(SHELF, "lamp") is not None


async def test_a_sweeper_sweeps_until_it_is_stopped(timed: App, clock: FrozenClock) -> None:
    """In the background; starting it twice is starting it once."""
    store = PrecisStore(timed)
    await store.aput(SHELF, "lamp", LAMP, ttl=60)
    clock.advance(HOUR)
    for _ in range(2):
        sweeper = await store.start_ttl_sweeper(sweep_interval_minutes=0.0005)
    while (await timed.memories.list(user_id="nora")).rows:
        await asyncio.sleep(0.02)
    await store.stop_ttl_sweeper()
    assert sweeper.cancelled()


async def test_a_time_longer_than_any_calendar(timed: App, clock: FrozenClock) -> None:
    """It is not over, and no method stops at it."""
    store = PrecisStore(timed)
    await store.aput(SHELF, "lamp", LAMP, ttl=1e300)
    clock.advance(100 * HOUR)
    assert [True] * 5 == await shown(store)
    assert 0 == await store.sweep_ttl()
