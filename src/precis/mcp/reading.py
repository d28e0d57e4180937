"""Resources, which a host reads without a tool call, and prompts, which a person starts from a menu."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from precis.errors import NotFound, PrecisError
from precis.mcp.person import PersonOf
from precis.mcp.wording import memory_line, summary_list, whole_summary
from precis.memory import Moments
from precis.store.filtering import Filter

#: Memories of a day that are shown.
_OF_A_DAY = 200
_LATEST = 50
Asked = Context[Any, Any]


def serve_resources(server: MCPServer[Any], person_of: PersonOf) -> None:
    """Register each summary, and each day."""

    @server.resource(
        "precis://summaries/{summary_id}", title="A summary", mime_type="text/plain",
        description="Each statement of a summary, and the memories that it rests on.",
    )  # fmt: skip
    async def summary(context: Asked, summary_id: str) -> str:
        async with _telling():
            person = await person_of(context, None)
            shown = await person.summary(summary_id)
            return whole_summary(shown, await person.app.memories.get_many(shown.leaf_source_ids))

    @server.resource(
        "precis://days/{day}", title="A day", mime_type="text/plain",
        description="What was remembered on a day (UTC), such as precis://days/2026-03-14.",
    )  # fmt: skip
    async def on_day(context: Asked, day: str) -> str:
        async with _telling():
            person = await person_of(context, None)
            since = _start_of(day)
            within = Moments(gte=since, lt=since + timedelta(days=1))
            filter_ = Filter(user_id=person.user_id, is_summary=False, times={"created_at": within})
            page = await person.app.memories.list(filter_, limit=_OF_A_DAY)
            return "\n".join(map(memory_line, reversed(page.rows))) or f"Nothing was remembered on {day}."


def serve_list(server: MCPServer[Any], person_of: PersonOf) -> None:
    """Register the list of summaries; a resource without a name in its address cannot be told who asks."""

    @server.resource(
        "precis://summaries", title="Summaries", mime_type="text/plain",
        description="What has been summarized about the user, the newest refresh first.",
    )  # fmt: skip
    async def summaries() -> str:
        async with _telling():
            person = await person_of(Context(), None)
            return summary_list(await person.app.summaries.list(limit=_LATEST, user_id=person.user_id))


def _start_of(day: str) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(day), time.min, UTC)
    except ValueError:
        raise ResourceNotFoundError(f"{day!r} is no day; write it as 2026-03-14") from None


@asynccontextmanager
async def _telling() -> AsyncIterator[None]:
    try:
        yield
    except NotFound as error:
        raise ResourceNotFoundError(str(error)) from error
    except PrecisError as error:
        raise ResourceError(str(error)) from error


def serve_prompts(server: MCPServer[Any]) -> None:
    """Register what people ask of a memory."""

    @server.prompt(title="What do you know about me?", description="Everything remembered, by subject, with sources.")
    def what_do_you_know_about_me() -> str:
        return (
            "Tell me what you remember about me. Call list_summaries, read those that matter with get_summary, and "
            "recall what they leave open. Say it by subject, newest first, with the date of each fact. Keep to what "
            "the tools answer, and say what you are not sure of."
        )

    @server.prompt(title="What do you know about ...?", description="Everything remembered about one subject.")
    def what_do_you_know_about(subject: str) -> str:
        return (
            f"Tell me what you remember about {subject}. Call context and recall, and for each fact say its date and "
            "who said it. If nothing is remembered, say so."
        )

    @server.prompt(title="Forget something", description="Find what is meant, show it, and forget it once agreed.")
    def forget_something(what: str) -> str:
        return (
            f"I want you to forget: {what}. Call forget to see what would go and show me all of it, what is doubtful "
            "too. Wait for my answer before you confirm."
        )
