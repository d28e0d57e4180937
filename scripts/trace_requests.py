"""Count the files of the package that a request executes: ``.venv/bin/python scripts/trace_requests.py [--list]``.

Each request runs once before it is counted, so that what is loaded once in a process does not count. What the process
does meanwhile on its own account, as looking after its database, does not count either.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

import httpx

import precis
from precis.bootstrap import open_runtime
from precis.rest.server import build
from precis.settings import Settings

PACKAGE = str(Path(precis.__file__).parent)
#: Whether what runs belongs to the request: tasks and threads that it begins inherit it.
_TRACED = ContextVar("traced", default=False)
TEXTS = (
    "I switched to oat milk in my coffee.",
    "My favorite coffee is a flat white.",
    "I stopped drinking coffee after noon.",
    "My doctor says no more than two cups of coffee a day.",
)


@contextmanager
def traced() -> Iterator[set[str]]:
    """The files of the package in which a function is entered, in any thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and _TRACED.get() and code.co_filename.startswith(PACKAGE) and code.co_name != "<module>":
            files.add(code.co_filename.removeprefix(PACKAGE + "/"))

    token = _TRACED.set(True)
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        _TRACED.reset(token)


async def count(client: httpx.AsyncClient, title: str, path: str, body: Any, *, listed: bool) -> None:
    """Send one request and print how many files it executed."""
    with traced() as files:
        answer = await client.post(path, json=body)
    answer.raise_for_status()
    print(f"{len(files):3} files  {title}")
    if listed:
        print("\n".join(f"       {name}" for name in sorted(files)))


def written(key: str, number: int) -> dict[str, Any]:
    """One memory on a subject."""
    return {"memories": [{"user_id": "ana", "text": TEXTS[number], "type": "preference", "key": key}]}


async def main(folder: Path, *, listed: bool) -> None:
    """A write without a summary, one with a summary, a recall; each after a first one of its kind."""
    async with open_runtime(Settings(data_dir=folder)) as runtime:
        transport = httpx.ASGITransport(app=build(runtime), client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for number in range(4):
                (await client.post("/v1/memories", json=written("coffee", number))).raise_for_status()
            question = {"query": "what coffee?", "user_id": "ana"}
            (await client.post("/v1/recall", json=question)).raise_for_status()
            await client.post("/v1/memories", json=written("milk", 0))
            title = "POST /v1/memories"
            await count(client, f"{title} without a summary", "/v1/memories", written("milk", 1), listed=listed)
            await count(client, f"{title} with a summary", "/v1/memories", written("milk", 2), listed=listed)
            await count(client, "POST /v1/recall", "/v1/recall", question, listed=listed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", dest="listed", help="name the files")
    with tempfile.TemporaryDirectory(prefix="precis-trace-") as room:
        Path(room).chmod(0o755)
        asyncio.run(main(Path(room) / "precis", listed=parser.parse_args().listed))
