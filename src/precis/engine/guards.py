"""Guards of a tenant: how much its models may cost, and how hard the scheduler may work for it (SPEC S0.9, law 10)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True, kw_only=True, slots=True)
class Guards:
    """Limits of each tenant. They hold over all processes: what they count lies in the database."""

    #: US dollars a calendar month (UTC); None is no ceiling.
    monthly_ceiling: float | None = None
    #: The part of the ceiling that only re-derivation after forgetting or an edit may use.
    kept_share: float = 0.1
    #: Model calls under way at once, inline ones included, and groups that one run refreshes at once.
    concurrent_jobs: int = 3
    #: How long a call waits for its turn before its group is left to a worker.
    slot_wait: timedelta = timedelta(seconds=10)
    #: A reservation older than this belongs to a call nobody waits for: it is settled as spent. Longer than any call.
    reservation_lasts: timedelta = timedelta(seconds=120)
    #: Between the end of one scheduler run and the beginning of the next.
    cooldown: timedelta = timedelta(minutes=2)
    #: Groups of one user and project that one scheduler run refreshes.
    jobs_per_run: int = 20

    def may_spend(self, cost: float, *, spent: float, rederives: bool) -> bool:
        """Whether a call that costs at most this fits under the ceiling, with what this month's calls took."""
        if self.monthly_ceiling is None:
            return True
        share = 1.0 if rederives else 1.0 - self.kept_share
        return spent + cost <= self.monthly_ceiling * share


def month_of(moment: datetime) -> datetime:
    """When the month of this moment began, in UTC: spending starts anew there."""
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
