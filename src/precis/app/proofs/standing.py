"""app.standing: the summaries that stand, looked at from their memories, and what would become of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from precis.app.parts import Parts
from precis.app.summaries import Planned, planned
from precis.ids import is_storable
from precis.lineage import Statement
from precis.summary import Summary


@dataclass(frozen=True, kw_only=True, slots=True)
class Resting:
    """What a summary says that rests on some memories."""

    summary: Summary
    statements: tuple[Statement, ...]


class Standing:
    """Verbs over the summaries of one tenant for whoever asks why they say what they say."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def get_many(self, ids: Sequence[str]) -> Mapping[str, Summary]:
        """The summaries that exist, by id."""
        return await self._parts.store.summaries.get(self._parts.tenant_id, list(ids))

    async def resting_on(self, memory_ids: Sequence[str]) -> Sequence[Resting]:
        """What standing summaries say that rests on any of these memories, the newest refresh first."""
        parts = self._parts
        possible = [id_ for id_ in memory_ids if is_storable(id_)]
        statements = await parts.store.previews.statements_on(parts.tenant_id, possible) if possible else {}
        summaries = (await self.get_many(list(statements))).values()
        newest = sorted(summaries, key=lambda summary: (summary.updated_at, summary.id), reverse=True)
        return [Resting(summary=summary, statements=tuple(statements[summary.id])) for summary in newest]

    async def plan(self, summary_id: str) -> Planned:
        """What refreshing one summary would do and take, without a call. Raises NotFound."""
        group = await self._parts.store.summaries.group_of(self._parts.tenant_id, summary_id)
        return await planned(self._parts, *group)
