"""Who is asking: a key names the tenant; without any key there is one default tenant, for this computer only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from typing import Annotated, Generic, TypeVar
from urllib.parse import urlsplit

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import PrecisError, Unauthorized
from precis.rest.errors import answer_to
from precis.store.tenants import DEFAULT_TENANT

T = TypeVar("T")
#: Seconds for which an answer of the key table is believed: as long as a revoked key may still open the door.
BELIEVED = 3.0
#: Verified keys that are remembered at once.
_MOST = 1_000
#: Answered without a key: they tell nothing of anybody.
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/openapi.json", "/v1/health"})
_PREFIX = "/t/"
_NO_KEY = "no key was given: send it as Authorization: Bearer, as X-API-Key, or in the base URL /t/<key>/"
_BAD_KEY = "this key is not known here, or it was revoked"
_NOT_LOCAL = (
    "without keys only this computer is served, under the name localhost or a loopback address; "
    "run `precis keys create` to serve others"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Believed(Generic[T]):
    """What the key table said, and until when that is believed."""

    said: T
    until: float


class Keys:
    """Keys as the server sees them. Neither a key nor its absence is believed for longer than ``BELIEVED``."""

    def __init__(self, runtime: Runtime, *, timer: Callable[[], float]) -> None:
        self._runtime = runtime
        #: Seconds that pass also where the clock of the policies is frozen.
        self._timer = timer
        self._tenants: dict[bytes, _Believed[str]] = {}
        self._exist: _Believed[bool] | None = None

    async def exist(self) -> bool:
        """Whether anybody holds a key. Raises StoreUnavailable."""
        if self._exist is None or self._exist.until <= self._timer():
            # Answers within seconds that the database is down; the directory would wait for a connection.
            await self._runtime.database.ping()
            said = await self._runtime.store.tenants.any_keys()
            self._exist = _Believed(said=said, until=self._timer() + BELIEVED)
        return self._exist.said

    async def tenant_of(self, secret: str) -> str:
        """Whom the key speaks for. Raises Unauthorized, StoreUnavailable."""
        # Only a hash is kept, so that no key lies in memory for longer than its request.
        name = sha256(secret.encode("utf-8", "surrogatepass")).digest()
        known = self._tenants.pop(name, None)
        if known is None or known.until <= self._timer():
            known = await self._ask(secret)
        while len(self._tenants) >= _MOST:
            del self._tenants[next(iter(self._tenants))]
        self._tenants[name] = known
        return known.said

    async def _ask(self, secret: str) -> _Believed[str]:
        try:
            tenant_id = await self._runtime.store.tenants.tenant_of(secret)
        except Unauthorized:
            raise Unauthorized(_BAD_KEY) from None
        return _Believed(said=tenant_id, until=self._timer() + BELIEVED)


class Authentication:
    """Puts ``tenant_id`` into the request's state, or answers 401; before a body is read or a route is looked up."""

    def __init__(self, app: ASGIApp, *, keys: Keys, loopback: bool) -> None:
        self._app = app
        self._keys = keys
        #: Whether the server can be reached from this computer only.
        self._loopback = loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        in_path = _strip(scope)
        if scope["path"] not in OPEN_PATHS:
            try:
                scope["state"]["tenant_id"] = await self._tenant(scope, in_path)
            except PrecisError as error:
                await answer_to(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _tenant(self, scope: Scope, in_path: str | None) -> str:
        headers = Headers(scope=scope)
        secret = in_path if in_path is not None else _bearer(headers) or headers.get("x-api-key") or None
        if secret is not None:
            return await self._keys.tenant_of(secret)
        if not self._loopback or await self._keys.exist():
            raise Unauthorized(_NO_KEY)
        if not _asked_for_locally(scope, headers):
            raise Unauthorized(_NOT_LOCAL)
        return DEFAULT_TENANT


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches a server that listens there."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def tenant_app(request: Request) -> App:
    """precis for the tenant that the request's key names."""
    runtime: Runtime = request.app.state.runtime
    return runtime.app(request.state.tenant_id)


#: For a router: tells the schemes in OpenAPI; the work is done by Authentication.
SECURED = [
    Security(HTTPBearer(auto_error=False, description="A key made by `precis keys create`.")),
    Security(APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key.")),
]
Tenant = Annotated[App, Depends(tenant_app)]


def _strip(scope: Scope) -> str | None:
    """Take ``/t/<key>`` off the path and answer the key: from here on nothing holds it that may be logged."""
    path: str = scope["path"]
    if not path.startswith(_PREFIX):
        return None
    secret, _, rest = path.removeprefix(_PREFIX).partition("/")
    scope["path"] = "/" + rest
    #: The routes read ``path``; the raw one is rewritten only so that the key is gone.
    scope["raw_path"] = scope["path"].encode()
    return secret


def _bearer(headers: Headers) -> str | None:
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else None


def _asked_for_locally(scope: Scope, headers: Headers) -> bool:
    """A page of somebody else's site may reach this server by a name of its own; it cannot choose the Host header."""
    try:
        asked = urlsplit("//" + headers.get("host", "")).hostname or ""
    except ValueError:
        return False
    server = scope.get("server") or ("", None)
    return is_loopback(asked) or asked == str(server[0]).lower()
