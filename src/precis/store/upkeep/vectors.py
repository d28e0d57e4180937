"""Vectors of another embedder, made anew in slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.database.connections import Database, retried
from precis.engine.grouping import Vector
from precis.keys.vault import Vault


@dataclass(frozen=True, kw_only=True, slots=True)
class Outdated:
    """A row that another embedder read, whether it could make a vector of it or not."""

    id: str
    text: str
    #: What tells that the row is still the one that was read.
    fingerprint: bytes
    updated_at: datetime


class PostgresEmbeddings:
    """The vectors of a tenant, after a change of the embedder."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def versions(self, tenant_id: str) -> Mapping[str, int]:
        """How many rows each embedder read, by its version. Rows that take no vector are not counted."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("embedded")
        return {row["version"]: row["rows"] for row in rows}

    async def outdated(self, tenant_id: str, version: str, *, after: str, limit: int) -> Sequence[Outdated]:
        """Rows that another embedder than this read, by id from ``after`` on."""
        here = {"version": version, "after": after, "limit": limit}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("outdated", **here)
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        found = []
        for row in rows:
            column, name = ("summary_ciphertext", "summary") if row["is_summary"] else ("text_ciphertext", "text")
            cipher = ciphers.get(row["user_id"])
            if cipher is not None and row[column] is not None:
                text = cipher.open_text(row[column], tenant_id=tenant_id, row_id=row["memory_id"], column=name)
                found.append(
                    Outdated(
                        id=row["memory_id"], text=text, fingerprint=row["fingerprint"], updated_at=row["updated_at"]
                    )
                )
        return found

    @retried
    async def renew(self, tenant_id: str, version: str, rows: Sequence[tuple[Outdated, Vector]]) -> int:
        """Put these vectors in place, but for rows that changed or went meanwhile; answers how many.

        The centroids of their groups are those of the members that the new embedder has read.
        """
        renewed = 0
        async with self._database.tx(tenant_id) as tx:
            for row, vector in sorted(rows, key=lambda one: one[0].id):
                renewed += await tx.run(
                    "renew", version=version, memory_id=row.id,
                    updated_at=row.updated_at, fingerprint=row.fingerprint, vector=vector if vector.any() else None,
                )  # fmt: skip
            ids = [row.id for row, _ in rows]
            held = await tx.all("hold_clusters", ids=ids)
            groups = [group["group_id"] for group in held]
            await tx.run("recenter", version=version, groups=groups)
        return renewed
