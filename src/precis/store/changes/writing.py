"""Writing memories in PostgreSQL: the steps of a write, and small writes of a tenant gathered in one transaction.

Whoever finds nobody at work writes at once. The others would wait for the locks of the scope and pay for a transaction
each; so they wait, and the next transaction has them all. Where it is refused, each of them is made by itself.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from precis.database.connections import Call, Row, Tx
from precis.engine.policy import Policy
from precis.errors import Forgotten, StoreUnavailable
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.vault import Vault
from precis.memory import Scope
from precis.recall.naming import Doubtful
from precis.store.changes.posting import inserting
from precis.store.changes.sameness import refuse_other, refuse_twin
from precis.store.changes.scopes import stamps_of
from precis.store.changes.superseding import Pair, Superseding
from precis.store.forgetting import Forgetting
from precis.store.joining import Joining, Seats, make_places, rules_of, writer_locks
from precis.store.rows import NewMemory, row_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """What became of one row of a write."""

    id: str
    #: False when the id was there already with the same content.
    created: bool
    #: The cluster it joined; None for a row that was there, or that no cluster takes.
    group_id: str | None
    #: Whether that cluster wants a refresh now.
    due: bool = False
    #: Ids of the memories that it replaces, and of those that replace it.
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    #: Memories that the words of its writer may name; where it is in doubt which, it replaces none.
    doubtful: tuple[Doubtful, ...] = ()
    #: Groups whose summary has to be made without what the rows of the same write replace.
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """What a write has locked and read before it decides anything; None for what is still to be read."""

    ciphers: Mapping[str, Cipher]
    #: Of the rows whose ids somebody gave: those that were forgotten, and those that are there.
    stones: Sequence[Row] | None = None
    stored: Sequence[Row] | None = None
    #: Versions of the clusters of each scope.
    stamps: Mapping[Scope, str | None] | None = None
    #: The rules of placing.
    rules: Row | None = None


class Writing:
    """The steps of a write. Each method works in the caller's transaction."""

    def __init__(self, vault: Vault, joining: Joining, forgetting: Forgetting, superseding: Superseding) -> None:
        self._vault = vault
        self._joining = joining
        self._forgetting = forgetting
        self._superseding = superseding

    def opening(self, tenant_id: str, rows: Sequence[NewMemory], policy: Policy) -> list[Call]:
        """A writer's first locks, and what asks for all that it has to know: its transaction begins with these."""
        scopes = _scopes(rows)
        named = [row.memory.id for row in rows if not row.minted]
        keys = self._vault.keys(tenant_id)
        known: list[Call] = [
            ("tombstoned", {"hashes": [keys.tombstone(id_) for id_ in named]}),
            ("existing_fingerprints", {"ids": named}),
        ]
        users = {scope.user_id for scope in scopes}
        return [
            writer_locks(scopes), self._vault.request(tenant_id, users, hold=True), rules_of(users),
            *(stamps_of(policy.name, scope) for scope in scopes), *(known if named else ()),
        ]  # fmt: skip

    async def opened(self, tx: Tx, rows: Sequence[NewMemory]) -> Opened:
        """What the answers to ``opening`` tell."""
        scopes = _scopes(rows)
        users = {scope.user_id for scope in scopes}
        _, held, (rules,), *answers = tx.answers
        stones, stored = answers[len(scopes) :] or ((), ())
        stamps = {scope: answer[0]["stamps"] for scope, answer in zip(scopes, answers, strict=False)}
        ciphers = await self._vault.ciphers(tx, users, hold=True, create=True, rows=held)
        return Opened(ciphers=ciphers, stones=stones, stored=stored, stamps=stamps, rules=rules)

    async def hold_scopes(self, tx: Tx, scopes: Sequence[Scope]) -> Opened:
        """A writer's first locks, where it does not know yet what it writes."""
        users = {scope.user_id for scope in scopes}
        _, held = await tx.together(writer_locks(scopes), self._vault.request(tx.tenant_id, users, hold=True))
        return Opened(ciphers=await self._vault.ciphers(tx, users, hold=True, create=True, rows=held))

    async def add(
        self, tx: Tx, rows: Sequence[NewMemory], opened: Opened, *, policy: Policy, now: datetime
    ) -> list[Added]:
        """Write these rows, of which none was forgotten, as ``PostgresMemories.add`` does."""
        ciphers = opened.ciphers
        keys = self._vault.keys(tx.tenant_id)
        fresh = await fresh_rows(tx, rows, opened.stored, ciphers, keys)
        seating = await self._joining.to_clusters(tx, list(fresh.values()), ciphers, policy, now, stamps=opened.stamps)
        written = [_of_its_type(row, seating.seats) for row in fresh.values()]
        parameters = [row_of(row, ciphers[row.memory.scope.user_id], keys) for row in written]
        known = {row.memory.id for row in rows} - fresh.keys()
        rules = opened.rules or await self._joining.rules(tx, {row.memory.scope.user_id for row in rows})
        pairs = self._joining.pairs_of([row.memory for row in written], rules, now)
        asking = self._superseding.assertions(tx.tenant_id, list(fresh.values()))
        calls: list[Call] = [("insert_group", seating.opened), *inserting(parameters), *asking]
        claims: list[Pair] = []
        if pairs or any(row.supersedes for row in rows):
            answers = await tx.together(*calls)
            claims, replaced = await self._superseding.claims(tx, rows, now, known=known)
            await make_places(tx, [place for _, place in pairs], now)
            besides = {*(place.group_id for _, place in pairs), *replaced}
            locked = await tx.all("lock_groups", ids=sorted({*seating.clusters, *besides}))
        else:
            *answers, locked = await tx.together(*calls, ("lock_groups", {"ids": sorted(seating.clusters)}))
        due = await self._joining.grow(tx, written, seating, locked, now)
        await self._joining.to_places(tx, pairs, now)
        scopes = {row.memory.id: row.memory.scope for row in rows}
        # Nothing replaces what is of another scope; and nobody is told of the groups of another.
        superseded = {
            scope: await self._superseding.apply(
                tx, [pair for pair in claims if scopes[pair.newer_id] == scope],
                [row for row in fresh.values() if row.memory.scope == scope], ciphers, now,
                asserting=[row for row in (answers[-1] if asking else ()) if scopes[row["compared_id"]] == scope],
            )
            for scope in dict.fromkeys(scopes.values())
        }  # fmt: skip
        added = []
        for row in rows:
            id_ = row.memory.id
            group_id = seating.seats[id_][0] if id_ in seating.seats else None
            replaced_in = superseded[row.memory.scope]
            added.append(Added(
                id=id_, created=fresh.pop(id_, None) is not None, group_id=group_id, due=group_id in due,
                supersedes=replaced_in.older(id_), superseded_by=replaced_in.newer(id_), touched=replaced_in.groups,
            ))  # fmt: skip
        return added

    async def refuse_forgotten(self, tx: Tx, rows: Sequence[NewMemory], stones: Sequence[Row] | None = None) -> bool:
        """Raise Forgotten for an id that a person forgot, unless it is to be revived; answers whether any is."""
        keys = self._vault.keys(tx.tenant_id)
        hashes = {keys.tombstone(row.memory.id): row for row in rows}
        if stones is None:
            stones = await tx.all("tombstoned", hashes=list(hashes))
        refused = [
            hashes[stone["memory_hash"]].memory.id
            for stone in stones
            if not hashes[stone["memory_hash"]].revive and not stone["renewable"]
        ]
        if refused:
            message = f"memory {refused[0]!r} was forgotten; write it again with revive=true if that is meant"
            raise Forgotten(message, ids=refused)
        if stones:
            revived = {stone["memory_hash"]: hashes[stone["memory_hash"]].memory for stone in stones}
            await self._forgetting.revive(tx, revived)
        return bool(stones)


async def fresh_rows(
    tx: Tx, rows: Sequence[NewMemory], stored: Sequence[Row] | None, ciphers: Mapping[str, Cipher], keys: TenantKeys
) -> dict[str, NewMemory]:
    """The rows that are not there yet, each id once. Raises Conflict for an id with other content."""
    if stored is None:
        stored = await tx.all("existing_fingerprints", ids=[row.memory.id for row in rows])
    standing = {row["memory_id"]: row for row in stored}
    fresh: dict[str, NewMemory] = {}
    for row in rows:
        if (id_ := row.memory.id) in fresh:
            refuse_twin(row, fresh[id_].memory, keys)
        elif id_ in standing:
            refuse_other(row, standing[id_], ciphers, keys)
        else:
            fresh[id_] = row
    return fresh


def _scopes(rows: Sequence[NewMemory]) -> list[Scope]:
    return list(dict.fromkeys(row.memory.scope for row in rows))


def _of_its_type(row: NewMemory, seats: Seats) -> NewMemory:
    """The row with the type of the cluster it joins: the subject has the last word about a type that a rule found."""
    type_ = seats.get(row.memory.id, ("", row.memory.extracted_type))[1]
    return row if type_ == row.memory.extracted_type else replace(row, memory=replace(row.memory, extracted_type=type_))


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
