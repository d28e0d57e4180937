"""What a database that was restored from an old copy has not heard of the forgotten-log: to be forgotten again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from precis.keys.forgotten_log import Entry, Unread


@dataclass(kw_only=True, slots=True)
class MissedMemory:
    """A memory id to be forgotten again."""

    #: Rows that were written later stay; None: whenever the row was written.
    until: datetime | None
    renewable: bool
    #: Keyed hashes of the contents that were written under the id since: a row that says one of them stays.
    contents: set[bytes] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class Missed:
    """What a restored database has not heard of: to be forgotten again. It grows as the log is read."""

    #: By the keyed hash of the id.
    memories: dict[bytes, MissedMemory] = field(default_factory=dict)
    #: By the same hash: what was forgotten of memories that stay, oldest first.
    parts: dict[bytes, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    #: Keyed hashes of user ids; until when what is to go was written, as above.
    users: dict[bytes, datetime | None] = field(default_factory=dict)
    #: Keyed hashes of memories in pools, by the pool.
    pools: dict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    forgets: list[Entry] = field(default_factory=list)
    #: The number of the last receipt that the database has.
    after: int = 0
    #: Those that come after it, as they were signed.
    signed: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def receipts(self) -> list[str]:
        """Of those forgets, oldest first."""
        return [str(entry.receipt) for entry in self.forgets]

    def hear(self, unread: Unread, known: Collection[str]) -> None:
        """Go on with what follows in the log, of which the database knows these receipts."""
        for entry in unread.entries:
            if entry.signed is not None:
                if entry.signed["number"] > self.after:
                    self.signed.append(entry.signed)
            elif entry.receipt is None:
                for memory, content in entry.revived.items():
                    self.parts.pop(memory, None)  # it was forgotten whole since, and this was written after that
                    if memory in self.memories:
                        self.memories[memory].contents.add(content)
            elif entry.receipt not in known:
                self.forgets.append(entry)
                self._forgot(entry)

    def _forgot(self, entry: Entry) -> None:
        if entry.pool is not None:
            self.pools[entry.pool] |= entry.memories
            return
        for memory in entry.memories:
            if entry.part is not None:
                self.parts[memory].append(entry)
                continue
            self.memories[memory] = _forgotten_anew(self.memories.get(memory), entry)
        if entry.user is not None:
            self.users[entry.user] = _later(self.users.get(entry.user, entry.until), entry.until)


def _forgotten_anew(before: MissedMemory | None, entry: Entry) -> MissedMemory:
    """What counts after one more forget of a memory; whether it was renewable counts no more once it was revived."""
    if before is None:
        return MissedMemory(until=entry.until, renewable=entry.renewable)
    renewable = entry.renewable and (before.renewable or bool(before.contents))
    return MissedMemory(until=_later(before.until, entry.until), renewable=renewable)


def _later(first: datetime | None, second: datetime | None) -> datetime | None:
    """None is later than any."""
    return None if first is None or second is None else max(first, second)
