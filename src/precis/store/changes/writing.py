"""Writing memories in PostgreSQL: the steps of a write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from precis.database.connections import Call, Row, Tx
from precis.engine.policy import Policy
from precis.errors import Forgotten
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.memory import Scope
from precis.recall.naming import Doubtful
from precis.store.changes.posting import inserting
from precis.store.changes.scopes import stamps_of
from precis.store.changes.sent_again import fresh_rows
from precis.store.changes.superseding import Pair, Superseded, Superseding
from precis.store.forgetting import Forgetting
from precis.store.membership import Membership, Seats, make_places, rules_of, writer_locks
from precis.store.rows import NewMemory, row_of

_NAMED = 20  # ids, where more were forgotten


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
    #: Ids of the memories that it replaces, and of those that replace it; of a row that was there, all that stand.
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

    def __init__(self, vault: Vault, membership: Membership, forgetting: Forgetting, superseding: Superseding) -> None:
        self._vault = vault
        self._membership = membership
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
        self, tx: Tx, rows: Sequence[NewMemory], opened: Opened, *, policy: Policy, now: datetime, ends: bool = False
    ) -> list[Added]:
        """Write these rows, of which none was forgotten, as ``PostgresMemories.add`` does.

        Where it ``ends`` the transaction, that may end with the last of its statements.
        """
        ciphers = opened.ciphers
        keys = self._vault.keys(tx.tenant_id)
        fresh = await fresh_rows(tx, rows, opened.stored, ciphers, keys)
        seating = await self._membership.to_clusters(
            tx, list(fresh.values()), ciphers, policy, now, stamps=opened.stamps
        )
        written = [_of_its_type(row, seating.seats) for row in fresh.values()]
        parameters = [row_of(row, ciphers[row.memory.scope.user_id], keys) for row in written]
        known = {row.memory.id for row in rows} - fresh.keys()
        rules = opened.rules or await self._membership.rules(tx, {row.memory.scope.user_id for row in rows})
        pairs = self._membership.pairs_of([row.memory for row in written], rules, now)
        asking = self._superseding.assertions(keys, list(fresh.values()))
        hint = self._membership.hints.next(tx.tenant_id)
        calls: list[Call] = [("insert_group", seating.opened), *inserting(parameters), *asking]
        claims: list[Pair] = []
        if pairs or any(row.supersedes for row in rows):
            answers = await tx.together(*calls)
            claims, replaced = await self._superseding.claims(tx, rows, now, known=known)
            await make_places(tx, [place for _, place in pairs], now)
            besides = {*(place.group_id for _, place in pairs), *replaced}
            lock = ("lock_groups", {"ids": sorted({*seating.clusters, *besides})})
            locked, waits = await tx.together(lock, hint.waits)
        else:
            *answers, locked, waits = await tx.together(
                *calls, ("lock_groups", {"ids": sorted(seating.clusters)}), hint.waits
            )
        by_rule = self._superseding.by_rule(list(fresh.values()), answers[-1] if asking else (), ciphers, claims, now)
        ends = ends and not (pairs or claims or by_rule or known)
        due = await self._membership.grow(tx, written, seating, locked, now, asked=(hint, bool(waits)), ends=ends)
        await self._membership.to_places(tx, pairs, now)
        superseded = await self._superseded(tx, rows, claims, by_rule, now)
        standing = await self._superseding.standing(tx, known)
        added = []
        for row in rows:
            id_ = row.memory.id
            group_id = seating.seats[id_][0] if id_ in seating.seats else None
            replaced_in = superseded[row.memory.scope]
            stands = standing if id_ in known else replaced_in
            added.append(Added(
                id=id_, created=fresh.pop(id_, None) is not None, group_id=group_id, due=group_id in due,
                supersedes=stands.older(id_), superseded_by=stands.newer(id_), touched=replaced_in.groups,
            ))  # fmt: skip
        return added

    async def _superseded(
        self, tx: Tx, rows: Sequence[NewMemory], claims: Sequence[Pair], by_rule: Sequence[Pair], now: datetime
    ) -> Mapping[Scope, Superseded]:
        """Scope by scope: nothing replaces what is of another scope; and nobody is told of the groups of another."""
        scopes = {row.memory.id: row.memory.scope for row in rows}
        return {
            scope: await self._superseding.apply(
                tx, [pair for pair in claims if scopes[pair.newer_id] == scope],
                [pair for pair in by_rule if scope in {scopes.get(pair.newer_id), scopes.get(pair.older_id)}], now,
            )
            for scope in dict.fromkeys(scopes.values())
        }  # fmt: skip

    async def refuse_forgotten(self, tx: Tx, rows: Sequence[NewMemory], stones: Sequence[Row] | None = None) -> bool:
        """Raise Forgotten for an id that a person forgot, unless it is to be revived; answers whether any is."""
        if stones == ():
            return False  # as nearly always
        keys = self._vault.keys(tx.tenant_id)
        hashes = {keys.tombstone(row.memory.id): row for row in rows}
        if stones is None:
            stones = await self._forgetting.tombstones.known(tx, [row.memory for row in rows])
        refused = [
            hashes[stone["memory_hash"]].memory.id
            for stone in stones
            if not hashes[stone["memory_hash"]].revive and not stone["renewable"]
        ]
        if refused:
            raise Forgotten(_refusal(sorted(refused)), ids=refused)
        if stones:
            revived = {stone["memory_hash"]: hashes[stone["memory_hash"]].memory for stone in stones}
            await self._forgetting.revive(tx, revived)
        return bool(stones)


def _refusal(ids: Sequence[str]) -> str:
    """Which of the rows were forgotten, and what to do: nothing of the write is stored."""
    if len(ids) == 1:
        return f"memory {ids[0]!r} was forgotten; write it again with revive=true if that is meant"
    names, more = ", ".join(map(repr, ids[:_NAMED])), len(ids) - _NAMED
    others = f" and {more} more" if more > 0 else ""
    return f"memories {names}{others} were forgotten; leave them out, or write them with revive=true if that is meant"


def _scopes(rows: Sequence[NewMemory]) -> list[Scope]:
    return list(dict.fromkeys(row.memory.scope for row in rows))


def _of_its_type(row: NewMemory, seats: Seats) -> NewMemory:
    """The row with the type of the cluster it joins: the subject has the last word about a type that a rule found."""
    type_ = seats.get(row.memory.id, ("", row.memory.extracted_type))[1]
    return row if type_ == row.memory.extracted_type else replace(row, memory=replace(row.memory, extracted_type=type_))
