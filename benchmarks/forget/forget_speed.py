"""How long a preview of a request in words takes: 20,000 memories of one user, over the embedded database.

python benchmarks/forget/forget_speed.py [--memories 20000] [--profile]
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import random
import time

from precis.errors import NotFound
from precis.testing.temporary import temporary

REQUESTS = (
    "everything about Farid",
    "forget farid@acme.io",
    "forget that Odile lives in Ghent",
    "forget all my medical appointments",
    "delete what I said last week about my rent",
    "vergiss alles über Odile",
)
NAMES = "Farid Odile Wanja Ksenia Bram Dora Jorn Mei Pavel Siv".split()
PLACES = "Ghent Tromso Cadiz Minsk Bergen Lviv Graz Porto".split()
THINGS = "canoe lantern violin ladder kettle harbor blanket orchard mandolin quilt saddle compass".split()
TEXTS = (
    "{name} lives in {place}.",
    "{name} brought the {thing} back from {place}.",
    "I have a checkup at the clinic in {place} on {day} May.",
    "My rent in {place} is {day}00 euros.",
    "I sold the {thing} to a man from {place} and he paid in cash.",
    "{name} called about the {thing}; she wants it by {day} June.",
    "Write to {name}@acme.io about the {thing}.",
    "The {thing} needs a new string before we go to {place}.",
)


def texts(number: int) -> list[str]:
    """So many sentences, the same in each run."""
    lot = random.Random(7)
    return [
        lot.choice(TEXTS).format(
            name=lot.choice(NAMES), place=lot.choice(PLACES), thing=lot.choice(THINGS), day=lot.randrange(1, 29)
        )
        + f" Note {at}."
        for at in range(number)
    ]


async def main() -> None:
    """Write the memories, ask, and print the time of each answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--profile", action="store_true", help="print where the time of the first request goes")
    options = parser.parse_args()
    async with temporary() as app:
        rows = [{"text": text, "user_id": "ana", "memory_type": "episodic"} for text in texts(options.memories)]
        began = time.perf_counter()
        for at in range(0, len(rows), 1000):
            await app.memories.add(rows[at : at + 1000], summarize="deferred")
        print(f"{len(rows)} memories written in {time.perf_counter() - began:.0f} s")
        for request in REQUESTS:
            times, spent, meant = [], [], 0
            for _ in range(3):
                began, used = time.perf_counter(), time.process_time()
                try:
                    preview = await app.memories.find_to_forget(request, user_id="ana")
                    meant = len(preview.forget) + len(preview.doubtful)
                except NotFound:
                    meant = 0
                times.append(time.perf_counter() - began)
                spent.append(time.process_time() - used)
            print(f"{request:45} {meant:6} meant  {min(times):6.2f} to {max(times):6.2f} s, CPU {min(spent):5.2f} s")
        if options.profile:
            profile = cProfile.Profile()
            profile.enable()
            await app.memories.find_to_forget(REQUESTS[0], user_id="ana")
            profile.disable()
            pstats.Stats(profile).sort_stats("cumulative").print_stats(40)


if __name__ == "__main__":
    asyncio.run(main())
