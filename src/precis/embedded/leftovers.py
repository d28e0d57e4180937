"""What a killed restore leaves in a data folder: a copy that was not put in place yet, or the database before it.

Both hold what may be forgotten since, so the next start removes them. Where the kill fell between two renames, the
database before it is put back (``make_files``).
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace

from precis.embedded.place import Place
from precis.embedded.process import Say, shut_down

#: Where a restore prepares a copy, and one that is only read for its keys.
STAGING, NEWEST = "restore.new", "restore.newest"


async def remove_leftovers(place: Place, say: Say) -> None:
    """Call it within a turn, when no restore is under way; its server may still run."""
    for name in (STAGING, NEWEST):
        folder = place.folder / name
        if folder.exists():
            await shut_down(replace(place, folder=folder), say)
            await asyncio.to_thread(shutil.rmtree, folder)
    if place.replaced.exists() and place.db.exists():
        await asyncio.to_thread(shutil.rmtree, place.replaced)
