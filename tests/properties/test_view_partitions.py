"""After any history each partition of a view is what a view says that was only just made over what is left."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from precis.app import App, app_over
from precis.app.refreshing import work
from precis.app.views import PartitionResult
from precis.bootstrap import Runtime, open_runtime
from precis.embedded.server import EmbeddedServer, start, stop
from precis.engine.segments import Shape
from precis.errors import NotFound
from precis.ids import new_id
from precis.policies.views import views
from precis.settings import Settings
from precis.store.tasks import Status
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting, count_words
from precis.view import View
from rooms import new_folder, with_database

#: Small enough that a dozen notes make segments and prefixes.
POLICY = replace(views(), shape=Shape(segment_tokens=24, segment_limit=60, small_tokens=40, fan=2, fan_limit=4))
#: By user in a window; by place and type; of some topics, everything in one.
VIEWS: tuple[dict[str, Any], ...] = (
    {"group_by": ["user_id"], "time_window_days": 3, "continuous": True},
    {"group_by": ["namespace", "memory_type"], "filters": {"user_id": {"not_eq": "eve"}}},
    {"filters": {"topics": {"any": ["tea"]}, "namespace": {"ne": "work"}}},
    {"group_by": ["namespace"], "prompt": "Write a portrait."},
)
_WHO = st.sampled_from(("ana", "ben", "eve"))
_WHERE = st.sampled_from((None, "home", "work"))
_TYPE = st.sampled_from(("semantic", "episodic"))
_TOPICS = st.sampled_from(([], ["tea"], ["Tea", "trains"]))
_PICK = st.integers(0, 99)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), _WHO, _WHERE, _TYPE, _TOPICS, st.integers(0, 4)),
        st.tuples(st.just("add"), _WHO, _WHERE, _TYPE, _TOPICS, st.integers(0, 4)),
        st.tuples(st.just("reword"), _PICK),
        st.tuples(st.just("move"), _PICK, _WHERE, _TYPE, _TOPICS),
        st.tuples(st.just("forget"), _PICK),
        st.tuples(st.just("forget_user"), _WHO),
        st.tuples(st.just("wait"), st.integers(1, 40)),
        st.tuples(st.just("run"), st.integers(0, len(VIEWS) - 1)),
        st.tuples(st.just("work")),
        st.tuples(st.just("change"), _WHERE),
    ),
    min_size=5,
    max_size=30,
)

_folders: list[Path] = []


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """One database for all histories."""
    folder = new_folder("precis-views-")
    started: EmbeddedServer = asyncio.run(start(with_database(folder / "data")))
    _folders.append(folder)
    yield
    _folders.clear()
    asyncio.run(stop(started))
    shutil.rmtree(folder)


@dataclass(kw_only=True)
class Past:
    """What happened so far, and what is left of it."""

    app: App
    clock: FrozenClock
    views: list[View] = field(default_factory=list)
    #: The fields of what was written and not forgotten, by id.
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    made: int = 0

    def text(self, row: Mapping[str, Any]) -> str:
        """A text with a word that no other has."""
        self.made += 1
        return f"{row['user_id'].capitalize()} kept token{self.made}q."

    def pick(self, number: int) -> str | None:
        """One of what is left."""
        return sorted(self.rows)[number % len(self.rows)] if self.rows else None

    async def add(self, who: str, where: str | None, type_: str, topics: list[str], age: int) -> None:
        """Write one note, of some days ago."""
        row: dict[str, Any] = {"id": new_id(), "user_id": who, "namespace": where, "memory_type": type_}
        row |= {"topics": topics, "created_at": self.clock() - timedelta(days=age)}
        row["text"] = self.text(row)
        await self.app.memories.add([row], summarize="deferred")
        self.rows[row["id"]] = row

    async def reword(self, number: int) -> None:
        """The same note says something else."""
        if (id_ := self.pick(number)) is not None:
            self.rows[id_]["text"] = self.text(self.rows[id_])
            await self.app.memories.edit(id_, {"text": self.rows[id_]["text"]})

    async def move(self, number: int, where: str | None, type_: str, topics: list[str]) -> None:
        """The same note lies elsewhere."""
        if (id_ := self.pick(number)) is not None and where is not None:
            change = {"namespace": where, "memory_type": type_, "topics": topics}
            self.rows[id_] |= change
            await self.app.memories.edit(id_, change)

    async def forget(self, number: int) -> None:
        """One note goes."""
        if (id_ := self.pick(number)) is not None:
            del self.rows[id_]
            await self.app.memories.forget(id_)

    async def forget_user(self, who: str) -> None:
        """All of somebody goes."""
        with suppress(NotFound):
            await self.app.memories.forget_user(who)
        self.rows = {id_: row for id_, row in self.rows.items() if row["user_id"] != who}

    async def wait(self, hours: int) -> None:
        """Time passes, and windows move."""
        self.clock.advance(timedelta(hours=hours))

    async def run(self, at: int) -> None:
        """A whole view."""
        task = await self.app.tasks.wait((await self.app.views.run(self.views[at].id)).id, seconds=60)
        assert task.status is Status.SUCCESS, task.error_message

    async def work(self) -> None:
        """A worker does what is due."""
        await self.app.parts.store.rule_groups.sweep(self.app.parts.tenant_id, now=self.clock())
        await work(self.app.parts.engine, self.app.parts.tenant_id, until=self.clock() + timedelta(hours=1))

    async def change(self, where: str | None) -> None:
        """The second view takes others."""
        filters = {"user_id": {"not_eq": "eve"}} | ({"namespace": where} if where else {})
        self.views[1] = await self.app.views.update(self.views[1].id, filters=filters)


def wanted(past: Past, view: View) -> dict[frozenset[tuple[str, str]], set[str]]:
    """What the view should hold, by the words of its declaration, one row after the other."""
    found: dict[frozenset[tuple[str, str]], set[str]] = {}
    for id_, row in past.rows.items():
        young = view.window_days is None or row["created_at"] > past.clock() - timedelta(days=view.window_days)
        taken = all(_takes(key, asked, row) for key, asked in view.filters.items())
        if young and taken and all(row[name] for name in view.group_by):
            found.setdefault(frozenset((name, str(row[name])) for name in view.group_by), set()).add(id_)
    return found


def _takes(key: str, asked: Any, row: Mapping[str, Any]) -> bool:
    """One filter of the declarations above, read anew."""
    if key == "topics":
        return bool({topic.casefold() for topic in row["topics"]} & set(asked["any"]))
    if isinstance(asked, dict):
        return bool(row[key] not in asked.values())
    return bool(row[key] == asked)


def said(results: list[PartitionResult]) -> dict[frozenset[tuple[str, str]], tuple[str, tuple[str, ...], int, bool]]:
    """What partitions with a memory say, on which, and whether they are behind."""
    return {
        frozenset(one.group.items()): (one.summary, one.source_ids, one.memory_count, one.stale)
        for one in results
        if not one.empty
    }


async def compare(past: Past) -> None:
    """Every view against the rows themselves, and against its twin that was only just made."""
    for at, view in enumerate(past.views):
        await past.run(at)
        results = list(await past.app.views.partitions(view.id))
        assert all((one.summary, one.memory_count, one.source_ids) == ("", 0, ()) for one in results if one.empty)
        found, expected = said(results), wanted(past, view)
        assert {group: set(ids) for group, (_, ids, _, _) in found.items()} == expected
        for group, (summary, ids, number, stale) in found.items():
            assert (number, stale) == (len(ids), False)
            tokens = {past.rows[id_]["text"].split()[-1].rstrip(".") for id_ in expected[group]}
            assert tokens == {word.rstrip(".") for word in summary.split() if word.startswith("token")}
        fields: dict[str, Any] = {
            "group_by": view.group_by,
            "filters": view.filters,
            "time_window_days": view.window_days,
        }
        twin = await past.app.views.create(**fields, prompt=view.prompt)
        await past.app.tasks.wait((await past.app.views.run(twin.id)).id, seconds=60)
        assert said(list(await past.app.views.partitions(twin.id))) == found
        await past.app.views.delete(twin.id)
    assert len(await past.app.views.list()) == len(VIEWS)


async def live(runtime: Runtime, clock: FrozenClock, steps: list[tuple[Any, ...]]) -> None:
    """One history in a tenant of its own."""
    tenant = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant, name="test", now=clock())
    engine = replace(
        runtime.engine, summarizer=Quoting("model@1"), count=count_words,
        policies={**runtime.engine.policies, "views": POLICY},
    )  # fmt: skip
    app = app_over(replace(runtime.app(tenant).parts, engine=engine))
    past = Past(app=app, clock=clock)
    past.views = [await app.views.create(**fields) for fields in VIEWS]
    verbs: Mapping[str, Callable[..., Coroutine[Any, Any, None]]] = {
        name: getattr(past, name) for name in "add reword move forget forget_user wait run work change".split()
    }
    for name, *how in steps:
        await verbs[name](*how)
    await compare(past)


@settings(
    max_examples=8,
    phases=[Phase.explicit, Phase.generate],
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(steps=STEPS)
def test_each_partition_equals_a_fresh_computation(steps: list[tuple[Any, ...]]) -> None:
    """Whatever was added, reworded, moved, forgotten or run, in whatever order, and however windows moved."""

    async def history() -> None:
        clock = FrozenClock()
        async with open_runtime(Settings(data_dir=_folders[0] / "data"), clock=clock) as runtime:
            await live(runtime, clock, steps)

    asyncio.run(history())
