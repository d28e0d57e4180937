"""app.embeddings: after a change of the embedder, make the vectors anew, slice by slice, while recall goes on.

Vectors of two embedders are never compared. A row that another one read is found by its words until its turn comes,
also where that one could make no vector of it. The work list is the rows themselves, so that whoever is interrupted
goes on where it stopped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from precis.app.parts import Parts

#: Rows of one slice: a second or two offline, a few requests to an endpoint.
SLICE = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingProgress:
    """How far it is."""

    #: The embedder in use.
    version: str
    #: Rows that it has read, and rows that another one has; of some there is no vector, since it could not.
    current: int
    outdated: int


class Embeddings:
    """Verbs over the vectors of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def progress(self) -> EmbeddingProgress:
        """How many rows the embedder in use has read, and how many another one."""
        version = self._parts.engine.embedder.version
        rows = await self._parts.store.embeddings.versions(self._parts.tenant_id)
        current = rows.get(version, 0)
        return EmbeddingProgress(version=version, current=current, outdated=sum(rows.values()) - current)

    async def renew(self, *, after: str = "", limit: int = SLICE) -> str | None:
        """Make the vectors of the next rows anew; answers where to go on, None when nothing is left.

        Raises ModelUnavailable where the embedder cannot be reached; what was done stays.
        """
        store, embedder = self._parts.store.embeddings, self._parts.engine.embedder
        rows = await store.outdated(self._parts.tenant_id, embedder.version, after=after, limit=limit)
        if not rows:
            return None
        vectors = await embedder.embed([row.text for row in rows])
        pairs = [(row, np.asarray(vector, dtype=np.float32)) for row, vector in zip(rows, vectors, strict=True)]
        await store.renew(self._parts.tenant_id, embedder.version, pairs)
        return rows[-1].id

    async def pass_over(self, *, after: str) -> str | None:
        """Leave the next row as it is; answers where to go on, None when nothing is left."""
        store, version = self._parts.store.embeddings, self._parts.engine.embedder.version
        rows = await store.outdated(self._parts.tenant_id, version, after=after, limit=1)
        return rows[-1].id if rows else None
