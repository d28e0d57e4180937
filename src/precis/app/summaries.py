"""app.summaries, app.clusters, app.feedback: read, plan, refresh and delete summaries; what people say of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from precis.app.inputs import checked_limit, moment_of
from precis.app.operating import Costs
from precis.app.parts import Parts, Verbs
from precis.app.refreshing import refresh_group, refresh_inline
from precis.engine.drafted import Outcome, Result
from precis.engine.pipeline import plan
from precis.engine.plan import Plan
from precis.engine.spending import Estimate
from precis.errors import Conflict, InvalidInput, NotFound
from precis.ids import checked_name
from precis.language.labels import normalize_key
from precis.memory import Memory
from precis.store.changes.history import SummaryHistory
from precis.store.feedback import Feedback, NewFeedback
from precis.store.filtering import Filter, Page
from precis.store.summaries import Cluster, ClusterStats
from precis.summary import Summary
from precis.trust import SourceClass


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A plan and what it would take."""

    plan: Plan
    policy: str
    estimate: Estimate


class Summaries(Verbs):
    """Verbs over the summaries of one tenant."""

    async def get(self, summary_id: str, *, as_of: date | str | None = None) -> Summary:
        """One summary with its statements, or as it stood at a moment. Raises NotFound, also where that is not kept."""
        summaries = await self._store.summaries.get(self._tenant_id, [summary_id])
        if summary_id not in summaries:
            raise NotFound(f"there is no summary {summary_id!r}")
        if as_of is None:
            return summaries[summary_id]
        stood = await self._store.history.stood(self._tenant_id, [summaries[summary_id]], moment_of(as_of))
        if not stood:
            raise NotFound(
                f"what summary {summary_id!r} said then is not kept; its history names the refreshes that are"
            )
        return stood[0]

    async def history(self, summary_id: str) -> SummaryHistory:
        """The refreshes that are kept of a summary, the newest first. Raises NotFound."""
        return await self._store.history.of(self._tenant_id, summary_id)

    async def list(
        self, *, policy: str | None = None, limit: int = 50, cursor: str | None = None,
        as_of: date | str | None = None, min_trust: SourceClass | None = None, **fields: Any,
    ) -> Page[Summary]:  # fmt: skip
        """Newest refresh first; filter by policy, user_id, project_id, environment, extracted_type, min_trust.

        With ``as_of`` those that stood then, as they stood then, as far as that is kept: a page may be shorter for it.
        ``limit`` is 1 to 1000.
        """
        self._known(policy)
        moment = None if as_of is None else moment_of(as_of)
        filter_ = replace(_of_groups(fields), as_of=moment, min_trust=min_trust)
        page = await self._store.summaries.list(
            self._tenant_id, filter_, policy=policy, limit=checked_limit(limit), cursor=cursor
        )
        if moment is None:
            return page
        return replace(page, rows=tuple(await self._store.history.stood(self._tenant_id, page.rows, moment)))

    async def expand(self, summary_id: str) -> Sequence[Memory]:
        """The direct source rows of a summary, oldest first. Raises NotFound."""
        summary = await self.get(summary_id)
        sources = await self._store.memories.get(self._tenant_id, summary.parent_id)
        return [sources[id_] for id_ in summary.parent_id if id_ in sources]

    async def plan(
        self, *, policy: str | None = None, stale_only: bool = True, limit: int = 1000, **fields: Any
    ) -> Sequence[Planned]:
        """What refreshing the groups of a scope would do and take, without a call."""
        self._known(policy)
        groups = await self._store.summaries.groups(
            self._tenant_id, _of_groups(fields), policy=policy, stale_only=stale_only, limit=checked_limit(limit)
        )
        return [await planned(self._parts, group_id, name) for group_id, name in groups]

    async def refresh(self, summary_id: str, *, force: bool = False, rebuild: bool = False) -> Outcome:
        """Make one summary current now. Raises NotFound; Conflict while somebody else refreshes it."""
        group_id, _ = await self._store.summaries.group_of(self._tenant_id, summary_id)
        return await self.refresh_group(group_id, force=force, rebuild=rebuild)

    async def refresh_group(self, group_id: str, *, force: bool = False, rebuild: bool = False) -> Outcome:
        """The same by group, also where no summary stands yet."""
        outcome = await refresh_group(self._engine, self._tenant_id, group_id, force=force, rebuild=rebuild, again=True)
        if outcome is None:
            raise Conflict("somebody refreshes this summary right now; read it again in a moment")
        return outcome

    async def refresh_all(
        self, *, policy: str | None = None, stale_only: bool = True, **fields: Any
    ) -> Sequence[Outcome]:
        """Refresh the groups of a scope; with ``stale_only=False`` re-make every live node under today's definition."""
        self._known(policy)
        groups = await self._store.summaries.groups(
            self._tenant_id, _of_groups(fields), policy=policy, stale_only=stale_only, limit=100_000
        )
        outcomes = []
        for group_id, _ in groups:
            try:
                outcomes.append(await self.refresh_group(group_id, rebuild=not stale_only))
            except Conflict as error:
                outcomes.append(Outcome(group_id=group_id, result=Result.BUSY, reason=str(error)))
        return outcomes

    async def delete(self, summary_id: str) -> None:
        """Remove a summary; none is made of the same sources until they change. Raises NotFound."""
        await self._store.summaries.delete(self._tenant_id, summary_id, now=self._now())

    async def stats(self, **fields: Any) -> ClusterStats:
        """Sparse ratio, churn and tokens per summary of the clusters in a scope."""
        return await self._store.summaries.stats(
            self._tenant_id,
            _of_groups(fields),
            min_members=self._engine.policies["clusters"].trigger.min_members,
            now=self._now(),
        )

    def _known(self, policy: str | None) -> None:
        if policy is not None and policy not in self._engine.policies:
            known = ", ".join(sorted(self._engine.policies))
            raise InvalidInput(f"policy: {policy!r} is not one of {known}", field="policy")


async def planned(parts: Parts, group_id: str, policy_name: str) -> Planned:
    """What refreshing one group would do and take."""
    of_group = await plan(parts.engine, parts.tenant_id, group_id, policy_name)
    estimate = await Costs(parts).estimate(of_group, policy_name)
    return Planned(plan=of_group, policy=policy_name, estimate=estimate)


#: What a group has besides its members.
_GROUP_FIELDS = {"user_id", "project_id", "environment", "extracted_type"}


def _of_groups(fields: dict[str, Any]) -> Filter:
    """A filter over groups. Raises InvalidInput for a field that groups do not have."""
    for name in fields:
        if name not in _GROUP_FIELDS:
            message = f"{name}: summaries are filtered by {', '.join(sorted(_GROUP_FIELDS))}"
            raise InvalidInput(message, field=name)
    return Filter(**fields)


class Clusters(Verbs):
    """Verbs over the clusters of one tenant."""

    async def list(
        self, *, user_id: str | None = None, project_id: str | None = None, environment: str | None = None,
        extracted_type: str | None = None, key: str | None = None, sparse: bool | None = None, limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Cluster]:  # fmt: skip
        """Clusters with size, churn, sparseness and last refresh, the largest first; ``limit`` is 1 to 1000.

        ``key`` is a subject in any of its spellings; it finds a cluster that holds a memory about it. ``sparse`` takes
        only those with too few members for a summary, or only the others. Raises InvalidInput.
        """
        filter_ = Filter(user_id=user_id, project_id=project_id, environment=environment, extracted_type=extracted_type)
        return await self._store.clusters.list(
            self._tenant_id, filter_, key=None if key is None else normalize_key(checked_name(key, "key")),
            sparse=sparse, min_members=self._engine.policies["clusters"].trigger.min_members,
            limit=checked_limit(limit), cursor=cursor, now=self._now(),
        )  # fmt: skip

    async def stats(self, *, user_id: str | None = None) -> ClusterStats:
        """Sparse ratio, churn and tokens per summary."""
        return await Summaries(self._parts).stats(user_id=user_id)


Verdict = Literal["wrong", "good"]
_VERDICTS = ("wrong", "good")
#: Longest note, in characters.
NOTE_CHARS = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenFeedback:
    """Feedback, and what came of it."""

    feedback: Feedback
    #: Statements that were withdrawn, in every summary that said it.
    withdrawn: int
    #: The summaries that said it.
    summary_ids: tuple[str, ...]
    #: How far they are made anew already; a worker makes the others.
    outcomes: tuple[Outcome, ...]


class Feedbacks(Verbs):
    """Verbs over the feedback of one tenant."""

    async def give(
        self, summary_id: str, verdict: Verdict, *, statement: int | None = None, note: str | None = None,
        text: str | None = None,
    ) -> GivenFeedback:  # fmt: skip
        """Mark a statement (by its number, from 0) or a whole summary as ``wrong`` or ``good``.

        What is wrong leaves every read at once, in every summary over the same memories; they are made anew without
        it, and no draft that says the same brings it back while it rests on the same memories. With ``text`` the
        statement has to say that. Raises NotFound, Conflict, InvalidInput.
        """
        if verdict not in _VERDICTS:
            raise InvalidInput(f"verdict: {verdict!r} is not wrong or good", field="verdict")
        if note is not None and len(checked_name(note, "note")) > NOTE_CHARS:
            raise InvalidInput(f"note: it has {len(note)} characters; at most {NOTE_CHARS} are kept", field="note")
        feedback = NewFeedback(
            summary_id=summary_id, verdict=verdict, statement=statement, note=note or None, text=text
        )
        parts = self._parts
        done = await parts.store.feedback.give(parts.tenant_id, feedback, now=parts.engine.clock())
        outcomes = await self._refresh(done.group_ids)
        return GivenFeedback(
            feedback=await self.get(done.feedback_id), withdrawn=done.statements, summary_ids=done.summary_ids,
            outcomes=tuple(outcomes),
        )  # fmt: skip

    async def get(self, feedback_id: str) -> Feedback:
        """One of them. Raises NotFound."""
        return await self._store.feedback.get(self._tenant_id, feedback_id)

    async def list(
        self, *, summary_id: str | None = None, user_id: str | None = None, verdict: Verdict | None = None,
        limit: int = 50, cursor: str | None = None,
    ) -> Page[Feedback]:  # fmt: skip
        """Newest first; ``limit`` is 1 to 1000. Raises InvalidInput."""
        for name, value in (("summary_id", summary_id), ("user_id", user_id)):
            if value is not None:
                checked_name(value, name)
        if verdict is not None and verdict not in _VERDICTS:
            raise InvalidInput(f"verdict: {verdict!r} is not wrong or good", field="verdict")
        return await self._store.feedback.list(
            self._tenant_id, summary_id=summary_id, user_id=user_id, verdict=verdict, limit=checked_limit(limit),
            cursor=cursor,
        )  # fmt: skip

    async def take_back(self, feedback_id: str) -> Sequence[Outcome]:
        """As if it had never been said: the summaries are made anew, and may say it again. Raises NotFound."""
        parts = self._parts
        return await self._refresh(
            await parts.store.feedback.take_back(parts.tenant_id, feedback_id, now=parts.engine.clock())
        )

    async def _refresh(self, group_ids: Sequence[str]) -> Sequence[Outcome]:
        """As far as the deadline of a write goes; they are due, and a worker makes the rest."""
        parts = self._parts
        return await refresh_inline(parts.engine, parts.tenant_id, group_ids, deadline=parts.settings.inline_deadline)
