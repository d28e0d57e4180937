"""Who counts what calls take: reserved before, settled after."""

from __future__ import annotations

from typing import Protocol

from precis.engine.ports import Request, Usage


class Meter(Protocol):
    """Reserves the price of an attempt before it is made, and settles it afterwards."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Set aside what the attempt may take at most. Raises BudgetExhausted when there is not enough."""
        ...

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """What it took. ``outcome`` is ``ok`` or what went wrong; ``latency`` is in seconds."""
        ...


class Unmetered:
    """The meter of somebody who does not count."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Always granted."""
        del request, estimate
        return None

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """Nothing to note."""
        del token, usage, outcome, latency
