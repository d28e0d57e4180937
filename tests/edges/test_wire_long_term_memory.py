"""Long-term memory of the wire over HTTP: what is written, edited, merged, deleted and forgotten."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from wire_rooms import ROOT, TEXTS, Body, create, ids, record, search, three

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Every field of a record, and those a result adds.
RECORD = set(
    """id text session_id user_id namespace last_accessed created_at updated_at pinned access_count topics entities
    memory_hash discrete_memory_extracted memory_type persisted_at extracted_from event_date extraction_strategy
    extraction_strategy_config metadata""".split()
)


# --- writing and reading ---


async def test_a_record_comes_back_whole(api: httpx.AsyncClient) -> None:
    """Every field that was given, the fields that the server adds, and nothing of how it is kept."""
    given = record(
        "tea", session_id="s1", namespace="app", topics=["tea", "habits"], entities=["Ana"], pinned=True,
        memory_type="episodic", extracted_from=["m1", "m2"], event_date="2026-01-05T09:00:00Z",
        created_at="2026-01-05T10:00:00Z", last_accessed="2026-02-01T00:00:00Z", discrete_memory_extracted="f",
        extraction_strategy="summary", extraction_strategy_config={"length": 3}, metadata={"source": "import"},
        persisted_at="1999-01-01T00:00:00Z",
    )  # fmt: skip
    await create(api, given)
    found = (await api.get(f"{ROOT}/tea")).json()
    assert RECORD <= set(found)
    kept = {name: value for name, value in found.items() if name in given and name != "persisted_at"}
    assert {name: value for name, value in given.items() if name != "persisted_at"} == kept
    assert found["persisted_at"] > "2026"
    assert len(found["memory_hash"]) == 64


async def test_what_is_not_given_has_a_value(api: httpx.AsyncClient) -> None:
    """Times are set, lists are empty, and somebody without a name is nobody."""
    await create(api, {"id": "tea", "text": TEXTS["tea"], "user_id": "", "namespace": "", "is_new": True})
    found = (await api.get(f"{ROOT}/tea")).json()
    assert (None, None, [], 0, "t", "semantic") == (
        found["user_id"], found["namespace"], found["topics"], found["access_count"],
        found["discrete_memory_extracted"], found["memory_type"],
    )  # fmt: skip
    assert found["created_at"] == found["last_accessed"]
    await create(api)
    edited = await api.patch(f"{ROOT}/tea", json={"text": "Nobody drinks tea"})
    assert (200, "Nobody drinks tea") == (edited.status_code, edited.json()["text"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "x"},
        {"text": "no id"},
        {"id": "", "text": "an empty id"},
        {"id": "x", "text": ""},
        {"id": "x", "text": "  "},
        {"id": "x", "text": "\u200b"},
        {"id": "a\nb", "text": "an id of two lines"},
        {"id": "x", "text": "a comma", "topics": ["a,b"]},
        {"id": "x", "text": "a comma", "entities": ["a,b"]},
        {"id": "x", "text": "a comma", "extracted_from": ["a,b"]},
        {"id": "x", "text": "no such type", "memory_type": "procedural"},
        {"id": "x", "text": "null\x00"},
    ],
)
async def test_a_bad_record_is_refused(api: httpx.AsyncClient, wrong: Body) -> None:
    """422, and nothing of the whole write is kept; the answer does not repeat the text."""
    answer = await api.post(f"{ROOT}/", json={"memories": [record("tea"), wrong]})
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert "of two lines" not in answer.text
    assert 0 == (await search(api))["total"]


async def test_an_empty_text_is_named_by_its_place(api: httpx.AsyncClient) -> None:
    """As the original says it."""
    answer = await api.post(f"{ROOT}/", json={"memories": [record("tea"), {"id": "x", "text": " "}]})
    assert "Memory at index 1 has empty text" == answer.json()["detail"]


async def test_slashes_are_part_of_the_path(api: httpx.AsyncClient) -> None:
    """As in the original: 405 where the other slash belongs."""
    assert 405 == (await api.post(ROOT, json={"memories": []})).status_code
    assert 405 == (await api.delete(f"{ROOT}/")).status_code


async def test_an_unknown_id_is_a_404(api: httpx.AsyncClient) -> None:
    """In the words of the original."""
    expected = {"detail": "Memory with ID gone not found"}
    for answer in (await api.get(f"{ROOT}/gone"), await api.patch(f"{ROOT}/gone", json={"pinned": True})):
        assert (404, expected) == (answer.status_code, answer.json())


async def test_an_id_overwrites(api: httpx.AsyncClient) -> None:
    """Writing an id again replaces what it said: the old text is found no more; the same again changes nothing."""
    await create(api, record("tea", topics=["tea"]))
    before = (await api.get(f"{ROOT}/tea")).json()
    await create(api, record("tea"))
    assert before["updated_at"] == (await api.get(f"{ROOT}/tea")).json()["updated_at"]
    await create(api, record("tea", "Ana drinks cocoa now"))
    after = (await api.get(f"{ROOT}/tea")).json()
    assert ("Ana drinks cocoa now", ["tea"]) == (after["text"], after["topics"])
    assert before["memory_hash"] != after["memory_hash"]
    assert [] == ids(await search(api, text="morning", search_mode="keyword"))


async def test_both_doors_show_one_room(api: httpx.AsyncClient) -> None:
    """Written on the wire and read natively, and the other way round; nobody's memory can be edited natively too."""
    await create(api, record("tea"), record("bike", user_id=None))
    assert TEXTS["tea"] == (await api.get("/v1/memories/tea")).json()["text"]
    edited = await api.patch("/v1/memories/bike", json={"topics": ["bicycles"]})
    assert (200, "") == (edited.status_code, edited.json()["memory"]["user_id"])
    native = {"id": "trip", "text": TEXTS["trip"], "user_id": "ana", "topics": ["travel"]}
    assert 201 == (await api.post("/v1/memories", json={"memories": [native]})).status_code
    found = (await api.get(f"{ROOT}/trip")).json()
    assert (["travel"], "ana", found["created_at"]) == (found["topics"], found["user_id"], found["persisted_at"])
    assert {"tea", "trip"} == set(ids(await search(api, text="Ana", user_id={"eq": "ana"})))
    assert {"tea", "bike", "trip"} == {row["id"] for row in (await api.get("/v1/memories")).json()["memories"]}


# --- equal texts ---


async def test_an_equal_text_is_not_written_twice(api: httpx.AsyncClient) -> None:
    """The second id is good for reading, editing and forgetting; labels only it has are taken over."""
    await create(api, record("tea", topics=["tea"]))
    await create(api, record("again", TEXTS["tea"], topics=["habits"], pinned=True), record("third", TEXTS["tea"]))
    assert ["tea"] == ids(await search(api))
    for id_ in ("tea", "again", "third"):
        found = (await api.get(f"{ROOT}/{id_}")).json()
        assert ("tea", ["tea", "habits"], True) == (found["id"], found["topics"], found["pinned"])
    edited = await api.patch(f"{ROOT}/again", json={"text": "Ana drinks cocoa now"})
    assert "tea" == edited.json()["id"]
    gone = await api.delete(ROOT, params={"memory_ids": ["third", "again"]})
    assert {"status": "ok, deleted 1 memories"} == gone.json()
    for id_ in ("tea", "again", "third"):
        assert 404 == (await api.get(f"{ROOT}/{id_}")).status_code
        revived = await api.post(f"{ROOT}/", json={"memories": [record(id_, TEXTS["tea"])]})
        assert 410 == revived.status_code


async def test_equal_texts_in_one_write_merge_too(api: httpx.AsyncClient) -> None:
    """The first one stays; of two rows with one id the later one counts."""
    await create(api, record("tea"), record("again", TEXTS["tea"]), record("bike", "old"), record("bike"))
    assert {"tea", "bike"} == set(ids(await search(api)))
    assert "tea" == (await api.get(f"{ROOT}/again")).json()["id"]
    assert TEXTS["bike"] == (await api.get(f"{ROOT}/bike")).json()["text"]


@pytest.mark.parametrize(
    "other", [{"user_id": "ben"}, {"namespace": "n"}, {"session_id": "s"}, {"memory_type": "message"}]
)
async def test_equal_texts_of_two_scopes_stay_two(api: httpx.AsyncClient, other: Body) -> None:
    """Nothing is merged that a filter tells apart."""
    await create(api, record("tea"), record("again", TEXTS["tea"], **other))
    assert 2 == (await search(api))["total"]


async def test_an_alias_with_another_text_is_itself_again(api: httpx.AsyncClient) -> None:
    """Overwriting the second id leaves the first one alone."""
    await create(api, record("tea"), record("again", TEXTS["tea"]))
    await create(api, record("again", TEXTS["bike"]))
    assert [TEXTS["tea"], TEXTS["bike"]] == [
        (await api.get(f"{ROOT}/{id_}")).json()["text"] for id_ in ("tea", "again")
    ]


async def test_what_happens_on_two_days_happens_twice(api: httpx.AsyncClient) -> None:
    """Neither a write nor a pass merges it: a date would be lost."""
    days = ("2026-01-01T09:00:00Z", "2026-06-01T09:00:00Z")
    for deduplicate in (True, False):
        rows = [record(f"d{n}-{deduplicate}", "Dentist appointment.", event_date=day) for n, day in enumerate(days)]
        await api.post(f"{ROOT}/", json={"memories": rows, "deduplicate": deduplicate})
        await api.post(f"{ROOT}/compact")
        found = await search(api, text="dentist")
        assert sorted(row["event_date"] for row in found["memories"]) == list(days)


async def test_compacting_merges_what_was_written_twice(api: httpx.AsyncClient) -> None:
    """Without deduplicate both stand; the pass merges them, within what it is asked about, and keeps both ids."""
    await create(api, record("tea"), record("again", TEXTS["tea"], topics=["tea"]), deduplicate=False)
    await create(api, record("bike", namespace="n"), record("more", TEXTS["bike"], namespace="n"), deduplicate=False)
    answer = await api.post(f"{ROOT}/compact", params={"namespace": "n"})
    assert {"status": "ok, 1 memories remaining after compaction"} == answer.json()
    assert 3 == (await search(api))["total"]
    answer = await api.post(f"{ROOT}/compact")
    assert {"status": "ok, 2 memories remaining after compaction"} == answer.json()
    found = (await api.get(f"{ROOT}/again")).json()
    assert ("tea", ["tea"]) == (found["id"], found["topics"])
    await create(api, record("again", TEXTS["tea"]))
    assert 2 == (await search(api))["total"]
    await create(api, record("again", "Ana drinks cocoa now"))
    assert "Ana drinks cocoa now" == (await api.get(f"{ROOT}/again")).json()["text"]


# --- editing ---


async def test_an_edit_replaces_what_it_names(api: httpx.AsyncClient) -> None:
    """Nulls and unknown keys are ignored; the answer is the record; the old text is forgotten at once."""
    await create(api, record("tea", topics=["tea"], namespace="n"))
    change = {
        "text": "Ana drinks cocoa now", "topics": ["cocoa"], "entities": ["Ana"], "memory_type": "episodic",
        "namespace": "m", "session_id": "s", "event_date": "2026-01-05T09:00:00Z", "pinned": True,
    }  # fmt: skip
    answer = await api.patch(f"{ROOT}/tea", json=change | {"user_id": None, "unknown": 1})
    found = answer.json()
    assert (200, change) == (answer.status_code, {name: found[name] for name in change})
    assert "ana" == found["user_id"]
    assert 0 == (await search(api, topics={"any": ["tea"]}))["total"]
    assert 0 == (await search(api, text="morning", search_mode="keyword"))["total"]


async def test_an_edit_may_say_whose_it_is(api: httpx.AsyncClient) -> None:
    """The memory moves to the other user, and forgetting the first one leaves it."""
    await create(api, record("tea"), record("bike"))
    assert "ben" == (await api.patch(f"{ROOT}/tea", json={"user_id": "ben"})).json()["user_id"]
    assert ["tea"] == ids(await search(api, user_id={"eq": "ben"}))
    await api.delete("/v1/users/ana")
    assert ["tea"] == ids(await search(api))


async def test_an_edit_needs_a_field(api: httpx.AsyncClient) -> None:
    """400 in the words of the original, also where only nulls and unknown keys are given."""
    await create(api, record("tea"))
    for nothing in ({}, {"text": None}, {"unknown": 1}):
        answer = await api.patch(f"{ROOT}/tea", json=nothing)
        assert (400, {"detail": "No fields provided for update"}) == (answer.status_code, answer.json())
    assert 422 == (await api.patch(f"{ROOT}/tea", json={"text": " "})).status_code


async def test_a_summary_is_no_clients_memory(api: httpx.AsyncClient, app: App) -> None:
    """Summaries are found when asked for, and follow their sources: they cannot be edited or deleted here."""
    await create(api, *(record(f"t{n}", f"Ana drinks green tea at {n} o'clock") for n in range(4)))
    while not (await app.summaries.list()).rows:
        await app.summaries.refresh_all()
        await asyncio.sleep(0.05)
    assert {"t0", "t1", "t2", "t3"} == set(ids(await search(api, text="green tea")))
    found = await search(api, text="green tea", include_summaries=True)
    summary = next(one for one in found["memories"] if one["is_summary"])
    assert set(summary["source_ids"]) <= {"t0", "t1", "t2", "t3"}
    path = f"{ROOT}/{summary['id']}"
    assert summary["text"] == (await api.get(path)).json()["text"]
    assert 409 == (await api.patch(path, json={"text": "no"})).status_code
    assert 409 == (await api.delete(ROOT, params={"memory_ids": summary["id"]})).status_code
    await api.delete(ROOT, params={"memory_ids": ["t0", "t1", "t2", "t3"]})
    assert 404 == (await api.get(path)).status_code


# --- deleting and forgetting ---


async def test_deleting_says_how_many(api: httpx.AsyncClient) -> None:
    """Unknown ids and no ids at all are no error; what is deleted is forgotten for good."""
    await three(api)
    for params, count in (({"memory_ids": ["tea", "bike", "gone"]}, 2), ({"memory_ids": "gone"}, 0), ({}, 0)):
        answer = await api.delete(ROOT, params=params)
        assert (200, {"status": f"ok, deleted {count} memories"}) == (answer.status_code, answer.json())
    assert ["trip"] == ids(await search(api))
    assert 410 == (await api.post(f"{ROOT}/", json={"memories": [record("tea")]})).status_code


async def aged(api: httpx.AsyncClient, *rows: tuple[str, float, float], **fields: Any) -> None:
    """Memories so many days old, last read so many days ago."""
    now = datetime.now(UTC)
    await create(
        api,
        *(
            record(
                id_, f"Ana says {id_}", created_at=(now - timedelta(days=age)).isoformat(),
                last_accessed=(now - timedelta(days=read)).isoformat(), **fields,
            )
            for id_, age, read in rows
        ),
    )  # fmt: skip


async def forget(api: httpx.AsyncClient, policy: Body, params: Body | None = None, **body: Any) -> Body:
    """A pass of forgetting."""
    answer = await api.post(f"{ROOT}/forget", json={"policy": policy} | body, params=params or {})
    assert answer.status_code == 200, answer.text
    said: Body = answer.json()
    return said


async def test_forgetting_is_a_dry_run_unless_told(api: httpx.AsyncClient) -> None:
    """The default deletes nothing; with dry_run=false the same ids go, and pinned ones never."""
    await aged(api, ("old", 40, 40), ("new", 1, 1))
    await aged(api, ("pinned", 50, 50), pinned=True)
    await aged(api, ("named", 60, 60))
    policy = {"max_age_days": 30}
    expected = {"scanned": 4, "deleted": 1, "deleted_ids": ["old"]}
    assert expected | {"dry_run": True} == await forget(api, policy, pinned_ids=["named"])
    assert 4 == (await search(api))["total"]
    assert expected | {"dry_run": False} == await forget(api, policy, {"dry_run": "false"}, pinned_ids=["named"])
    assert {"new", "pinned", "named"} == set(ids(await search(api)))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({}, []),
        ({"max_age_days": 30}, ["ancient", "read"]),
        ({"max_inactive_days": 10}, ["ancient", "unread"]),
        ({"max_age_days": 30, "max_inactive_days": 10}, ["ancient"]),
        ({"max_age_days": 30, "max_inactive_days": 10, "hard_age_multiplier": 1.2}, ["ancient", "read"]),
        ({"budget": 2}, ["ancient", "unread"]),
        ({"budget": 0, "memory_type_allowlist": ["message"]}, []),
        ({"budget": 0, "memory_type_allowlist": ["semantic"]}, ["ancient", "read", "unread", "new"]),
    ],
)
async def test_what_a_policy_picks(api: httpx.AsyncClient, policy: Body, expected: list[str]) -> None:
    """Age, time unread, and how many may stay."""
    await aged(api, ("ancient", 400, 400), ("read", 40, 3), ("unread", 20, 15), ("new", 1, 0))
    assert expected == (await forget(api, policy))["deleted_ids"]


async def test_a_pass_is_bounded(api: httpx.AsyncClient) -> None:
    """By scope, and by how many of the oldest it looks at; the budget counts those it does not look at."""
    await aged(api, ("a", 50, 50), ("b", 40, 40), ("c", 30, 30))
    await aged(api, ("n", 60, 60), namespace="n", session_id="s")
    assert ["n"] == (await forget(api, {"max_age_days": 1}, {"namespace": "n"}))["deleted_ids"]
    assert ["n"] == (await forget(api, {"max_age_days": 1}, {"session_id": "s", "user_id": "ana"}))["deleted_ids"]
    assert {"scanned": 2, "deleted": 2, "deleted_ids": ["n", "a"], "dry_run": True} == await forget(
        api, {"max_age_days": 1}, {"limit": 2}
    )
    assert ["n", "a"] == (await forget(api, {"budget": 2}, {"limit": 3}))["deleted_ids"]


async def test_forget_needs_a_policy(api: httpx.AsyncClient) -> None:
    """A flat body is a 422."""
    assert 422 == (await api.post(f"{ROOT}/forget", json={"max_age_days": 1})).status_code
