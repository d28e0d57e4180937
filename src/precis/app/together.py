"""Several pieces of work at once: as many as a tenant may have calls under way, but for one that writers need."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from precis.settings import Settings

T = TypeVar("T")
R = TypeVar("R")


async def together(items: Sequence[T], work: Callable[[T], Awaitable[R]], *, settings: Settings) -> list[R]:
    """What the work answers for each item, in their order; the first that raises ends the others."""
    results: dict[int, R] = {}
    waiting = iter(enumerate(items))

    async def go_on() -> None:
        for at, item in waiting:
            results[at] = await work(item)

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(max(1, settings.concurrent_jobs - 1), len(items))):
                workers.create_task(go_on())
    except* Exception as errors:  # noqa: BLE001 - passed on, out of its group
        raise errors.exceptions[0] from None
    return [results[at] for at in range(len(items))]
