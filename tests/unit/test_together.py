"""Several pieces of work at once: in order, bounded, and ended by the first that fails."""

from __future__ import annotations

import asyncio

import pytest

from precis.work import together

pytestmark = pytest.mark.asyncio(loop_scope="function")


@pytest.mark.parametrize(("at_once", "most"), [(0, 1), (1, 1), (3, 3)])
async def test_as_many_as_may_be_under_way_at_once(at_once: int, most: int) -> None:
    """No more than that, and one at least; the answers come in the order of the items."""
    under_way, seen = 0, 0

    async def work(number: int) -> int:
        nonlocal under_way, seen
        under_way += 1
        seen = max(seen, under_way)
        await asyncio.sleep(0.001 * (5 - number % 5))
        under_way -= 1
        return number * 10

    found = await together(range(20), work, at_once=at_once)
    assert ([number * 10 for number in range(20)], most) == (found, seen)


async def test_the_first_failure_is_raised_as_it_is() -> None:
    """Not in a group of its kind; what had not begun does not begin."""
    begun = []

    async def work(number: int) -> None:
        begun.append(number)
        await asyncio.sleep(0)
        if number == 2:
            raise LookupError("two")

    with pytest.raises(LookupError, match="two"):
        await together(range(50), work, at_once=2)
    assert len(begun) < 10
