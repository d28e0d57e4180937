"""The resources /v1/long-term-memory and /v1/memory/prompt of the wire. Slashes at the end are part of the format."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import HTTPException, Query
from pydantic import BaseModel, Field

from precis.app import App
from precis.app.redis.long_term import LabelChange
from precis.app.redis.long_term_search import Found, Pruning
from precis.conversation import CARRIED, Message
from precis.errors import NotFound
from precis.memory import TURN, Memory, MemoryType
from precis.rest import answers, auth, http
from precis.rest.redis.filters import Moment, RecordSearch, TagFilter
from precis.rest.redis.shapes import Ack, FoundRecord, MemoryRecord, NewRecord, QueryLabel, Tag, WireBody
from precis.store.filtering import Filter
from precis.typed import NOT_BLANK, NOT_LOST, Published, Storable, validated

router = auth.keyed_router("/v1/long-term-memory", tag="wire: long-term memory", route_class=http.JsonRoute)
_Days = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
#: What the edit itself checks.
_Label = Annotated[str, Published(minLength=1, maxLength=512, pattern=r"^[^\x00]*$")]
_Owner = Annotated[str, Published(maxLength=512, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$", **NOT_LOST)]


class NewRecords(WireBody):
    """Memories to write."""

    memories: list[NewRecord]
    deduplicate: bool = True


class RecordChange(WireBody):
    """What an edit replaces; null and what is not known are ignored."""

    text: Annotated[str, NOT_BLANK] | None = None
    topics: tuple[Tag, ...] | None = None
    entities: tuple[Tag, ...] | None = None
    memory_type: MemoryType | None = None
    namespace: _Label | None = None
    user_id: _Owner | None = None
    session_id: _Label | None = None
    event_date: Moment | None = None
    pinned: bool | None = None


class RecordResults(answers.Answer):
    """A page of what was found."""

    memories: list[FoundRecord] = Field(validation_alias="rows")
    total: int = Field(description="how many there are in all")
    next_offset: int | None


class PruningPolicy(WireBody):
    """What may be forgotten."""

    max_age_days: _Days | None = None
    max_inactive_days: _Days | None = None
    budget: Annotated[int, Field(ge=0)] | None = None
    memory_type_allowlist: tuple[str, ...] | None = None
    hard_age_multiplier: _Days = 12.0

    @property
    def pruning(self) -> Pruning:
        """The same as the app understands it."""
        return Pruning(memory_types=self.memory_type_allowlist, **self.model_dump(exclude={"memory_type_allowlist"}))


class PruningRequest(WireBody):
    """What to forget by a policy, and what not."""

    policy: PruningPolicy
    pinned_ids: list[str] | None = None


class PruningAnswer(BaseModel):
    """What a policy picked; deleted unless it was a dry run."""

    scanned: int
    deleted: int
    deleted_ids: tuple[str, ...]
    dry_run: bool


@router.post("/")
async def create(app: auth.Tenant, body: NewRecords) -> Ack:
    """Write memories. An id that is there is overwritten; a text that stands already is not written twice."""
    now = app.parts.engine.clock()
    rows = [record.recorded(place, now=now) for place, record in enumerate(body.memories)]
    if rows:
        await app.long_term.add(rows, deduplicate=body.deduplicate)
    return Ack()


@router.post("/search", response_model=RecordResults)
async def search(app: auth.Tenant, body: RecordSearch) -> Found:
    """Find memories by meaning, by words or by both; without a text, list those the filters let through."""
    return await app.long_term.search(body.search())


@router.post("/forget")
async def forget(
    *,
    app: auth.Tenant,
    body: PruningRequest,
    namespace: QueryLabel = None,
    user_id: QueryLabel = None,
    session_id: QueryLabel = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
    dry_run: bool = True,
) -> PruningAnswer:
    """Forget what a policy picks among the oldest memories, or only say what it would pick (the default)."""
    pruned = await app.long_term.prune(
        _filter(namespace=namespace, user_id=user_id, session_id=session_id), body.policy.pruning,
        kept=body.pinned_ids or (), limit=limit, dry_run=dry_run,
    )  # fmt: skip
    return PruningAnswer(scanned=pruned.scanned, deleted=len(pruned.ids), deleted_ids=pruned.ids, dry_run=dry_run)


@router.post("/compact")
async def compact(app: auth.Tenant, namespace: QueryLabel = None, user_id: QueryLabel = None) -> Ack:
    """Merge memories with the same text and the same labels; their ids stay good."""
    remaining = await app.long_term.compact(_filter(namespace=namespace, user_id=user_id))
    return Ack(status=f"ok, {remaining} memories remaining after compaction")


@router.get("/{memory_id:anything}", response_model=MemoryRecord)
async def read(app: auth.Tenant, memory_id: str) -> Memory:
    """Read one memory by its id, or by an id it was written under as well."""
    try:
        return await app.long_term.get(memory_id)
    except NotFound as error:
        raise _not_found(memory_id) from error


@router.patch("/{memory_id:anything}", response_model=MemoryRecord)
async def edit(app: auth.Tenant, memory_id: str, body: RecordChange) -> Memory:
    """Replace what the body names; the old text is forgotten at once."""
    labels = body.model_dump(exclude_none=True)
    if not labels:
        raise HTTPException(status_code=400, detail="No fields provided for update")
    change = validated(LabelChange, labels)
    try:
        return await app.long_term.edit(memory_id, change)
    except NotFound as error:
        raise _not_found(memory_id) from error


@router.delete("")
async def delete(app: auth.Tenant, memory_ids: Annotated[list[str] | None, Query(max_length=10_000)] = None) -> Ack:
    """Forget memories and all that rests on them."""
    forgotten = await app.long_term.forget(memory_ids or [])
    return Ack(status=f"ok, deleted {len(forgotten)} memories")


def _filter(*, namespace: str | None, user_id: str | None, session_id: str | None = None) -> Filter:
    """An empty name is no name."""
    return Filter(namespace=namespace or None, user_id=user_id or None, session_id=session_id or None)


def _not_found(memory_id: str) -> HTTPException:
    return HTTPException(status_code=404, detail=f"Memory with ID {memory_id} not found")


# --- POST /v1/memory/prompt: a question with what is remembered of it, ready for a model ---

prompt_router = auth.keyed_router("/v1/memory", tag="wire: memory prompt", route_class=http.JsonRoute)
_Word = Annotated[Storable, Field(max_length=512)]
_SUMMARY = "## A summary of the conversation so far:\n"
_MEMORIES = "## Long term memories related to the user's query\n "
_NONE = "No relevant long-term memories found."
_NEITHER = "Either session or long_term_search must be provided"


class PromptSession(WireBody):
    """Which conversation."""

    session_id: _Word
    namespace: _Word | None = None
    user_id: _Word | None = None
    model_name: str | None = None
    context_window_max: Annotated[int, Field(ge=1)] | None = Field(default=None, description="tokens; may be a string")


class Prompt(WireBody):
    """The question, and where to look."""

    query: Storable
    session: PromptSession | None = None
    long_term_search: bool | RecordSearch | None = None


class PromptText(BaseModel):
    """What a message says."""

    type: Literal["text"] = "text"
    text: str


class PromptMessage(BaseModel):
    """One message for a model."""

    role: Literal["system", "user", "assistant"]
    content: PromptText


class Prompted(BaseModel):
    """The messages, and the memories that are among them as rows."""

    messages: list[PromptMessage]
    long_term_memories: list[FoundRecord] | None


@prompt_router.post("/prompt")
async def prompt(app: auth.Tenant, body: Prompt) -> Prompted:
    """Answer summary and messages of the session, then the memories found for the question, then the question."""
    search = _search(body)
    if body.session is None and search is None:
        raise HTTPException(status_code=400, detail=_NEITHER)
    messages = await _session(app, body.session) if body.session else []
    page = await app.long_term.search(search.search(body.query)) if search else None
    if page is not None and body.session is not None:
        # Its own messages are above already, or in the summary.
        others = tuple(row for row in page.rows if not _is_said_in(row.memory, body.session))
        page = replace(page, rows=others)
    if page is not None:
        messages.append(_message("system", _MEMORIES + _listed(page)))
    messages.append(_message("user", body.query))
    rows = [FoundRecord.of(row) for row in page.rows] if page else []
    return Prompted(messages=messages, long_term_memories=rows or None)


def _is_said_in(memory: Memory, session: PromptSession) -> bool:
    return memory.metadata.get("kind") == TURN and memory.session_id == session.session_id


def _search(body: Prompt) -> RecordSearch | None:
    """``true`` searches what the session's user has outside the session."""
    search, session = body.long_term_search, body.session
    if isinstance(search, RecordSearch):
        user_id = session.user_id if session else None
        return search if search.user_id or not user_id else search.model_copy(update={"user_id": TagFilter(eq=user_id)})
    if not search:
        return None
    if session is None:
        return RecordSearch()
    return RecordSearch(
        session_id=TagFilter(ne=session.session_id),
        user_id=TagFilter(eq=session.user_id) if session.user_id else None,
        namespace=TagFilter(eq=session.namespace) if session.namespace else None,
    )


async def _session(app: App, session: PromptSession) -> list[PromptMessage]:
    """What is known of the conversation; a session nobody has begun has no messages."""
    try:
        context = await app.conversations.context(
            session.session_id, token_budget=session.context_window_max, user_id=session.user_id or None,
            namespace=session.namespace or None,
        )  # fmt: skip
    except NotFound:
        return []
    carried = [message.text for message in context.messages if message.role == CARRIED]
    summary = "\n".join(part for part in (*carried, context.summary) if part)
    messages = [_message(_role(message), message.text) for message in context.messages if message.role != CARRIED]
    return [_message("system", _SUMMARY + summary), *messages] if summary else messages


def _role(message: Message) -> Literal["system", "user", "assistant"]:
    """Whoever is neither the user nor the system is the assistant."""
    if message.role == "user":
        return "user"
    return "system" if message.role == "system" else "assistant"


def _message(role: Literal["system", "user", "assistant"], text: str) -> PromptMessage:
    return PromptMessage(role=role, content=PromptText(text=text))


def _listed(page: Found) -> str:
    return "\n".join(f"- {row.memory.text} (ID: {row.memory.id})" for row in page.rows) or _NONE
