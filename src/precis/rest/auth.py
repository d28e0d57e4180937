"""Who is asking: a key names the tenant; without any key there is one default tenant, for this computer only.

Who looks at the page has entered a key, and has a cookie that is good for the page alone.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Generic, TypeVar

from fastapi import APIRouter, Depends, Request, Security
from fastapi.routing import APIRoute
from fastapi.security import APIKeyHeader, HTTPBearer
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import PrecisError, StoreUnavailable, Unauthorized
from precis.keys.receipts import asked_by
from precis.keys.tenants import DEFAULT_TENANT, Holder
from precis.page.rendering import PATH
from precis.page.visit import COOKIE, Seen, Session, Sessions
from precis.rest import callers, http, openapi

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
_TOO_MANY = "too many unknown keys came from this address; try again later"
_FOREIGN_FORM = "a page of another site sent this form; nothing was done"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Believed(Generic[T]):
    """An answer of the key table, and until when it is believed."""

    answer: T
    until: float


class Keys:
    """Keys as the server sees them. Neither a key nor its absence is believed for longer than ``BELIEVED``."""

    def __init__(self, runtime: Runtime, *, timer: Callable[[], float]) -> None:
        self._runtime = runtime
        #: Seconds that pass also where the clock of the policies is frozen.
        self._timer = timer
        #: By the hash of a key, or by its tenant and id.
        self._holders: dict[bytes | tuple[str, str], _Believed[Holder]] = {}
        self._exist: _Believed[bool] | None = None
        self._attempts = callers.Attempts(timer)
        self._lookups: callers.Together[_Believed[Holder]] = callers.Together()

    @cached_property
    def sessions(self) -> Sessions:
        """Of browsers that look at the page."""
        secret = self._runtime.store.tenants.keyring.open_tenant(DEFAULT_TENANT).session_secret()
        return Sessions(secret, self._runtime.engine.clock)

    @property
    def metrics_key(self) -> str | None:
        """What a scraper sends."""
        key = self._runtime.settings.metrics_key
        return key.get_secret_value() if key else None

    async def exist(self) -> bool:
        """Whether anybody holds a key. Raises StoreUnavailable."""
        if self._exist is None or self._exist.until <= self._timer():
            # Answers within seconds that the database is down; the directory would wait for a connection.
            await self._runtime.database.ping()
            exist = await self._runtime.store.tenants.any_keys()
            self._exist = _Believed(answer=exist, until=self._timer() + BELIEVED)
        return self._exist.answer

    async def were_seen(self) -> bool:
        """Whether anybody holds a key, by the last answer of the table where the database is down."""
        try:
            return await self.exist()
        except StoreUnavailable:
            return self._exist is not None and self._exist.answer

    async def holder_of(self, secret: str, *, address: str) -> Holder:
        """Whom the key speaks for. Raises Unauthorized, StoreUnavailable, TooManyAttempts.

        A key that was good a while ago never waits, however many bad ones come from its address.
        """
        # Only a hash is kept, so that no key lies in memory for longer than its request.
        name = sha256(secret.encode("utf-8", "surrogatepass")).digest()
        known = self._holders.pop(name, None)
        if known is None:
            # Many clients of one tenant begin at once: they are no many attempts.
            known = await self._lookups.ask(name, lambda: self._try(secret, address))
        elif known.until <= self._timer():
            known = await self._lookups.ask(name, lambda: self._ask(secret))
        return self._remembered(name, known)

    async def holder_in(self, session: Session) -> Holder | None:
        """Whose key was entered in this session; None where none was, or it was revoked. Raises StoreUnavailable."""
        if session.tenant_id is None or session.key_id is None:
            return None
        name = (session.tenant_id, session.key_id)
        known = self._holders.pop(name, None)
        if known is None or known.until <= self._timer():
            try:
                holder = await self._runtime.store.tenants.holder(session.tenant_id, session.key_id)
            except Unauthorized:
                return None
            known = _Believed(answer=holder, until=self._timer() + BELIEVED)
        return self._remembered(name, known)

    async def enter(self, secret: str, address: str) -> Session:
        """A session for whoever has this key. Raises Unauthorized, StoreUnavailable."""
        try:
            holder = await self.holder_of(secret, address=address)
        except callers.TooManyAttempts as error:
            raise Unauthorized(_TOO_MANY) from error
        return self.sessions.begin(tenant_id=holder.tenant_id, key_id=holder.key_id)

    def _remembered(self, name: bytes | tuple[str, str], known: _Believed[Holder]) -> Holder:
        while len(self._holders) >= _MOST:
            del self._holders[next(iter(self._holders))]
        self._holders[name] = known
        return known.answer

    async def _try(self, secret: str, address: str) -> _Believed[Holder]:
        """Look up a key that was not seen before, after the wait that its address has earned."""
        await asyncio.sleep(self._attempts.take(address))
        try:
            known = await self._ask(secret)
        except StoreUnavailable:
            self._attempts.give_back(address)
            raise
        self._attempts.give_back(address)
        return known

    async def _ask(self, secret: str) -> _Believed[Holder]:
        try:
            holder = await self._runtime.store.tenants.holder_of(secret)
        except Unauthorized:
            raise Unauthorized(_BAD_KEY) from None
        return _Believed(answer=holder, until=self._timer() + BELIEVED)


class Authentication:
    """Puts ``tenant_id`` into the request's state, or refuses; before a body is read or a route is looked up."""

    def __init__(
        self, app: ASGIApp, *, keys: Keys, loopback: bool, hosts: Sequence[str] = (), page: bool = True
    ) -> None:
        self._app = app
        self._keys = keys
        #: Whether there is a page.
        self._page = page
        #: Whether the server can be reached from this computer only.
        self._loopback = loopback
        #: Names besides those of this computer under which it serves without keys.
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        in_path = _strip(scope)
        refused = await self._refused(scope, in_path)
        token = asked_by.set(scope["state"].get("key"))
        try:
            await (refused or self._app)(scope, receive, send)
        finally:
            asked_by.reset(token)

    async def _refused(self, scope: Scope, in_path: str | None) -> JSONResponse | None:
        """The answer to a request that is not served; None puts the tenant into its state."""
        headers = Headers(scope=scope)
        foreign = await self._foreign(scope, headers)
        if foreign is not None or scope["path"] in OPEN_PATHS:
            return foreign
        if scope["path"] == callers.METRICS:
            return await self._to_scraper(headers)
        if self._page and is_page(scope["path"]):
            return await self._to_page(scope, headers)
        try:
            holder = await self._holder(scope, headers, in_path)
            scope["state"]["tenant_id"] = holder.tenant_id if holder else DEFAULT_TENANT
            scope["state"]["key"] = holder.key if holder else None
        except PrecisError as error:
            return http.answer_to(error)
        except callers.TooManyAttempts as error:
            return JSONResponse({"detail": _TOO_MANY}, 429, headers={"Retry-After": str(error.retry_after)})
        return None

    async def _to_scraper(self, headers: Headers) -> JSONResponse | None:
        """The figures are of all tenants: they have a key of their own."""
        try:
            key = self._keys.metrics_key
            # With a key of its own the database is not asked: where that is away, a scrape would wait for it twice.
            has_keys = key is None and (not self._loopback or await self._keys.were_seen())
            callers.refuse_scraper(headers, key=key, has_keys=has_keys)
        except PrecisError as error:
            return http.answer_to(error)
        return None

    async def _to_page(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        """Who looks at the page is known by a cookie, which opens nothing else; a foreign page's form is refused."""
        if scope["method"] not in callers.READS and not callers.is_own(headers):
            return JSONResponse({"detail": _FOREIGN_FORM}, 403)
        session = self._keys.sessions.read(cookie_parser(headers.get("cookie", "")).get(COOKIE))
        known = session or self._keys.sessions.begin()
        try:
            holder = await self._keys.holder_in(known)
            is_keyless = holder is None and self._loopback and not await self._keys.exist()
        except PrecisError as error:
            return http.answer_to(error)
        tenant_id = holder.tenant_id if holder else DEFAULT_TENANT if is_keyless else None
        scope["state"].update(
            tenant_id=tenant_id, key=holder.key if holder else None,
            page=Seen(session=known, is_new=session is None, tenant_id=tenant_id),
        )  # fmt: skip
        return None

    async def _foreign(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        """The answer to what a page of another site sent, as long as nobody has a key.

        Where keys are, no page has one to send, and a name of the server's own may be any.
        """
        if not self._loopback:
            return None
        bound = str((scope.get("server") or ("",))[0])
        reason = callers.refusal(scope["method"], headers, bound=bound, allowed=self._hosts)
        if reason is None or await self._keys.were_seen():
            return None
        return JSONResponse({"detail": reason.detail}, reason.status)

    async def _holder(self, scope: Scope, headers: Headers, in_path: str | None) -> Holder | None:
        """Whose key it is; None where nobody has to show one."""
        secret = in_path if in_path is not None else _bearer(headers) or headers.get("x-api-key") or None
        if secret is not None:
            return await self._keys.holder_of(secret, address=str((scope.get("client") or ("",))[0]))
        if not self._loopback or await self._keys.exist():
            raise Unauthorized(_NO_KEY)
        return None


def is_page(path: str) -> bool:
    """Whether the page answers there."""
    return path in {"/", PATH} or path.startswith(f"{PATH}/")


async def tenant_app(request: Request) -> App:
    """precis for the tenant that the request's key names."""
    app: App = request.app.state.app_of(request.state.tenant_id)
    return app


Tenant = Annotated[App, Depends(tenant_app)]


#: Tells the schemes in OpenAPI; the work is done by Authentication.
_SECURED = [
    Security(HTTPBearer(auto_error=False, description="A key made by `precis keys create`.")),
    Security(APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key.")),
]


def keyed_router(prefix: str, *, tag: str, route_class: type[APIRoute] = http.StrictRoute) -> APIRouter:
    """A router whose routes need a key; they are ready as they are, so that no server makes them a second time."""
    return APIRouter(
        prefix=prefix, tags=[tag], route_class=route_class, dependencies=[Depends(http.once), *_SECURED],
        generate_unique_id_function=openapi.name_of,
    )  # fmt: skip


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
