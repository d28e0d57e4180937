"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta

_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class FrozenClock:
    """Answers the same time whenever it is called; policies that take a clock are frozen with it."""

    def __init__(self, start: datetime = _START) -> None:
        self.now = start

    def __call__(self) -> datetime:
        """The time now, aware."""
        return self.now

    def advance(self, by: timedelta) -> datetime:
        """Move on and answer the new time."""
        self.now += by
        return self.now
