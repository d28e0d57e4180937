"""The right to refresh one group, and when a refresh that failed is tried again."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from precis.engine.plan import Snapshot

#: How long a rejected draft waits for each time it is tried again by itself; then it waits to be asked for.
_TRIED_AGAIN = (timedelta(minutes=1), timedelta(minutes=10), timedelta(minutes=60))


@dataclass(frozen=True, kw_only=True, slots=True)
class Lease:
    """The right to refresh one group, until it runs out. Commits are possible only under it."""

    tenant_id: str
    group_id: str
    policy: str
    #: Whose memories it is of; empty for those of several users.
    user_id: str
    #: Fences: a commit under an older token is refused.
    token: str
    until: datetime
    #: How long it lasts; each kept node starts it anew.
    lasts: timedelta
    #: Failed refreshes since the last good one.
    attempts: int = 0
    #: A member was forgotten or edited since the last good one: this is a re-derivation.
    lost: bool = False
    #: Its time had come when it was leased: a draft that was rejected is tried again.
    due: bool = False
    #: Where somebody traces: the write that made it stale, as precis.tracing.traceparent names it.
    cause: str | None = None
    #: What a plan sees of the group, where that was read when it was leased.
    snapshot: Snapshot | None = None


def back_off(attempts: int) -> timedelta:
    """How long a group waits after so many failures: 15 s, 30 s, 1 min, ... up to an hour."""
    return timedelta(seconds=min(3600, 15 * 2 ** min(attempts, 8)))


def again_after(rejections: int) -> timedelta | None:
    """When a draft that was rejected so often is tried again; None: when somebody asks, or its sources change."""
    return _TRIED_AGAIN[rejections - 1] if rejections <= len(_TRIED_AGAIN) else None
