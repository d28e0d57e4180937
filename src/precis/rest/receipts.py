"""The resources /v1/receipts and /v1/verify-forgotten."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from precis.app.inputs import AnyId, Cursor, PageSize, StrictBody
from precis.app.receipts import PublicKey, ReceiptPage, SignedReceipt
from precis.rest.auth import Tenant
from precis.rest.http import NO_QUERY, StrictRoute

router = APIRouter(prefix="/v1", tags=["receipts"], route_class=StrictRoute)


class ReceiptQuery(StrictBody):
    """A page of receipts."""

    memory_id: AnyId | None = Field(default=None, description="those that name this memory")
    user_id: AnyId | None = Field(default=None, description="those that name this user")
    limit: PageSize = 50
    cursor: Cursor | None = None


@router.get("/receipts")
async def page(app: Tenant, query: Annotated[ReceiptQuery, Query()]) -> ReceiptPage:
    """List what was forgotten, the latest first: receipts as they were signed, and the signed head of the chain."""
    return await app.receipts.list(**dict(query))


@router.get("/receipts/key", dependencies=NO_QUERY)
async def key(app: Tenant) -> PublicKey:
    """The public key that verifies receipts, and its fingerprint."""
    return app.receipts.key


@router.get("/receipts/{receipt_id:anything}", dependencies=NO_QUERY)
async def read(app: Tenant, receipt_id: AnyId) -> SignedReceipt:
    """Read one receipt as it was signed, and the one that completes it once a pool has confirmed."""
    return await app.receipts.get(receipt_id)
