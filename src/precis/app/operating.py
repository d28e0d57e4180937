"""What an operator looks after: app.costs, app.jobs, app.keys and app.embeddings.

What the models took and what a plan would take; what waits, runs and failed; who may speak for the tenant; vectors anew
after a change of the embedder.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, get_args

import numpy as np

from precis.app.inputs import checked_limit
from precis.app.parts import Verbs
from precis.database.jobs import Job, JobCounts
from precis.engine.plan import Plan
from precis.engine.spending import Answers, CallRow, Estimate, estimate
from precis.errors import InvalidInput, NotFound
from precis.ids import checked_name
from precis.keys.tenants import ApiKey
from precis.models import chat, rendering, tokens


@dataclass(frozen=True, kw_only=True, slots=True)
class Spend:
    """What the calls of one policy in one month (UTC) took."""

    tenant_id: str
    policy: str
    #: The first day of the month.
    month: date
    #: Attempts: failed ones and retries count.
    calls: int
    #: Calls that brought no usable answer, lost ones included.
    failed: int
    #: Calls whose process died: they count with all they may have taken.
    lost: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    #: US dollars; a call under way counts with what it may take at most.
    cost: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """The ceiling and what is left of it this month, in US dollars."""

    #: None is no ceiling.
    monthly_ceiling: float | None
    #: With what calls under way may take.
    spent: float
    #: For anything; None without a ceiling.
    left: float | None
    #: For re-derivation after forgetting or an edit, which may use all of the ceiling.
    left_to_rederive: float | None


class Costs(Verbs):
    """Verbs over the ledger of one tenant."""

    async def spending(self) -> Sequence[Spend]:
        """By policy and month, newest month first."""
        return [Spend(**row) for row in await self._parts.ledger.costs(self._tenant_id)]

    async def calls(self, *, limit: int = 100) -> Sequence[CallRow]:
        """The latest calls, newest first. ``limit`` is 1 to 1000."""
        checked_limit(limit)
        return await self._parts.ledger.calls(self._tenant_id, limit=limit)

    async def budget(self) -> Budget:
        """What is left of this month's ceiling."""
        settings = self._settings
        ceiling, spent = settings.monthly_ceiling, await self._parts.ledger.spent(self._tenant_id)
        if ceiling is None:
            return Budget(monthly_ceiling=None, spent=spent, left=None, left_to_rederive=None)
        return Budget(
            monthly_ceiling=ceiling,
            spent=spent,
            left=max(0.0, ceiling * (1.0 - settings.ceiling_kept_share) - spent),
            left_to_rederive=max(0.0, ceiling - spent),
        )

    async def estimate(self, plan: Plan, policy: str) -> Estimate:
        """What carrying out a plan would take: input counted on the very prompts, output by the latest answers."""
        engine = self._engine
        if not plan.steps:
            return Estimate()
        # The policy of the plan has the prompt and model of its view, where it has one.
        model = plan.policy.summarize.model or engine.summarizer.name
        answers = Answers()
        if not engine.offline:
            answers = await self._parts.ledger.answers(self._tenant_id, policy=policy, model=model)
        judge = chat.judge_tokens if engine.judge is not None and not engine.offline else None
        drafts, judging = await estimate(
            plan, engine.groups.reader(plan.tenant_id), count=engine.count, answers=answers,
            prompt_tokens=rendering.prompt_tokens, judge_tokens=judge,
        )  # fmt: skip
        if engine.offline:
            return drafts
        prices = tokens.Prices.of(self._settings.prices)
        return _priced(drafts, prices, model) + _priced(judging, prices, self._settings.judge)


def _priced(unpriced: Estimate, prices: tokens.Prices, model: str) -> Estimate:
    """The same with its price at this model."""
    if not unpriced.calls:
        return unpriced
    return replace(unpriced, cost=prices.cost(model, unpriced.tokens_in, unpriced.tokens_out))


State = Literal["waiting", "running", "scheduled", "retrying", "rejected", "failed"]


class Jobs(Verbs):
    """Verbs over the work list of one tenant."""

    async def list(self, *, state: State | None = None, limit: int = 100) -> Sequence[Job]:
        """Failed ones first, then the longest due. ``limit`` is 1 to 1000."""
        checked_limit(limit)
        if state is not None and state not in get_args(State):
            raise InvalidInput(f"state: {state!r} is not one of {', '.join(get_args(State))}", field="state")
        now = self._now()
        return await self._store.jobs.list(self._tenant_id, state=state, limit=limit, now=now)

    async def counts(self) -> JobCounts:
        """How many there are in each state."""
        return await self._store.jobs.counts(self._tenant_id, now=self._now())

    async def retry(self, group_id: str | None = None) -> Sequence[str]:
        """Make one job that failed or was rejected, or all of them, due again; answers which. Raises NotFound."""
        now = self._now()
        again = await self._store.jobs.retry(self._tenant_id, group_id=group_id, now=now)
        if group_id is not None and not again:
            raise NotFound(f"there is no failed job {group_id!r}")
        return again


#: Longest name of a key, in characters.
_NAME = 200


class ApiKeys(Verbs):
    """Verbs over the API keys of one tenant."""

    async def list(self) -> Sequence[ApiKey]:
        """The keys, revoked ones included; never their secrets."""
        return await self._store.tenants.keys(self._tenant_id)

    async def create(self, name: str, *, made_with: str | None = None) -> str:
        """A new key under a name; its secret is answered this once.

        ``made_with`` is the id of the key that asks for it: whoever revokes that one revokes this one as well. Raises
        InvalidInput, and Unauthorized where that key is revoked.
        """
        if not checked_name(name, "name").strip() or len(name) > _NAME:
            raise InvalidInput(f"name: give the key a name of 1 to {_NAME} characters", field="name")
        parts = self._parts
        now = parts.engine.clock()
        return await parts.store.tenants.create_key(parts.tenant_id, name=name.strip(), now=now, made_with=made_with)

    async def revoke(self, key_id: str) -> Sequence[str]:
        """From now on the key opens nothing, nor do those made with it, whose ids are answered. Raises NotFound."""
        parts = self._parts
        id_ = checked_name(key_id, "key_id")
        return await parts.store.tenants.revoke_key(parts.tenant_id, id_, now=parts.engine.clock())


#: Rows of one slice: a second or two offline, a few requests to an endpoint.
SLICE = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingProgress:
    """How far it is."""

    #: The embedder in use.
    version: str
    #: Rows that this embedder has read, and rows that another one has. A row that it could not read has no vector.
    current: int
    outdated: int


class Embeddings(Verbs):
    """Verbs over the vectors of one tenant."""

    async def progress(self) -> EmbeddingProgress:
        """How many rows the embedder in use has read, and how many another one."""
        version = self._engine.embedder.version
        rows = await self._store.embeddings.versions(self._tenant_id)
        current = rows.get(version, 0)
        return EmbeddingProgress(version=version, current=current, outdated=sum(rows.values()) - current)

    async def renew(self, *, after: str = "", limit: int = SLICE) -> str | None:
        """Make the vectors of the next rows anew; answers where to go on, None when nothing is left.

        Raises ModelUnavailable where the embedder cannot be reached; what was done stays.
        """
        store, embedder = self._store.embeddings, self._engine.embedder
        rows = await store.outdated(self._tenant_id, embedder.version, after=after, limit=limit)
        if not rows:
            return None
        vectors = await embedder.embed([row.text for row in rows])
        pairs = [(row, np.asarray(vector, dtype=np.float32)) for row, vector in zip(rows, vectors, strict=True)]
        await store.renew(self._tenant_id, embedder.version, pairs)
        return rows[-1].id

    async def pass_over(self, *, after: str) -> str | None:
        """Leave the next row as it is; answers where to go on, None when nothing is left."""
        store, version = self._store.embeddings, self._engine.embedder.version
        rows = await store.outdated(self._tenant_id, version, after=after, limit=1)
        return rows[-1].id if rows else None
