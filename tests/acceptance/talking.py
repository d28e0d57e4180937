"""A process that talks: turns of five messages with a summary now and then, until somebody kills it.

Run as ``python talking.py FOLDER TURN MODE``: prints a line for each turn that was acknowledged, and in the mode
``compute`` a line once a summary is computed, and then waits. In the mode ``grow`` each turn is one answer, longer.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.conversation import Address
from precis.policies.conversations import Limits
from precis.sizes import Size

EACH = 5
ADDRESS = Address(session_id="talk", user_id="ana", project_id="", environment="production")
LIMITS = Limits(triggers=(Size.parse("12 messages"),), keep=Size.parse("4 messages"))


def turn(number: int) -> list[dict[str, str]]:
    """The messages of one turn."""
    return [
        {
            "id": f"{number}-{at}",
            "role": ("user", "assistant")[at % 2],
            "content": f"Note {at} of turn {number}: the harbor lights are on.",
        }
        for at in range(EACH)
    ]


async def talk(app: App, first: int) -> None:
    """Turn after turn; a line for each one that was acknowledged."""
    number = first
    while True:
        turned = await app.conversations.turn(ADDRESS, turn(number), limits=LIMITS)
        sys.stdout.write(f"{number} {int(turned.summarized)}\n")
        sys.stdout.flush()
        number += 1


async def compute(app: App, first: int) -> None:
    """The check and the summarize step; then nothing."""
    checked = await app.conversations.check(ADDRESS, turn(first), limits=LIMITS)
    computed = await app.conversations.summarize(checked, limits=LIMITS)
    sys.stdout.write(f"computed {len(computed.root.statements)}\n")
    sys.stdout.flush()
    await asyncio.sleep(600)


def answer(number: int) -> dict[str, Any]:
    """One answer with so many words, and a call that has returned as many times."""
    shown = {"type": "tool-count", "toolCallId": "c1", "state": "output-available", "input": {}, "output": number}
    words = "".join(f" word{at}" for at in range(number + 1))
    return {"id": "grown", "role": "assistant", "parts": [shown, {"type": "text", "text": f"It says{words}"}]}


async def grow(app: App, first: int) -> None:
    """One answer again and again, each time with a word more; a line for each version that was acknowledged."""
    number = first
    while True:
        await app.conversations.turn(ADDRESS, [answer(number)], limits=LIMITS)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        number += 1


async def main(folder: Path, first: int, mode: str) -> None:
    """Join the database and do as told."""
    async with precis.open(data_dir=folder) as app:
        await {"compute": compute, "grow": grow}.get(mode, talk)(app, first)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
