"""The OpenAPI document and what the server answers agree; `make fuzz` asks for all of it."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import jsonschema_rs
import pytest
from published import Published

from precis.bootstrap import Runtime
from precis.rest.openapi import LINKS, MEANINGS, OF_ROUTES
from precis.rest.server import build
from precis.rest.summaries import POLICIES

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def document(runtime: Runtime) -> dict[str, Any]:
    """What /openapi.json answers."""
    return build(runtime).openapi()


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By names like ``GET /v1/memories``."""
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


async def test_the_tables_name_routes_that_exist(document: dict[str, Any]) -> None:
    """A route that was renamed takes its statuses and links along."""
    routes = operations(document)
    linked = {name for _, _, following in LINKS.values() for name in following}
    assert set(OF_ROUTES) | set(LINKS) | linked <= set(routes)
    assert {status for statuses in OF_ROUTES.values() for status in statuses} <= set(MEANINGS)


async def test_every_error_has_its_shape(document: dict[str, Any]) -> None:
    """Every status from 400 on, of every route, points to a schema that is there."""
    schemas = document["components"]["schemas"]
    for route, operation in operations(document).items():
        errors = {status: answer for status, answer in operation["responses"].items() if int(status) >= 400}
        for status, answer in errors.items():
            name = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert ("Invalid" if status == "422" else "Problem") == name, (route, status)
            assert name in schemas
            assert answer["description"]
        if operation.get("security"):
            assert {"401", "403", "429", "503"} <= set(errors), route
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= set(errors), route
        if "{" in route:
            assert {"404", "405"} <= set(errors), route


async def test_no_schema_is_named_after_a_module(document: dict[str, Any]) -> None:
    """Two answers of one name would be told apart by where their classes live, and clients would be named so.

    A body that has no class would be named after its address.
    """
    names = document["components"]["schemas"]
    assert [] == [name for name in names if "__" in name or name.startswith("Body_") or "-" in name]


async def test_every_operation_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    """Clients call their functions so: short, and the same whatever the address is; and each says what it does."""
    every = operations(document)
    names = [operation["operationId"] for operation in every.values()]
    assert len(set(names)) == len(names)
    for route, operation in every.items():
        assert re.fullmatch(r"(wire_)?[a-z]+(_[a-z]+)*", operation["operationId"]), route
        assert "_v1_" not in operation["operationId"]
        assert " " in operation["summary"], route
        assert (
            operation["summary"].casefold() in operation["description"].replace("`", "").replace("\n", " ").casefold()
        )
    tags = {tag for operation in every.values() for tag in operation["tags"]}
    assert {tag for tag in tags if not tag.startswith("wire: ")} == {tag["name"] for tag in document["tags"]}


async def test_a_field_of_an_answer_is_always_there(document: dict[str, Any]) -> None:
    """Also one that has a default where the answer is made; what a body may leave out stays so."""
    schemas = document["components"]["schemas"]
    for name in ("Receipt", "Outcome", "RecalledBody", "CountsBody", "MemoryBody", "TaskBody"):
        assert list(schemas[name]["properties"]) == schemas[name]["required"], name
    assert ["text", "user_id"] == schemas["MemoryInput"]["required"]
    assert "userId" not in schemas["RollupBody"]["required"]


async def test_an_answer_that_is_not_published_fails_its_test(published: Published) -> None:
    """What the clients of these tests hold every answer against."""
    asked = httpx.Request("GET", "http://precis/t/secret/v1/memories/m/1")
    await published.check(httpx.Response(404, request=asked, json={"detail": "there is none"}))
    with pytest.raises(AssertionError, match="not published"):
        await published.check(httpx.Response(418, request=asked, json={"detail": "a teapot"}))
    with pytest.raises(AssertionError, match="another shape"):
        await published.check(httpx.Response(404, request=asked, json={"message": "there is none"}))
    with pytest.raises(AssertionError, match="another shape"):
        await published.check(httpx.Response(200, request=asked, json={"id": "m/1"}))


async def test_each_answer_has_the_id_of_its_request(api: httpx.AsyncClient) -> None:
    """The log names the request by it; two requests have two."""
    ids = [(await api.get(path)).headers["x-request-id"] for path in ("/v1/memories", "/v1/memories/none", "/nowhere")]
    assert 3 == len(set(ids))


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/memories", "GET, POST"),
        ("/v1/memories/m1", "DELETE, GET, PATCH"),
        ("/v1/long-term-memory/search", "POST"),
        ("/v1/long-term-memory/m1", "GET, PATCH"),
        ("/memory/summarize", "GET, POST"),
        ("/openapi.json", "GET"),
    ],
)
async def test_405_names_every_method_of_an_address(api: httpx.AsyncClient, path: str, methods: str) -> None:
    """The router alone names those of the first route that has the address."""
    answer = await api.request("TRACE", path)
    assert (405, {"detail": "Method Not Allowed"}) == (answer.status_code, answer.json())
    assert methods == ", ".join(sorted(set(answer.headers["allow"].replace(" ", "").split(",")) - {"HEAD"}))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/memories?user_id=ilse&user_id=oskar"),
        ("DELETE", "/v1/conversations/talk?user_id=ilse&user_id=oskar"),
        ("DELETE", "/v1/working-memory/talk?namespace=a&namespace=b"),
        ("POST", "/v1/long-term-memory/compact?user_id=ilse&user_id=oskar"),
    ],
)
async def test_a_parameter_given_twice_is_refused(api: httpx.AsyncClient, method: str, path: str) -> None:
    """One of the two would be ignored, and more deleted or shown than was meant."""
    answer = await api.request(method, path)
    assert 422 == answer.status_code
    assert answer.json()["field"].startswith("query.")


async def test_a_list_of_ids_may_repeat_its_parameter(api: httpx.AsyncClient) -> None:
    """That is how the wire writes one."""
    answer = await api.delete("/v1/long-term-memory?memory_ids=a&memory_ids=b")
    assert {"status": "ok, deleted 0 memories"} == answer.json()


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/recall", {"query": "tea", "include_summaries": 0}, "include_summaries"),
        ("/v1/recall", {"query": "tea", "limit": True}, "limit"),
        ("/v1/memories", {"memories": [{"text": "Tea.", "user_id": "ilse", "event_date": 0}]}, "event_date"),
        ("/v1/memories", {"memories": [{"text": "Tea.", "user_id": "ilse", "pinned": "yes"}]}, "pinned"),
        ("/memory/summarize", {"userId": "ilse", "period": "daily", "day": 0}, "day"),
        ("/v1/context", {"query": "tea", "quotas": {"tiers": {"month": True}}}, "month"),
        ("/v1/long-term-memory/", {"memories": [], "deduplicate": 0}, "deduplicate"),
        ("/v1/long-term-memory/forget", {"policy": {"hard_age_multiplier": False}}, "hard_age_multiplier"),
    ],
)
async def test_a_value_of_another_type_is_refused(
    api: httpx.AsyncClient, path: str, body: dict[str, Any], field: str
) -> None:
    """In its place, and without being repeated."""
    answer = await api.post(path, json=body)
    assert 422 == answer.status_code, answer.text
    (flaw,) = answer.json()["detail"]
    assert ("wrong_type", field) == (flaw["type"], flaw["loc"][-1])
    assert "input" not in flaw


async def test_the_published_policies_are_those_of_the_engine(runtime: Runtime) -> None:
    """Others are refused by name."""
    assert set(POLICIES) == set(runtime.engine.policies)


_DATE = "2024-05-01T00:00:00Z"
_DATED, _UNDATED = {"text": "Noor has moved to Oslo.", "created_at": _DATE}, {"text": "Ivo bakes bread."}


@pytest.mark.parametrize("route", ["/v1/check", "/v1/summarize"])
@pytest.mark.parametrize(
    ("texts", "right"),
    [
        ([_DATED, _DATED | {"speaker": "Noor"}], True),
        ([_UNDATED, "Ivo bakes bread.", _UNDATED | {"speaker": "Ivo"}], True),
        ([_DATED | {"speaker": None}, _DATED], True),
        ([_UNDATED | {"speaker": None, "created_at": None}, "Ivo bakes bread."], True),
        ([_DATED, _DATED | {"created_at": None}], False),
        ([_DATED, _UNDATED], False),
        (["Ivo bakes bread.", _DATED], False),
    ],
)
async def test_dates_for_all_texts_or_none_is_published(
    api: httpx.AsyncClient, document: dict[str, Any], route: str, texts: list[Any], right: bool
) -> None:
    """The schema takes what the server takes."""
    body = {"sources": texts, "summary": "Ivo bakes bread."} if route == "/v1/check" else {"texts": texts}
    assert right == is_published(document, route, body)
    assert (200 if right else 422) == (await api.post(route, json=body)).status_code


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("/v1/memories", {"memories": [{"user_id": "ana", "text": "Ivo bakes bread.", "id": "ab"}]}),
        ("/v1/long-term-memory/", {"memories": [{"text": "Ivo bakes bread.", "id": "x", "user_id": "ab"}]}),
        (
            "/v1/conversations/{session_id}/turns",
            {"user_id": "ab", "messages": [{"role": "user", "content": "Hello."}]},
        ),
    ],
)
async def test_that_no_id_is_one_that_a_path_loses_is_published(
    document: dict[str, Any], route: str, body: dict[str, Any]
) -> None:
    """Generators would send it otherwise, and believe that it is taken."""
    assert is_published(document, route, body)
    assert not is_published(document, route, json.loads(json.dumps(body).replace('"ab"', '".."')))


_RECORD = {"id": "ab", "text": "Ivo bakes bread.", "user_id": "ab", "session_id": "ab"}


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("/v1/summary-views/{view_id}/partitions/run", {"group": {"namespace": "a\0b"}}),
        ("/v1/summary-views/{view_id}/run", {"task_id": "a\0b"}),
        ("/v1/summary-views", {"name": "a\0b", "source": "long_term", "group_by": ["user_id"]}),
        ("/v1/long-term-memory/search", {"text": "bread", "namespace": {"eq": "a\0b"}}),
        ("/v1/memory/prompt", {"query": "a\0b"}),
        *(("/v1/long-term-memory/", {"memories": [_RECORD | {name: "a\0b"}]}) for name in (*_RECORD, "namespace")),
    ],
)
async def test_that_no_text_holds_a_null_character_is_published(
    api: httpx.AsyncClient, document: dict[str, Any], route: str, body: dict[str, Any]
) -> None:
    """Wherever the wire takes text; with another character in its place the same body is right."""
    assert not is_published(document, route, body)
    assert is_published(document, route, json.loads(json.dumps(body).replace("\\u0000", "-")))
    assert 422 == (await api.post(route.replace("{view_id}", "none"), json=body)).status_code


def is_published(document: dict[str, Any], route: str, body: Any) -> bool:
    """Whether the schema of the route's body takes it."""
    schema = document["paths"][route]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.validator_for(schema | {"components": document["components"]}).is_valid(body)
