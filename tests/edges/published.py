"""Every answer that a test of the edges gets is one that the OpenAPI document names for its route."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
from fastapi.routing import APIRoute
from starlette.routing import Match

from precis.rest.operating import health_router
from precis.rest.server import _KEYED

#: The document as it is written for the clients: `test_clients.py` holds it against what the server makes in a second.
_DOCUMENT = Path(__file__).resolve().parents[2] / "clients" / "openapi.json"


class Published:
    """The document, by route and status."""

    def __init__(self) -> None:
        self._routes = [
            route for router in (*_KEYED, health_router) for route in router.routes if isinstance(route, APIRoute)
        ]
        self._document = json.loads(_DOCUMENT.read_bytes())
        self._validator = cache(self._schema_of)

    async def check(self, answer: httpx.Response) -> None:
        """Raises AssertionError for a status that is not named, or a body that is not of its shape."""
        path = self._path(answer.request)
        if path is None:
            return  # nobody is asked there: 404 or 405
        method, status = answer.request.method.lower(), str(answer.status_code)
        responses = self._document["paths"][path][method]["responses"]
        assert status in responses, f"{method} {path} answered {status}, which is not published"
        validator = self._validator(path, method, status)
        if validator is not None:
            await answer.aread()
            flaws = [f"{flaw.instance_path}: {flaw.kind}" for flaw in validator.iter_errors(answer.json())]
            assert flaws == [], f"{method} {path} answered {status} in another shape than is published"

    def _path(self, request: httpx.Request) -> str | None:
        path = request.url.path
        if path.startswith("/t/"):
            path = "/" + path.removeprefix("/t/").partition("/")[2]
        scope = {"type": "http", "path": path, "method": request.method, "root_path": ""}
        for route in self._routes:
            if route.matches(scope)[0] is Match.FULL:
                return route.path_format if route.include_in_schema else None
        return None

    def _schema_of(self, path: str, method: str, status: str) -> Any:
        content = self._document["paths"][path][method]["responses"][status].get("content")
        if content is None or "application/json" not in content:
            return None  # lines of JSON are read by their own tests
        schema = content["application/json"]["schema"]
        components = {"components": self._document["components"]}
        return jsonschema_rs.validator_for(schema | components)
