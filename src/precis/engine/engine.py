"""The engine as a value: what the steps of a refresh share, and how work under a lease ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from precis.engine.drafted import Outcome, Result
from precis.engine.lease import Lease, back_off
from precis.engine.node import Makers, spent_on
from precis.engine.policy import Policy, definition
from precis.errors import DraftFailed, LeaseLost, NoSlot, NotFound, SourceChanged
from precis.makers import Clock, Embedder, Extractor, Proposer
from precis.metrics import REFRESHES
from precis.tracing import span

if TYPE_CHECKING:
    # Who only summarizes texts needs no database, nor the libraries that talk to one.
    from precis.store.groups import PostgresGroups


@dataclass(frozen=True, kw_only=True)
class Engine(Makers):
    """The makers, and what else the steps share."""

    groups: PostgresGroups
    policies: dict[str, Policy]
    embedder: Embedder
    clock: Clock
    #: A model that labels what is written; None leaves it to the rules.
    extractor: Extractor | None = None
    #: A model that is asked about what a request to forget may mean; None asks nobody.
    proposer: Proposer | None = None
    #: Names the fixed words around the prompts; part of the definition.
    wording: str = ""
    #: Renewed while a refresh goes on; so long after its process died the group is free.
    lease_lasts: timedelta = timedelta(seconds=30)
    retry_after: Callable[[int], timedelta] = back_off

    def definition_of(self, policy: Policy) -> str:
        """The hash of everything that shapes a draft of this policy besides its sources."""
        makers = (policy.summarize.model or self.summarizer.name, self.wording, self.judge.name if self.judge else "")
        return definition(policy, " ".join(filter(None, makers)))

    async def claim(self, tenant_id: str, group_id: str | None = None) -> Lease | None:
        """A lease on this group, or on whichever has been due for longest; None where there is none to be had."""
        with span("claim"):
            return await self.groups.claim(
                tenant_id, now=self.clock(), lasts=self.lease_lasts, group_id=group_id, look=True
            )

    async def give_back(self, lease: Lease, *, retry_at: datetime | None, error: str | None = None) -> None:
        """End a lease without a commit; the group is due again then, and not by itself without a time."""
        await self.groups.release(lease, retry_at=retry_at, error=error, now=self.clock())


async def under_lease(engine: Engine, lease: Lease, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """Work under a lease; whatever ends it early gives the lease back and is an outcome."""
    result = "broken off"  # by an error or a cancellation: whoever asked is told
    with span("refresh", {"precis.policy": lease.policy}, links=[lease.cause]) as tracing:
        try:
            outcome = await _ended(engine, lease, work)
            result = outcome.result
        finally:
            REFRESHES.labels(lease.policy, result).inc()
            tracing.note({"precis.outcome": str(result)})
    return outcome


async def _ended(engine: Engine, lease: Lease, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    failure = Outcome(group_id=lease.group_id, result=Result.DISCARDED)
    try:
        return await work()
    except LeaseLost as error:
        return replace(failure, result=Result.BUSY, reason=str(error))
    except NotFound:
        # Everybody in it was forgotten after the lease was taken: nothing is left to give back.
        return replace(failure, reason="the group is gone")
    except (NoSlot, SourceChanged) as error:
        await engine.give_back(lease, retry_at=engine.clock())
        return replace(
            failure, result=Result.BUSY if isinstance(error, NoSlot) else Result.DISCARDED, reason=str(error)
        )
    except DraftFailed as error:
        await engine.give_back(lease, retry_at=engine.clock() + engine.retry_after(lease.attempts), error=str(error))
        return replace(failure, result=Result.FAILED, reason=str(error), usage=spent_on(error))
