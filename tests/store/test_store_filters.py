"""The conditions of a filter: the same rows in lists, among ids, by pages and in search."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from store_steps import POLICY, searching_large, seeing

from new_rows import new_memory
from precis.bootstrap import Runtime
from precis.memory import MemoryType, Moments, Scope, Words
from precis.recall.question import Pool, read_question
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.store.rows import NewMemory
from precis.store.search import Asked
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder

VERSION = HashEmbedder.version
DAY = timedelta(days=1)
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
#: Four rows of two users; each letter of an expectation is one of them.
ROWS: Mapping[str, Mapping[str, Any]] = {
    "a": {"user": "ada", "namespace": "work", "session_id": "s1", "topics": ("Travel", "food"), "pinned": True},
    "b": {"user": "ada", "namespace": "home", "session_id": "s2", "topics": ("food",), "entities": ("Bruges",)},
    "c": {"user": "ben", "namespace": "workshop", "entities": ("Bruges", "Ann Lee"), "event_date": START},
    "d": {"user": "eve", "memory_type": MemoryType.EPISODIC, "event_date": START + 9 * DAY,
          "metadata": {"wire": {"extraction_strategy": "summary"}}},
}  # fmt: skip

CASES: Mapping[str, tuple[Filter, str]] = {
    "any of two users": (Filter(words={"user_id": Words(any=("ada", "eve"))}), "abd"),
    "a user and another condition": (Filter(user_id="ada", words={"namespace": Words(any=("work",))}), "a"),
    "nobody of none": (Filter(words={"user_id": Words(any=())}), ""),
    "other users": (Filter(words={"user_id": Words(none=("ada",))}), "cd"),
    "users that begin so": (Filter(words={"user_id": Words(startswith="a")}), "ab"),
    "all of one word": (Filter(words={"user_id": Words(all=("ada",))}), "ab"),
    "one word is never two": (Filter(words={"user_id": Words(all=("ada", "ben"))}), ""),
    "any and all of a word": (Filter(words={"user_id": Words(any=("ada", "ben"), all=("ben",))}), "c"),
    "a namespace that begins so": (Filter(words={"namespace": Words(startswith="work")}), "ac"),
    "a percent sign is a letter": (Filter(words={"namespace": Words(startswith="w%")}), ""),
    "not that namespace, or none": (Filter(words={"namespace": Words(none=("work",))}), "bcd"),
    "not these sessions, or none": (Filter(words={"session_id": Words(none=("s1", "s2"))}), "cd"),
    "a session": (Filter(words={"session_id": Words(any=("s2",))}), "b"),
    "a session that begins so": (Filter(words={"session_id": Words(startswith="s")}), "ab"),
    "a type": (Filter(words={"memory_type": Words(any=("episodic",))}), "d"),
    "not that type": (Filter(words={"memory_type": Words(none=("episodic", "message"))}), "abc"),
    "a type that begins so": (Filter(words={"memory_type": Words(startswith="sem")}), "abc"),
    "a strategy": (Filter(words={"extraction_strategy": Words(any=("summary",))}), "d"),
    "the strategy of all others": (Filter(words={"extraction_strategy": Words(any=("discrete",))}), "abc"),
    "not that strategy": (Filter(words={"extraction_strategy": Words(none=("discrete",))}), "d"),
    "a strategy that begins so": (Filter(words={"extraction_strategy": Words(startswith="disc")}), "abc"),
    "any topic": (Filter(words={"topics": Words(any=("travel", "cars"))}), "a"),
    "no topic of none": (Filter(words={"topics": Words(any=())}), ""),
    "all topics": (Filter(words={"topics": Words(all=("FOOD", "travel"))}), "a"),
    "no such topic": (Filter(words={"topics": Words(none=("travel",))}), "bcd"),
    "a topic that begins so": (Filter(words={"topics": Words(startswith="tra")}), "a"),
    "a topic is not its beginning": (Filter(words={"topics": Words(any=("tra",))}), ""),
    "an entity is no topic": (Filter(words={"topics": Words(any=("Bruges",))}), ""),
    "all entities": (Filter(words={"entities": Words(all=("bruges", "ann lee"))}), "c"),
    "an entity that begins so": (Filter(words={"entities": Words(startswith="Ann ")}), "c"),
    "no such entity": (Filter(words={"entities": Words(none=("Ann Lee",))}), "abd"),
    "pinned": (Filter(pinned=True), "a"),
    "not pinned": (Filter(pinned=False), "bcd"),
    "created after": (Filter(times={"created_at": Moments(gt=START + DAY)}), "cd"),
    "created at or after": (Filter(times={"created_at": Moments(gte=START + DAY)}), "bcd"),
    "created before": (Filter(times={"created_at": Moments(lt=START + DAY)}), "a"),
    "created at or before": (Filter(times={"created_at": Moments(lte=START + DAY)}), "ab"),
    "created between": (Filter(times={"created_at": Moments(gte=START + DAY, lte=START + 2 * DAY)}), "bc"),
    "the tighter bound counts": (Filter(times={"created_at": Moments(gte=START, gt=START, lt=START + 2 * DAY)}), "b"),
    "bounds that exclude each other": (Filter(times={"created_at": Moments(gt=START + 2 * DAY, lt=START)}), ""),
    "not created then": (Filter(times={"created_at": Moments(none=(START, START + DAY))}), "cd"),
    "an event": (Filter(times={"event_date": Moments(gte=START, lte=START)}), "c"),
    "no such event, or none": (Filter(times={"event_date": Moments(none=(START,))}), "abd"),
    "never read is read when created": (Filter(times={"last_accessed": Moments(lte=START + DAY)}), "ab"),
    "not read then": (Filter(times={"last_accessed": Moments(none=(START,))}), "bcd"),
    "two conditions": (
        Filter(words={"topics": Words(any=("food",))}, times={"created_at": Moments(gt=START)}, pinned=False), "b",
    ),
}  # fmt: skip

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(params=["whole scopes", "postings"])
def store(runtime: Runtime, request: pytest.FixtureRequest) -> PostgresStore:
    """The shared database, searched in either of the two ways."""
    return searching_large(runtime) if request.param == "postings" else runtime.store


@pytest.mark.parametrize("case", CASES)
async def test_what_a_filter_lets_through(store: PostgresStore, tenant: str, clock: FrozenClock, case: str) -> None:
    """By list, among given rows, by pages, by search and by recall alike."""
    chosen, expected = CASES[case]
    await store.memories.add(tenant, _rows(tenant), policy=POLICY, now=clock())
    listed = await store.memories.list(tenant, chosen, limit=10, cursor=None)
    assert expected == "".join(sorted(memory.id for memory in listed.rows))
    assert set(expected) == await store.memories.among(tenant, chosen, [*ROWS, "nobody"])
    hits = await store.search.search(tenant, chosen, query="tea", vector=None, embedding_version=VERSION, limit=10)
    assert expected == "".join(sorted(hit.memory.id for hit in hits))
    paged = await store.long_term.page(tenant, chosen, limit=10, offset=0)
    assert expected == "".join(sorted(memory.id for memory in paged))
    assert await store.long_term.count(tenant, chosen) == len(expected)
    seen: list[Pool] = []
    asked = Asked(question=read_question("tea"), vector=None, embedding_version=VERSION, breadth=10)
    await store.search.read(tenant, chosen, asked, seeing(seen))
    assert expected == "".join(sorted(seen[0].rows))


async def test_an_edit_changes_what_lets_it_through(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Law 4: the old topic finds nothing any more."""
    rows = _rows(tenant)
    await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    changed = _row(tenant, "a", {**ROWS["a"], "topics": ("Cars",)})
    await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    for topic, expected in (("travel", []), ("cars", ["a"])):
        chosen = Filter(words={"topics": Words(any=(topic,))})
        listed = await store.memories.list(tenant, chosen, limit=10, cursor=None)
        assert expected == [memory.id for memory in listed.rows]


def _rows(tenant: str) -> list[NewMemory]:
    return [_row(tenant, id_, given) for id_, given in ROWS.items()]


def _row(tenant: str, id_: str, given: Mapping[str, Any]) -> NewMemory:
    fields = dict(given)
    scope = Scope(tenant_id=tenant, user_id=fields.pop("user"))
    return new_memory(id_, f"tea {id_}", scope=scope, created_at=START + DAY * "abcd".index(id_), **fields)
