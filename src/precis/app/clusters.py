"""app.clusters: which clusters there are, and the figures that their tuning goes by."""

from __future__ import annotations

from precis.app.inputs import checked_limit
from precis.app.parts import Parts
from precis.ids import checked_name
from precis.language.labels import normalize_key
from precis.store.clusters import Cluster
from precis.store.filtering import Filter
from precis.store.paging import Page
from precis.store.summaries import ClusterStats


class Clusters:
    """Verbs over the clusters of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def list(
        self, *, user_id: str | None = None, project_id: str | None = None, environment: str | None = None,
        extracted_type: str | None = None, key: str | None = None, sparse: bool | None = None, limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Cluster]:  # fmt: skip
        """Clusters with size, churn, sparseness and last refresh, the largest first; ``limit`` is 1 to 1000.

        ``key`` is a subject in any of its spellings; it finds a cluster that holds a memory about it. ``sparse`` takes
        only those with too few members for a summary, or only the others. Raises InvalidInput.
        """
        chosen = Filter(user_id=user_id, project_id=project_id, environment=environment, extracted_type=extracted_type)
        return await self._parts.store.clusters.list(
            self._parts.tenant_id, chosen, key=None if key is None else normalize_key(checked_name(key, "key")),
            sparse=sparse, min_members=self._parts.clusters.trigger.min_members, limit=checked_limit(limit),
            cursor=cursor, now=self._parts.engine.clock(),
        )  # fmt: skip

    async def stats(self, *, user_id: str | None = None) -> ClusterStats:
        """SPEC S0.11: sparse ratio, churn and tokens per summary."""
        return await self._parts.store.summaries.stats(
            self._parts.tenant_id, Filter(user_id=user_id),
            min_members=self._parts.clusters.trigger.min_members, now=self._parts.engine.clock(),
        )  # fmt: skip
