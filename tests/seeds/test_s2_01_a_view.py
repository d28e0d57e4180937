"""S2.1: a view is a declared GROUP BY over memories, with filters, partitions and a rolling window."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from view_steps import NOTES, later, note, notes, results, tell

from precis.app import App
from precis.errors import InvalidInput
from precis.memory import MemoryType

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_view_has_the_fields_of_the_document(app: App) -> None:
    """And it is read again as it was given."""
    view = await app.views.create(
        name="ltm_by_user_30d", source="long_term", group_by=["user_id"], filters={"memory_type": "semantic"},
        time_window_days=30, continuous=False, prompt="Summarize key facts and preferences for this user.",
        model_name="gpt-4o-mini",
    )  # fmt: skip
    assert view == await app.views.get(view.id)
    assert (view.name, view.group_by, view.filters, view.window_days) == (
        "ltm_by_user_30d", ("user_id",), {"memory_type": "semantic"}, 30,
    )  # fmt: skip
    assert [view] == await app.views.list()


async def test_only_the_source_is_required_and_it_has_a_default(app: App) -> None:
    """Without group_by everything is one partition, whose group is empty."""
    await tell(app, notes())
    view = await app.views.create()
    (result,) = await results(app, view.id)
    assert (result.group, result.memory_count, result.included_count) == ({}, len(NOTES), len(NOTES))


@pytest.mark.parametrize(
    ("fields", "groups"),
    [
        (["user_id"], 2),
        (["namespace"], 2),
        (["session_id"], 3),
        (["memory_type"], 2),
        (["user_id", "memory_type"], 4),
        (["user_id", "namespace", "session_id", "memory_type"], 4),
    ],
    ids=lambda given: ", ".join(given) if isinstance(given, list) else str(given),
)
async def test_every_field_groups_alone_and_with_others(app: App, fields: list[str], groups: int) -> None:
    """A partition for each combination of values that some memory has."""
    await tell(app, notes())
    view = await app.views.create(group_by=fields)
    found = await results(app, view.id)
    assert len(found) == groups
    assert {frozenset(one.group) for one in found} == {frozenset(fields)}
    has = [{"memory_type": "semantic"} | row for row in notes()]
    assert sum(one.memory_count for one in found) == len([row for row in has if all(map(row.get, fields))])


@pytest.mark.parametrize("taken", list(MemoryType))
async def test_a_filter_takes_what_has_its_value(app: App, taken: MemoryType) -> None:
    """The static filter holds for every run."""
    await tell(app, [note(f"Ana keeps {type_} notes.", memory_type=type_) for type_ in MemoryType])
    view = await app.views.create(filters={"memory_type": taken})
    (result,) = await results(app, view.id)
    assert f"{taken} notes" in result.summary
    assert result.memory_count == 1


FILTERS: dict[str, tuple[dict[str, Any], int]] = {
    "a value": ({"user_id": "ana"}, 4),
    "a list is any of it": ({"user_id": ["ana", "ben"]}, 7),
    "not, as the server says": ({"namespace": {"ne": "work"}}, 3),
    "not, as the client says": ({"namespace": {"not_eq": "work"}}, 3),
    "any, as the client says": ({"session_id": {"in_": ["s1", "s2"]}}, 4),
    "none, as the client says": ({"session_id": {"not_in": ["s1"]}}, 5),
    "a beginning": ({"session_id": {"startswith": "s"}}, 6),
    "a topic": ({"topics": "tea"}, 2),
    "topics in any case": ({"topics": {"any": ["TEA", "trains"]}}, 3),
    "all topics": ({"topics": {"all": ["tea", "morning"]}}, 1),
    "no topic": ({"topics": {"none": ["tea"]}}, 5),
    "an event": ({"event_date": {"gte": "2026-02-01", "lt": "2026-03-01"}}, 1),
    "between": ({"event_date": {"between": ["2026-01-01", "2026-12-31"]}}, 2),
    "a strategy": ({"extraction_strategy": "discrete"}, 7),
    "another strategy": ({"extraction_strategy": "summary"}, 0),
    "two keys": ({"user_id": "ana", "namespace": "work"}, 2),
    "two operators": ({"event_date": {"gt": "2026-02-01", "lt": "2026-03-01"}}, 1),
    "a null filters nothing": ({"user_id": None}, 7),
}


@pytest.mark.parametrize(("filters", "taken"), FILTERS.values(), ids=FILTERS)
async def test_a_filter_means_the_same_for_old_and_new_rows(app: App, filters: dict[str, Any], taken: int) -> None:
    """A view over a full store holds what a view holds that saw every write."""
    early = await app.views.create(filters=filters)
    await tell(app, notes())
    late = await app.views.create(filters=filters)
    for view in (early, late):
        assert taken == (await app.views.run_partition(view.id, {})).memory_count


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a field to group by": ({"group_by": ["user_id", "topic", "color"]}, "Unsupported group_by fields: color, topic"),
    "a field twice": ({"group_by": ["user_id", "user_id"]}, "twice"),
    "a field to filter by": ({"filters": {"color": "red", "shape": 1}}, "Unsupported filter fields: color, shape"),
    "an operator": ({"filters": {"topics": {"like": "tea"}}}, "no operator 'like'"),
    "an operator of another field": ({"filters": {"user_id": {"gt": "a"}}}, "no operator 'gt'"),
    "a type": ({"filters": {"memory_type": "cerebral"}}, "not cerebral"),
    "a number": ({"filters": {"user_id": 7}}, "takes text"),
    "an empty list": ({"filters": {"topics": []}}, "not empty"),
    "no operator": ({"filters": {"topics": {}}}, "names no operator"),
    "a date": ({"filters": {"event_date": "soon"}}, "takes a date"),
    "one end": ({"filters": {"event_date": {"between": ["2026-01-01"]}}}, "two dates"),
    "ends that are exchanged": ({"filters": {"event_date": {"between": ["2026-02-01", "2026-01-01"]}}}, "ends before"),
    "a window": ({"time_window_days": 0}, "1 to"),
    "a source": ({"source": "working_memory"}, "must be 'long_term'"),
}


@pytest.mark.parametrize(("fields", "why"), WRONG.values(), ids=WRONG)
async def test_a_view_that_makes_no_sense_is_refused_when_it_is_made(
    app: App, fields: dict[str, Any], why: str
) -> None:
    """Not when it is run, and not with an answer about everything."""
    with pytest.raises(InvalidInput, match=why):
        await app.views.create(**fields)
    assert await app.views.list() == []


async def test_a_memory_leaves_a_rolling_window_by_itself(app: App) -> None:
    """On the day it is too old, the partition is stale; the next run is without it."""
    now = app.parts.engine.clock()
    old, new = note("Ana drank oolong.", created_at=now - timedelta(days=6)), note("Ana drank sencha.", created_at=now)
    await tell(app, [old, new])
    view = await app.views.create(time_window_days=7)
    assert (await app.views.run_partition(view.id, {})).memory_count == 2
    result = await later(app, timedelta(days=2)).views.run_partition(view.id, {})
    assert (result.memory_count, result.source_ids) == (1, (new["id"],))
    assert "oolong" not in result.summary
    assert "sencha" in result.summary


async def test_what_is_too_old_never_enters_a_window(app: App) -> None:
    """Neither when the view is made nor when it is written."""
    await tell(app, [note("Ana drank oolong.", created_at=app.parts.engine.clock() - timedelta(days=8))])
    view = await app.views.create(time_window_days=7)
    await tell(app, [note("Ana drank matcha.", created_at=app.parts.engine.clock() - timedelta(days=9))])
    assert (await app.views.run_partition(view.id, {})).empty
