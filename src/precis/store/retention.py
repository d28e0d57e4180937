"""Which originals may go, and what must be done first, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from precis.database.connections import Database
from precis.store.ports import Holder, Overdue


class PostgresRetention:
    """See precis.store.ports.Retention."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def overdue(
        self, tenant_id: str, policy: str, chosen: Overdue, *, besides: Sequence[str], limit: int
    ) -> Sequence[str]:
        """See the port."""
        rows = await self._all(
            "overdue", tenant_id, policy=policy, before=chosen.before, ends_before=chosen.ends_before,
            user_id=chosen.user_id, saving=chosen.saving, rendered=chosen.rendered, besides=list(besides), limit=limit,
        )  # fmt: skip
        return list(dict.fromkeys(row["memory_id"] for row in rows))

    async def not_saving(self, tenant_id: str, policy: str, chosen: Overdue) -> Sequence[tuple[str, str]]:
        """See the port."""
        rows = await self._all(
            "not_saving", tenant_id, policy=policy, ends_before=chosen.ends_before, user_id=chosen.user_id,
            rendered=chosen.rendered,
        )  # fmt: skip
        return [(row["user_id"], row["place"]) for row in rows]

    async def said(self, tenant_id: str, policy: str, ids: Sequence[str]) -> Sequence[str]:
        """See the port."""
        return [row["memory_id"] for row in await self._all("said", tenant_id, policy=policy, ids=list(ids))]

    async def holders(self, tenant_id: str, ids: Sequence[str]) -> Sequence[Holder]:
        """See the port."""
        rows = await self._all("holders", tenant_id, ids=list(ids))
        return [Holder(group_id=row["group_id"], policy=row["policy"], ids=tuple(row["ids"])) for row in rows]

    async def behind(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """See the port."""
        return [row["group_id"] for row in await self._all("behind", tenant_id, ids=list(ids))]

    async def _all(self, name: str, tenant_id: str, **parameters: Any) -> Sequence[Mapping[str, Any]]:
        async with self._database.tx(tenant_id) as tx:
            return await tx.all(name, **parameters)
