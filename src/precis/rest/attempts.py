"""Bad keys are slowed down, by the address they come from: the more come, the longer the next one waits."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from ipaddress import IPv6Address, ip_address
from typing import Any, Generic, TypeVar

T = TypeVar("T")
#: Unknown keys of one address that are looked up without a wait, and seconds an address waits for each further one.
FREE, SECONDS = 20, 0.5
#: Longest wait; who would have to wait longer is told to come back.
_LONGEST = 3.0
#: Addresses that are remembered at once: the one that was quiet longest is forgotten first.
_MOST = 4_096


class TooManyAttempts(Exception):
    """Too many keys from this address were unknown. Try again later."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        #: Whole seconds after which the next key may be tried.
        self.retry_after = math.ceil(seconds)


class Attempts:
    """How many unknown keys an address has tried, as the moment when that is forgiven."""

    def __init__(self, timer: Callable[[], float]) -> None:
        self._timer = timer
        self._forgiven: OrderedDict[str, float] = OrderedDict()

    def take(self, address: str) -> float:
        """Seconds to wait before a key is looked up, counted as bad until ``give_back``. Raises TooManyAttempts."""
        now, block = self._timer(), _block(address)
        forgiven = max(self._forgiven.get(block, 0.0), now)
        wait = forgiven - now - (FREE - 1) * SECONDS
        if wait > _LONGEST:
            raise TooManyAttempts(wait)
        self._forgiven[block] = forgiven + SECONDS
        self._forgiven.move_to_end(block)
        if len(self._forgiven) > _MOST:
            self._forgiven.popitem(last=False)
        return max(0.0, wait)

    def give_back(self, address: str) -> None:
        """The key was good."""
        block = _block(address)
        if block in self._forgiven:
            self._forgiven[block] -= SECONDS


class Together(Generic[T]):
    """One look-up for all who want to know the same at the same time."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Task[T]] = {}

    async def ask(self, name: Hashable, look_up: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The answer of the look-up by that name, which begins where none is under way. Raises what it raises."""
        task = self._under_way.get(name)
        if task is None:
            task = self._under_way[name] = asyncio.create_task(look_up())
            task.add_done_callback(lambda done: self._end(name, done))
        # Whoever gives up leaves it to the others.
        return await asyncio.shield(task)

    def _end(self, name: Hashable, done: asyncio.Task[T]) -> None:
        del self._under_way[name]
        if not done.cancelled():
            done.exception()  # nobody may be left to hear of it


def _block(address: str) -> str:
    """The address, or the block of an IPv6 address: its owner may send from each address of it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(int(parsed) >> 64) if isinstance(parsed, IPv6Address) else address
