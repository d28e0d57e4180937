"""Whether a row that is written under a stored id is the stored one, sent again: in what its writer says of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import orjson

from precis.database.connections import Row, Tx
from precis.errors import Conflict
from precis.ids import as_said
from precis.keys.cipher import Cipher, TenantKeys
from precis.memory import Memory
from precis.store.rows import NewMemory, fingerprint, fingerprints, open_attributes

#: Columns that hold what a writer may say, beside the text; and the same in the sealed attributes.
_COLUMNS = ("namespace", "session_id", "agent_id", "run_id", "memory_type", "importance", "pinned", "event_date")
_SEALED = ("topics", "entities", "metadata")
_SCOPE = ("user_id", "project_id", "environment")


async def fresh_rows(
    tx: Tx, rows: Sequence[NewMemory], stored: Sequence[Row] | None, ciphers: Mapping[str, Cipher], keys: TenantKeys
) -> dict[str, NewMemory]:
    """The rows that are not there yet, each id once. Raises Conflict for an id with other content."""
    if stored is None:
        stored = await tx.all("existing_fingerprints", ids=[row.memory.id for row in rows])
    standing = {row["memory_id"]: row for row in stored}
    again = [(row, old) for row in rows if (old := standing.get(row.memory.id))]
    others = [row for row, old in again if old["fingerprint"] not in _prints_of(row, old["created_at"], keys)]
    refused = {id(row) for row in await _not_cut(tx, others, keys)}
    fresh: dict[str, NewMemory] = {}
    for row in rows:
        if (id_ := row.memory.id) in fresh:
            refuse_twin(row, fresh[id_].memory, keys)
        elif id_ in standing:
            refuse_other(row, standing[id_], ciphers, says_same=id(row) not in refused)
        else:
            fresh[id_] = row
    return fresh


async def _not_cut(tx: Tx, rows: Sequence[NewMemory], keys: TenantKeys) -> list[NewMemory]:
    """Those of which no part of just this text was forgotten: what stays of the others is the row, sent again."""
    stones = [b"" if row.revive else keys.tombstone(as_said(row.memory.id, row.memory.text or "")) for row in rows]
    cut = {stone["memory_hash"] for stone in await tx.all("tombstoned", hashes=stones)} if rows else set()
    return [row for row, stone in zip(rows, stones, strict=True) if stone not in cut]


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
