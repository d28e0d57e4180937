"""A memory's round trip through adk-redis, unmodified, against a running precis: ``make adk``.

adk-redis and google-adk bring some fifty packages, some of them older than those the tests are locked to; so this runs
in an environment of its own and not among the tests.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adk_redis.memory import RedisLongTermMemoryService, RedisLongTermMemoryServiceConfig
from adk_redis.sessions import RedisSessionMemoryService, RedisSessionMemoryServiceConfig
from adk_redis.tools.memory import (
    CreateMemoryTool,
    DeleteMemoryTool,
    GetMemoryTool,
    MemoryToolConfig,
    SearchMemoryTool,
    UpdateMemoryTool,
)
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from precis.bootstrap import open_runtime
from precis.keys.tenants import DEFAULT_TENANT
from precis.rest.server import listening
from precis.settings import Settings

BACKEND = "opensource-agent-memory"
WHERE: dict[str, Any] = {"app_name": "demo", "user_id": "ana"}


async def main() -> None:
    """Start precis with a key, and use every memory part of adk-redis over HTTP."""
    with room() as folder:
        async with open_runtime(Settings(data_dir=folder)) as runtime, listening(runtime) as url:
            key = await runtime.store.tenants.create_key(DEFAULT_TENANT, name="adk", now=runtime.engine.clock())
            base = f"{url}/t/{key}"
            await service(base)
            await sessions(base)
            await tools(base)
    print("adk-redis: memory service, session service and memory tools work against precis")


@contextmanager
def room() -> Iterator[Path]:
    """A folder that the account of the embedded database may enter."""
    with tempfile.TemporaryDirectory(prefix="precis-adk-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "precis"


async def service(base: str) -> None:
    """ADK's memory service: explicit memories and a whole session in, a search out."""
    memory = RedisLongTermMemoryService(RedisLongTermMemoryServiceConfig(backend=BACKEND, api_base_url=base))
    await memory.add_memory(**WHERE, memories=[MemoryEntry(content=_said("Ana prefers dark mode in her editor"))])
    events = [
        Event(author="user", content=_said("I moved to Bruges last month.")),
        Event(author="agent", content=_said("Noted: you live in Bruges now.")),
    ]
    await memory.add_session_to_memory(Session(id="s1", app_name="demo", user_id="ana", events=events))
    found = await memory.search_memory(**WHERE, query="Which theme does Ana like?")
    texts = [part.text or "" for entry in found.memories for part in entry.content.parts or []]
    expect(any("dark mode" in text for text in texts), "search_memory", texts)
    # What was said in the session is found at once; no wait for a model, and none is there.
    found = await memory.search_memory(**WHERE, query="Which town did Ana move to?")
    texts = [part.text or "" for entry in found.memories for part in entry.content.parts or []]
    expect(any("I moved to Bruges" in text for text in texts), "search_memory after add_session_to_memory", texts)
    stranger = await memory.search_memory(app_name="demo", user_id="ben", query="Which theme does Ana like?")
    expect(stranger.memories == [], "search_memory of another user", stranger)
    await memory.close()


async def sessions(base: str) -> None:
    """Three turns as a runner makes them: each event is appended, and the whole session is added to memory."""
    kept = RedisSessionMemoryService(RedisSessionMemoryServiceConfig(backend=BACKEND, api_base_url=base))
    memory = RedisLongTermMemoryService(RedisLongTermMemoryServiceConfig(backend=BACKEND, api_base_url=base))
    await kept.create_session(**WHERE, session_id="s2")
    for turn in range(3):
        session = await kept.get_session(**WHERE, session_id="s2")
        for author, text in (("user", f"How full is silo {turn}?"), ("agent", f"Silo {turn} is {turn * 7} % full.")):
            await kept.append_event(session, Event(author=author, content=_said(text), timestamp=time.time()))
        await memory.add_session_to_memory(session)
    session = await kept.get_session(**WHERE, session_id="s2")
    texts = [event.content.parts[0].text for event in session.events]
    expected = [text for n in range(3) for text in (f"How full is silo {n}?", f"Silo {n} is {n * 7} % full.")]
    expect(texts == expected, f"{len(texts)} events after 3 turns", texts)
    await kept.delete_session(**WHERE, session_id="s2")
    await memory.add_session_to_memory(session)
    session = await kept.get_session(**WHERE, session_id="s2")
    expect(len(session.events) == 6, "a deleted session added to memory again", len(session.events))
    await memory.close()


async def tools(base: str) -> None:
    """The tools a model is given."""
    config = MemoryToolConfig(backend=BACKEND, api_base_url=base, default_namespace="demo", default_user_id="ben")
    made = await CreateMemoryTool(config=config).run_async(content="Ben plays chess on Mondays", topics=["games"])
    expect(made["status"] == "success", "create_memory", made)
    found = await SearchMemoryTool(config=config).run_async(query="chess")
    expect(found["status"] == "success" and len(found["memories"]) == 1, "search_memory", found)
    id_ = found["memories"][0]["id"]
    read = await GetMemoryTool(config=config).run_async(memory_id=id_)
    expect("chess" in str(read), "get_memory", read)
    changed = await UpdateMemoryTool(config=config).run_async(memory_id=id_, content="Ben plays go on Mondays")
    expect(changed["status"] == "success", "update_memory", changed)
    gone = await DeleteMemoryTool(config=config).run_async(memory_ids=[id_])
    expect(gone["status"] == "success", "delete_memory", gone)
    found = await SearchMemoryTool(config=config).run_async(query="go")
    expect(found["memories"] == [], "search_memory after delete_memory", found)


def expect(held: bool, what: str, answer: object) -> None:  # noqa: FBT001 - a check is a yes or a no
    """Say what worked; end where something did not."""
    if not held:
        message = f"{what}: {answer}"
        raise SystemExit(message)
    print(f"ok   {what}")


def _said(text: str) -> types.Content:
    return types.Content(parts=[types.Part(text=text)])


asyncio.run(main())
