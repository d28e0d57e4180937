"""What comes back when the memory that replaced it leaves."""

from __future__ import annotations

from collections.abc import Sequence

from precis.database.connections import Tx


async def come_back(tx: Tx, ids: Sequence[str]) -> list[str]:
    """Memories leave: what they replaced comes back, unless something else replaces it; answers what they replaced."""
    pairs = await tx.all("pairs_touching", ids=list(ids))
    if not pairs:
        return []
    olders = sorted({pair["older_id"] for pair in pairs} - set(ids))
    await tx.all("hold_superseded", ids=olders)
    await tx.run("bridge_supersessions", ids=list(ids))
    await tx.run("delete_supersessions", ids=list(ids))
    await tx.all("mark_superseded", ids=sorted({*olders, *ids}))
    return olders
