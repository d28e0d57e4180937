"""JSON bodies, read strictly: what cannot be stored and read again as it came is refused, with its place."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

import precis.rest.paths  # noqa: F401 - registers the paths that routes of these classes may have
from precis.ids import Path, faults_of

#: More digits than any whole number of 64 bits has: Python would be slow to read one.
_DIGITS = 25
#: Characters of a name that an error repeats.
_NAME = 60


class NotJson(ValueError):
    """The body is no JSON at all; the text of this says why and where."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(f"the body is not valid JSON: {reason}")
        #: Characters before it, or bytes.
        self.place = place


def read_json(body: bytes) -> Any:
    """The body as a value.

    Raises NotJson; and RequestValidationError, naming the place, for numbers that are not finite or longer than 64
    bits, and for half a surrogate pair.
    """
    try:
        value = json.loads(body.decode(), parse_int=_whole)
    except json.JSONDecodeError as error:
        #: ``msg`` and ``pos`` alone: the whole error holds the body.
        raise NotJson(f"{error.msg} (at character {error.pos})", error.pos) from None
    except UnicodeDecodeError as error:
        raise NotJson(f"it is not UTF-8 (at byte {error.start})", error.start) from None
    except RecursionError:
        raise NotJson("it is nested too deep", 0) from None
    for path, fault in faults_of(value):
        raise _refused(path, fault)
    return value


def _whole(digits: str) -> int | float:
    """As a number that is not finite where it has too many digits: it is refused in any case."""
    return int(digits) if len(digits) <= _DIGITS else math.inf


def _refused(path: Path, fault: str) -> RequestValidationError:
    place = tuple(part if isinstance(part, int) else part[:_NAME] for part in path)
    return RequestValidationError([{"type": "value_error", "loc": ("body", *place), "msg": fault, "input": None}])


class _CheckedRequest(Request):
    """Reads its body once, as JSON that can be stored."""

    async def json(self) -> Any:
        """The body as a value."""
        if not hasattr(self, "_value"):
            self._value = read_json(await self.body())
        return self._value


class JsonRoute(APIRoute):
    """A route of the wire: what is not JSON is a 422, as its clients expect."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, on a request that was read."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            checked = _CheckedRequest(request.scope, request.receive)
            if self.body_field is not None and await checked.body():
                # Here, for the usual handler takes any error in a body for one of its form.
                await self.read(checked)
            return await handle(checked)

        return strictly

    async def read(self, request: Request) -> None:
        """Read the body of a request that has one. Raises RequestValidationError."""
        if _is_json(request):
            try:
                await request.json()
            except NotJson as error:
                fault = {"type": "json_invalid", "loc": ("body", error.place), "msg": str(error), "input": None}
                raise RequestValidationError([fault]) from None


class StrictRoute(JsonRoute):
    """A route that takes JSON, declared as such, which a page of another site cannot send without asking first."""

    async def read(self, request: Request) -> None:
        """The same. Raises HTTPException for a body that is declared as something else, or is no JSON at all."""
        if not _is_json(request):
            detail = "the body must be JSON: send it with the header Content-Type: application/json"
            raise HTTPException(status_code=415, detail=detail)
        try:
            await request.json()
        except NotJson as error:
            raise HTTPException(status_code=400, detail=str(error)) from None


def _is_json(request: Request) -> bool:
    declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return declared == "application/json" or (declared.startswith("application/") and declared.endswith("+json"))
