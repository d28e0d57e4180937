"""What newer statements had displaced, when these are taken away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from precis.lineage import standing
from precis.store.asking import Queries, Row
from precis.store.pool import Connection

_SQL = Queries("forgetting")


async def restore_displaced(connection: Connection, tenant_id: str, gone: Iterable[Row]) -> None:
    """Serve again what the statements ``gone`` had displaced, unless what displaced them stands.

    Each row has its node_id, its position and, in superseded_by, the position of what had displaced it.
    """
    nodes: dict[str, dict[int, int | None]] = defaultdict(dict)
    for row in gone:
        nodes[row["node_id"]][row["position"]] = row["superseded_by"]
    moved = [(node, at, standing(at, places)) for node, places in nodes.items() for at in places]
    if moved:
        await _SQL.run(
            connection, "restore_displaced", tenant_id=tenant_id, nodes=[node for node, _, _ in moved],
            positions=[at for _, at, _ in moved], newer=[newer for _, _, newer in moved],
        )  # fmt: skip
