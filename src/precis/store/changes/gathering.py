"""Small writes of a tenant gathered in one transaction.

Whoever finds nobody at work writes at once. The others would wait for the locks of the scope and pay for a transaction
each; so they wait, and the next transaction has them all. Where it is refused, each of them is made by itself.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.engine.policy import Policy
from precis.errors import StoreUnavailable
from precis.store.changes.writing import Added
from precis.store.rows import NewMemory

#: Rows of a write that waits for others, and of a transaction of several writes; seconds for which a write waits.
_SMALL, _TOGETHER, _PATIENCE = 10, 100, 1.0
#: Writes rows in a transaction: of which tenant, which rows, by which policy, when.
Write = Callable[[str, Sequence[NewMemory], Policy, datetime], Awaitable[list[Added]]]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Waiting:
    rows: Sequence[NewMemory]
    policy: Policy
    now: datetime
    answer: asyncio.Future[list[Added]]


class Gathering:
    """The writes of one process, tenant by tenant."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: defaultdict[str, deque[_Waiting]] = defaultdict(deque)
        #: Tenants for which somebody writes.
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def add(self, tenant_id: str, rows: Sequence[NewMemory], policy: Policy, now: datetime) -> list[Added]:
        """Write these rows, or raise what refuses them."""
        if len(rows) > _SMALL:
            return await self._write(tenant_id, rows, policy, now)
        if tenant_id in self._busy:
            waiting = _Waiting(rows=rows, policy=policy, now=now, answer=asyncio.get_running_loop().create_future())
            self._waiting[tenant_id].append(waiting)
            return await self._answer(tenant_id, waiting)
        self._busy.add(tenant_id)
        try:
            return await self._write(tenant_id, rows, policy, now)
        finally:
            self._go_on(tenant_id)

    async def _answer(self, tenant_id: str, waiting: _Waiting) -> list[Added]:
        """Whoever waits long, since the others wait for a scope of somebody else, writes alone."""
        try:
            done, _ = await asyncio.wait({waiting.answer}, timeout=_PATIENCE)
        except asyncio.CancelledError:
            waiting.answer.cancel()
            raise
        if not done and waiting in self._waiting[tenant_id]:
            self._waiting[tenant_id].remove(waiting)
            return await self._write(tenant_id, waiting.rows, waiting.policy, waiting.now)
        return await waiting.answer

    def _go_on(self, tenant_id: str) -> None:
        """Whoever came meanwhile is next."""
        while self._waiting[tenant_id] and self._waiting[tenant_id][0].answer.done():
            self._waiting[tenant_id].popleft()
        if not self._waiting[tenant_id]:
            del self._waiting[tenant_id]
            self._busy.discard(tenant_id)
            return
        task = asyncio.get_running_loop().create_task(self._write_waiting(tenant_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write_waiting(self, tenant_id: str) -> None:
        try:
            await self._write_together(tenant_id, self._next(tenant_id))
        finally:
            self._go_on(tenant_id)

    def _next(self, tenant_id: str) -> list[_Waiting]:
        """Those that are made in the next transaction, in the order in which they came."""
        queue = self._waiting[tenant_id]
        batch, room = list[_Waiting](), _TOGETHER
        while queue and len(queue[0].rows) <= room:
            waiting = queue.popleft()
            if not waiting.answer.done():
                batch.append(waiting)
                room -= len(waiting.rows)
        return batch

    async def _write_together(self, tenant_id: str, batch: Sequence[_Waiting]) -> None:
        if not batch:
            return
        rows = [row for waiting in batch for row in waiting.rows]
        try:
            added = await self._write(tenant_id, rows, batch[-1].policy, batch[-1].now)
        except BaseException as error:
            # What may have been made is not made again: precis gave some of the ids, and nobody else knows them.
            if len(batch) > 1 and isinstance(error, Exception) and not isinstance(error, StoreUnavailable):
                for waiting in batch:
                    await self._write_together(tenant_id, [waiting])
                return
            for waiting in batch:
                if isinstance(error, Exception) and not waiting.answer.done():
                    waiting.answer.set_exception(error)
                waiting.answer.cancel()  # which changes nothing where it is answered
            if not isinstance(error, Exception):
                raise
            return
        answers = iter(added)
        for waiting in batch:
            mine = [next(answers) for _ in waiting.rows]
            if not waiting.answer.done():
                waiting.answer.set_result(mine)
