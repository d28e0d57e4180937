"""Who looks at the page, and a request as its parts see it: HTML that nothing foreign gets into.

A signed cookie names a key by its id and never holds the key. It is sent to the page alone (its path), and only by
pages of this server (SameSite). What a form sends carries a token besides, which is of the session and of nobody else:
whoever sees a page is known by then, and what a form sends has shown that token.
"""

import base64
import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from precis.app import App
from precis.errors import InvalidInput, PrecisError
from precis.makers import Clock
from precis.page.rendering import HEADERS, PARTS, PATH, html, link

COOKIE = "precis_page"
#: How long a session lasts after its key was entered.
LASTS = timedelta(hours=12)
#: Sessions that ended before their time, remembered at once: the oldest is forgotten first.
_MOST_ENDED = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A browser that looks at the page."""

    #: Random, and another one after each sign-in.
    nonce: str
    expires_at: datetime
    #: Whose key was entered, and its id; None before that, and where there are no keys.
    tenant_id: str | None = None
    key_id: str | None = None


class Sessions:
    """Writes and reads cookies. Any server with the same keys folder reads them; each knows who signed out of it."""

    def __init__(self, secret: bytes, clock: Clock) -> None:
        self._secret = secret
        self._clock = clock
        self._ended: dict[str, datetime] = {}

    def begin(self, *, tenant_id: str | None = None, key_id: str | None = None) -> Session:
        """A new one."""
        # Seconds: that is what a cookie holds.
        expires_at = (self._clock() + LASTS).replace(microsecond=0)
        return Session(nonce=secrets.token_urlsafe(16), expires_at=expires_at, tenant_id=tenant_id, key_id=key_id)

    def end(self, session: Session) -> None:
        """From now on its cookie opens nothing, whoever has kept it."""
        while len(self._ended) >= _MOST_ENDED:
            del self._ended[next(iter(self._ended))]
        self._ended[session.nonce] = session.expires_at

    def written(self, session: Session) -> str:
        """The value of its cookie."""
        fields = [session.nonce, int(session.expires_at.timestamp()), session.tenant_id, session.key_id]
        payload = base64.urlsafe_b64encode(orjson.dumps(fields)).decode()
        return f"{payload}.{self._signature('cookie', payload)}"

    def read(self, value: str | None) -> Session | None:
        """The session of a cookie; None for one that was not written here, has expired, or was signed out."""
        payload, _, signature = (value or "").partition(".")
        if not _are_equal(signature, self._signature("cookie", payload)):
            return None
        nonce, expires, tenant_id, key_id = orjson.loads(base64.urlsafe_b64decode(payload))
        expires_at = datetime.fromtimestamp(expires, UTC)
        if expires_at <= self._clock() or nonce in self._ended:
            return None
        return Session(nonce=nonce, expires_at=expires_at, tenant_id=tenant_id, key_id=key_id)

    def token(self, session: Session) -> str:
        """What every form of this session sends along."""
        return self._signature("form", session.nonce)

    def is_token(self, session: Session, token: str) -> bool:
        """Whether a form was of this session."""
        return _are_equal(token, self.token(session))

    def _signature(self, purpose: str, payload: str) -> str:
        # A cookie that somebody made up may hold anything.
        message = f"{purpose}:{payload}".encode("utf-8", "surrogatepass")
        return base64.urlsafe_b64encode(hmac.digest(self._secret, message, "sha256")).decode().rstrip("=")


def _are_equal(text: str, expected: str) -> bool:
    """Takes equally long wherever they differ."""
    return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), expected.encode())


T = TypeVar("T")
#: Largest form, in bytes.
_MOST_BYTES = 1 << 20
_MOST_FIELDS = 200
#: Of a number that are read: Python refuses thousands of them.
_DIGITS = 12


@dataclass(frozen=True, kw_only=True)
class Door:
    """What the server lends to the page."""

    sessions: Sessions
    #: A session of whoever has this key, entered at an address. Raises Unauthorized, StoreUnavailable.
    enter: Callable[[str, str], Awaitable[Session]]
    #: The status of an error.
    status_of: Callable[[Exception], int]
    #: What is wrong with the server, a line each.
    wrong: Callable[[], Awaitable[Sequence[str]]]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Who sends a request to the page, as the server found it."""

    session: Session
    #: Whether the browser has to be told of the session.
    is_new: bool
    #: None where a key has to be entered first.
    tenant_id: str | None


@dataclass(frozen=True, kw_only=True)
class Some(Generic[T]):
    """As many rows of a list as a page shows at once."""

    rows: Sequence[T]
    #: Place of the first of them, and how many there are in all.
    first: int
    total: int

    @property
    def next(self) -> int | None:
        """Place of the first of the next ones; None at the end."""
        after = self.first + len(self.rows)
        return after if after < self.total else None


def whole_number(text: str) -> int | None:
    """The number that a field holds; None for anything else, and for one that nothing here can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request."""

    request: Request
    door: Door
    seen: Seen
    query: Mapping[str, str]
    form: Mapping[str, str]

    @property
    def app(self) -> App:
        """precis for the tenant of the session."""
        app: App = self.request.app.state.app_of(self.seen.tenant_id)
        return app

    @property
    def has_key(self) -> bool:
        """Whether a key was entered; without keys everybody on this computer is served."""
        return self.seen.session.key_id is not None

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number of the query, brought within its bounds."""
        value = self.query.get(name, "")
        return min(most, max(least, int(value[:_DIGITS]))) if value.isascii() and value.isdecimal() else default

    def some(self, rows: Sequence[T], most: int, name: str = "from") -> Some[T]:
        """What of a list this page shows, from the place on that the address says under this name; or its last page."""
        first = self.number(name, 0, 0, len(rows))
        first = first if first < len(rows) else max(0, len(rows) - 1) // most * most
        return Some(rows=rows[first : first + most], first=first, total=len(rows))

    @property
    def instead(self) -> str | None:
        """Where a browser finds itself that comes back to the answer to a form; None for what is read by GET."""
        if self.request.method != "POST":
            return None
        part = self.request.url.path.removeprefix(f"{PATH}/").partition("/")[0]
        return link(part if part in PARTS else "")

    def needed(self, name: str) -> str:
        """A field of the form, or else of the query. Raises InvalidInput where there is none."""
        value = self.form.get(name) or self.query.get(name)
        if not value:
            raise InvalidInput(f"{name}: it is missing", field=name)
        return value

    def show(self, template: str, status: int = 200, **context: Any) -> Response:
        """A page."""
        token = self.door.sessions.token(self.seen.session)
        return html(template, status, csrf=token, visit=self, path=self.request.url.path, **context)

    def go(self, place: str, **query: str | int | None) -> Response:
        """Send the browser to another page, which it reads by GET; also where a script asked for a part of one."""
        if "hx-request" in self.request.headers:
            return Response(headers={"HX-Redirect": link(place, **query)})
        return RedirectResponse(link(place, **query), 303)


Part = Callable[[Visit], Awaitable[Response]]


def route(place: str, part: Part, *methods: str, is_open: bool = False) -> Route:
    """A part of the page at an address; ``is_open`` shows it to whoever has not entered a key."""

    async def answer(request: Request) -> Response:
        seen: Seen = request.state.page
        door: Door = request.app.state.door()
        visit = Visit(request=request, door=door, seen=seen, query=dict(request.query_params), form={})
        try:
            response = await _answered(visit, part, is_open=is_open)
        except PrecisError as error:
            response = visit.show("error.html", door.status_of(error), error=error)
        if seen.is_new and "set-cookie" not in response.headers:
            put_cookie(response, request, door.sessions.written(seen.session))
        response.headers.update(HEADERS)
        return response

    return Route(f"{PATH}/{place}", answer, methods=list(methods) or ["GET"])


async def _answered(visit: Visit, part: Part, *, is_open: bool) -> Response:
    if visit.request.method == "POST":
        form = await _form(visit.request)
        if not visit.door.sessions.is_token(visit.seen.session, form.get("csrf", "")):
            return visit.show("stale_form.html", 403)
        visit = replace(visit, form=form)
    if visit.seen.tenant_id is None and not is_open:
        return visit.go("sign-in")
    return await part(visit)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form as browsers send them. Raises InvalidInput."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise InvalidInput(f"this form is larger than {_MOST_BYTES} bytes")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"))
    except ValueError as error:
        raise InvalidInput("this is no form as browsers send them") from error


def put_cookie(response: Response, request: Request, value: str) -> None:
    """Of this browser session; no script and no other site's page gets at it."""
    response.set_cookie(
        COOKIE, value, path=PATH, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
