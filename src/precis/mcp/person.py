"""Whose memory a call is about, and that it stays with that person."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import TypeAdapter, ValidationError

from precis import bootstrap, errors, memory, typed
from precis.app import App
from precis.summary import Summary

#: The request of the resource that is being read.
ASKING: ContextVar[Context[Any, Any] | None] = ContextVar("asking")
#: Names the user of a host that serves one person, where its configuration can send headers.
USER_HEADER = "x-precis-user-id"
#: The same as a parameter of the URL.
USER_PARAMETER = "user_id"
_WHOSE = (
    "say whose memory: give user_id, or let the host's configuration name the user "
    f"({USER_HEADER} as a header, ?{USER_PARAMETER}= in the URL)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """One user of one tenant. Ids of anybody else name nothing here."""

    runtime: bootstrap.Runtime
    app: App
    user_id: str

    async def memories(self, ids: Sequence[str]) -> list[memory.Memory]:
        """The rows of these ids, in their order. Raises NotFound for one that is not there, or not this person's."""
        rows = await self.app.memories.get_many(ids)
        for memory_id in ids:
            row = rows.get(memory_id)
            if row is None or row.scope.user_id != self.user_id:
                raise errors.NotFound(f"there is no memory {memory_id!r}; recall shows the ids that there are")
        return [rows[memory_id] for memory_id in ids]

    async def summary(self, summary_id: str) -> Summary:
        """One summary. Raises NotFound, also for one that is not this person's."""
        with suppress(errors.NotFound):
            summary = await self.app.summaries.get(summary_id)
            if summary.scope.user_id == self.user_id:
                return summary
        raise errors.NotFound(f"there is no summary {summary_id!r}; list_summaries shows the ids that there are")


#: Whose memory this call is about, by what the caller named.
PersonOf = Callable[[Context[Any, Any], str | None], Awaitable[Person]]
#: precis, once it is open: a host gives up on a server that answers nothing while its database starts.
Opened = Awaitable[tuple[bootstrap.Runtime, App]]


#: How a refusal of precis begins, and the parameter of a tool that it is about.
_PARAMETERS = {"memories.0.": "", "query: ": "question: ", "event_date: ": "happened_at: "}
#: What a tool takes as a time; models often know the day alone.
_WHEN = "give a day, as 2025-03-01, or a time, as 2025-03-01T09:00:00+01:00; without a zone it is taken for UTC"
_USER: TypeAdapter[str] = TypeAdapter(typed.AnyId)


def checked_user(user_id: str) -> str:
    """The name of somebody whose memory can be written. Raises InvalidInput."""
    try:
        return _USER.validate_python(user_id)
    except ValidationError as error:
        raise typed.invalid(error, prefix="user_id") from error


def always(opened: Opened, user_id: str) -> PersonOf:
    """One person, whoever asks: a process started for one host."""

    async def person_of(context: Context[Any, Any], named: str | None) -> Person:
        del context, named
        runtime, app = await opened
        return Person(runtime=runtime, app=app, user_id=user_id)

    return person_of


def by_request(runtime: bootstrap.Runtime, app_of: Callable[[str], App]) -> PersonOf:
    """The tenant of the request's key, and the user that its header, its URL or the call names."""

    async def person_of(context: Context[Any, Any], named: str | None) -> Person:
        request: Any = context.request_context.request
        configured = request.headers.get(USER_HEADER) or request.query_params.get(USER_PARAMETER)
        if configured and named not in (None, configured):
            raise ToolError(f"this connection is for {configured!r} alone; leave user_id out")
        user_id = configured or named
        if not user_id:
            raise ToolError(_WHOSE)
        async with telling():
            return Person(runtime=runtime, app=app_of(request.state.tenant_id), user_id=checked_user(user_id))

    return person_of


@asynccontextmanager
async def telling() -> AsyncIterator[None]:
    """What precis refuses reaches the model in precis's words, which say what to do."""
    try:
        yield
    except errors.PrecisError as error:
        raise ToolError(_by_parameter(str(error))) from error
    except ValidationError as error:
        raise ToolError(in_words(error)) from error


def _by_parameter(refusal: str) -> str:
    """The field that precis names, as the tools call it: a model looks for it among its arguments."""
    for field, parameter in _PARAMETERS.items():
        refusal = refusal.replace(field, parameter, 1) if refusal.startswith(field) else refusal
    return refusal


def in_words(error: ValidationError) -> str:
    """What pydantic found wrong, without its own words around it."""
    return str(typed.invalid(error, advice=dict.fromkeys(typed.TIMES, _WHEN)))
