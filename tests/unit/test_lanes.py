"""Lanes of requests: who is worked on, who waits, who is told to come again."""

from __future__ import annotations

import asyncio

import pytest

from precis.app.parts import Pressure
from precis.rest.lanes import Full, Lane, Place
from precis.work import SEAT, aside

pytestmark = pytest.mark.asyncio


def _lane(*, at_once: int = 1, waiting: int = 8, seconds: float = 60.0, pressure: Pressure | None = None) -> Lane:
    return Lane("writes", at_once=at_once, waiting=waiting, seconds=seconds, pressure=pressure or Pressure())


async def _queued(lane: Lane, *tenants: str) -> list[asyncio.Task[Place]]:
    """Requests of these tenants that wait, in this order."""
    tasks = []
    for tenant in tenants:
        tasks.append(asyncio.create_task(lane.enter(tenant)))
        await asyncio.sleep(0)
    return tasks


async def _order(place: Place, waiting: list[asyncio.Task[Place]]) -> list[str]:
    """Whose requests get the only place, one after the other."""
    order = []
    while waiting:
        place.leave()
        done, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        place = done.pop().result()
        order.append(place.tenant_id)
        waiting = list(rest)
    return order


async def test_tenants_take_turns() -> None:
    """However many requests of one tenant wait, the other's second comes after its second."""
    lane = _lane()
    place = await lane.enter("ada")
    waiting = await _queued(lane, "ada", "ada", "ada", "ben", "ben")
    assert ["ada", "ben", "ada", "ben", "ada"] == await _order(place, waiting)


async def test_a_tenant_alone_leaves_room_for_another() -> None:
    """It may have twice as many requests at work as places are free."""
    lane = _lane(at_once=8, waiting=0)
    for _ in range(6):
        await lane.enter("ada")
    with pytest.raises(Full):
        await lane.enter("ada")
    assert (await lane.enter("ben")).tenant_id == "ben"


async def test_who_floods_makes_room_while_another_is_at_work() -> None:
    """Beside a tenant with one request after the other it has two at work; a moment later all its places again."""
    now = 0.0
    lane = Lane("writes", at_once=8, waiting=9, seconds=60.0, pressure=Pressure(), timer=lambda: now)
    flood = [await lane.enter("ada") for _ in range(6)]
    waiting = await _queued(lane, *["ada"] * 9)
    quiet = await lane.enter("ben")
    for place in flood[:4]:
        place.leave()
    assert not any(called.done() for called in waiting)
    flood[4].leave()
    quiet.leave()
    await asyncio.sleep(0.01)
    assert [True, False] == [called.done() for called in waiting[:2]]
    again = await lane.enter("ben")
    again.leave()
    now = 1.0
    flood[5].leave()
    await asyncio.sleep(0.01)
    assert 6 == sum(called.done() for called in waiting)
    for called in waiting[6:]:
        called.cancel()


async def test_who_waits_too_long_is_told_when_to_come_again() -> None:
    """The longer the lane takes, the later."""
    pressure = Pressure()
    lane = _lane(seconds=0.01, pressure=pressure)
    await lane.enter("ada")
    with pytest.raises(Full) as refused:
        await lane.enter("ada")
    assert refused.value.retry_after == 1
    assert pressure.waiting == 0
    for _ in range(20):
        with pytest.raises(Full) as refused:
            await lane.enter("ada")
    assert refused.value.retry_after == 3


async def test_the_more_wait_the_shorter_a_place_is_kept_for_a_body() -> None:
    """A lane full of requests whose bodies do not come is through with all of them in a moment."""
    lane = _lane(waiting=64)
    alone = lane.body_seconds()
    await lane.enter("ada")
    waiting = await _queued(lane, *["ada"] * 64)
    assert alone / lane.body_seconds() == pytest.approx(65)
    for task in waiting:
        task.cancel()


async def test_where_no_more_may_wait_the_longest_queue_gives_way() -> None:
    """The last of the tenant of which most wait is turned away for a tenant of which fewer do, and never otherwise."""
    lane = _lane(waiting=3)
    place = await lane.enter("ada")
    waiting = await _queued(lane, "ada", "ada", "ada")
    with pytest.raises(Full):
        await lane.enter("ada")
    (late,) = await _queued(lane, "ben")
    with pytest.raises(Full):
        await waiting.pop()
    assert ["ada", "ben", "ada"] == await _order(place, [*waiting, late])


async def test_whoever_gives_up_leaves_no_gap() -> None:
    """Also where its turn had just come."""
    pressure = Pressure()
    lane = _lane(pressure=pressure)
    place = await lane.enter("ada")
    first, second, third = await _queued(lane, "ada", "ben", "ada")
    first.cancel()
    await asyncio.wait({first})
    place.leave()
    second.cancel()
    assert (await third).tenant_id == "ada"
    assert second.cancelled()
    assert pressure.waiting == 0


async def test_a_place_is_free_while_a_model_is_asked() -> None:
    """Others are worked on meanwhile; whoever comes back goes on at once, and its place is given back once."""
    lane = _lane(waiting=0)
    place = await lane.enter("ada")
    token = SEAT.set(place)
    with aside():
        other = await lane.enter("ben")
    with pytest.raises(Full):
        await lane.enter("cleo")
    other.leave()
    with pytest.raises(Full):
        await lane.enter("cleo")
    with aside():
        place.leave()
    place.leave()
    SEAT.reset(token)
    last = await lane.enter("cleo")
    with pytest.raises(Full):
        await lane.enter("ada")
    last.leave()
