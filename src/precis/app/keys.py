"""app.keys: who may speak for the tenant."""

from __future__ import annotations

from collections.abc import Sequence

from precis.app.parts import Parts
from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.keys.tenants import ApiKey

#: Longest name of a key, in characters.
_NAME = 200


class ApiKeys:
    """Verbs over the API keys of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def list(self) -> Sequence[ApiKey]:
        """The keys, revoked ones included; never their secrets."""
        return await self._parts.store.tenants.keys(self._parts.tenant_id)

    async def create(self, name: str) -> str:
        """A new key under a name; its secret is answered this once. Raises InvalidInput."""
        if not checked_name(name, "name").strip() or len(name) > _NAME:
            raise InvalidInput(f"name: give the key a name of 1 to {_NAME} characters", field="name")
        parts = self._parts
        return await parts.store.tenants.create_key(parts.tenant_id, name=name.strip(), now=parts.engine.clock())

    async def revoke(self, key_id: str) -> None:
        """From now on the key opens nothing. Raises NotFound."""
        parts = self._parts
        await parts.store.tenants.revoke_key(parts.tenant_id, checked_name(key_id, "key_id"), now=parts.engine.clock())
