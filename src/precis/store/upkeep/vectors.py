"""Vectors of another embedder, made anew in slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from precis.database.connections import Database, retried
from precis.keys.vault import Vault
from precis.store.ports import Outdated, Vector


class PostgresEmbeddings:
    """See precis.store.ports.Embeddings."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def versions(self, tenant_id: str) -> Mapping[str, int]:
        """See the port."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("embedded")
        return {row["version"]: row["rows"] for row in rows}

    async def outdated(self, tenant_id: str, version: str, *, after: str, limit: int) -> Sequence[Outdated]:
        """See the port."""
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
        """See the port."""
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
