"""Whether this process's clock and the database's agree: what was forgotten before what is told by both."""

from collections.abc import Callable
from datetime import datetime, timedelta

from precis.database.connections import Database

#: How far they may be apart.
APART = timedelta(seconds=2)


async def apart(database: Database, clock: Callable[[], datetime]) -> timedelta:
    """For how long the clocks differ at least, however long the question takes. Raises StoreUnavailable."""
    before = clock()
    row = await database.ask("moment")
    after = clock()
    moment: datetime = before if row is None else row["began"]
    return max(before - moment, moment - after, timedelta())


def clock_words(difference: timedelta) -> str:
    """What is told of clocks that differ."""
    return f"this computer's and the database's are {difference.total_seconds():,.0f} s apart: set both by NTP"
