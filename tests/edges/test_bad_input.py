"""What is not valid is refused in words that name the field, repeat no text, and write nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

import precis
from precis.errors import InvalidInput
from precis.rest.callers import MAX_BODY_BYTES

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
JSON = {"Content-Type": "application/json"}
#: Stands in every text that is sent: no answer may repeat it.
CANARY = "the canary sings"
GOOD = {"id": "good", "text": f"A good row, {CANARY}.", "user_id": "ana"}


@pytest_asyncio.fixture(loop_scope="session")
async def door(api: httpx.AsyncClient) -> AsyncIterator[httpx.AsyncClient]:
    """The server; whatever a test sent, nothing was written."""
    yield api
    assert (await api.get("/v1/memories")).json()["memories"] == []


def _told(answer: httpx.Response, status: int = 422) -> str:
    """The field or words of an error, after what holds for each: its form, and that it repeats no text."""
    assert answer.status_code == status, answer.text[:300]
    assert CANARY not in answer.text
    detail = answer.json()["detail"]
    if isinstance(detail, str):
        return str(answer.json().get("field", detail))
    assert all(set(one) == {"type", "loc", "msg"} for one in detail)
    return ".".join(str(part) for part in detail[0]["loc"])


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"text": None}, "text"),
        ({"text": 5}, "text"),
        ({"text": [CANARY]}, "text"),
        ({"text": "  \n "}, "text"),
        ({"text": "\u200b \u2800\ufeff"}, "text"),
        ({"text": f"{CANARY}\x00"}, "text"),
        ({"text": CANARY * 3000}, "text"),
        ({"user_id": None}, "user_id"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": "a b"}, "user_id"),
        ({"user_id": "x" * 201}, "user_id"),
        ({"user_id": ".."}, "user_id"),
        ({"id": "."}, "id"),
        ({"id": ".."}, "id"),
        ({"id": "a/b"}, "id"),
        ({"id": "a\nb"}, "id"),
        ({"id": "x" * 201}, "id"),
        ({"id": 7}, "id"),
        ({"project_id": "x" * 201}, "project_id"),
        ({"project_id": "a\x00"}, "project_id"),
        ({"environment": "not one word"}, "environment"),
        ({"memory_type": CANARY}, "memory_type"),
        ({"importance": 1.5}, "importance"),
        ({"importance": -0.1}, "importance"),
        ({"importance": "much"}, "importance"),
        ({"created_at": "2026-01-05T09:00:00"}, "created_at"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"created_at": "2999-01-01T00:00:00Z"}, "created_at"),
        ({"created_at": "0001-01-01T00:00:00+14:00"}, "created_at"),
        ({"event_date": "2026-01-05"}, "event_date"),
        ({"event_date": "9999-12-31T23:59:59-14:00"}, "event_date"),
        ({"pinned": "perhaps"}, "pinned"),
        ({"topics": "one"}, "topics"),
        ({"topics": [""]}, "topics.0"),
        ({"entities": [3]}, "entities.0"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"long": "x" * 20_000}}, "metadata"),
        ({"txet": CANARY}, "txet"),
        ({"tenant_id": "default"}, "tenant_id"),
        ({"is_summary": True}, "is_summary"),
    ],
)
async def test_a_bad_field_refuses_the_whole_write(door: httpx.AsyncClient, wrong: Body, field: str) -> None:
    """The answer names the row and the field; the good row before it is not written either."""
    row = {"id": "bad", "text": CANARY, "user_id": "ana", **wrong}
    answer = await door.post("/v1/memories", json={"memories": [GOOD, row]})
    assert _told(answer).removeprefix("body.") == f"memories.1.{field}"


@pytest.mark.parametrize("lost", [".", ".."])
async def test_what_a_path_loses_is_no_id(api: httpx.AsyncClient, lost: str) -> None:
    """However it is escaped, no client can ask for it; what is like it can be read and forgotten."""
    rows = {"memories": [{"id": lost, "text": "Ana likes tea."}]}
    turn = {"user_id": lost, "messages": [{"role": "user", "content": "Hello."}]}
    for path, body in ((f"{_WIRE}/", rows), ("/v1/conversations/s/turns", turn)):
        answer = await api.post(path, json=body)
        assert 422 == answer.status_code
        assert "an id is not . or .., which the path of a URL cannot hold; give it another" in answer.text
    for fine in ("...", ".a", "a..", "..-"):
        written = await api.post("/v1/memories", json={"memories": [{**GOOD, "id": fine, "user_id": fine}]})
        assert 201 == written.status_code
        assert 200 == (await api.get(f"/v1/memories/{fine}")).status_code
        assert 200 == (await api.delete(f"/v1/users/{fine}")).status_code


async def test_a_folder_where_settings_belong_is_refused(tmp_path: Path) -> None:
    """It is the first thing that somebody tries, and the error names the keyword."""
    with pytest.raises(InvalidInput, match=r"open\(data_dir='.*'\)"):
        async with precis.open(tmp_path):  # type: ignore[arg-type]
            pass


_WIRE, _SESSION = "/v1/long-term-memory", "/v1/working-memory/s"
_RECORD = {"id": "x", "text": CANARY}


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
@pytest.mark.parametrize(
    ("method", "path", "wrap", "field"),
    [
        ("POST", f"{_WIRE}/search", lambda date: {"text": "tea", "created_at": {"gte": date}}, "created_at.gte"),
        ("POST", f"{_WIRE}/search", lambda date: {"last_accessed": {"lte": date}}, "last_accessed.lte"),
        ("POST", f"{_WIRE}/search", lambda date: {"event_date": {"between": [date, date]}}, "event_date.between.0"),
        ("POST", f"{_WIRE}/search", lambda date: {"event_date": date}, "event_date.eq"),
        ("POST", f"{_WIRE}/", lambda date: {"memories": [_RECORD | {"created_at": date}]}, "memories.0.created_at"),
        ("POST", f"{_WIRE}/", lambda date: {"memories": [_RECORD | {"event_date": date}]}, "memories.0.event_date"),
        ("POST", f"{_WIRE}/", lambda date: {"memories": [_RECORD | {"last_accessed": date}]},
         "memories.0.last_accessed"),
        ("PATCH", f"{_WIRE}/x", lambda date: {"event_date": date}, "event_date"),
        ("PUT", _SESSION, lambda date: {"memories": [_RECORD | {"event_date": date}]}, "memories.0.event_date"),
        ("PUT", _SESSION, lambda date: {"messages": [{"role": "user", "content": CANARY, "created_at": date}]},
         "messages.0.created_at"),
        ("POST", "/v1/memory/prompt", lambda date: {"query": "tea", "long_term_search": {"created_at": {"gt": date}}},
         "long_term_search.RecordSearch.created_at.gt"),
    ],
)  # fmt: skip
async def test_a_date_that_no_calendar_has_in_utc_is_refused(
    door: httpx.AsyncClient, method: str, path: str, wrap: Callable[[str], Body], field: str, date: str
) -> None:
    """On the wire as in the API: at either end of the calendar an offset leads out of it."""
    answer = await door.request(method, path, json=wrap(date))
    assert 422 == answer.status_code, answer.text[:300]
    assert f"body.{field}" in {".".join(map(str, one["loc"])) for one in answer.json()["detail"]}
    assert "outside the calendar" in answer.text
    assert CANARY not in answer.text


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body.memories"),
        ({"memories": []}, "body.memories"),
        ({"memories": GOOD}, "body.memories"),
        ({"memories": [CANARY]}, "body.memories.0"),
        ({"memories": [GOOD], "summarize": "later"}, "body.summarize"),
        ({"memories": [GOOD], "dry_run": True}, "body.dry_run"),
        ([GOOD], "body"),
        (CANARY, "body"),
        (None, "body"),
    ],
)
async def test_a_bad_envelope_is_refused(door: httpx.AsyncClient, body: Any, field: str) -> None:
    """The part around the rows, too."""
    content = json.dumps(body).encode()
    assert _told(await door.post("/v1/memories", content=content, headers=JSON)) == field


@pytest.mark.parametrize(
    "content",
    [
        b'{"memories": [',
        b"{'memories': []}",
        b'{"memories": [{"text": "the canary sings\xff\xfe", "user_id": "ana"}]}',
        b"[" * 100_000,
        b"\x00",
    ],
    ids=["cut off", "quotes", "not UTF-8", "deep", "null"],
)
async def test_a_body_that_is_not_json_is_refused(door: httpx.AsyncClient, content: bytes) -> None:
    """In words that say so, and where."""
    answer = await door.post("/v1/memories", content=content, headers=JSON)
    assert "the body is not valid JSON" in _told(answer, 400)


@pytest.mark.parametrize("declared", ["text/plain", "application/x-www-form-urlencoded", "", None])
async def test_a_body_must_be_declared_as_json(door: httpx.AsyncClient, declared: str | None) -> None:
    """What a page of another site can send without asking first is not read."""
    headers = {} if declared is None else {"Content-Type": declared}
    answer = await door.post("/v1/memories", content=json.dumps({"memories": [GOOD]}), headers=headers)
    assert "Content-Type: application/json" in _told(answer, 415)


async def test_too_many_rows_are_refused_with_the_limit(door: httpx.AsyncClient) -> None:
    """Ten thousand in one call."""
    rows = [{"text": CANARY, "user_id": "ana"}] * 10_000
    answer = await door.post("/v1/memories", json={"memories": rows})
    assert _told(answer) == "memories"
    assert "5000" in answer.json()["detail"]


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_that_is_too_large_is_refused(door: httpx.AsyncClient, declared: bool) -> None:
    """Whether its length was declared or is found out; the server goes on."""
    size = MAX_BODY_BYTES + 1

    async def stream() -> AsyncIterator[bytes]:
        for _ in range(size // 2**20 + 1):
            yield b" " * 2**20

    content: Any = b" " * size if declared else stream()
    answer = await door.post("/v1/memories", content=content, headers=JSON)
    assert str(MAX_BODY_BYTES) in _told(answer, 413)
    assert (await door.get("/healthz")).status_code == 200


def _cursor(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/v1/memories", {"usr_id": "ana"}, "usr_id"),
        ("/v1/memories", {"limit": "0"}, "limit"),
        ("/v1/memories", {"limit": "1001"}, "limit"),
        ("/v1/memories", {"limit": "many"}, "limit"),
        ("/v1/memories", {"user_id": "a\nb"}, "user_id"),
        ("/v1/memories", {"user_id": "\x00"}, "user_id"),
        ("/v1/memories", {"project_id": "\x00"}, "project_id"),
        ("/v1/memories", {"session_id": "\x00"}, "session_id"),
        ("/v1/memories", {"memory_type": "odd"}, "memory_type"),
        ("/v1/memories", {"is_summary": "perhaps"}, "is_summary"),
        ("/v1/memories", {"cursor": "nonsense"}, "cursor"),
        ("/v1/memories", {"cursor": _cursor()}, "cursor"),
        ("/v1/memories", {"cursor": _cursor("memories", "2026-01-05T09:00:00+00:00", "\x00")}, "cursor"),
        ("/v1/memories", {"cursor": "x" * 2000}, "cursor"),
        ("/v1/summaries", {"cursor": "nonsense"}, "cursor"),
        ("/v1/summaries", {"cursor": _cursor("memories", "2026-01-05T09:00:00+00:00", "m1")}, "cursor"),
        ("/v1/feedback", {"cursor": _cursor("summaries", "2026-01-05T09:00:00+00:00", "s1")}, "cursor"),
        ("/v1/summaries", {"session_id": "s"}, "session_id"),
        ("/v1/summaries", {"policy": "weather"}, "policy"),
        ("/v1/plan", {"policy": "weather"}, "policy"),
        ("/v1/plan", {"all": "perhaps"}, "all"),
        ("/v1/clusters/stats", {"project_id": "p"}, "project_id"),
        ("/v1/costs", {"month": "2026-01"}, "month"),
        ("/v1/memories/a", {"expand": "true"}, "expand"),
    ],
)
async def test_a_bad_query_is_refused(door: httpx.AsyncClient, path: str, query: dict[str, str], field: str) -> None:
    """A misspelled filter is an error, not a wider answer."""
    assert _told(await door.get(path, params=query)).removeprefix("query.") == field


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": "   "}, "query"),
        ({"query": "\u200b"}, "query"),
        ({"query": "a\x00"}, "query"),
        ({"query": CANARY * 3000}, "query"),
        ({"query": CANARY, "limit": 0}, "limit"),
        ({"query": CANARY, "limit": 101}, "limit"),
        ({"query": CANARY, "summaries": "some"}, "summaries"),
        ({"query": CANARY, "is_summary": True}, "is_summary"),
        ({"query": CANARY, "user_id": "a\nb"}, "user_id"),
    ],
)
async def test_a_bad_question_is_refused(door: httpx.AsyncClient, body: Body, field: str) -> None:
    """Recall names what is wrong with it."""
    assert _told(await door.post("/v1/recall", json=body)).removeprefix("body.") == field


@pytest.mark.parametrize("id_", ["%7F", "%00", "a%0Ab", "x" * 513])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/memories/{}"),
        ("DELETE", "/v1/memories/{}"),
        ("DELETE", "/v1/users/{}"),
        ("GET", "/v1/summaries/{}"),
        ("GET", "/v1/summaries/{}/sources"),
        ("POST", "/v1/summaries/{}/refresh"),
        ("DELETE", "/v1/summaries/{}"),
        ("PATCH", "/v1/summaries/{}"),
    ],
)
async def test_a_bad_id_in_a_path_is_refused(door: httpx.AsyncClient, method: str, path: str, id_: str) -> None:
    """What cannot be an id is told apart from an id that is not there."""
    assert _told(await door.request(method, path.format(id_))).endswith("_id")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"ids": []}, "body.ids"),
        ({"ids": "good"}, "body.ids"),
        ({"ids": ["a\nb"]}, "body.ids.0"),
        ({"ids": ["x"] * 1001}, "body.ids"),
        ({"ids": ["x"], "dry_run": True}, "body.dry_run"),
    ],
)
async def test_a_bad_forget_is_refused(door: httpx.AsyncClient, body: Body, field: str) -> None:
    """Nothing is forgotten by a call that was meant otherwise."""
    assert _told(await door.post("/v1/forget", json=body)) == field


async def test_forgetting_takes_no_query(api: httpx.AsyncClient) -> None:
    """Somebody who asks for a dry run does not lose the memory."""
    await api.post("/v1/memories", json={"memories": [GOOD]})
    for path in ("/v1/memories/good", "/v1/users/ana"):
        assert _told(await api.delete(path, params={"dry_run": "true"})) == "query.dry_run"
    assert (await api.get("/v1/memories/good")).status_code == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, "No fields provided for update"),
        ({"text": None, "confirm": True}, "text"),
        ({"text": ""}, "text"),
        ({"text": f"{CANARY}\x00"}, "text"),
        ({"text": CANARY * 3000}, "text"),
        ({"importance": 2}, "importance"),
        ({"event_date": "2026-01-05T09:00:00"}, "event_date"),
        ({"user_id": "ben"}, "user_id"),
        ({"id": "other"}, "id"),
        ({"created_at": "2026-01-05T09:00:00Z"}, "created_at"),
    ],
)
async def test_a_bad_edit_changes_nothing(api: httpx.AsyncClient, change: Body, field: str) -> None:
    """Neither the text nor whose it is."""
    await api.post("/v1/memories", json={"memories": [GOOD]})
    before = (await api.get("/v1/memories/good")).json()
    told = _told(await api.patch("/v1/memories/good", json=change))
    assert told.removeprefix("body.") == field
    assert before == (await api.get("/v1/memories/good")).json()


@pytest.mark.parametrize("body", [{"force": "perhaps"}, {"rebuild": True}, [True], "force"])
async def test_a_bad_refresh_is_refused(door: httpx.AsyncClient, body: Any) -> None:
    """Also where there is nothing to refresh."""
    assert _told(await door.post("/v1/summaries/s/refresh", json=body)).startswith("body")


async def test_a_method_that_is_not_there_is_a_405(door: httpx.AsyncClient) -> None:
    """JSON like every other error; so is an address that nobody serves, with where to look."""
    assert _told(await door.put("/v1/memories"), 405) == "Method Not Allowed"
    assert "/openapi.json" in _told(await door.get("/v1/memmories"), 404)
