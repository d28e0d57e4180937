"""What the tests of the third document share: notes of two people, and the steps a user of views takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from precis.app import App, app_over
from precis.app.views import PartitionResult
from precis.extractive.summarizer import Extractive
from precis.ids import new_id
from precis.makers import Draft, Request
from precis.store.tasks import Status, Task

#: Text, and the fields besides it.
NOTES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Ana drinks green tea every morning.", {"namespace": "home", "session_id": "s1", "topics": ["tea", "morning"]}),
    ("Ana keeps her oolong in a tin from Kyoto.", {"namespace": "home", "session_id": "s1", "topics": ["tea"]}),
    ("Ana leads the billing team.", {"namespace": "work", "session_id": "s2"}),
    ("Ana met the auditors in Lisbon.", {"namespace": "work", "session_id": "s2", "memory_type": "episodic",
                                         "event_date": "2026-02-17T09:00:00Z"}),
    ("Ben takes the early train.", {"user_id": "ben", "namespace": "work", "session_id": "s3", "topics": ["Trains"]}),
    ("Ben plays the cello.", {"user_id": "ben", "session_id": "s3"}),
    ("Ben missed the night train.", {"user_id": "ben", "namespace": "work", "memory_type": "episodic",
                                     "event_date": "2026-05-02T22:00:00Z"}),
)  # fmt: skip


def note(text: str, **fields: Any) -> dict[str, Any]:
    """A memory as a caller writes it; Ana's unless told otherwise."""
    return {"id": new_id(), "text": text, "user_id": "ana", **fields}


def notes() -> list[dict[str, Any]]:
    """The notes, with new ids."""
    return [note(text, **fields) for text, fields in NOTES]


async def tell(app: App, rows: Sequence[dict[str, Any]]) -> None:
    """Write them; clusters are somebody else's business."""
    await app.memories.add(rows, summarize="deferred")


async def ran(app: App, view_id: str, **how: Any) -> Task:
    """Run a whole view and wait for the end."""
    task = await app.views.run(view_id, **how)
    return await app.tasks.wait(task.id, seconds=60)


async def results(app: App, view_id: str, **how: Any) -> Sequence[PartitionResult]:
    """The results of a run that has to succeed."""
    task = await ran(app, view_id, **how)
    assert (Status.SUCCESS, None) == (task.status, task.error_message)
    return await app.views.partitions(view_id)


def with_engine(app: App, **parts: Any) -> App:
    """The same app with another summarizer, clock or the like."""
    return app_over(replace(app.parts, engine=replace(app.parts.engine, **parts)))


def later(app: App, by: timedelta) -> App:
    """The same app, on a clock that is ahead."""
    clock = app.parts.engine.clock
    return with_engine(app, clock=lambda: clock() + by)


class Recording:
    """The offline summarizer as a model: what it was asked is kept."""

    name = "recording@1"

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._inner = Extractive()

    async def summarize(self, request: Request) -> Draft:
        """What the offline summarizer says."""
        self.requests.append(request)
        return replace(await self._inner.summarize(request), made_by=self.name)
