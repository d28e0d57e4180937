"""app.standing: why summaries say what they say.

What rests on a memory, what the checks took out of a summary, and what refreshing it would do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from precis.app.parts import Verbs
from precis.app.summaries import Planned, planned
from precis.engine.drafted import NodeContent
from precis.ids import is_storable
from precis.summary import SET_ASIDE, Statement, Summary


@dataclass(frozen=True, kw_only=True, slots=True)
class Resting:
    """What a summary says that rests on some memories."""

    summary: Summary
    statements: tuple[Statement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Displaced:
    """A statement that is kept and not served, since a newer one on the same subject stands in its place."""

    statement: Statement
    newer: Statement


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenOut:
    """What the checks took out of a summary. Of a draft that was rejected nothing is kept."""

    displaced: tuple[Displaced, ...]
    #: Why a source was set aside, by the id of the memory.
    set_aside: Mapping[str, str]


class Reasons(Verbs):
    """Verbs over the summaries of one tenant for whoever asks why they say what they say."""

    async def get_many(self, ids: Sequence[str]) -> Mapping[str, Summary]:
        """The summaries that exist, by id."""
        return await self._store.summaries.get(self._tenant_id, list(ids))

    async def resting_on(self, memory_ids: Sequence[str]) -> Sequence[Resting]:
        """What standing summaries say that rests on any of these memories, the newest refresh first."""
        parts = self._parts
        possible = [id_ for id_ in memory_ids if is_storable(id_)]
        statements = await parts.store.previews.statements_on(parts.tenant_id, possible) if possible else {}
        summaries = (await self.get_many(list(statements))).values()
        newest = sorted(summaries, key=lambda summary: (summary.updated_at, summary.id), reverse=True)
        return [Resting(summary=summary, statements=tuple(statements[summary.id])) for summary in newest]

    async def checked(self, summary_id: str) -> TakenOut:
        """What of a summary's draft is not served, and which of its memories were set aside, and why."""
        contents = await self._engine.groups.reader(self._tenant_id).contents([summary_id])
        content = contents.get(summary_id, NodeContent())
        statements = content.statements
        return TakenOut(
            displaced=tuple(
                Displaced(statement=each, newer=statements[each.superseded_by])
                for each in statements
                if each.superseded_by is not None
            ),
            set_aside={id_: fate.value for id_, fate in content.fates.items() if fate in SET_ASIDE},
        )

    async def plan(self, summary_id: str) -> Planned:
        """What refreshing one summary would do and take, without a call. Raises NotFound."""
        group = await self._store.summaries.group_of(self._tenant_id, summary_id)
        return await planned(self._parts, *group)
