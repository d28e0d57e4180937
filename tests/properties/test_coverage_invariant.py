"""No message leaves the context unless it was in the input of a summary that was checked and written."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from precis.app import App, app_over
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.errors import DraftFailed, ModelUnavailable, NotFound
from precis.policies.conversations import Limits
from precis.sizes import Size
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
LIMITS = Limits(triggers=(Size.parse("6 messages"),), keep=Size.parse("2 messages"))
STEPS = 60
FAILURES = (ModelUnavailable("down"), DraftFailed("unusable"))


class Story:
    """A conversation that things happen to, and what must be true of it."""

    def __init__(self, runtime: Runtime, app: App, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - which of its actions comes next
        self.runtime = runtime
        self.model = Quoting()
        engine = replace(app.parts.engine, summarizer=self.model, retry_after=lambda _: timedelta(0))
        self.app = app_over(replace(app.parts, engine=engine))
        self.number = 0
        self.calls: list[str] = []
        #: Most messages that a summary spoke for.
        self.covered = 0
        #: What each message says now, by its memory.
        self.said: dict[str, str] = {}

    async def step(self) -> None:
        """One thing, by lot."""
        act = self.dice.choices(
            (self.turn, self.call, self.forget, self.edit, self.break_, self.mend, self.refresh),
            (10, 3, 2, 2, 1, 3, 3),
        )[0]
        await act()

    async def turn(self, **fields: object) -> None:
        """Somebody says something."""
        self.number += 1
        text = f"Entry {self.number} is about shelf {self.number * 7}."
        given = {"id": f"m{self.number}", "role": self.dice.choice(("user", "assistant")), "content": text} | fields
        turned = await self.app.conversations.turn("talk", [given], user_id="ana", limits=LIMITS)
        self.said |= {one.id: one.text for one in turned.messages}

    async def call(self) -> None:
        """A tool is called, or one of the calls is answered."""
        if self.calls and self.dice.random() < 0.9:
            await self.turn(role="tool", closes=[self.calls.pop(self.dice.randrange(len(self.calls)))])
        else:
            self.calls.append(f"c{self.number}")
            await self.turn(role="assistant", opens=[self.calls[-1]])

    async def forget(self) -> None:
        """A message goes."""
        if self.said:
            gone = self.dice.choice(sorted(self.said))
            await self.app.memories.forget(gone)
            del self.said[gone]

    async def edit(self) -> None:
        """A message gets another text."""
        if self.said:
            changed = self.dice.choice(sorted(self.said))
            self.number += 1
            text = f"Correction {self.number} is about shelf {self.number * 7}."
            await self.app.memories.edit(changed, {"text": text})
            self.said[changed] = text

    async def break_(self) -> None:
        """The model goes."""
        self.model.error = self.dice.choice(FAILURES)

    async def mend(self) -> None:
        """And comes back."""
        self.model.error = None

    async def refresh(self) -> None:
        """A worker passes by."""
        engine = self.app.parts.engine
        await work(engine, self.app.parts.tenant_id, until=engine.clock() + timedelta(seconds=1))

    async def holds(self) -> None:
        """Every message is in the context or was read, as it is now, by the summary that stands; and none is twice."""
        try:
            loaded = await self.app.conversations.load("talk", limits=LIMITS)
        except NotFound:
            assert not self.said
            return
        open_ = {one.id for one in loaded.open}
        read = await self._read(loaded.conversation.summary_id)
        self.covered = max(self.covered, len(read))
        assert not open_ & read
        assert open_ | read == set(self.said)
        context = await self.app.conversations.context_of(loaded, LIMITS)
        shown = {one.id: one.text for one in context.messages}
        assert all(shown[id_] == self.said[id_] for id_ in open_)
        assert context.messages_left == 0
        assert all(set(one.source_ids) <= read for one in context.statements)
        assert [one.seq for one in context.messages] == sorted(one.seq for one in context.messages)

    async def _read(self, summary_id: str | None) -> set[str]:
        async with self.runtime.database.tenant(self.app.parts.tenant_id) as connection:
            asked = await connection.execute("SELECT memory_id FROM node_sources WHERE node_id = %s", [summary_id])
            return {row["memory_id"] for row in await asked.fetchall()}


@pytest.mark.parametrize("seed", range(3))
async def test_nothing_leaves_unread(runtime: Runtime, app: App, seed: int) -> None:
    """Turns, calls, forgets, edits, models that fail and workers, in any order: after each step it holds."""
    story = Story(runtime, app, seed)
    for _ in range(STEPS):
        await story.step()
        await story.holds()
    assert story.covered > 0
