"""The resources /v1/forget (by ids, or in words), /v1/receipts and /v1/verify-forgotten."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Self

from fastapi import Query as InUrl
from fastapi import Request, Response
from pydantic import ConfigDict, Field, model_validator

from precis.app.in_words.answers import Confirmed, Preview
from precis.app.inputs import ToForget
from precis.app.receipts import MIN_WORD, Proof, PublicKey, ReceiptPage, SignedReceipt, begin_looking
from precis.engine.forgetting import Receipt
from precis.errors import NotFound
from precis.memory import MemoryType
from precis.rest.auth import Tenant, keyed_router
from precis.rest.rollups import Begun, waited_for
from precis.typed import Cursor, KnownId, Label, PageSize, Plain, Published, Storable, StrictBody, TypedBody, When, Word

router = keyed_router("/v1", tag="memories")

#: The three ways to say it, and what else may be given with each; with words anything.
_BESIDE: Mapping[str, Collection[str] | None] = {"ids": (), "what": None, "preview_id": ("include_doubtful", "user_id")}

#: What narrows the scope of words.
_SCOPE = (
    "project_id", "environment", "namespace", "session_id", "agent_id", "run_id", "memory_type", "extracted_type",
)  # fmt: skip


def _goes_with(name: str, beside: Collection[str] | None) -> bool:
    return beside is None or name in beside


def _three_ways(schema: dict[str, Any]) -> None:
    """One of the three, as a schema says it; words need a user."""
    fields, present = schema["properties"], {"not": {"type": "null"}}

    def way(name: str, beside: Collection[str] | None) -> dict[str, Any]:
        needed = [name, "user_id"] if name == "what" else [name]
        others = [each for each in fields if each not in needed and (each in _BESIDE or not _goes_with(each, beside))]
        absent = {each: {"enum": [fields[each].get("default")]} for each in others}
        return {"type": "object", "required": needed, "properties": absent | dict.fromkeys(needed, present)}

    schema["oneOf"] = [way(name, beside) for name, beside in _BESIDE.items()]


class ForgetRequest(TypedBody, StrictBody):
    """What to forget: memories by their ids, what a request in words means, or what a preview showed."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_three_ways)

    ids: Annotated[list[KnownId], Field(min_length=1, max_length=1000)] | None = None
    what: ToForget | None = Field(default=None, description='in words: "everything about Frank"; needs user_id')
    preview_id: KnownId | None = Field(default=None, description="confirms what the preview of that id showed")
    confirm: bool = Field(default=False, description="with what: forget what is surely meant without a preview")
    include_doubtful: bool = Field(default=False, description="forget what is in doubt as well")
    user_id: KnownId | None = None
    project_id: Annotated[Plain, Field(max_length=200)] | None = None
    environment: Word | None = None
    namespace: Label | None = None
    session_id: Label | None = None
    agent_id: Word | None = None
    run_id: Word | None = None
    memory_type: MemoryType | None = None
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
            raise ValueError(f"{', '.join(wrong)}: goes with what, not with {ways[0]}")
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
    is meant. With ``preview_id``, or with ``what`` and ``confirm: true``: the receipt of what was surely meant, and of
    what was in doubt where ``include_doubtful`` says so.
    """
    if body.ids is not None:
        return await app.memories.forget(body.ids)
    if body.preview_id is not None:
        return await app.memories.forget_preview(
            body.preview_id, user_id=body.user_id, include_doubtful=body.include_doubtful
        )
    preview = await app.memories.find_to_forget(
        body.what or "", user_id=body.user_id or "", since=body.since, until=body.until,
        propose=not body.confirm, **body.scope,
    )  # fmt: skip
    if not body.confirm:
        return preview
    if not preview.forget and not (body.include_doubtful and preview.doubtful):
        raise NotFound(f"nothing is surely meant by that: {len(preview.doubtful)} in doubt, see the preview")
    return await app.memories.forget_preview(preview, include_doubtful=body.include_doubtful)


receipts_router = keyed_router("/v1", tag="receipts")


class ReceiptQuery(StrictBody):
    """A page of receipts."""

    memory_id: KnownId | None = Field(default=None, description="those that name this memory")
    user_id: KnownId | None = Field(default=None, description="those that name this user")
    limit: PageSize = 50
    cursor: Cursor | None = None


#: A word with as many characters without the space around it, as the search has it.
_Needle = Annotated[
    Storable, Field(min_length=MIN_WORD, max_length=200),
    Published(pattern=rf"^[^\x00]*[^\s\x00\x1c-\x1f][^\x00]{{{MIN_WORD - 2},}}[^\s\x00\x1c-\x1f][^\x00]*$"),
]  # fmt: skip


class WordSearch(TypedBody, StrictBody):
    """What to look for."""

    words: Annotated[list[_Needle], Field(min_length=1, max_length=100)]
    wait: bool = Field(default=True, description="false: answer a task at once")


@receipts_router.get("/receipts")
async def page(app: Tenant, query: Annotated[ReceiptQuery, InUrl()]) -> ReceiptPage:
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
