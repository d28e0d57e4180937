"""One line of the forgotten-log: what it tells, how it is written, and how it is read again.

It holds no id and no text, only keyed hashes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from precis.finding.values import Span
from precis.keys.cipher import TenantKeys


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """What was forgotten of a memory that stays, without a text: fingerprints, and where in the text the rest stood."""

    #: Of the memory as it was, and of what stays of it.
    before: bytes
    after: bytes
    stays: tuple[Span, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One line: the receipt of a forget; or, without one, the revival of ids, or a receipt as it was signed."""

    receipt: str | None
    #: Keyed hashes of ids that were written again, each with the keyed hash of what was written.
    revived: Mapping[bytes, bytes] = field(default_factory=dict)
    #: Keyed hashes of memory ids.
    memories: frozenset[bytes] = frozenset()
    #: Keyed hash of a user id.
    user: bytes | None = None
    #: The pool that the memories are in, if not precis itself: then each hash is of the pool's name and the id.
    pool: str | None = None
    #: When the last of the rows that it took had been written, or any later moment of the forget; None in old lines.
    until: datetime | None = None
    #: Whether whoever has the ids may write them again without reviving them.
    renewable: bool = False
    #: Of the one memory only this goes; None: memories go whole.
    part: Part | None = None
    #: A receipt of the chain.
    signed: Mapping[str, Any] | None = None


def line_of(entry: Entry) -> dict[str, object]:
    """An entry as it is written; ``entry_of`` reads it."""
    if entry.signed is not None:
        return {"signed": entry.signed}
    if entry.receipt is None:
        return {"revived": {id_.hex(): content.hex() for id_, content in sorted(entry.revived.items())}}
    part = entry.part
    options = {
        "until": None if entry.until is None else entry.until.isoformat(), "pool": entry.pool,
        "renewable": entry.renewable or None, "user": None if entry.user is None else entry.user.hex(),
        "part": part and {"before": part.before.hex(), "after": part.after.hex(), "stays": part.stays},
    }  # fmt: skip
    stated = {name: value for name, value in options.items() if value is not None}
    return {"receipt": entry.receipt, "memories": sorted(digest.hex() for digest in entry.memories), **stated}


def entry_of(line: Mapping[str, object]) -> Entry:
    """A line as it was read. Raises ValueError, KeyError where it is damaged."""
    if "signed" in line:
        return Entry(receipt=None, signed=_signed(line["signed"]))
    if "revived" in line:
        return Entry(receipt=None, revived=_contents(line["revived"]))
    user, pool = line.get("user"), line.get("pool")
    return Entry(
        receipt=str(line["receipt"]),
        memories=_hashes(line["memories"]),
        user=bytes.fromhex(str(user)) if user else None,
        pool=str(pool) if pool else None,
        until=_moment(line["until"]) if "until" in line else None,
        renewable=line.get("renewable") is True,
        part=_part(line["part"]) if "part" in line else None,
    )


def pool_tombstone(keys: TenantKeys, pool: str, memory_id: str) -> bytes:
    """The keyed hash of an id in a pool; like none of a memory, whose id holds no null character."""
    return keys.tombstone(f"{pool}\0{memory_id}")


def _contents(value: object) -> dict[bytes, bytes]:
    """A list is what precis wrote before it knew the content, and before the write was sure: nobody relies on it."""
    if isinstance(value, list):
        return {}
    if not isinstance(value, dict):
        raise ValueError("not hashes of ids and contents")  # noqa: TRY004 - a damaged line, not a caller's mistake
    return {bytes.fromhex(str(id_)): bytes.fromhex(str(content)) for id_, content in value.items()}


def _part(value: object) -> Part:
    if not isinstance(value, dict):
        raise ValueError("not what stays of a memory")  # noqa: TRY004 - a damaged line, not a caller's mistake
    stays = tuple((int(start), int(end)) for start, end in value["stays"])
    return Part(before=bytes.fromhex(value["before"]), after=bytes.fromhex(value["after"]), stays=stays)


def _signed(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not isinstance(value.get("number"), int):
        raise ValueError("not a receipt")  # noqa: TRY004 - a damaged line, not a caller's mistake
    return value


def _moment(value: object) -> datetime:
    moment = datetime.fromisoformat(str(value))
    if moment.tzinfo is None:
        raise ValueError("not a moment of any zone")
    return moment


def _hashes(value: object) -> frozenset[bytes]:
    if not isinstance(value, list):
        raise ValueError("not a list of hashes")  # noqa: TRY004 - a damaged line, not a caller's mistake
    return frozenset(bytes.fromhex(str(hash_)) for hash_ in value)
