"""What the app needs of a store for the archive. The port beside precis.store.ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class OldMemory:
    """A memory that no batch has yet: what batching needs, no text."""

    id: str
    created_at: datetime
    user_id: str
    project_id: str
    environment: str
    agent_id: str | None
    run_id: str | None
    #: Of its text.
    tokens: int


class Backlog(Protocol):
    """Memories that are old enough for a batch and in none."""

    async def list(
        self, tenant_id: str, *, before: datetime, without_kinds: Sequence[str], user_id: str | None = None
    ) -> Sequence[OldMemory]:
        """Live raw memories from before a moment, oldest first, in one query."""
        ...

    async def overdue(
        self, tenant_id: str, *, before: datetime, user_id: str | None = None
    ) -> Sequence[tuple[str, int]]:
        """How many live originals from before a moment are in a batch with a current summary, by user."""
        ...

    async def grown(self, tenant_id: str, *, by: int, without_kinds: Sequence[str]) -> Sequence[tuple[str, int]]:
        """Users with at least so many raw memories more than were counted, and how many they have."""
        ...

    async def counts(self, tenant_id: str, pool: str) -> Mapping[str, int]:
        """How many memories of a pool were counted, by user."""
        ...

    async def counted(self, tenant_id: str, user_id: str, total: int, *, pool: str = "") -> None:
        """So many memories were there when the archive was begun for this user; without a pool, in precis."""
        ...
