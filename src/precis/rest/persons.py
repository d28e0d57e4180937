"""What a person may ask for: to be forgotten, with a receipt and a proof; how much is held, and a copy of it to keep.

The resources /v1/forget (by ids, or in words), /v1/receipts, /v1/verify-forgotten, /v1/users and /v1/import.
"""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import aclosing
from datetime import date, datetime
from typing import Annotated, Any, Self

from fastapi import HTTPException, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, Field, model_validator

from precis import errors, memory
from precis.app import inputs, persons
from precis.app.in_words.answers import MOST_DOUBTFUL, Confirmed, Preview, nothing_sure
from precis.app.receipts import MIN_WORD, Proof, PublicKey, ReceiptPage, SignedReceipt, begin_looking
from precis.engine.forgetting import Receipt
from precis.rest import answers, http
from precis.rest.auth import Tenant, keyed_router
from precis.rest.rollups import Begun, waited_for
from precis.store.filtering import Page
from precis.store.upkeep.census import Held
from precis.typed import Cursor, KnownId, Label, PageSize, Plain, Published, Storable, StrictBody, TypedBody, When, Word

router = keyed_router("/v1", tag="memories")

#: These name rows of a preview.
_OF_PREVIEW = ("also", "keep")
#: The three ways to say it, and what else may be given with each; with words anything but rows of a preview.
_BESIDE: Mapping[str, Collection[str] | None] = {
    "ids": (), "what": None, "preview_id": ("include_doubtful", "user_id", *_OF_PREVIEW),
}  # fmt: skip
#: What narrows the scope of words.
_SCOPE = (
    "project_id", "environment", "namespace", "session_id", "agent_id", "run_id", "memory_type", "extracted_type",
)  # fmt: skip


def _goes_with(name: str, beside: Collection[str] | None) -> bool:
    return name not in _OF_PREVIEW if beside is None else name in beside


def _three_ways(schema: dict[str, Any]) -> None:
    """One of the three, as a schema says it; words need a user."""
    fields, present = schema["properties"], {"not": {"type": "null"}}

    def way(name: str, beside: Collection[str] | None) -> dict[str, Any]:
        needed = [name, "user_id"] if name == "what" else [name]
        others = [each for each in fields if each not in needed and (each in _BESIDE or not _goes_with(each, beside))]
        absent = {each: {"enum": [fields[each].get("default")]} for each in others}
        return {"type": "object", "required": needed, "properties": absent | dict.fromkeys(needed, present)}

    schema["oneOf"] = [way(name, beside) for name, beside in _BESIDE.items()]


_Rows = Annotated[list[KnownId], Field(max_length=1000)]


class ForgetRequest(TypedBody, StrictBody):
    """What to forget: memories by their ids, what a request in words means, or what a preview showed."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_three_ways)

    ids: Annotated[list[KnownId], Field(min_length=1, max_length=1000)] | None = None
    what: inputs.ToForget | None = Field(default=None, description='in words: "everything about Frank"; needs user_id')
    preview_id: KnownId | None = Field(default=None, description="confirms what the preview of that id showed")
    confirm: bool = Field(default=False, description="with what: forget what is surely meant without a preview")
    include_doubtful: bool = Field(default=False, description="forget what is in doubt as well")
    most_doubtful: Annotated[int, Field(ge=1, le=1000, description="with what: so many are listed")] = MOST_DOUBTFUL
    also: _Rows = Field(default=[], description="with preview_id: ids of what it showed in doubt that go as well")
    keep: _Rows = Field(default=[], description="with preview_id: ids of what it showed that stay")
    user_id: KnownId | None = None
    project_id: Annotated[Plain, Field(max_length=200)] | None = None
    environment: Word | None = None
    namespace: Label | None = None
    session_id: Label | None = None
    agent_id: Word | None = None
    run_id: Word | None = None
    memory_type: memory.MemoryType | None = None
    extracted_type: Word | None = None
    since: When | None = Field(default=None, description="written then or later")
    until: When | None = Field(default=None, description="written before then")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ways = [name for name in _BESIDE if getattr(self, name) is not None]
        if len(ways) != 1:
            raise ValueError("give ids, or what and user_id, or preview_id: one of the three")
        if self.what is not None and self.user_id is None:
            raise ValueError("what: whose memories it is about is not said; give user_id")
        others = [name for name in self.model_dump(exclude_defaults=True) if name not in ways]
        if wrong := [name for name in others if not _goes_with(name, _BESIDE[ways[0]])]:
            other = "preview_id" if {*wrong}.issubset(_OF_PREVIEW) else "what"
            raise ValueError(f"{', '.join(wrong)}: goes with {other}, not with {ways[0]}")
        return self

    @property
    def scope(self) -> dict[str, Any]:
        """The fields that narrow the scope."""
        return {name: value for name in _SCOPE if (value := getattr(self, name)) is not None}


@router.post("/forget", name="forget_many")
async def forget(app: Tenant, body: ForgetRequest) -> Confirmed | Receipt | Preview:
    """Forget by ids, or in words: show what a request means, then forget what was shown.

    With ``ids``: the receipt; ids that name nothing are in ``not_found``, 404 where none exists. With ``what``: a
    preview of what goes, what is in doubt and what stays near it, of which nothing is forgotten yet; 404 where nothing
    is meant and nothing is near. With ``preview_id``, or with ``what`` and ``confirm: true``: the receipt of what was
    surely meant, and of what was in doubt where ``include_doubtful`` says so. With ``preview_id`` rows can be chosen:
    those of ``also``, which were in doubt, go as well, and those of ``keep`` stay.
    """
    if body.ids is not None:
        return await app.memories.forget(body.ids)
    if body.preview_id is not None:
        return await app.memories.forget_preview(
            body.preview_id, user_id=body.user_id, include_doubtful=body.include_doubtful, also=body.also,
            keep=body.keep,
        )  # fmt: skip
    preview = await app.memories.find_to_forget(
        body.what or "", user_id=body.user_id or "", since=body.since, until=body.until,
        propose=not body.confirm, most_doubtful=body.most_doubtful, **body.scope,
    )  # fmt: skip
    if not body.confirm:
        return preview
    if not preview.forget and not (body.include_doubtful and preview.doubtful):
        raise errors.NotFound(nothing_sure(preview))
    return await app.memories.forget_preview(preview, include_doubtful=body.include_doubtful)


receipts_router = keyed_router("/v1", tag="receipts")


class ReceiptQuery(StrictBody):
    """A page of receipts."""

    memory_id: KnownId | None = Field(default=None, description="those that name this memory")
    user_id: KnownId | None = Field(default=None, description="those that name this user")
    limit: PageSize = 50
    cursor: Cursor | None = None


#: A word with as many characters without the space around it, as the search has it; of Chinese, Japanese or Korean two.
_Needle = Annotated[
    Storable, Field(min_length=2, max_length=200),
    Published(
        pattern=rf"^[^\x00]*(?:[^\s\x00\x1c-\x1f][^\x00]{{{MIN_WORD - 2},}}[^\s\x00\x1c-\x1f]"
        r"|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2})[^\x00]*$"
    ),
]  # fmt: skip


class WordSearch(TypedBody, StrictBody):
    """What to look for."""

    words: Annotated[list[_Needle], Field(min_length=1, max_length=100)]
    wait: bool = Field(default=True, description="false: answer a task at once")


@receipts_router.get("/receipts")
async def page(app: Tenant, query: Annotated[ReceiptQuery, Query()]) -> ReceiptPage:
    """List what was forgotten, the latest first: receipts as they were signed, and the signed head of the chain."""
    return await app.receipts.list(**dict(query))


@receipts_router.get("/receipts/key")
async def key(app: Tenant) -> PublicKey:
    """The public key that verifies receipts, and its fingerprint."""
    return app.receipts.key


@receipts_router.get("/receipts/{receipt_id:anything}")
async def read(app: Tenant, receipt_id: KnownId) -> SignedReceipt:
    """Read one receipt as it was signed, and the one that completes it once a pool has confirmed."""
    return await app.receipts.get(receipt_id)


@receipts_router.post(
    "/verify-forgotten", responses={202: {"description": "It goes on: ask for the task.", "model": Begun}}
)
async def verify_forgotten(app: Tenant, body: WordSearch, request: Request, response: Response) -> Proof | Begun:
    """Look for words everywhere precis writes. They are not stored, logged or repeated.

    With a key only what is the tenant's own is looked into, and not the files, which hold rows of every tenant. What
    takes longer than a few seconds is answered with 202 and a task.
    """
    run = await begin_looking(app.parts, body.words, files=request.state.key is None)
    result = await waited_for(run, app, response, wait=body.wait)
    return result if isinstance(result, Begun) else Proof.read(result)


# --- whole users ---

users_router = keyed_router("/v1", tag="users")


class _JsonLines(StreamingResponse):
    """Lines of JSON, sent as they are read."""

    media_type = "application/x-ndjson"


@users_router.get(
    "/users/{user_id:anything}/export", response_class=_JsonLines, name="export",
    responses={200: {"description": "JSON lines", "content": {_JsonLines.media_type: {"schema": {"type": "string"}}}}},
)  # fmt: skip
async def export_user(app: Tenant, user_id: KnownId) -> _JsonLines:
    """Everything that is held about a user, as ``precis export`` writes it: JSON lines, all of one moment.

    404 for a user of whom there is nothing.
    """
    lines = app.persons.export(user_id)
    # Asked for here, so that an unknown user is a 404 and not the beginning of an answer.
    opening = await anext(lines)

    async def every_line() -> AsyncIterator[bytes]:
        async with aclosing(lines):
            yield opening
            async for line in lines:
                yield line

    return _JsonLines(every_line())


@users_router.post(
    "/import", status_code=201, name="import",
    openapi_extra={
        "requestBody": {"required": True, "content": {_JsonLines.media_type: {"schema": {"type": "string"}}}}
    },
)  # fmt: skip
async def import_user(app: Tenant, request: Request) -> persons.Carried:
    """Put what an export wrote into this store, which must not know the user: all of it or nothing.

    The lines of ``GET /v1/users/{user_id}/export`` as they are, read while they come, at most 256 MiB; a second export
    is the first byte for byte. What was forgotten here stays away, and what rests on it. 409 where the user is known,
    410 where all of it was forgotten.
    """
    if http.declared_type(request) != _JsonLines.media_type:
        detail = "the body must be JSON lines: send it with the header Content-Type: application/x-ndjson"
        raise HTTPException(status_code=415, detail=detail)
    return await app.persons.put_stream(request.stream())


class HeldBody(answers.Answer):
    """How much is held of a user."""

    user_id: str
    memories: int = Field(description="raw ones, those whose text has expired among them")
    expired: int
    summaries: int
    by_type: dict[str, int] = Field(description="raw memories by memory_type")
    by_age: dict[str, int] = Field(
        description="raw memories made within 7 days (week), 30 days (month), 365 days (year), or before (older)"
    )
    by_month: dict[date, int] = Field(
        description="raw memories made in each of the last twelve months (UTC), by its first day"
    )
    by_tier: dict[str, int] = Field(description="summaries by what made them: cluster, day, week, month, ...")
    oldest: datetime | None = Field(description="when the first raw memory was made")
    newest: datetime | None


class UserPage(answers.Answer):
    """Some users, by their names."""

    users: list[HeldBody] = Field(validation_alias="rows")
    next_cursor: str | None


class UsersQuery(StrictBody):
    """A page of users."""

    limit: PageSize = 50
    cursor: Cursor | None = None


@users_router.get("/users", response_model=UserPage, name="page")
async def users(app: Tenant, query: Annotated[UsersQuery, Query()]) -> Page[Held]:
    """List the users of whom anything is held, by their names, and how much."""
    return await app.persons.list(limit=query.limit, cursor=query.cursor)


@users_router.get("/users/{user_id:anything}", response_model=HeldBody, name="read")
async def user(app: Tenant, user_id: KnownId) -> Held:
    """Answer how much is held of one user."""
    return await app.persons.get(user_id)


@users_router.delete("/users/{user_id:anything}", name="forget")
async def forget_user(app: Tenant, user_id: KnownId) -> Receipt:
    """Forget everything of a user, then destroy the key that could open old copies of it.

    404 for a user of whom there is nothing: no key is destroyed, and no receipt says that somebody is gone.
    """
    return await app.memories.forget_user(user_id)
