"""Free JSON over HTTP: it comes back as it went in, or is refused with its place; never a 500."""

from __future__ import annotations

import json
import math
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from precis.app import App
from precis.app.inputs import MAX_METADATA_BYTES
from precis.app.messages import MAX_JSON_BYTES
from precis.errors import InvalidInput
from precis.ids import MAX_DEPTH
from precis.rest.redis.shapes import MAX_DATA_BYTES

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
JSON = {"Content-Type": "application/json"}


def deep(levels: int) -> Any:
    """Lists within lists."""
    value: Any = "bottom"
    for _ in range(levels):
        value = [value]
    return value


async def send(api: httpx.AsyncClient, door: str, value: Any) -> httpx.Response:
    """Put a value into a free field of a door, as Python writes it: with NaN, and halves of pairs escaped."""
    method, path, body = BODIES[door](value)
    return await api.request(method, path, content=json.dumps(body).encode(), headers=JSON)


#: Method, path and body of each door with a free field, and where in the body the value is.
BODIES: dict[str, Any] = {
    "session data": lambda value: ("PUT", "/v1/working-memory/s", {"data": {"field": value}}),
    "strategy": lambda value: (
        "PUT", "/v1/working-memory/s", {"long_term_memory_strategy": {"strategy": "custom", "config": {"field": value}}}
    ),
    "session memory": lambda value: (
        "PUT", "/v1/working-memory/s",
        {"memories": [{"id": f"k{uuid4()}", "text": "Mei bakes bread.", "metadata": {"field": value}}]},
    ),
    "record": lambda value: (
        "POST", "/v1/long-term-memory/",
        {"memories": [{"id": f"r{uuid4()}", "text": "Mei bakes rye bread.", "metadata": {"field": value}}]},
    ),
    "memory": lambda value: (
        "POST", "/v1/memories",
        {"memories": [{"text": "Mei bakes rolls.", "user_id": "mei", "metadata": {"field": value}}]},
    ),
    "payload": lambda value: (
        "POST", "/v1/conversations/c/turns",
        {"user_id": "mei", "messages": [{"role": "user", "content": "Hello.", "payload": {"field": value}}]},
    ),
    "call": lambda value: (
        "POST", "/v1/conversations/c/turns",
        {"user_id": "mei", "messages": [{"role": "assistant", "tool_calls": [{"id": "c", "args": value}]}]},
    ),
    "view": lambda value: ("POST", "/v1/summary-views", {"source": "long_term", "filters": {"topics": value}}),
}  # fmt: skip
#: Where the doors above have the value.
PLACES = {
    "session data": "data.field", "strategy": "long_term_memory_strategy.config.field",
    "session memory": "memories.0.metadata.field", "record": "memories.0.metadata.field",
    "memory": "memories.0.metadata.field", "payload": "messages.0.payload.field",
    "call": "messages.0.tool_calls.0.args", "view": "filters.topics",
}  # fmt: skip


@pytest.mark.parametrize("door", BODIES)
@pytest.mark.parametrize(
    ("bad", "inner"),
    [
        ("half \ud800 a pair", ""),
        ({"list": [1, "\udfff"]}, ".list.1"),
        ({"\ud83d": 1}, ""),
        (2**70, ""),
        ([-(2**63) - 1], ".0"),
        (10**5000, ""),
        (math.nan, ""),
        ({"deeper": {"down": -math.inf}}, ".deeper.down"),
    ],
    ids=["half a pair", "in a list", "a name", "70 bits", "below", "digits", "NaN", "infinity"],
)
async def test_what_json_cannot_say_is_refused_with_its_place(
    api: httpx.AsyncClient, door: str, bad: Any, inner: str
) -> None:
    """422 at every free field, natively and on the wire; 1e400 is no finite number either."""
    answer = await send(api, door, bad) if not isinstance(bad, int) or bad < 10**4000 else await huge(api, door)
    assert 422 == answer.status_code, answer.text[:300]
    (flaw,) = answer.json()["detail"]
    assert f"body.{PLACES[door]}{inner}" == ".".join(map(str, flaw["loc"]))
    if isinstance(bad, int):
        assert "it is a whole number of more than 64 bits; give it as text" == flaw["msg"]


async def huge(api: httpx.AsyncClient, door: str) -> httpx.Response:
    """More digits than Python reads at once."""
    method, path, body = BODIES[door]("HERE")
    content = json.dumps(body).replace('"HERE"', "1" * 5000).encode()
    return await api.request(method, path, content=content, headers=JSON)


@pytest.mark.parametrize("number", [b"1e400", b"-1e400"])
async def test_a_number_beyond_all_is_refused(api: httpx.AsyncClient, number: bytes) -> None:
    """It would come back as null."""
    answer = await api.put("/v1/working-memory/s", content=b'{"data": {"far": ' + number + b"}}", headers=JSON)
    assert (422, ["body", "data", "far"]) == (answer.status_code, answer.json()["detail"][0]["loc"])
    assert 404 == (await api.get("/v1/working-memory/s")).status_code


@pytest.mark.parametrize("door", BODIES)
@pytest.mark.parametrize(
    "twice", ['{"a": 1, "b": 2, "a": 1}', '{"c": [{"a": 1, "\\u0061": 2}]}', '{"\\ud800": 1, "\\ud800": 2}']
)
async def test_a_name_that_stands_twice_is_refused_by_name(api: httpx.AsyncClient, door: str, twice: str) -> None:
    """One of its values would be lost; at every door, however it is spelled."""
    method, path, body = BODIES[door]("HERE")
    answer = await api.request(method, path, content=json.dumps(body).replace('"HERE"', twice).encode(), headers=JSON)
    assert 422 == answer.status_code, answer.text[:300]
    (flaw,) = answer.json()["detail"]
    assert ["body"] == flaw["loc"]
    name = "\\ud800" if "ud800" in twice else "a"
    assert f"the name {name} stands twice in one object; give it once" == flaw["msg"]


@pytest.mark.parametrize(
    ("door", "limit"),
    [("session data", MAX_DATA_BYTES), ("strategy", MAX_METADATA_BYTES), ("session memory", MAX_METADATA_BYTES),
     ("record", MAX_METADATA_BYTES), ("memory", MAX_METADATA_BYTES), ("payload", MAX_JSON_BYTES),
     ("view", MAX_METADATA_BYTES)],
)  # fmt: skip
async def test_each_field_has_a_limit_that_it_states(api: httpx.AsyncClient, door: str, limit: int) -> None:
    """In bytes of JSON; the answer does not repeat the value."""
    answer = await send(api, door, "z" * limit)
    assert 422 == answer.status_code
    assert f"the limit is {limit:,}" in answer.text
    assert "zzz" not in answer.text


async def test_up_to_the_limit_it_is_kept(api: httpx.AsyncClient) -> None:
    """A mebibyte of data, braces and name counted."""
    value = "z" * (MAX_DATA_BYTES - len('{"field":""}'))
    assert 200 == (await send(api, "session data", value)).status_code
    assert value == (await api.get("/v1/working-memory/s")).json()["data"]["field"]
    assert 422 == (await send(api, "session data", value + "z")).status_code


@pytest.mark.parametrize("door", [one for one in BODIES if one != "view"])
async def test_depth_has_a_limit(api: httpx.AsyncClient, door: str) -> None:
    """Far below what would exhaust anybody who reads it."""
    assert 422 == (await send(api, door, deep(MAX_DEPTH))).status_code
    assert (await send(api, door, deep(MAX_DEPTH - 20))).status_code in (200, 201)
    method, path, _ = BODIES[door](None)
    answer = await api.request(method, path, content=b"[" * 100_000, headers=JSON)
    assert answer.status_code in (400, 422)


_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**72), 2**72) | st.integers() | st.floats() | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


def sayable(value: Any) -> bool:
    """Whether JSON says it everywhere in the same way; written apart from the code that is tested."""
    if isinstance(value, dict):
        return all(map(sayable, value)) and all(map(sayable, value.values()))
    if isinstance(value, list):
        return all(map(sayable, value))
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") == value
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or -(2**63) <= value < 2**64


def same(left: Any, right: Any) -> bool:
    """Equal in value and in kind: 1 is not 1.0, and true is not 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=_VALUES)
async def test_any_value_comes_back_or_is_refused(api: httpx.AsyncClient, value: Any) -> None:
    """Over real HTTP, as data of a session, as metadata natively and on the wire, and in a call."""
    expected = (200, 201) if sayable(value) else (422,)
    answers = {door: await send(api, door, value) for door in ("session data", "record", "memory", "call")}
    for door, answer in answers.items():
        assert answer.status_code in expected, (door, answer.text[:300])
    if sayable(value):
        assert same(value, (await api.get("/v1/working-memory/s")).json()["data"]["field"])
        memory_id = answers["memory"].json()["memories"][0]["id"]
        assert same(value, (await api.get(f"/v1/memories/{memory_id}")).json()["metadata"]["field"])
        assert same(value, answers["call"].json()["messages"][0]["message"]["tool_calls"][0]["args"])
        stored = (await api.get("/v1/conversations/c/messages", params={"limit": 1})).json()["messages"]
        assert same(value, stored[0]["message"]["tool_calls"][0]["args"])


@pytest.mark.parametrize("bad", [math.nan, 2**70, "\ud800", {1: "a number as a name"}, deep(MAX_DEPTH + 1)])
async def test_python_is_a_door_too(app: App, bad: Any) -> None:
    """The same is refused of callers that send no JSON."""
    with pytest.raises(InvalidInput):
        await app.memories.add([{"text": "Mei bakes rolls.", "user_id": "mei", "metadata": {"field": bad}}])
    with pytest.raises(InvalidInput):
        await app.conversations.turn("c", [{"role": "user", "content": "Hi", "payload": {"field": bad}}], user_id="mei")
    assert (await app.memories.list()).rows == ()
