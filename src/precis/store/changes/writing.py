"""Writing memories in PostgreSQL: the steps of a write."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson

from precis.database.connections import Call, Row, Tx
from precis.engine.policy import Policy
from precis.errors import Conflict, Forgotten
from precis.ids import as_said
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.vault import Vault
from precis.memory import Memory, Scope
from precis.recall.naming import Doubtful
from precis.store.changes.posting import inserting
from precis.store.changes.scopes import stamps_of
from precis.store.changes.superseding import Pair, Superseded, Superseding
from precis.store.forgetting import Forgetting
from precis.store.membership import Membership, Seats, make_places, rules_of, writer_locks
from precis.store.rows import NewMemory, fingerprint, fingerprints, open_attributes, row_of

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
        elif stored_row := standing.get(id_):
            says_same = stored_row["fingerprint"] in _prints_of(row, stored_row["created_at"], keys)
            refuse_other(row, stored_row, ciphers, says_same=says_same or await _lost_a_part(tx, row, keys))
        else:
            fresh[id_] = row
    return fresh


async def _lost_a_part(tx: Tx, row: NewMemory, keys: TenantKeys) -> bool:
    """Whether a part of just this text was forgotten: what stays of it is the row, sent again."""
    stone = keys.tombstone(as_said(row.memory.id, row.memory.text or ""))
    return not row.revive and bool(await tx.all("tombstoned", hashes=[stone]))


def _scopes(rows: Sequence[NewMemory]) -> list[Scope]:
    return list(dict.fromkeys(row.memory.scope for row in rows))


def _of_its_type(row: NewMemory, seats: Seats) -> NewMemory:
    """The row with the type of the cluster it joins: the subject has the last word about a type that a rule found."""
    type_ = seats.get(row.memory.id, ("", row.memory.extracted_type))[1]
    return row if type_ == row.memory.extracted_type else replace(row, memory=replace(row.memory, extracted_type=type_))


# Whether a row that is written under a stored id is the stored one, sent again: in what its writer says of it.
#: Columns that hold what a writer may say, beside the text; and the same in the sealed attributes.
_COLUMNS = ("namespace", "session_id", "agent_id", "run_id", "memory_type", "importance", "pinned", "event_date")
_SEALED = ("topics", "entities", "metadata")
_SCOPE = ("user_id", "project_id", "environment")


def refuse_other(new: NewMemory, row: Row, ciphers: Mapping[str, Cipher], *, says_same: bool) -> None:
    """Raise Conflict where a row cannot be taken for the stored one of its id: it is not that one, sent again."""
    if refusal := _refused(new, row, ciphers, says_same=says_same):
        raise Conflict(refusal, ids=[new.memory.id])


def refuse_twin(new: NewMemory, first: Memory, keys: TenantKeys) -> None:
    """The same for another row of one write."""
    says_same = fingerprint(first, keys) in _prints_of(new, first.created_at, keys)
    if refusal := _twin_refused(new, first, says_same=says_same):
        raise Conflict(refusal, ids=[new.memory.id])


def _prints_of(row: NewMemory, since: datetime, keys: TenantKeys) -> frozenset[bytes]:
    return fingerprints(row.memory if row.dated else replace(row.memory, created_at=since), keys)


def _refused(new: NewMemory, row: Row, ciphers: Mapping[str, Cipher], *, says_same: bool) -> str | None:
    """Why a row cannot be taken for the stored one of its id; None where it is that one, sent again.

    ``says_same`` is whether both have one text, speaker and date. Of another user's memory nothing is told.
    """
    id_ = new.memory.id
    if row["user_id"] != new.memory.scope.user_id:
        return f"the id {id_!r} is taken; give another id" if new.given or not says_same else None
    stored: dict[str, Any] = {name: row[name] for name in (*_SCOPE, *_COLUMNS)}
    cipher = ciphers.get(row["user_id"])
    if cipher is not None and not new.given.isdisjoint(_SEALED):
        place = {"tenant_id": new.memory.scope.tenant_id, "row_id": id_}
        attributes = open_attributes(row["attributes_ciphertext"], cipher, **place)
        stored |= {name: getattr(attributes, name) for name in _SEALED}
    differing = _differing(new, stored) if says_same else ["content"]
    return f"memory {id_!r} exists with other {differing[0]}; PATCH it, or give another id" if differing else None


def _twin_refused(new: NewMemory, first: Memory, *, says_same: bool) -> str | None:
    """The same for another row of one write."""
    stored: dict[str, Any] = {name: getattr(first, name) for name in (*_COLUMNS, *_SEALED)}
    stored |= {name: getattr(first.scope, name) for name in _SCOPE}
    differing = _differing(new, stored) if says_same else ["content"]
    again = f"this write has {new.memory.id!r} twice, with different"
    return f"{again} {differing[0]}; give each row an id of its own" if differing else None


def _differing(new: NewMemory, stored: Mapping[str, Any]) -> list[str]:
    """Fields in which a row differs, whose it is first."""
    memory = new.memory
    owner = [name for name in _SCOPE if getattr(memory.scope, name) != stored[name]] if new.given else []
    others = [name for name in (*_COLUMNS, *_SEALED) if name in new.given and name in stored]
    return owner + [name for name in others if not _is_same(getattr(memory, name), stored[name])]


def _is_same(value: Any, stored: Any) -> bool:
    if isinstance(value, float) and isinstance(stored, float | int):
        return math.isclose(value, stored, abs_tol=1e-6)
    if isinstance(value, Mapping | tuple | list):
        return _written(value) == _written(stored)
    return bool(value == stored)


def _written(value: Any) -> bytes:
    return orjson.dumps(value or None, option=orjson.OPT_SORT_KEYS, default=dict)
