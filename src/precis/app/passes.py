"""A pass: what a policy does on its timetable besides refreshing its groups."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from precis.app.parts import Parts


@dataclass(frozen=True, kw_only=True, slots=True)
class Pass:
    """One policy's pass over a tenant. Running it again does only what is left to do."""

    #: The policy's name, and the schedule's.
    name: str
    #: When it is due for a tenant that never had one.
    first: Callable[[datetime], datetime]
    #: When it is due next after a run that began at this time.
    after: Callable[[datetime], datetime]
    run: Callable[[Parts, datetime], Awaitable[object]]
    #: The one tenant it is of; None: every tenant has it.
    tenant: str | None = None
