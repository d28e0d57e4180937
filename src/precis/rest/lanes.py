"""A lane: so many requests are worked on at once, so many wait, for so long. Tenants take turns.

A tenant may have twice as many requests at work as places are free: alone it gets most places and leaves one or two to
whoever comes next; the more tenants there are, the smaller is the share of each (Choudhury and Hahne, "Dynamic queue
length thresholds for shared-memory packet switches", 1998). All at work share one event loop, so beside another tenant
it may also have only twice as many as that one has, or had a moment ago. Where all that may wait do so, the last of the
tenant of which most wait gives way to one of which fewer do.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from precis import bootstrap, metrics, work
from precis.app.parts import Pressure
from precis.rest import auth, callers

#: Places that a tenant may take for each that is free.
_SHARE = 2
#: Seconds for which a tenant counts as at work after its last request.
_MOMENT = 0.05
#: Weight of the latest request in how long a place is taken, and what is supposed before there was one, in seconds.
_WEIGHT, _SUPPOSED = 0.1, 0.1
#: Longest time after which somebody is told to come again, in seconds.
_LONGEST = 60
#: Seconds for which a place is kept for more of a body where nobody waits: who sends nothing for so long stops nobody.
_BODY_SECONDS = 0.05


class Full(Exception):
    """The lane has no room. Try again later."""

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        #: Whole seconds after which there may be room.
        self.retry_after = retry_after


@dataclass(eq=False, kw_only=True, slots=True)
class Place:
    """The place of a request that is worked on, until ``leave``."""

    lane: Lane
    tenant_id: str
    #: When it was taken, or taken again.
    since: float
    _asides: int = field(default=0)
    _is_left: bool = field(default=False)

    def step_aside(self) -> None:
        """Another request may have the place while this one waits for a model, or for its body."""
        self._asides += 1
        if self._asides == 1 and not self._is_left:
            self.lane.give_back(self)

    def come_back(self) -> None:
        """Go on, even where the lane is full by now: what it waited for must not be lost."""
        self._asides -= 1
        if self._asides == 0 and not self._is_left:
            self.lane.take_again(self)

    def leave(self) -> None:
        """The request is answered; what it began may go on."""
        if not self._is_left:
            self._is_left = True
            if not self._asides:
                self.lane.give_back(self)


class Lane:
    """The requests of one kind."""

    def __init__(
        self, name: str, *, at_once: int, waiting: int, seconds: float, pressure: Pressure,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.name, self._timer = name, timer
        self._at_once, self._most_waiting, self._seconds, self._pressure = at_once, waiting, seconds, pressure
        self._at_work: Counter[str] = Counter()
        #: When tenants had a request at work, as far as that is a moment ago.
        self._left_at: dict[str, float] = {}
        #: By tenant, in the order of their turns: an answer of True is a place.
        self._queues: dict[str, deque[asyncio.Future[bool]]] = {}
        #: Of each tenant those that were refused and did not come again, as far as can be told.
        self._outside: Counter[str] = Counter()
        self._waiting, self._taken_for = 0, _SUPPOSED
        self._refused = metrics.LANE_REFUSED.labels(name)

    async def enter(self, tenant_id: str) -> Place:
        """A place, at once or once it is the tenant's turn. Raises Full."""
        began = self._timer()
        if tenant_id in self._queues or not self._has_place(tenant_id):
            await self._wait(tenant_id)
        else:
            self._at_work[tenant_id] += 1
        now = self._timer()
        metrics.LANE_WAIT_SECONDS.labels(self.name).observe(now - began)
        return Place(lane=self, tenant_id=tenant_id, since=now)

    def give_back(self, place: Place) -> None:
        """The place is free for whose turn it is."""
        self._taken_for += _WEIGHT * (self._timer() - place.since - self._taken_for)
        _lessen(self._outside, place.tenant_id)
        self._free(place.tenant_id)

    def take_again(self, place: Place) -> None:
        """Somebody who stepped aside is back."""
        self._at_work[place.tenant_id] += 1
        place.since = self._timer()

    def retry_after(self, tenant_id: str) -> int:
        """Whole seconds until all of the tenant's that wait, here or outside, will have had their turn."""
        before = len(self._queues.get(tenant_id, ())) + self._outside[tenant_id]
        seconds = before * max(1, len(self._queues)) * self._taken_for / self._at_once
        return min(_LONGEST, max(1, math.ceil(seconds)))

    def body_seconds(self) -> float:
        """How long a place is kept for more of a body: the more wait, the shorter, so that they are soon through."""
        return _BODY_SECONDS / (1 + self._waiting)

    def _has_place(self, tenant_id: str) -> bool:
        at_work = self._at_work[tenant_id]
        return at_work < _SHARE * min(self._at_once - self._at_work.total(), self._beside(tenant_id))

    def _beside(self, tenant_id: str) -> int:
        """Most requests that another tenant has at work, at least one a moment after its last; all where none has."""
        now = self._timer()
        lately = any(now - at < _MOMENT for name, at in self._left_at.items() if name != tenant_id)
        others = (count for name, count in self._at_work.items() if name != tenant_id)
        return max(others, default=1 if lately else self._at_once)

    def _free(self, tenant_id: str) -> None:
        _lessen(self._at_work, tenant_id)
        now = self._timer()
        self._left_at = {name: at for name, at in self._left_at.items() if now - at < _MOMENT} | {tenant_id: now}
        self._call_next()

    def _call_next(self) -> None:
        """Give the free places to whose turn it is; a tenant that had one is last again."""
        while tenant_id := next(filter(self._has_place, self._queues), None):
            queue = self._queues.pop(tenant_id)
            self._at_work[tenant_id] += 1
            self._answer(queue.popleft(), is_place=True)
            if queue:
                self._queues[tenant_id] = queue

    async def _wait(self, tenant_id: str) -> None:
        if self._waiting >= self._most_waiting:
            self._make_room(tenant_id)
        called: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(tenant_id, deque()).append(called)
        self._count(1)
        try:
            await asyncio.wait({called}, timeout=self._seconds)
        except asyncio.CancelledError:
            if self._withdraw(tenant_id, called) and called.result():
                self._free(tenant_id)
            raise
        if not self._withdraw(tenant_id, called) or not called.result():
            raise self._refusal(tenant_id)

    def _withdraw(self, tenant_id: str, called: asyncio.Future[bool]) -> bool:
        """Wait no longer; answers whether there was an answer already."""
        if called.done():
            return True
        queue = self._queues[tenant_id]
        queue.remove(called)
        if not queue:
            del self._queues[tenant_id]
        self._count(-1)
        return False

    def _make_room(self, tenant_id: str) -> None:
        """Turn away the last of the tenant of which most wait, unless that is this one or near it. Raises Full."""
        longest = max(self._queues, key=lambda name: len(self._queues[name]), default=tenant_id)
        if len(self._queues.get(longest, ())) <= len(self._queues.get(tenant_id, ())) + 1:
            raise self._refusal(tenant_id)
        self._answer(self._queues[longest].pop(), is_place=False)

    def _answer(self, called: asyncio.Future[bool], *, is_place: bool) -> None:
        called.set_result(is_place)
        self._count(-1)

    def _count(self, step: int) -> None:
        self._waiting += step
        self._pressure.waiting += step

    def _refusal(self, tenant_id: str) -> Full:
        self._refused.inc()
        self._outside[tenant_id] += 1
        return Full(self.retry_after(tenant_id))


def _lessen(counts: Counter[str], name: str) -> None:
    """By one, not below none; a name without any is dropped, so that the counts do not grow with every tenant."""
    if counts[name] > 1:
        counts[name] -= 1
    else:
        counts.pop(name, None)


# --- requests wait before their body is read; where there is no room they are told when to come again ---

_FULL = "more requests wait than can be served soon; nothing was read or written, try again after Retry-After"
#: What is sent with POST and writes nothing.
_READING = frozenset({
    "/v1/recall", "/v1/context", "/v1/long-term-memory/search", "/v1/memory/prompt", "/v1/summarize", "/v1/check",
})  # fmt: skip
_STATIC = "/page/static/"
#: Parts of the database's connections for writes and for reads; what is left is the worker's and that of /metrics.
_WRITING_PART, _READING_PART = 2, 4
#: Requests worked on at once for each core: more only take turns.
_WRITES_A_CORE, _READS_A_CORE = 4, 2


class Lanes:
    """Reads and writes apart: neither waits for the other."""

    def __init__(self, runtime: bootstrap.Runtime) -> None:
        settings, connections, cores = runtime.settings, runtime.database.pool.max_size, os.cpu_count() or 1
        writes = settings.writes_at_once or max(1, min(connections // _WRITING_PART, _WRITES_A_CORE * cores))
        reads = settings.reads_at_once or max(1, min(connections // _READING_PART, _READS_A_CORE * cores))
        lane = partial(
            Lane, waiting=settings.requests_waiting, seconds=settings.wait_seconds, pressure=runtime.pressure
        )
        self.writes, self.reads = lane("writes", at_once=writes), lane("reads", at_once=reads)

    def of(self, method: str, path: str) -> Lane | None:
        """The lane of a request; None for signs of life and what lies ready."""
        if path in auth.OPEN_PATHS or path == callers.METRICS or path.startswith(_STATIC):
            return None
        # What a call of MCP does stands in its body.
        return self.reads if method in callers.READS or path.rstrip("/") in _READING else self.writes


class Admission:
    """Lets a request through when it has a place; who it is from is known by now, its body is not read."""

    def __init__(self, app: ASGIApp, *, runtime: bootstrap.Runtime) -> None:
        self._app, self._lanes = app, Lanes(runtime)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. The place is free when the answer begins: a long one is taken at the caller's own pace."""
        lane = self._lanes.of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if lane is None:
            return await self._app(scope, receive, send)
        try:
            place = await lane.enter(scope["state"].get("tenant_id") or "")
        except Full as full:
            # Kept open, the connection would be closed meanwhile, perhaps while the caller sends its next request.
            headers = {"Retry-After": str(full.retry_after), "Connection": "close"}
            return await JSONResponse({"detail": _FULL}, status_code=503, headers=headers)(scope, receive, send)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                place.leave()
            await send(message)

        token = work.SEAT.set(place)
        try:
            await self._app(scope, _Body(receive, lane).receive, sending)
        finally:
            work.SEAT.reset(token)
            place.leave()


class _Body:
    """The body of a request that has a place, which others have while nothing of the body comes."""

    def __init__(self, receive: Receive, lane: Lane) -> None:
        self._receive, self._lane, self._is_read = receive, lane, False

    async def receive(self) -> Message:
        """The next part; and when all of it was read, what else there is."""
        if self._is_read:
            return await self._receive()
        coming = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait({coming}, timeout=self._lane.body_seconds())
            if not coming.done():
                with work.aside():
                    await asyncio.wait({coming})
        finally:
            coming.cancel()
        message = coming.result()
        self._is_read = message["type"] != "http.request" or not message.get("more_body", False)
        return message
