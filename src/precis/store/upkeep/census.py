"""How much is held of each user: by kind, age and month. No text is opened for it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import TypeVar

from precis.database.connections import Database, Row
from precis.memory import RetentionState, Tier
from precis.store.filtering import Page, encode_cursor, read_cursor

K = TypeVar("K")
#: By how long ago a memory was made: within so many days, or before.
AGES = {"week": 7, "month": 30, "year": 365, "older": 0}
#: Months that are counted one by one.
MONTHS = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What is held of one user, in numbers of rows."""

    user_id: str
    #: Raw memories, those whose text has expired among them, and summaries.
    memories: int
    expired: int
    summaries: int
    #: Raw memories by memory_type, and by age (see AGES).
    by_type: Mapping[str, int]
    by_age: Mapping[str, int]
    #: Raw memories made in each of the last twelve months (UTC), by their first days, the oldest first.
    by_month: Mapping[date, int]
    #: Summaries by tier.
    by_tier: Mapping[str, int]
    #: When the first and the last raw memory was made; None where there is none.
    oldest: datetime | None
    newest: datetime | None


class Census:
    """Counts the rows of users."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def users(self, tenant_id: str, *, limit: int, cursor: str | None, now: datetime) -> Page[Held]:
        """Users by their names. Raises InvalidInput."""
        after = None if cursor is None else read_cursor("users", cursor, int)[1]
        spans = _Spans(now)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("users_held", after=after, limit=limit + 1, bounds=spans.bounds)
        of_users = groupby(rows, lambda row: str(row["user_id"]))
        users = [_held(user_id, list(of_user), spans) for user_id, of_user in of_users]
        more = users[limit - 1] if len(users) > limit else None
        return Page(rows=tuple(users[:limit]), next_cursor=encode_cursor("users", 0, more.user_id) if more else None)

    async def user(self, tenant_id: str, user_id: str, *, now: datetime) -> Held:
        """One user; of whom there is nothing, no number is above zero."""
        spans = _Spans(now)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("user_held", user_id=user_id, bounds=spans.bounds)
        return _held(user_id, rows, spans)


class _Spans:
    """The time before now, cut where a month begins and where an age ends: each span is of one month and one age."""

    def __init__(self, now: datetime) -> None:
        now = now.astimezone(UTC)
        last = now.year * 12 + now.month - 1
        self.months = [datetime(at // 12, at % 12 + 1, 1, tzinfo=UTC) for at in range(last - MONTHS + 1, last + 1)]
        self._ages = {age: now - timedelta(days=days) for age, days in AGES.items() if days}
        self.bounds = sorted({*self.months, *self._ages.values()})

    def age(self, span: int) -> str:
        """The age of what was made in a span, by the number that the database gives it."""
        return next((age for age, since in self._ages.items() if span and self.bounds[span - 1] >= since), "older")

    def month(self, span: int) -> date | None:
        """The first day of its month; None before the first that is counted."""
        begun = [month for month in self.months if span and month <= self.bounds[span - 1]]
        return begun[-1].date() if begun else None


def _held(user_id: str, rows: Sequence[Row], spans: _Spans) -> Held:
    raw = [row for row in rows if row["tier"] == Tier.RAW]
    months = _counted((spans.month(row["span"]), row["number"]) for row in raw)
    ages = _counted((spans.age(row["span"]), row["number"]) for row in raw)
    return Held(
        user_id=user_id,
        memories=sum(row["number"] for row in raw),
        expired=sum(row["number"] for row in raw if row["retention_state"] == RetentionState.EXPIRED),
        summaries=sum(row["number"] for row in rows if row["tier"] != Tier.RAW),
        by_type=_counted((row["memory_type"], row["number"]) for row in raw),
        by_age={age: ages[age] for age in AGES if age in ages},
        by_month={month.date(): months.get(month.date(), 0) for month in spans.months},
        by_tier=_counted((row["tier"], row["number"]) for row in rows if row["tier"] != Tier.RAW),
        oldest=min((row["oldest"] for row in raw), default=None),
        newest=max((row["newest"] for row in raw), default=None),
    )


def _counted(pairs: Iterable[tuple[K, int]]) -> dict[K, int]:
    counts: Counter[K] = Counter()
    for key, number in pairs:
        counts[key] += number
    return dict(counts)
