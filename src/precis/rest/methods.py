"""405 names every method of an address: the router alone would name those of the first route that has the address."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache
from re import Pattern

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import compile_path


def install(api: FastAPI) -> None:
    """Answer 405 with an Allow header that is complete (RFC 9110, 10.2.1)."""

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
