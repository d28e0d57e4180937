"""The resource /v1/users."""

from __future__ import annotations

from fastapi import APIRouter

from precis.app.inputs import AnyId
from precis.engine.forgetting import Receipt
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["users"], route_class=StrictRoute)


@router.delete("/users/{user_id:anything}", dependencies=NO_QUERY)
async def forget(app: Tenant, user_id: AnyId) -> Receipt:
    """Forget everything of a user, then destroy the key that could open old copies of it.

    404 for a user of whom there is nothing: no key is destroyed, and no receipt says that somebody is gone.
    """
    return await app.memories.forget_user(user_id)
