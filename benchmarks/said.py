"""What recall and facts take of a conversation: 100 turns of a message, one turn of 100, and reading them by rules."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable

from precis.app import App
from precis.testing.temporary import temporary

THINGS = ("maps", "boots", "letters", "coins")
MESSAGES = [
    {
        "id": f"m{at}",
        "role": ("user", "assistant")[at % 2],
        "content": f"I keep box {at} with my old {THINGS[at % 4]} on shelf {at // 4}.",
    }
    for at in range(100)
]


async def main() -> None:
    """Without and with, each in a database of its own."""
    for name, options in (
        ("without", {"conversations_in_recall": False, "conversation_extraction": "off"}),
        ("with", {}),
    ):
        async with temporary(**options) as app:
            await app.conversations.turn("warm", MESSAGES[:1], user_id="eve")
            print(f"{name} recall and facts:")
            print(f"  100 turns of a message   {await timed(turns(app)):6.2f} s")
            print(f"  one turn of 100 messages {await timed(turn(app)):6.2f} s")
            print(f"  reading them for facts   {await timed(read(app)):6.2f} s")


async def timed(work: Awaitable[None]) -> float:
    """Seconds."""
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


async def turns(app: App) -> None:
    """One message a turn."""
    for message in MESSAGES:
        await app.conversations.turn("one by one", [message], user_id="ana")


async def turn(app: App) -> None:
    """All in one."""
    await app.conversations.turn("at once", MESSAGES, user_id="ben")


async def read(app: App) -> None:
    """Whatever waits."""
    await app.facts.read(at_once=True)


if __name__ == "__main__":
    asyncio.run(main())
