"""What callers send: JSON bodies, read strictly, and what the queries and bodies of several resources share.

What cannot be stored and read again as it came is refused, with its place. What a memory may hold is in app/inputs.py.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import fields
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.convertors import Convertor, register_url_convertor

from precis.app.inputs import AnyId, Label
from precis.errors import InvalidInput
from precis.ids import faults_of
from precis.memory import MemoryType
from precis.rest.http import flaw
from precis.store.filtering import Filter
from precis.typed import Word

#: More digits than any whole number of 64 bits has: Python would be slow to read one.
_DIGITS = 25
#: Characters of a name that an error repeats.
_NAME = 60
#: Any text without a null character, which PostgreSQL cannot compare with.
Plain = Annotated[str, Field(pattern=r"^[^\x00]*$")]
#: What a list answered as ``next_cursor``.
Cursor = Annotated[str, Field(max_length=1000, description="next_cursor of the page before")]
PageSize = Annotated[int, Field(ge=1, le=1000, description="rows of a page")]
#: Query parameters that are lists, one value a parameter.
_REPEATED = frozenset({"memory_ids"})


class StrictBody(BaseModel):
    """Sent by a caller: what it does not know is an error, so that a misspelled filter never widens an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GroupFilter(StrictBody):
    """Which groups or summaries; what is not given is not filtered by."""

    user_id: AnyId | None = None
    project_id: Annotated[Plain, Field(max_length=200)] | None = None
    environment: Word | None = None
    extracted_type: Word | None = None

    def fields(self) -> dict[str, Any]:
        """The fields that were sent, under the names of Filter."""
        values = {field.name: getattr(self, field.name, None) for field in fields(Filter)}
        return {name: value for name, value in values.items() if value is not None}


class RowFilter(GroupFilter):
    """Which rows."""

    namespace: Label | None = None
    session_id: Label | None = None
    agent_id: Word | None = None
    run_id: Word | None = None
    memory_type: MemoryType | None = None


async def _no_query(request: Request) -> None:
    """Refuse what would be ignored: somebody who writes ``DELETE ...?dry_run=true`` means it."""
    for name in request.query_params:
        message = f"query.{name}: there is no such parameter here"
        raise InvalidInput(message, field=f"query.{name}")


async def once(request: Request) -> None:
    """Refuse a parameter that is given twice where one is read: the other would be ignored, in a DELETE as well."""
    times = Counter(name for name, _ in request.query_params.multi_items())
    for name, count in times.items():
        if count > 1 and name not in _REPEATED:
            message = f"query.{name}: it is given more than once; give it once"
            raise InvalidInput(message, field=f"query.{name}")


#: For routes that take no query at all.
NO_QUERY = [Depends(_no_query)]


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
        value = json.loads(body.decode(), parse_int=_integer)
    except json.JSONDecodeError as error:
        #: ``msg`` and ``pos`` alone: the whole error holds the body.
        raise NotJson(f"{error.msg} (at character {error.pos})", error.pos) from None
    except UnicodeDecodeError as error:
        raise NotJson(f"it is not UTF-8 (at byte {error.start})", error.start) from None
    except RecursionError:
        raise NotJson("it is nested too deep", 0) from None
    for path, fault in faults_of(value):
        raise flaw(fault, "body", *(part if isinstance(part, int) else part[:_NAME] for part in path))
    return value


def _integer(digits: str) -> int | float:
    """As a number that is not finite where it has too many digits: it is refused in any case."""
    return int(digits) if len(digits) <= _DIGITS else math.inf


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
                raise flaw(str(error), "body", error.place, kind="json_invalid") from None


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


class _Anything(Convertor[str]):
    """``{name:anything}``: a part of a path that is an id, which may hold a slash: clients write it as it is."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        """As it came."""
        return value

    def to_string(self, value: str) -> str:
        """As it is."""
        return value


register_url_convertor("anything", _Anything())
