"""The forgotten-log: keyed hashes of what was forgotten, in a place that no backup of the database covers.

A database restored from an old copy holds memories that were forgotten since. Before it is served, what the log knows
and the database does not is forgotten again. The log only grows, holds no id and no text, and is never restored.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

from precis.errors import ConfigurationError
from precis.store.keyring import TenantKeys


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One line: the receipt of a forget, or the revival of an id (then without a receipt)."""

    receipt: str | None
    #: Keyed hashes of memory ids.
    memories: frozenset[bytes] = frozenset()
    #: Keyed hash of a user id.
    user: bytes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Missed:
    """What a restored database has not heard of."""

    #: Keyed hashes of memory ids, and of user ids.
    memories: frozenset[bytes]
    users: frozenset[bytes]

    def __bool__(self) -> bool:
        return bool(self.memories or self.users)


class ForgottenLog:
    """One file a tenant, appended under a lock and synced before the forget commits."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def forgot(self, keys: TenantKeys, receipt: str, ids: Collection[str], *, user_id: str | None = None) -> None:
        """Remember a forget, inside its transaction: a crash before the commit repeats what was asked for anyway."""
        line: dict[str, object] = {"receipt": receipt, "memories": sorted(keys.tombstone(id_).hex() for id_ in ids)}
        if user_id is not None:
            line["user"] = keys.user_ref(user_id).hex()
        self._append(keys.tenant_id, line)

    def revived(self, keys: TenantKeys, hashes: Sequence[bytes]) -> None:
        """Remember that these ids may be written again."""
        self._append(keys.tenant_id, {"revived": sorted(one.hex() for one in hashes)})

    def unknown_to(self, tenant_id: str, receipts: Collection[str]) -> Missed:
        """What is to be forgotten again in a database that has these receipts; empty when it has them all."""
        memories: set[bytes] = set()
        users: set[bytes] = set()
        for entry in self._entries(tenant_id):
            if entry.receipt is None:
                memories -= entry.memories
            elif entry.receipt not in receipts:
                memories |= entry.memories
                users |= {entry.user} if entry.user else set()
        return Missed(memories=frozenset(memories), users=frozenset(users))

    def receipts(self, tenant_id: str) -> list[str]:
        """Every receipt it knows, oldest first."""
        return [entry.receipt for entry in self._entries(tenant_id) if entry.receipt is not None]

    def tenants(self) -> list[str]:
        """Tenants that have forgotten something."""
        return sorted(bytes.fromhex(path.stem).decode() for path in self._folder.glob("*.log"))

    def _append(self, tenant_id: str, line: dict[str, object]) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._path(tenant_id), os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _drop_torn_line(file)
            file.write(orjson.dumps(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _entries(self, tenant_id: str) -> Iterator[Entry]:
        path = self._path(tenant_id)
        if not path.exists():
            return
        with path.open("rb") as lines:
            for number, raw in enumerate(lines, start=1):
                try:
                    yield _entry(orjson.loads(raw))
                except (orjson.JSONDecodeError, ValueError, KeyError) as error:
                    if not raw.endswith(b"\n"):
                        return  # torn by a crash: that forget never committed
                    message = f"{path} is damaged at line {number}; restore the file, it guards what was forgotten"
                    raise ConfigurationError(message) from error

    def _path(self, tenant_id: str) -> Path:
        return self._folder / f"{tenant_id.encode().hex()}.log"


def _drop_torn_line(file: BinaryIO) -> None:
    """Place the file at its end. What a crash tore off in the middle never committed: the next line takes its place."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    file.seek(end - 1)
    if file.read(1) != b"\n":
        file.seek(0)
        file.seek(file.read().rfind(b"\n") + 1)
        file.truncate()


def _entry(line: dict[str, object]) -> Entry:
    if "revived" in line:
        return Entry(receipt=None, memories=_hashes(line["revived"]))
    user = line.get("user")
    return Entry(
        receipt=str(line["receipt"]),
        memories=_hashes(line["memories"]),
        user=bytes.fromhex(str(user)) if user else None,
    )


def _hashes(value: object) -> frozenset[bytes]:
    if not isinstance(value, list):
        raise ValueError("not a list of hashes")  # noqa: TRY004 - a damaged line, not a caller's mistake
    return frozenset(bytes.fromhex(str(one)) for one in value)
