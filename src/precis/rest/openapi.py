"""The OpenAPI document: names for clients, and what each route may answer, every error status with its shape.

Which methods an address knows is read off it as well.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from re import Pattern
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

#: What a status says, wherever it is answered.
MEANINGS = {
    400: "The request makes no sense as it is: a body that is no JSON, or parts that contradict each other.",
    401: "No key, or one that is not known here.",
    402: "The tenant is over its monthly ceiling.",
    403: "Without keys: a page of another site sent it.",
    404: "There is none such.",
    405: "This address does not know the method.",
    408: "The request did not arrive in time.",
    409: "It contradicts what is stored, or somebody else is at it.",
    410: "It was forgotten, and is not written again unless that is meant.",
    412: "It changed since it was read.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    421: "Without keys: it was sent to a name that is not this computer's.",
    422: "A field is wrong: which one, and why. What was sent is not repeated.",
    429: "Too many unknown keys came from this address; Retry-After says when to come again.",
    500: "A fault of precis. The id is in the log, too.",
    503: "It cannot be done at the moment; Retry-After says when to try again. What stood stands.",
}
#: Answered before a route is looked at, by every route that asks for a key.
_AT_THE_DOOR = (401, 403, 408, 421, 429, 500, 503)
#: By every route that reads a body.
_WITH_A_BODY = (400, 413, 415, 422)
#: By every route with a name in its path: a name with a slash leads elsewhere, or nowhere.
_WITH_A_NAME = (404, 405)
#: What single routes answer besides.
OF_ROUTES = {
    "POST /v1/memories": (402, 404, 409, 410),
    "PATCH /v1/memories/{memory_id}": (409, 410, 412),
    "DELETE /v1/memories/{memory_id}": (409,),
    "POST /v1/forget": (404, 409),
    "POST /v1/import": (409, 410),
    "POST /v1/recall": (402,),
    "POST /v1/context": (402,),
    "POST /v1/summaries/{summary_id}/refresh": (402, 409),
    "PATCH /v1/summaries/{summary_id}": (409,),
    "POST /v1/summaries/{summary_id}/feedback": (409,),
    "POST /v1/summaries/{summary_id}/statements/{number}/feedback": (409,),
    "DELETE /v1/feedback/{feedback_id}": (409,),
    "POST /v1/summarize": (402,),
    "POST /memory/summarize": (402, 404, 409),
    "POST /v1/conversations/{session_id}/turns": (402, 409, 410),
    "GET /v1/conversations/{session_id}/context": (409,),
    "GET /v1/conversations/{session_id}/messages": (409,),
    "DELETE /v1/conversations/{session_id}": (409,),
    # Parameters that these do not have.
    "GET /v1/receipts/key": (422,),
    "GET /v1/costs": (422,),
    "POST /v1/jobs/retry": (422,),
    "POST /v1/jobs/{group_id}/retry": (409,),
    "POST /v1/long-term-memory/": (402, 409, 410),
    "POST /v1/long-term-memory/search": (402,),
    "POST /v1/long-term-memory/forget": (409,),
    "PATCH /v1/long-term-memory/{memory_id}": (402, 409, 410),
    "DELETE /v1/long-term-memory": (409,),
    "POST /v1/memory/prompt": (402,),
    "POST /v1/summary-views": (409,),
    "PATCH /v1/summary-views/{view_id}": (409,),
    "POST /v1/summary-views/{view_id}/partitions/run": (402, 409),
    "POST /v1/summary-views/{view_id}/run": (409,),
    "PUT /v1/working-memory/{session_id}": (402, 409, 410, 412),
    "DELETE /v1/working-memory/{session_id}": (409,),
}
_MEMORY = ("memory_id", "$response.body#/memories/0/id")
_VIEW = ("view_id", "$response.body#/id")
_TASK = ("task_id", "$response.body#/id")
_SESSION = ("session_id", "$request.path.session_id")
#: What may be done next with what a route made: its status, and the routes that take the name of it.
LINKS: dict[str, tuple[int, tuple[str, str], tuple[str, ...]]] = {
    "POST /v1/memories": (201, _MEMORY, (
        "GET /v1/memories/{memory_id}", "PATCH /v1/memories/{memory_id}", "DELETE /v1/memories/{memory_id}",
    )),
    "POST /v1/summary-views": (200, _VIEW, (
        "GET /v1/summary-views/{view_id}", "PATCH /v1/summary-views/{view_id}", "GET /v1/summary-views/{view_id}/plan",
        "GET /v1/summary-views/{view_id}/partitions", "POST /v1/summary-views/{view_id}/run",
        "DELETE /v1/summary-views/{view_id}",
    )),
    "POST /v1/summary-views/{view_id}/run": (200, _TASK, ("GET /v1/tasks/{task_id}",)),
    "POST /v1/conversations/{session_id}/turns": (201, _SESSION, (
        "GET /v1/conversations/{session_id}/context", "GET /v1/conversations/{session_id}/messages",
        "DELETE /v1/conversations/{session_id}",
    )),
    "PUT /v1/working-memory/{session_id}": (
        200, _SESSION, ("GET /v1/working-memory/{session_id}", "DELETE /v1/working-memory/{session_id}"),
    ),
}  # fmt: skip
_TEXT = {"type": "string"}
_PLACE = {"type": "array", "items": {"anyOf": [_TEXT, {"type": "integer"}]}}
_FLAWS = {"type": "array", "items": {"$ref": "#/components/schemas/Flaw"}}


def _schema(title: str, description: str, properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"title": title, "description": description, "type": "object", "properties": properties,
            "required": list(required)}  # fmt: skip


_PROBLEM = "What was wrong, with which value, and what to do; never a text of a memory."
_FLAW = "One thing that is wrong with a body or a query: where, and why."
_INVALID = "The shape of a body or a query is wrong (a list), or what it says (a sentence and its field)."
SCHEMAS: dict[str, Any] = {
    "Problem": _schema("Problem", _PROBLEM, {"detail": _TEXT}, "detail"),
    "Flaw": _schema("Flaw", _FLAW, {"type": _TEXT, "loc": _PLACE, "msg": _TEXT}, "type", "loc", "msg"),
    "Invalid": _schema("Invalid", _INVALID, {"detail": {"anyOf": [_TEXT, _FLAWS]}, "field": _TEXT}, "detail"),
}
#: What FastAPI would say of 422, which is less than what is answered.
_FASTAPI = ("HTTPValidationError", "ValidationError")


#: What the groups of routes are for; those of the wire say it by their name.
TAGS = [
    {"name": name, "description": description}
    for name, description in {
        "memories": "Write, read, edit and forget memories.",
        "users": "Whole users.",
        "receipts": "What was forgotten, signed; and the search for what is left.",
        "recall": "What matters for a question, as rows or as a text within a budget.",
        "summaries": "Summaries, what they rest on, and what refreshing them would take.",
        "clusters": "Groups of memories on one subject, and the figures for tuning them.",
        "feedback": "What people say of summaries.",
        "costs": "What the models took.",
        "jobs": "What waits to be refreshed.",
        "drafting": "Texts that are stored nowhere.",
        "rollups": "Days, weeks and months.",
        "schedules": "Passes of the archive and over periods, now and by timetable.",
        "conversations": "Messages, and the summary of those that are no longer in the context.",
        "health": "Signs of life; open to everybody.",
    }.items()
]
#: What a function may not be called in Python.
_NAMES = {"page": "list", "every": "list"}
#: Operations that leave out of their answers what has not been set.
_SPARSE = frozenset({"rollups_list", "schedules_summarize"})
#: Headers that matter to a client, by status.
_HEADERS = {
    202: {"Location": "the task: where to ask how far it is"},
    429: {"Retry-After": "seconds"},
    503: {"Retry-After": "seconds"},
}


def name_of(route: APIRoute) -> str:
    """The id of an operation, by the group and the function of its route: ``memories_list``."""
    group = re.sub(r"\W+", "_", str(route.tags[0]))
    name = _NAMES.get(route.name, route.name)
    return group if group.endswith(name) else f"{group}_{name}"


def describe(api: FastAPI) -> None:
    """Let the OpenAPI document of ``api`` say all that a client is written from."""
    plain = api.openapi

    def described() -> dict[str, Any]:
        if api.openapi_schema is None:
            document = plain()
            _require_fields(document)
            _add_errors(document)
            _drop_titles(document["components"]["schemas"])
        return plain()

    # FastAPI's own documented way: https://fastapi.tiangolo.com/how-to/extending-openapi/
    api.openapi = described  # type: ignore[method-assign]


def name_methods(api: FastAPI) -> None:
    """Answer 405 with an Allow header that is complete (RFC 9110, 10.2.1).

    The router alone would name the methods of the first route that has the address.
    """

    @cache
    def addresses() -> list[tuple[Pattern[str], AbstractSet[str]]]:
        paths: dict[str, dict[str, object]] = api.openapi()["paths"]
        # An address without a name in it comes first: ``/search`` is not looked up as an id.
        in_order = sorted(paths, key=lambda path: path.count("{"))
        return [(compile_path(path)[0], {verb.upper() for verb in paths[path]}) for path in in_order]

    async def not_allowed(request: Request, error: Exception) -> JSONResponse:
        path = request.scope["path"]
        methods: AbstractSet[str] = next((verbs for pattern, verbs in addresses() if pattern.match(path)), set())
        routers_own = error.headers if isinstance(error, HTTPException) else None
        headers = {"Allow": ", ".join(sorted(methods))} if methods else routers_own
        return JSONResponse({"detail": "Method Not Allowed"}, status_code=405, headers=headers)

    api.add_exception_handler(405, not_allowed)


def statuses(route: str, operation: dict[str, Any]) -> Iterator[int]:
    """The error statuses of a route, named like ``GET /v1/memories``."""
    yield from OF_ROUTES.get(route, ())
    if operation.get("security"):
        yield from _AT_THE_DOOR
    if "requestBody" in operation:
        yield from _WITH_A_BODY
    if "{" in route:
        yield from _WITH_A_NAME
    if operation.get("parameters") or "422" in operation["responses"]:
        yield 422
    if route in {"GET /readyz", "GET /v1/health"}:
        yield 503


def _require_fields(document: dict[str, Any]) -> None:
    """Every field of an answer is there, also one that may be left out of the value it is read from."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    answered = _reached([each["responses"] for each in operations], schemas)
    optional = _reached([each.get("requestBody") for each in operations], schemas)
    optional |= _reached([each["responses"] for each in operations if each["operationId"] in _SPARSE], schemas)
    for name in answered - optional:
        if "properties" in schemas[name]:
            schemas[name]["required"] = list(schemas[name]["properties"])


def _drop_titles(schemas: dict[str, Any]) -> None:
    """Of fields: they repeat the names."""
    for schema in schemas.values():
        for part in schema.get("properties", {}).values():
            part.pop("title", None)


def _reached(part: Any, schemas: dict[str, Any]) -> set[str]:
    """Names of the schemas that a part of the document refers to, through each other."""
    reached: set[str] = set()
    waiting = [part]
    while waiting:
        match waiting.pop():
            case {"$ref": str(reference)} if (name := reference.rpartition("/")[2]) not in reached:
                reached.add(name)
                waiting.append(schemas[name])
            case dict() as named:
                waiting.extend(named.values())
            case list() as listed:
                waiting.extend(listed)
    return reached


def _add_errors(document: dict[str, Any]) -> None:
    """In place: the document is kept and answered again."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            operation["summary"] = _first_sentence(operation["description"])
            for status in sorted(set(statuses(f"{method.upper()} {path}", operation))):
                answer = operation["responses"].setdefault(str(status), {})
                answer.setdefault("description", MEANINGS[status])
                reference = f"#/components/schemas/{'Invalid' if status == 422 else 'Problem'}"
                answer["content"] = {"application/json": {"schema": {"$ref": reference}}}
                if status == 422:
                    answer["description"] = MEANINGS[status]
            _add_headers(operation["responses"])
    _add_links(document["paths"])
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for name in _FASTAPI:
        schemas.pop(name, None)
    schemas.update(SCHEMAS)


def _first_sentence(text: str) -> str:
    return re.split(r"[.;](?:\s|$)", " ".join(text.split()), maxsplit=1)[0].replace("`", "")


def _add_headers(answers: dict[str, Any]) -> None:
    for status, headers in _HEADERS.items():
        if str(status) in answers:
            described = {name: {"description": text, "schema": _TEXT} for name, text in headers.items()}
            answers[str(status)]["headers"] = described


def _add_links(paths: dict[str, Any]) -> None:
    for route, (status, (parameter, expression), following) in LINKS.items():
        answer = _operation(paths, route)["responses"][str(status)]
        names = [_operation(paths, name)["operationId"] for name in following]
        answer["links"] = {name: {"operationId": name, "parameters": {parameter: expression}} for name in names}


def _operation(paths: dict[str, Any], route: str) -> dict[str, Any]:
    method, _, path = route.partition(" ")
    operation: dict[str, Any] = paths[path][method.lower()]
    return operation
