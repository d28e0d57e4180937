"""A clock that several processes share: real time, moved by what a file says. And a worker that goes by it.

Run as a program it is that worker: ``python shifted.py DATA_DIR CLOCK_FILE``.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from precis.bootstrap import open_runtime
from precis.jobs import upkeep as timetable
from precis.jobs import worker
from precis.settings import Settings

#: How long after its holder died a group is free, in seconds.
LEASE_SECONDS = 2.0


class ShiftedClock:
    """Goes on by itself, so that leases run out; ``set`` moves it for every process that reads the file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> datetime:
        """The time now, aware."""
        return datetime.now(UTC) + timedelta(seconds=float(self._file.read_text()))

    def set(self, when: datetime) -> None:
        """Let it be that time."""
        beside = self._file.with_suffix(".new")
        beside.write_text(repr((when - datetime.now(UTC)).total_seconds()))
        beside.replace(self._file)


def settings(folder: Path) -> Settings:
    """Of every process of the test."""
    return Settings(data_dir=folder, lease_seconds=LEASE_SECONDS, cooldown=0, log_level="error")


async def main(folder: Path, clock_file: Path) -> None:
    """Work until killed, looking around more often than a deployment does: its nights are as long as ours."""
    worker.SWEEP_SECONDS = worker.PASS_SECONDS = 0.3
    worker.HEARTBEAT_SECONDS = 2.0
    timetable.CLAIM_LASTS = timedelta(seconds=LEASE_SECONDS)
    async with open_runtime(settings(folder), clock=ShiftedClock(clock_file)) as runtime:
        await worker.run_worker(runtime)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
