"""Summary views of the wire over HTTP: statuses and bodies as its clients expect them, and what precis does better."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio
from view_rooms import ROOT, Body, Room, opened

from precis.bootstrap import Runtime
from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")
UNKNOWN = "01M7Z0000000000000000000"


@pytest_asyncio.fixture(loop_scope="session")
async def room(runtime: Runtime, tenant: str, key: str) -> AsyncIterator[Room]:
    """With a model that quotes."""
    async with opened(runtime, tenant, key) as made:
        yield made


# --- statuses and bodies ---


async def test_only_the_source_is_required(room: Room) -> None:
    """The other fields have the original's defaults; unknown ones are ignored."""
    made = (await room.api.post(ROOT, json={"source": "long_term", "color": "red"})).json()
    assert len(made.pop("id")) == 26
    assert made == {
        "name": None, "source": "long_term", "group_by": [], "filters": {}, "time_window_days": None,
        "continuous": False, "prompt": None, "model_name": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ({"source": "working_memory"}, 400, "SummaryView.source must be 'long_term' for now; "),
        ({"source": "long_term", "group_by": ["b", "user_id", "a"]}, 400, "Unsupported group_by fields: a, b"),
        ({"source": "long_term", "filters": {"b": 1, "a": 2}}, 400, "Unsupported filter fields: a, b"),
        ({"source": "long_term", "filters": {"topics": {"like": "x"}}}, 400, "Invalid filter: topics"),
    ],
)
async def test_what_makes_no_sense_is_a_400(room: Room, body: Body, status: int, detail: str) -> None:
    """With one line that says which fields."""
    answer = await room.api.post(ROOT, json=body)
    assert answer.status_code == status
    assert answer.json()["detail"].startswith(detail)


@pytest.mark.parametrize(
    "body",
    [{}, {"source": "nowhere"}, {"source": "long_term", "time_window_days": 0}, {"source": "long_term", "filters": 7},
     {"source": "long_term", "time_window_days": 10**9}, {"source": "long_term", "prompt": "\0"}],
    ids=str,
)  # fmt: skip
async def test_what_has_another_shape_is_a_422(room: Room, body: Body) -> None:
    """In FastAPI's form: a list with type, place and message."""
    answer = await room.api.post(ROOT, json=body)
    assert answer.status_code == 422
    assert {"type", "loc", "msg"} <= set(answer.json()["detail"][0])


async def test_unknown_ids_are_a_404_in_the_originals_words(room: Room) -> None:
    """Except that deleting nothing succeeds."""
    path = f"{ROOT}/{UNKNOWN}"
    missing = {"detail": f"SummaryView {UNKNOWN} not found"}
    for answer in (
        await room.api.get(path),
        await room.api.patch(path, json={"name": "x"}),
        await room.api.get(f"{path}/plan"),
        await room.api.get(f"{path}/partitions"),
        await room.api.post(f"{path}/partitions/run", json={"group": {}}),
        await room.api.post(f"{path}/run", json={}),
    ):
        assert (404, missing) == (answer.status_code, answer.json())
    task = await room.api.get(f"/v1/tasks/{UNKNOWN}")
    assert (404, {"detail": f"Task {UNKNOWN} not found"}) == (task.status_code, task.json())
    deleted = await room.api.delete(path)
    assert (200, {"status": "ok"}) == (deleted.status_code, deleted.json())


async def test_a_group_names_exactly_the_fields_of_the_view(room: Room) -> None:
    """Fewer, more or other ones are a 400."""
    view = await room.view(group_by=["user_id", "namespace"])
    for group in ({}, {"user_id": "ana"}, {"user_id": "ana", "namespace": "x", "session_id": "s"}):
        answer = await room.api.post(f"{ROOT}/{view}/partitions/run", json={"group": group})
        assert answer.status_code == 400
        wanted = f"group keys {sorted(group)} must exactly match view.group_by ['namespace', 'user_id']"
        assert wanted == answer.json()["detail"]


async def test_a_run_needs_a_body(room: Room) -> None:
    """An empty object will do."""
    view = await room.view()
    assert (await room.api.post(f"{ROOT}/{view}/run")).status_code == 422
    assert (await room.run(view))["status"] == "success"


async def test_an_empty_partition_is_structured(room: Room) -> None:
    """No sentence about its emptiness."""
    result = await room.one(await room.view(), user_id="nobody")
    assert {
        "summary": "", "memory_count": 0, "empty": True, "empty_reason": "no_matching_memories", "included_count": 0,
    }.items() <= result.items()  # fmt: skip
    assert isinstance(result["computed_at"], str)


# --- better than the original: what changed, and only that ---


async def test_an_unchanged_partition_costs_no_call(room: Room) -> None:
    """Neither in a run nor by itself."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    before, calls = await room.results(view), len(room.model.requests)
    assert (await room.run(view))["total"] == 0
    await room.one(view, user_id="ana")
    assert len(room.model.requests) == calls == 1
    assert before == await room.results(view)


async def test_force_makes_it_anew(room: Room) -> None:
    """Also where nothing changed."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    task = await room.run(view, force=True)
    assert (task["total"], len(room.model.requests)) == (1, 2)


async def test_what_came_and_went_costs_no_call(room: Room) -> None:
    """A memory that was added and forgotten between two runs leaves the result as it is."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    (gone,) = await room.tell("Ana sold the cello.")
    await room.app.memories.forget(gone)
    await room.run(view)
    assert len(room.model.requests) == 1
    assert [one["stale"] for one in await room.results(view)] == [False]


async def test_a_result_carries_what_it_rests_on(room: Room) -> None:
    """How many of how many, which, what made it, and whether it is current."""
    ids = await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    result = await room.one(await room.view(), user_id="ana")
    assert {
        "memory_count": 2, "included_count": 2, "source_ids": ids, "model": "model@1", "stale": False,
        "fallback": False,
    }.items() <= result.items()  # fmt: skip


# --- better: forgetting, editing, moving ---


async def test_a_forgotten_memory_leaves_the_result_at_once(room: Room) -> None:
    """Before any run; the next one makes it anew without it."""
    gone, _ = await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    await room.app.memories.forget(gone)
    (result,) = await room.results(view)
    assert ("Ana plays the cello.", 1, True) == (result["summary"], result["memory_count"], result["stale"])
    await room.run(view)
    assert [one["stale"] for one in await room.results(view)] == [False]


async def test_an_edited_memory_leaves_it_too(room: Room) -> None:
    """The old text is gone at once, the new one comes with the next run."""
    changed, _ = await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    await room.app.memories.edit(changed, {"text": "Ana drinks mate."})
    (result,) = await room.results(view)
    assert "green tea" not in result["summary"]
    await room.run(view)
    assert "mate" in (await room.results(view))[0]["summary"]


async def test_a_memory_that_moves_changes_both_groups(room: Room) -> None:
    """It leaves one partition and joins the other."""
    moves, _ = await room.tell("Ana drinks green tea.", "Ana plays the cello.", namespace="home")
    view = await room.view(group_by=["namespace"])
    await room.run(view)
    await room.app.memories.edit(moves, {"namespace": "work"})
    await room.run(view)
    home, work = await room.results(view)
    assert (home["summary"], home["memory_count"]) == ("Ana plays the cello.", 1)
    assert (work["summary"], work["memory_count"]) == ("Ana drinks green tea.", 1)


async def test_a_partition_that_lost_all_its_members_is_emptied(room: Room) -> None:
    """At once, and it stays listed as empty; a new member fills it again."""
    ids = await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    await room.app.memories.forget(ids)
    (result,) = await room.results(view)
    assert {"summary": "", "memory_count": 0, "empty": True, "empty_reason": "no_matching_memories",
            "source_ids": [], "stale": False}.items() <= result.items()  # fmt: skip
    assert (await room.run(view))["status"] == "success"
    await room.tell("Ana drinks mate.")
    await room.run(view)
    assert [(one["memory_count"], one["empty"]) for one in await room.results(view)] == [(1, False)]


async def test_forgetting_a_user_takes_the_partition_and_its_name(room: Room) -> None:
    """Nothing is left that names the user."""
    await room.tell("Ana drinks green tea.")
    await room.tell("Ben drinks mate.", user_id="ben")
    view = await room.view()
    await room.run(view)
    await room.app.memories.forget_user("ana")
    assert [one["group"] for one in await room.results(view)] == [{"user_id": "ben"}]


async def test_deleting_a_view_deletes_its_results(room: Room) -> None:
    """Its partitions, the rows of its summaries, and what recall finds of them."""
    await room.tell("Ana drinks green tea.")
    view = await room.view()
    summary = (await room.one(view, user_id="ana"))["summary_id"]
    await room.api.delete(f"{ROOT}/{view}")
    assert (await room.api.get(f"{ROOT}/{view}/partitions")).status_code == 404
    assert (await room.api.get(f"/v1/summaries/{summary}")).status_code == 404
    found = (await room.api.get("/v1/summaries", params={"policy": "views"})).json()
    assert found["summaries"] == []


# --- better: groups and filters ---


async def test_grouping_by_type_uses_its_value(room: Room) -> None:
    """The same in full and in single runs."""
    await room.tell("Ana drinks green tea.")
    await room.tell("Ana missed the train.", memory_type="episodic")
    view = await room.view(group_by=["memory_type"])
    await room.run(view)
    full = await room.results(view)
    assert [one["group"] for one in full] == [{"memory_type": "episodic"}, {"memory_type": "semantic"}]
    assert full == [await room.one(view, memory_type=type_) for type_ in ("episodic", "semantic")]


@pytest.mark.parametrize("filters", [{"user_id": "ana"}, {"user_id": {"ne": "ben"}}, {"user_id": ["ana", "eve"]}])
async def test_a_group_value_is_no_way_around_a_filter(room: Room, filters: Body) -> None:
    """A contradiction is a 400, and nothing of the other user is read."""
    await room.tell("Ben keeps a secret.", user_id="ben")
    view = await room.view(filters=filters)
    answer = await room.api.post(f"{ROOT}/{view}/partitions/run", json={"group": {"user_id": "ben"}})
    assert answer.status_code == 400
    assert "contradicts the view's own filter" in answer.json()["detail"]
    assert room.model.requests == []


async def test_summaries_are_never_sources(room: Room) -> None:
    """A cluster's summary is not one more memory of the user."""
    rows = [{"id": new_id(), "text": f"Ana drinks tea number {n}.", "user_id": "ana", "key": "tea"} for n in range(4)]
    await room.app.memories.add(rows)
    result = await room.one(await room.view(), user_id="ana")
    assert result["source_ids"] == [row["id"] for row in rows]


# --- beyond the original: changing a view, and the plan of a run ---


async def test_a_view_can_be_changed(room: Room) -> None:
    """What is not given stays; null takes a value away."""
    view = await room.view(name="profile", time_window_days=7, filters={"memory_type": "semantic"})
    changed = (await room.api.patch(f"{ROOT}/{view}", json={"time_window_days": None, "continuous": True})).json()
    assert {"name": "profile", "time_window_days": None, "continuous": True,
            "filters": {"memory_type": "semantic"}}.items() <= changed.items()  # fmt: skip
    assert changed == (await room.api.get(f"{ROOT}/{view}")).json()
    refused = await room.api.patch(f"{ROOT}/{view}", json={"group_by": ["color"]})
    assert refused.status_code == 400
    assert changed == (await room.api.get(f"{ROOT}/{view}")).json()


async def test_another_filter_moves_memories(room: Room) -> None:
    """Rows leave and join; partitions that did not change are not made again."""
    await room.tell("Ana drinks green tea.")
    await room.tell("Ana missed the train.", memory_type="episodic")
    await room.tell("Ben drinks mate.", user_id="ben")
    view = await room.view()
    await room.run(view)
    await room.api.patch(f"{ROOT}/{view}", json={"filters": {"memory_type": "semantic"}})
    task = await room.run(view)
    assert task["total"] == 1
    ana, ben = await room.results(view)
    assert (ana["summary"], ana["memory_count"], ben["memory_count"]) == ("Ana drinks green tea.", 1, 1)


async def test_another_window_moves_memories_too(room: Room) -> None:
    """A narrower one lets the old ones go, none brings them back."""
    long_ago = room.app.parts.engine.clock() - timedelta(days=9)
    await room.tell("Ana drank oolong.", created_at=long_ago)
    await room.tell("Ana drinks green tea.")
    view = await room.view()
    for days, said in ((None, "oolong"), (30, "oolong"), (7, "green tea"), (None, "oolong")):
        await room.api.patch(f"{ROOT}/{view}", json={"time_window_days": days})
        result = await room.one(view, user_id="ana")
        assert result["memory_count"] == (1 if days == 7 else 2)
        assert said in result["summary"]
        assert ("oolong" in result["summary"]) is (days != 7)


async def test_another_grouping_makes_other_partitions(room: Room) -> None:
    """The old ones are gone with their results."""
    await room.tell("Ana drinks green tea.", namespace="home")
    await room.tell("Ben drinks mate.", user_id="ben", namespace="home")
    view = await room.view()
    await room.run(view)
    await room.api.patch(f"{ROOT}/{view}", json={"group_by": ["namespace"]})
    assert await room.results(view) == []
    await room.run(view)
    assert [(one["group"], one["memory_count"]) for one in await room.results(view)] == [({"namespace": "home"}, 2)]


async def test_another_prompt_makes_results_stale_until_they_are_made_anew(room: Room) -> None:
    """What stands stays until then."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    before = (await room.results(view))[0]["summary"]
    await room.api.patch(f"{ROOT}/{view}", json={"prompt": "Output as bullet points."})
    assert [(one["summary"], one["stale"]) for one in await room.results(view)] == [(before, True)]
    await room.run(view)
    assert room.model.requests[-1].prompt == "Output as bullet points."
    assert [one["summary"] for one in await room.results(view)] == ["Ana drinks green tea.\nAna plays the cello."]
    calls = len(room.model.requests)
    await room.api.patch(f"{ROOT}/{view}", json={"name": "portrait"})
    await room.run(view)
    assert len(room.model.requests) == calls


async def test_a_plan_says_what_a_run_would_do_without_a_call(room: Room) -> None:
    """Which groups, why, and the tokens; rows that no partition takes are counted."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.", namespace="home")
    await room.tell("Ben drinks mate.", user_id="ben", namespace="work")
    await room.tell("Eve whistles.", user_id="eve")
    view = await room.view(group_by=["namespace"])
    await room.one(view, namespace="home")
    calls = len(room.model.requests)
    plan = (await room.api.get(f"{ROOT}/{view}/plan")).json()
    assert (plan["partitions"], plan["stale"], plan["ungrouped_count"]) == (2, 1, 1)
    (planned,) = plan["planned"]
    assert (planned["group"], planned["action"], planned["memory_count"]) == ({"namespace": "work"}, "make", 1)
    assert planned["reason"] == "1 member, no summary yet"
    assert plan["estimate"] == planned["estimate"]
    assert (plan["estimate"]["calls"], plan["estimate"]["tokens_in"] > 100) == (1, True)
    assert len(room.model.requests) == calls
    await room.run(view)
    assert (await room.api.get(f"{ROOT}/{view}/plan")).json()["planned"] == []
