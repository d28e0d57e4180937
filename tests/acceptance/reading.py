"""A process that reads messages for facts until somebody kills it.

Run as ``python reading.py FOLDER``: prints a line before it begins.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import precis


async def main(folder: Path) -> None:
    """Join the database and read."""
    async with precis.open(data_dir=folder) as app:
        sys.stdout.write("reading\n")
        sys.stdout.flush()
        while True:
            await app.facts.read(at_once=True)
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
