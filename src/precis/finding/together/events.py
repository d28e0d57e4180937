"""What lies before or after something that happened to the user: "what I told you before I moved"."""

from collections.abc import Callable, Sequence
from datetime import datetime

from precis.finding.values import Level, Match, Row

Bound = Callable[[Row], Match]


def by_event(rows: Sequence[Row], tells: Callable[[Row], bool], *, before: bool) -> Bound:
    """Whether a row lies before, or after, what some rows tell; in doubt between the first and the last of them.

    It is dated by when those rows say that it was, else by when they were written. What tells of it is near itself, and
    everything is where no row tells of it.
    """
    telling = {row.id: row.event_date or row.created_at for row in rows if tells(row)}
    if not telling:
        return lambda _: Match(level=Level.NEAR, why="when that was is not known")
    first, last = min(telling.values()), max(telling.values())

    def bound(row: Row) -> Match:
        if row.id in telling:
            return Match(level=Level.NEAR, why="it tells of that itself")
        return _between(row.created_at, first, last, before=before)

    return bound


def _between(moment: datetime, first: datetime, last: datetime, *, before: bool) -> Match:
    sure = moment < first if before else moment > last
    outside = moment > last if before else moment < first
    if sure:
        return Match(level=Level.SURE, why="it was written before that" if before else "it was written after that")
    if outside:
        return Match(level=Level.NO, why="it was written after that" if before else "it was written before that")
    return Match(level=Level.DOUBTFUL, why="it was written about then")
