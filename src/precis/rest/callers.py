"""Callers who are turned away: pages of other sites, scrapers, addresses that try bad keys, bodies that are too large.

Without keys whoever reaches the server is served, and every page that is open in a browser of this computer reaches it.
A page cannot choose three headers: ``Host`` is the name it asked for, ``Origin`` and ``Sec-Fetch-Site`` say whose page
it is. Programs that are no browser send ``Host`` alone. The more bad keys come from an address, the longer its next one
waits.
"""

import asyncio
import hmac
import math
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Iterable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import SplitResult, urlsplit

from fastapi import HTTPException
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from precis import errors, typed

#: Methods that change nothing: the browser keeps their answers from the other page by itself.
READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
#: Whose page sent it, as browsers say: the server's own, or nobody's (typed into the address bar).
_OWN_SITES = frozenset({"same-origin", "none"})
_PORTS = {"http": 80, "https": 443}

#: Where Prometheus scrapes.
METRICS = "/metrics"
_HAS_NO_KEY = (
    "the figures are of all tenants, so no tenant's key opens them: "
    "set PRECIS_METRICS_KEY on the server, and send it as Authorization: Bearer"
)
_NOT_ITS_KEY = (
    "the figures are of all tenants, so no tenant's key opens them: "
    "send that of PRECIS_METRICS_KEY as Authorization: Bearer"
)
_FOREIGN_HOST = (
    "without keys only this computer is served, under the name localhost or a loopback address; name further hosts in "
    "PRECIS_ALLOWED_HOSTS, or run `precis keys create` and send a key"
)
_FOREIGN_PAGE = (
    "a page of another site sent this (its Origin or Sec-Fetch-Site says so), and without keys such a page may change "
    "nothing; run `precis keys create` and send a key"
)


class Refusal(NamedTuple):
    """Why a request is not served."""

    status: int
    detail: str


def refusal(method: str, headers: Headers, *, bound: str, allowed: Iterable[str]) -> Refusal | None:
    """What speaks against serving this request without a key; None where nothing does.

    ``bound`` is the address that was listened on, ``allowed`` names further hosts.
    """
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _is_ours(hosts[0], {bound.lower(), *map(_name, allowed)}):
        return Refusal(status=421, detail=_FOREIGN_HOST)
    if method in READS or is_own(headers):
        return None
    return Refusal(status=403, detail=_FOREIGN_PAGE)


def is_own(headers: Headers) -> bool:
    """Whether no page of another server sent it, as browsers say."""
    hosts = headers.getlist("host")
    own = len(hosts) == 1 and all(_is_same(origin, hosts[0]) for origin in headers.getlist("origin"))
    return own and _OWN_SITES.issuperset(headers.getlist("sec-fetch-site"))


def _is_ours(host: str, names: set[str]) -> bool:
    name = _name(host)
    return bool(name) and (typed.is_loopback(name) or name in names)


def _name(host: str) -> str:
    """The name in ``name:port``, lower-cased; empty where there is none."""
    parts = _split(f"//{host}")
    return (parts.hostname or "").rstrip(".") if parts else ""


def _is_same(origin: str, host: str) -> bool:
    """Whether the page came from this very server: the same name and the same port."""
    parts = _split(origin)
    if parts is None or parts.scheme not in _PORTS:
        return False
    default, own = _PORTS[parts.scheme], _split(f"//{host}")
    return own is not None and (parts.hostname, parts.port or default) == (own.hostname, own.port or default)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def refuse_scraper(headers: Headers, *, key: str | None, has_keys: bool) -> None:
    """Raises Unauthorized unless the scraper's key was sent; without one, a server without keys tells this computer."""
    if key is None and not has_keys:
        return
    scheme, _, sent = headers.get("authorization", "").partition(" ")
    is_key = scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode(), (key or "").encode())
    if key is None:
        raise errors.Unauthorized(_HAS_NO_KEY)
    if not is_key:
        raise errors.Unauthorized(_NOT_ITS_KEY)


T = TypeVar("T")
#: Unknown keys of one address that are looked up without a wait, and seconds an address waits for each further one.
FREE, SECONDS = 20, 0.5
#: Longest wait; who would have to wait longer is told to come back.
_LONGEST = 3.0
#: Addresses that are remembered at once: the one that was quiet longest is forgotten first.
_MOST = 4_096


class TooManyAttempts(Exception):
    """Too many keys from this address were unknown. Try again later."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        #: Whole seconds after which the next key may be tried.
        self.retry_after = math.ceil(seconds)


class Attempts:
    """How many unknown keys an address has tried, as the moment when that is forgiven."""

    def __init__(self, timer: Callable[[], float]) -> None:
        self._timer = timer
        self._forgiven: OrderedDict[str, float] = OrderedDict()

    def take(self, address: str) -> float:
        """Seconds to wait before a key is looked up, counted as bad until ``give_back``. Raises TooManyAttempts."""
        now, block = self._timer(), _block(address)
        forgiven = max(self._forgiven.get(block, 0.0), now)
        wait = forgiven - now - (FREE - 1) * SECONDS
        if wait > _LONGEST:
            raise TooManyAttempts(wait)
        self._forgiven[block] = forgiven + SECONDS
        self._forgiven.move_to_end(block)
        if len(self._forgiven) > _MOST:
            self._forgiven.popitem(last=False)
        return max(0.0, wait)

    def give_back(self, address: str) -> None:
        """The key was good."""
        block = _block(address)
        if block in self._forgiven:
            self._forgiven[block] -= SECONDS


class Together(Generic[T]):
    """One look-up for all who want to know the same at the same time."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Task[T]] = {}

    async def ask(self, name: Hashable, look_up: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The answer of the look-up by that name, which begins where none is under way. Raises what it raises."""
        task = self._under_way.get(name)
        if task is None:
            task = self._under_way[name] = asyncio.create_task(look_up())
            task.add_done_callback(lambda done: self._end(name, done))
        # Whoever gives up leaves it to the others.
        return await asyncio.shield(task)

    def _end(self, name: Hashable, done: asyncio.Task[T]) -> None:
        del self._under_way[name]
        if not done.cancelled():
            done.exception()  # nobody may be left to hear of it


def _block(address: str) -> str:
    """The address, or the block of an IPv6 address: its owner may send from each address of it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(int(parsed) >> 64) if isinstance(parsed, IPv6Address) else address


#: Largest body of a request, in bytes.
MAX_BODY_BYTES = 32 * 2**20
#: The same of routes that read it while it comes, by the end of their path.
MAX_STREAM_BYTES = {"/v1/import": 256 * 2**20}
_TOO_LARGE = "the body is larger than {} bytes; send it in several calls"


@dataclass(kw_only=True, slots=True)
class _Counted:
    """The body as it comes in; an error once it is larger than it may be."""

    receive: Receive
    most: int
    seen: int = field(default=0)

    async def __call__(self) -> Message:
        message = await self.receive()
        self.seen += len(message.get("body", b""))
        if self.seen > self.most:
            raise HTTPException(status_code=413, detail=_TOO_LARGE.format(self.most))
        return message


class BodyLimit:
    """Refuses a body that is too large: at once where its length is declared, else while it is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        most = next((size for end, size in MAX_STREAM_BYTES.items() if scope.get("path", "").endswith(end)), None)
        most = most or MAX_BODY_BYTES
        if scope["type"] == "http" and _declared(scope) > most:
            await JSONResponse({"detail": _TOO_LARGE.format(most)}, status_code=413)(scope, receive, send)
            return
        await self._app(scope, _Counted(receive=receive, most=most), send)


def _declared(scope: Scope) -> int:
    value = dict(scope["headers"]).get(b"content-length", b"0")
    return int(value) if value.isdigit() else 0
