"""JSON bodies, read strictly: what is not JSON is refused in words that say what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute


class _StrictRequest(Request):
    """Neither NaN nor half a surrogate pair nor broken UTF-8: none of them could be stored and read again."""

    async def json(self) -> Any:
        """The body as a value."""
        try:
            return orjson.loads(await self.body())
        except orjson.JSONDecodeError as error:
            #: ``msg`` and ``pos`` alone: the whole error holds the body.
            detail = f"the body is not valid JSON: {error.msg} (at character {error.pos})"
            raise HTTPException(status_code=400, detail=detail) from None


class StrictRoute(APIRoute):
    """A route that takes JSON, declared as such."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, on a strict request."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            strict = _StrictRequest(request.scope, request.receive)
            if self.body_field is not None and not _is_json(request) and await strict.body():
                detail = "the body must be JSON: send it with the header Content-Type: application/json"
                raise HTTPException(status_code=415, detail=detail)
            return await handle(strict)

        return strictly


def _is_json(request: Request) -> bool:
    declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return declared == "application/json" or (declared.startswith("application/") and declared.endswith("+json"))
