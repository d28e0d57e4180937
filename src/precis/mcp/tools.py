"""The tools: what a model can do with a person's memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Literal
from weakref import WeakValueDictionary

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from precis.app.assembling.bound import LEAST_RELEVANCE
from precis.app.context import FEWEST_TOKENS, MOST_TOKENS, TOKENS_OF_AGENTS
from precis.app.inputs import MAX_QUERY_CHARS, UnownedInput
from precis.app.receipts import Verification
from precis.errors import InvalidInput
from precis.ids import zoned
from precis.mcp import wording
from precis.mcp.person import PersonOf, telling
from precis.trust import SourceClass

Asked = Context[Any, Any]
User = Annotated[str | None, Field(description="whose memory; leave it out where this connection serves one person")]
Ids = Annotated[list[str], Field(min_length=1, max_length=100, description="ids of memories, as recall shows them")]
#: Rows of a recall that may say what is to be remembered.
_LOOKED_AT = 5
_WOULD_GO = "These would go, and every statement that rests on them. Ask the user, then call forget again with"
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_DESTROYS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


class Tools:
    """Each answers text; what cannot be done is an error that says what to do."""

    def __init__(self, person_of: PersonOf) -> None:
        self._person_of = person_of
        #: Of what is being remembered now: said twice at once, the second waits for the first and finds it.
        self._remembering: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = WeakValueDictionary()

    async def remember(
        self,
        context: Asked,
        text: Annotated[str, Field(description="one fact that stands alone: who, what, when; no 'he', no 'today'")],
        *,
        happened_at: Annotated[
            datetime | None, Field(description="when it happened, if not now (ISO 8601: a day, or a time)")
        ] = None,
        replaces: Annotated[list[str] | None, Field(description="ids of memories that are out of date by it")] = None,
        topics: Annotated[list[str] | None, Field(description="words to find it by")] = None,
        user_id: User = None,
    ) -> str:
        """Remember one fact about the user for later conversations. Not for small talk, nor for what is known already.

        Where something changed, name what it replaces; what was wrong from the start is for correct.
        """
        person, at = await self._person_of(context, user_id), happened_at and zoned(happened_at)
        memory = UnownedInput(
            text=text, user_id=person.user_id, event_date=at, topics=tuple(topics or ()),
            supersedes=tuple(replaces) if replaces else None, source_class=SourceClass.AGENT,
        )  # fmt: skip
        key = (person.app.parts.tenant_id, person.user_id, text)
        async with self._remembering.setdefault(key, asyncio.Lock()):
            alike = await person.app.recall.search(
                text[:MAX_QUERY_CHARS],
                limit=_LOOKED_AT,
                summaries="without",
                user_id=person.user_id,
                min_relevance=LEAST_RELEVANCE,
            )
            for row in alike:
                if row.memory.text == text and at in (None, row.memory.event_date) and not replaces:
                    return f"This is remembered already: {wording.memory_line(row.memory)}"
            await person.memories(replaces or [])
            written = await person.app.memories.add([memory])
        (new,) = written.memories
        others = await person.app.memories.get_many([*new.supersedes, *new.superseded_by])
        return wording.remembered(new, others)

    async def recall(
        self,
        context: Asked,
        question: Annotated[str, Field(description="what to look for, in your own words")],
        *,
        limit: Annotated[int, Field(ge=1, le=50, description="how many rows")] = 5,
        user_id: User = None,
    ) -> str:
        """Look something up: single memories and summaries with their ids, best first. Says so if nothing fits.

        Relevance is the chance that a row is evidence; the order is also by what is newest and what tells most.
        To read what is known before an answer, context is better; to change or forget something, this gives the ids.
        """
        person = await self._person_of(context, user_id)
        return wording.recalled(
            await person.app.recall.search(question, limit=limit, min_relevance=LEAST_RELEVANCE, user_id=person.user_id)
        )

    async def context(
        self,
        context: Asked,
        question: Annotated[str, Field(description="what you are about to answer or do")],
        *,
        token_budget: Annotated[
            int, Field(ge=FEWEST_TOKENS, le=MOST_TOKENS, description="the answer takes at most so many tokens")
        ] = TOKENS_OF_AGENTS,
        user_id: User = None,
    ) -> str:
        """Read what is known of the user that matters for a question, within a token budget. Call it first."""
        person = await self._person_of(context, user_id)
        assembled = await person.app.context.assemble(question, token_budget=token_budget, user_id=person.user_id)
        return assembled.text or "Nothing relevant is remembered."

    async def list_summaries(
        self,
        context: Asked,
        *,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Annotated[str | None, Field(description="where the last page ended")] = None,
        user_id: User = None,
    ) -> str:
        """List what has been summarized about the user: subjects, days, weeks, months; the newest refresh first."""
        person = await self._person_of(context, user_id)
        return wording.summary_list(await person.app.summaries.list(limit=limit, cursor=cursor, user_id=person.user_id))

    async def get_summary(
        self,
        context: Asked,
        summary_id: Annotated[str, Field(description="as list_summaries and recall show it")],
        *,
        user_id: User = None,
    ) -> str:
        """Read a summary statement by statement, each with the memories that it rests on: where a sentence is from."""
        person = await self._person_of(context, user_id)
        summary = await person.summary(summary_id)
        sources = await person.app.memories.get_many(summary.leaf_source_ids)
        return wording.whole_summary(summary, sources)

    async def correct(
        self,
        context: Asked,
        id: Annotated[str, Field(description="the memory that says it wrongly, or the summary")],  # noqa: A002
        *,
        text: Annotated[str | None, Field(description="of a memory: what it should say")] = None,
        statement: Annotated[int | None, Field(ge=0, description="of a summary: the number of the wrong one")] = None,
        user_id: User = None,
    ) -> str:
        """Put right what is remembered wrongly, when the user says so.

        A memory takes the text; every summary that rests on it follows. A statement of a summary is withdrawn and does
        not come back.
        """
        person = await self._person_of(context, user_id)
        if text is not None and statement is None:
            await person.memories([id])
            memory, receipt = await person.app.memories.edit(id, {"text": text})
            withdrawn = wording.counted(receipt.statements_removed, "statement")
            return f"{withdrawn} rested on the old words, and went. It says now: {wording.memory_line(memory)}"
        if statement is not None and text is None:
            await person.summary(id)
            withdrawal = await person.app.feedback.give(id, "wrong", statement=statement)
            places = wording.counted(len(withdrawal.summary_ids), "summary", "summaries")
            return f"Withdrawn: {wording.counted(withdrawal.withdrawn, 'statement')}, in {places}."
        raise InvalidInput("give text for a memory, or statement for a summary", field="text")

    async def forget(
        self,
        context: Asked,
        what: Annotated[str | None, Field(description="in the user's words: everything about Frank")] = None,
        *,
        ids: Ids | None = None,
        preview_id: Annotated[str | None, Field(description="confirms what that preview showed")] = None,
        include_doubtful: Annotated[bool, Field(description="with preview_id: what is in doubt goes, too")] = False,
        also: Annotated[list[str] | None, Field(description="with preview_id: only these in doubt go, too")] = None,
        keep: Annotated[list[str] | None, Field(description="with preview_id: these stay")] = None,
        confirm: Annotated[bool, Field(description="with ids: true once the user has agreed")] = False,
        user_id: User = None,
    ) -> str:
        """Forget for good, with everything in summaries that rests on it. It cannot be undone.

        First give what (or ids): nothing is forgotten yet. Show the user all of the answer. Once they agree, call it
        again with the preview_id (or the same ids and confirm).
        """
        person = await self._person_of(context, user_id)
        memories = person.app.memories
        match (what, ids, preview_id):
            case (str(), None, None):
                return wording.preview_text(await memories.find_to_forget(what, user_id=person.user_id))
            case (None, list(), None):
                rows = await person.memories(ids)
                if confirm:
                    return wording.receipt_text(await memories.forget(ids))
                return "\n".join([f"{_WOULD_GO} the same ids and confirm:", *map(wording.memory_line, rows)])
            case (None, None, str()):
                return wording.receipt_text(
                    await memories.forget_preview(
                        preview_id, user_id=person.user_id, include_doubtful=include_doubtful,
                        also=also or (), keep=keep or (),
                    )
                )  # fmt: skip
        raise InvalidInput("give one of what, ids and preview_id", field="what")

    async def plan(self, context: Asked, *, user_id: User = None) -> str:
        """Say which summaries are out of date, why, and what a refresh would cost. Changes nothing."""
        person = await self._person_of(context, user_id)
        return wording.planned(await person.app.summaries.plan(user_id=person.user_id))

    async def verify_forgotten(
        self,
        context: Asked,
        words: Annotated[list[str], Field(min_length=1, max_length=20, description="words that only it held")],
        *,
        user_id: User = None,
    ) -> str:
        """Check that words of something forgotten stand nowhere any more: no memory, summary, index or column."""
        person = await self._person_of(context, user_id)
        runtime = person.runtime
        verification = Verification(runtime.database, runtime.settings, person.app.parts.tenant_id)
        looked = await verification.look(words, files=False)
        still = [] if not any(place.hits for place in looked) else [
            word for word in words if any(place.hits for place in await verification.look([word], files=False))
        ]  # fmt: skip
        return wording.verified(looked, still)


def serve_tools(server: MCPServer[Any], person_of: PersonOf, *, whose: Whose) -> None:
    """Register every tool; where the connection serves one person, without the parameter that names one."""
    tools = Tools(person_of)
    for hints, functions in (
        (_READS, (tools.context, tools.recall, tools.list_summaries, tools.get_summary, tools.plan,
                  tools.verify_forgotten)),
        (_WRITES, (tools.remember, tools.correct)),
        (_DESTROYS, (tools.forget,)),
    ):  # fmt: skip
        for function in functions:
            server.add_tool(_told(function, whose), annotations=hints, structured_output=False)


Whose = Literal["one person", "anybody"]
Tool = Callable[..., Awaitable[str]]


def _told(function: Tool, whose: Whose) -> Tool:
    """The tool; what precis refuses reaches the model in precis's words."""

    @wraps(function)
    async def tool(**arguments: Any) -> str:
        async with telling():
            return await function(**arguments)

    parameters = signature(function, eval_str=True).parameters.values()
    kept = [each for each in parameters if whose == "anybody" or each.name != "user_id"]
    vars(tool)["__signature__"] = signature(function, eval_str=True).replace(
        parameters=[each.replace(kind=Parameter.KEYWORD_ONLY) for each in kept]
    )
    return tool
