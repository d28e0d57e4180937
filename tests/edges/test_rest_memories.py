"""/v1/memories and /v1/forget over HTTP: write, read, list, edit, forget."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from precis import typed
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
Rows = list[dict[str, Any]]


async def _write(api: httpx.AsyncClient, rows: Rows, **more: Any) -> dict[str, Any]:
    answer = await api.post("/v1/memories", json={"memories": rows, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def test_a_write_answers_what_became_of_each_row(api: httpx.AsyncClient, coffee: Rows) -> None:
    """Ids in order, all created, all in one cluster, whose summary is made before the answer."""
    written = await _write(api, coffee)
    assert [row["id"] for row in coffee] == [row["id"] for row in written["memories"]]
    assert [row["created"] for row in written["memories"]] == [True] * 3
    assert len({row["group_id"] for row in written["memories"]}) == 1
    assert len(written["summaries"]) == 1
    assert written["waiting"] == []


async def test_a_deferred_write_leaves_the_summary_to_a_worker(api: httpx.AsyncClient, coffee: Rows) -> None:
    """The answer names the group that waits."""
    written = await _write(api, coffee, summarize="deferred")
    assert written["summaries"] == []
    assert [written["memories"][0]["group_id"]] == written["waiting"]


async def test_a_repeated_write_creates_nothing(api: httpx.AsyncClient, coffee: Rows) -> None:
    """The same ids with the same content are answered as there already."""
    fixed = [{**row, "created_at": "2026-01-05T09:00:00Z"} for row in coffee]
    await _write(api, fixed)
    again = await _write(api, fixed)
    assert [row["created"] for row in again["memories"]] == [False] * 3
    assert len((await api.get("/v1/memories")).json()["memories"]) == 4


async def test_an_edit_of_what_was_edited_since_is_refused(api: httpx.AsyncClient, coffee: Rows) -> None:
    """412 with the tag of what was read, and nothing is written; the tag of now, any that exists, and none do."""
    await _write(api, coffee[:1])
    place = f"/v1/memories/{coffee[0]['id']}"
    read = (await api.get(place)).headers["etag"]

    async def edit(tag: str | None, **change: Any) -> httpx.Response:
        return await api.patch(place, json=change, headers={} if tag is None else {"If-Match": tag})

    assert (await edit('"nope"', text="I am allergic to cats.")).status_code == 412
    first = await edit(read, text="I take my coffee black.")
    assert first.status_code == 200
    assert first.headers["etag"] == (await api.get(place)).headers["etag"] != read
    late = await edit(read, pinned=True)
    assert (late.status_code, "read it again" in late.json()["detail"]) == (412, True)
    assert (await api.get(place)).json()["text"] == "I take my coffee black."
    assert [(await edit(tag, pinned=True)).status_code for tag in (f"W/{first.headers['etag']}", "*", None)] == [
        200
    ] * 3
    assert (await api.patch("/v1/memories/none", json={"pinned": True}, headers={"If-Match": "*"})).status_code == 404


async def test_an_id_with_other_content_is_a_conflict_and_writes_nothing(api: httpx.AsyncClient, coffee: Rows) -> None:
    """409, and the other rows of the call are not there either."""
    await _write(api, coffee[:1])
    changed = {**coffee[0], "text": "I drink tea now."}
    answer = await api.post("/v1/memories", json={"memories": [coffee[1], changed]})
    assert answer.status_code == 409
    assert coffee[0]["id"] in answer.json()["detail"]
    assert [coffee[0]["id"]] == [row["id"] for row in (await api.get("/v1/memories")).json()["memories"]]


async def test_a_memory_reads_back_with_every_field(api: httpx.AsyncClient) -> None:
    """What was written, what was extracted and what precis keeps of a row."""
    row = {
        "id": "m-1", "text": "I moved to Porto.", "user_id": "ana", "project_id": "p", "environment": "staging",
        "namespace": "n", "session_id": "s", "agent_id": "a", "run_id": "r", "memory_type": "episodic",
        "type": "fact", "key": "Home", "importance": 0.7, "created_at": "2026-01-05T10:00:00+01:00",
        "event_date": "2026-01-04T00:00:00Z", "pinned": True, "topics": ["moving"], "entities": ["Porto"],
        "metadata": {"speaker": "Ana", "nested": {"a": [1, None, "é"]}},
    }  # fmt: skip
    await _write(api, [row])
    read = (await api.get("/v1/memories/m-1")).json()
    updated = read.pop("updated_at")
    assert updated.endswith(("Z", "+00:00"))
    assert read == {
        **{name: value for name, value in row.items() if name not in {"type", "key"}},
        "created_at": "2026-01-05T09:00:00Z",
        "extracted_type": "fact",
        "extracted_key": "home",
        "tier": "raw",
        "retention_state": "live",
        "is_summary": False,
        "parent_id": [],
        "supersedes": [],
        "superseded_by": [],
        "superseded_at": None,
        "access_count": 0,
        "last_accessed": None,
        "summarized_memory_ids": None,
        "summarized_until": None,
        "embedding_version": "static-minilm-256@2",
        "source_class": "user",
    }


async def test_pages_hold_every_row_once(api: httpx.AsyncClient, coffee: Rows) -> None:
    """Following next_cursor to its end meets each row once."""
    await _write(api, coffee, summarize="deferred")
    seen, cursor = [], None
    while True:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await api.get("/v1/memories", params=query)).json()
        assert len(page["memories"]) <= 2
        seen += [row["id"] for row in page["memories"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert sorted(row["id"] for row in coffee) == sorted(seen)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"user_id": "ben"}, {"b"}),
        ({"project_id": "p"}, {"a"}),
        ({"project_id": ""}, {"b", "c"}),
        ({"environment": "staging"}, {"c"}),
        ({"namespace": "n"}, {"a"}),
        ({"session_id": "s"}, {"a"}),
        ({"agent_id": "g"}, {"b"}),
        ({"run_id": "r"}, {"b"}),
        ({"memory_type": "message"}, {"c"}),
        ({"extracted_type": "plan"}, {"c"}),
        ({"is_summary": "false"}, {"a", "b", "c"}),
        ({"is_summary": "true"}, set()),
    ],
)
async def test_each_filter_of_the_list_filters(
    api: httpx.AsyncClient, query: dict[str, str], expected: set[str]
) -> None:
    """A filter leaves the rows that have that value."""
    shared = {"text": "The meeting is at ten.", "type": "fact"}
    rows = [
        {**shared, "id": "a", "user_id": "ana", "project_id": "p", "namespace": "n", "session_id": "s"},
        {**shared, "id": "b", "user_id": "ben", "agent_id": "g", "run_id": "r"},
        {**shared, "id": "c", "user_id": "cleo", "environment": "staging", "memory_type": "message", "type": "plan"},
    ]
    await _write(api, rows)
    found = (await api.get("/v1/memories", params=query)).json()["memories"]
    assert expected == {row["id"] for row in found}


async def test_an_edit_answers_the_memory_and_what_left(api: httpx.AsyncClient, coffee: Rows) -> None:
    """The text is the new one, and the receipt names the summary that lost a statement."""
    summary_id = (await _write(api, coffee))["summaries"][0]
    answer = await api.patch(f"/v1/memories/{coffee[0]['id']}", json={"text": "I take my coffee with almond milk."})
    assert answer.status_code == 200
    assert answer.json()["memory"]["text"] == "I take my coffee with almond milk."
    assert [coffee[0]["id"]] == answer.json()["receipt"]["forgotten"]
    assert [summary_id] == [one["id"] for one in answer.json()["receipt"]["summaries"]]
    assert "oat" not in (await api.get(f"/v1/summaries/{summary_id}")).text


async def test_a_summary_cannot_be_edited_as_a_memory(api: httpx.AsyncClient, coffee: Rows) -> None:
    """409: it is derived."""
    summary_id = (await _write(api, coffee))["summaries"][0]
    answer = await api.patch(f"/v1/memories/{summary_id}", json={"text": "Tea."})
    assert answer.status_code == 409
    assert "derived" in answer.json()["detail"]


async def test_forgetting_one_answers_the_receipt(api: httpx.AsyncClient, coffee: Rows) -> None:
    """The row is gone, what rested on it too, and writing the id again is a 410."""
    summary_id = (await _write(api, coffee))["summaries"][0]
    gone = coffee[0]["id"]
    receipt = (await api.delete(f"/v1/memories/{gone}")).json()
    assert [gone] == receipt["forgotten"]
    assert [summary_id] == [one["id"] for one in receipt["summaries"]]
    assert (await api.get(f"/v1/memories/{gone}")).status_code == 404
    assert "oat" not in (await api.get("/v1/memories")).text
    assert (await api.post("/v1/memories", json={"memories": coffee[:1]})).status_code == 410
    revived = {**coffee[0], "revive": True}
    assert (await _write(api, [revived]))["memories"][0]["created"] is True


async def test_forgetting_a_summary_is_refused_and_says_what_to_do(api: httpx.AsyncClient, coffee: Rows) -> None:
    """409, pointing at the summary's own resource; it still stands."""
    summary_id = (await _write(api, coffee))["summaries"][0]
    answer = await api.delete(f"/v1/memories/{summary_id}")
    assert answer.status_code == 409
    assert f"DELETE /v1/summaries/{summary_id}" in answer.json()["detail"]
    assert (await api.get(f"/v1/summaries/{summary_id}")).status_code == 200


async def test_forgetting_many_names_those_that_were_not_there(api: httpx.AsyncClient, coffee: Rows) -> None:
    """One receipt for all."""
    await _write(api, coffee)
    answer = await api.post("/v1/forget", json={"ids": [coffee[0]["id"], "nothing", coffee[1]["id"]]})
    assert answer.status_code == 200
    assert [coffee[0]["id"], coffee[1]["id"]] == answer.json()["forgotten"]
    assert answer.json()["not_found"] == ["nothing"]


async def test_forgetting_a_user_destroys_the_key(api: httpx.AsyncClient, coffee: Rows) -> None:
    """All rows of the user go; those of others stay."""
    await _write(api, [*coffee, {"id": "of-ben", "text": "I live in Oslo.", "user_id": "ben"}])
    answer = await api.delete("/v1/users/ana")
    assert answer.status_code == 200
    assert {row["id"] for row in coffee} == set(answer.json()["forgotten"])
    assert answer.json()["key_destroyed"] is True
    assert [row["id"] for row in (await api.get("/v1/memories")).json()["memories"]] == ["of-ben"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/memories/nothing", None),
        ("PATCH", "/v1/memories/nothing", {"text": "Tea."}),
        ("DELETE", "/v1/memories/nothing", None),
        ("POST", "/v1/forget", {"ids": ["nothing"]}),
        ("GET", "/v1/nothing", None),
    ],
)
async def test_what_is_not_there_is_a_404(
    api: httpx.AsyncClient, method: str, path: str, body: dict[str, Any] | None
) -> None:
    """An unknown id, or an unknown path."""
    answer = await api.request(method, path, json=body)
    assert answer.status_code == 404
    assert isinstance(answer.json()["detail"], str)


async def test_a_message_of_an_odd_user_can_be_edited(app: App) -> None:
    """A conversation takes any name of its user; its messages are rows like others."""
    await app.conversations.turn(
        "odd", [{"id": "odd-1", "role": "user", "content": "The gate is open."}], user_id="e\x95x"
    )
    (message,) = (await app.memories.list()).rows
    memory, _ = await app.memories.edit(message.id, {"text": "The gate is closed."})
    assert ("e\x95x", "The gate is closed.") == (memory.scope.user_id, memory.text)


async def test_whoever_can_be_listed_can_be_forgotten(api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also under a name with signs that an earlier version took, and that are refused now."""
    row = {"memories": [{"text": "Nets are mended in Olhao.", "user_id": "\x83\x97"}]}
    with monkeypatch.context() as before:
        before.setattr(typed, "_ID", re.compile(r"[^\s/\x00-\x1f\x7f]{1,200}"))
        assert (await api.post("/v1/memories", json=row)).status_code == 201
    assert (await api.post("/v1/memories", json=row)).status_code == 422
    assert "\x83\x97" in {user["user_id"] for user in (await api.get("/v1/users")).json()["users"]}
    assert (await api.get("/v1/memories", params={"user_id": "\x83\x97"})).json()["memories"]
    assert (await api.delete("/v1/users/%C2%83%C2%97")).status_code == 200
    assert "\x83\x97" not in {user["user_id"] for user in (await api.get("/v1/users")).json()["users"]}


async def test_labels_that_a_writer_gave_stay_when_the_text_is_edited(api: httpx.AsyncClient) -> None:
    """The memory stays with its subject; what rules found of the old text is found anew of the new one."""
    given = {
        "id": "g",
        "user_id": "ugo",
        "text": "Ugo likes jazz.",
        "type": "hobby",
        "key": "zeppelin",
        "importance": 0.93,
    }
    await api.post("/v1/memories", json={"memories": [given, {"id": "r", "user_id": "ugo", "text": "My cat is Otto."}]})
    edited = (await api.patch("/v1/memories/g", json={"text": "Ugo likes jazz and blues."})).json()["memory"]
    assert (edited["extracted_type"], edited["extracted_key"], edited["importance"]) == ("hobby", "zeppelin", 0.93)
    before = (await api.get("/v1/memories/r")).json()["extracted_key"]
    await api.patch("/v1/memories/r", json={"pinned": True})
    edited = (await api.patch("/v1/memories/r", json={"text": "My locker code is 4711."})).json()["memory"]
    assert before != edited["extracted_key"] == "locker code"
    edited = (await api.patch("/v1/memories/g", json={"text": "Ugo sings.", "key": "voice"})).json()["memory"]
    assert (edited["extracted_type"], edited["extracted_key"]) == ("hobby", "voice")


async def test_the_importance_of_a_summary_follows_that_of_its_memories(api: httpx.AsyncClient) -> None:
    """It is the mean of what lives, also right after an edit that changes no word."""
    texts = ["The fern needs shade.", "The cactus needs sand.", "The palm needs the corner."]
    rows = [
        {"id": f"p{at}", "user_id": "ugo", "text": text, "type": "fact", "key": "plants", "importance": importance}
        for at, (text, importance) in enumerate(zip(texts, (0.2, 0.5, 0.8), strict=True))
    ]
    await api.post("/v1/memories", json={"memories": rows})

    async def importance() -> float:
        answer = (await api.get("/v1/summaries", params={"user_id": "ugo"})).json()
        return float(answer["summaries"][0]["importance"])

    assert await importance() == pytest.approx(0.5)
    await api.patch("/v1/memories/p0", json={"importance": 1.0})
    assert await importance() == pytest.approx(2.3 / 3)
