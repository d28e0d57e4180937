"""Random histories of a pool: nothing that was not forgotten is lost, and nothing forgotten is shown again."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from precis.app import App, app_over
from precis.errors import ModelUnavailable
from precis.policies.archive import MARKER, Archive
from precis.sources.cognee import CogneePool
from precis.testing.clock import FrozenClock
from precis.testing.fakes import FakeCognee, Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
WHO = "memory_ana_helper"
THINGS = "kettle harp ladder canoe anvil quilt lantern violin sextant barrel".split()


class Unsteady(CogneePool):
    """A pool whose calls fail now and then, before or after they did what they were asked."""

    dice = random.Random(0)  # noqa: S311 - a history that can be had again
    share = 0.0

    def _stumble(self) -> None:
        if self.dice.random() < self.share:
            raise OSError("the store stumbled")

    async def add(self, memory: object) -> str:
        """Add, with luck."""
        self._stumble()
        id_ = await super().add(memory)  # type: ignore[arg-type]
        self._stumble()
        return id_

    async def delete(self, ids: object) -> None:
        """Delete, with luck."""
        self._stumble()
        await super().delete(ids)  # type: ignore[arg-type]
        self._stumble()


class History:
    """What happens to one pool, and what must hold of it."""

    def __init__(self, app: App, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - a history that can be had again
        self.clock = FrozenClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
        self.model = Quoting()
        self.library = FakeCognee()
        self.library.put(WHO, "Undated.", None)
        settings = app.parts.settings.model_copy(
            update={
                "archive_max_memories_per_batch": self.dice.choice([3, 7]), "archive_keep_original_days": 40,
                "archive_originals": self.dice.choice(["ttl", "delete", "keep"]),
            }
        )  # fmt: skip
        engine = replace(app.parts.engine, clock=self.clock, summarizer=self.model)
        self.app = app_over(replace(app.parts, engine=engine, settings=settings))
        self.pool = Unsteady(self.library, marker=MARKER, marks=Archive().marks, read_text=self.library.read)
        self.pool.dice = self.dice
        self.alive: dict[str, str] = {}
        self.forgotten: list[str] = []

    async def remember(self) -> None:
        """Some memories of the last days."""
        for _ in range(self.dice.randint(1, 6)):
            at = len(self.alive) + len(self.forgotten)
            text = f"Ana bought {THINGS[at % 10]} number {1000 + at} in Oslo."
            self.library.put(WHO, text, self.clock.now - timedelta(days=self.dice.randint(0, 30)))
            (id_,) = [row.id for row in await self.pool.list(WHO) if row.text == text]
            self.alive[id_] = text

    async def archive(self) -> None:
        """A pass, over a pool and with a model that may fail."""
        self.model.error = ModelUnavailable() if self.dice.random() < 0.2 else None
        self.pool.share = self.dice.choice([0.0, 0.3])
        try:
            await self.app.pools.archive(self.pool)
        except OSError:
            assert self.pool.share > 0
        finally:
            self.pool.share = 0.0

    async def forget(self) -> None:
        """One of them, also one that is gone already."""
        if self.alive:
            id_ = self.dice.choice(sorted(self.alive))
            self.forgotten.append(self.alive.pop(id_))
            self.pool.share = self.dice.choice([0.0, 0.5])
            await self.app.pools.forget(self.pool, [id_])
            self.pool.share = 0.0

    async def wait(self) -> None:
        """Time passes."""
        self.clock.advance(timedelta(days=self.dice.randint(1, 20)))

    async def check(self) -> None:
        """What lies there says everything alive; what is shown says nothing forgotten."""
        there = " ".join(self.library.texts(WHO))
        assert [] == [text for text in self.alive.values() if text not in there]
        shown = [*await self.app.pools.list(self.pool, WHO), *await self.app.pools.list(self.pool, WHO, summaries=True)]
        said = " ".join(one.text for one in shown)
        assert [] == [text for text in self.forgotten if text in said]


@pytest.mark.parametrize("seed", range(8))
async def test_any_history(app: App, seed: int) -> None:
    """Thirty steps; at the end everything that was begun is finished, in the store itself."""
    history = History(app, seed)
    steps = (history.remember, history.remember, history.archive, history.archive, history.forget, history.wait)
    for _ in range(30):
        await history.dice.choice(steps)()
        await history.check()
    history.model.error = None
    for _ in range(3):
        history.clock.advance(timedelta(days=60))
        await history.app.pools.archive(history.pool)
        await history.check()
    there = " ".join(history.library.texts(WHO))
    assert [] == [text for text in history.forgotten if text in there]
    summaries = [text for text in history.library.texts(WHO) if text.startswith(MARKER)]
    assert [] == [text for text in history.alive.values() if sum(text in said for said in summaries) > 1]
