"""The resources /v1/receipts and /v1/verify-forgotten."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from precis.app.proofs.receipts import MIN_WORD, Proof, PublicKey, ReceiptPage, SignedReceipt, begin_looking
from precis.rest.auth import Tenant
from precis.rest.http import NO_QUERY, StrictRoute
from precis.rest.rollups import Begun
from precis.typed import Cursor, KnownId, PageSize, Published, Storable, StrictBody, TypedBody

router = APIRouter(prefix="/v1", tags=["receipts"], route_class=StrictRoute)


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


@router.get("/receipts")
async def page(app: Tenant, query: Annotated[ReceiptQuery, Query()]) -> ReceiptPage:
    """List what was forgotten, the latest first: receipts as they were signed, and the signed head of the chain."""
    return await app.receipts.list(**dict(query))


@router.get("/receipts/key", dependencies=NO_QUERY)
async def key(app: Tenant) -> PublicKey:
    """The public key that verifies receipts, and its fingerprint."""
    return app.receipts.key


@router.get("/receipts/{receipt_id:anything}", dependencies=NO_QUERY)
async def read(app: Tenant, receipt_id: KnownId) -> SignedReceipt:
    """Read one receipt as it was signed, and the one that completes it once a pool has confirmed."""
    return await app.receipts.get(receipt_id)


@router.post(
    "/verify-forgotten",
    dependencies=NO_QUERY,
    responses={202: {"description": "It goes on: ask for the task.", "model": Begun}},
)
async def verify_forgotten(app: Tenant, body: WordSearch, request: Request, response: Response) -> Proof | Begun:
    """Look for words everywhere precis writes. They are not stored, logged or repeated.

    With a key only what is the tenant's own is looked into, and not the files, which hold rows of every tenant. What
    takes longer than a few seconds is answered with 202 and a task.
    """
    run = await begin_looking(app.parts, body.words, files=request.state.key is None)
    task = await run.wait(app.parts.settings.summarize_wait_seconds if body.wait else 0.0)
    if task.result is not None and body.wait:
        return Proof.read(task.result)
    response.status_code = 202
    response.headers["Location"] = f"/v1/tasks/{task.id}"
    return Begun.of(task)
