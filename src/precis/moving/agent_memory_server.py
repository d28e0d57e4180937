"""A Redis Agent Memory Server: everything that its API shows of long-term memory, sessions and summary views.

A list without a text is all of it, page by page. Sessions are listed by name alone; whose they are, the memories say.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
from fastapi import HTTPException
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from precis import conversation, typed
from precis.app.messages import MessageInput
from precis.app.redis.long_term import Recorded
from precis.errors import InvalidInput, StoreUnavailable, Unauthorized
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, SessionIn, ViewIn, made_id
from precis.rest.redis.shapes import NewRecord, WireMessage, WorkingMemory, inputs_of, records_of, written_of

#: Seconds before each further attempt.
_WAITS = (0.1, 0.4, 1.5, 5.0)
#: Seconds that a request may take, and that a server may tell us to wait.
_SECONDS, _LONGEST_WAIT = 60.0, 30.0
_PASSING = frozenset({408, 425, 429})
#: A page moves while others write: everything is listed again until nothing new shows, at most so often.
_SWEEPS = 5
_MOST = 100
Body = Mapping[str, Any]
#: Namespace and user.
Pair = tuple[str | None, str | None]
#: What the shapes of the wire raise for what does not fit them.
_FAULTS = (ValidationError, RequestValidationError, HTTPException, InvalidInput)
REPEATED = "a message of its session, which is moved with it"


class AgentMemoryServer:
    """Sessions first, then memories: a message that was also kept as a memory is not moved twice."""

    def __init__(self, source: str, options: MoveOptions, waits: Sequence[float] = _WAITS) -> None:
        """Raises InvalidInput."""
        self._calls = _Calls(source, options.header, waits)
        self._options = options
        self._pairs: dict[Pair, None] = {}
        #: Memories that are listed, and messages of sessions that are.
        self._ids: set[str] = set()
        self._said: set[str] = set()
        #: Counted by listing everything once.
        self.total: int | None = None

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises StoreUnavailable, Unauthorized, InvalidInput."""
        async with self._calls.client:
            await self._count()
            for arrivals in (self._sessions(), self._views(), self._memories()):
                async for arrival in arrivals:
                    yield arrival

    # --- long-term memory ---

    async def _pages(self) -> AsyncIterator[list[Body]]:
        offset = 0
        before: list[Any] = []
        while True:
            body = {"text": "", "limit": min(self._options.page, _MOST), "offset": offset}
            answer = await self._calls.ask("POST", "v1/long-term-memory/search", json=body)
            rows = (answer or {}).get("memories")
            if not isinstance(rows, list):
                raise InvalidInput("the server lists no memories: is it a Redis Agent Memory Server?")
            if not rows:
                return
            if rows == before:
                raise InvalidInput("the server answers one page for every offset: it cannot be read to its end")
            before = rows
            yield [row for row in rows if isinstance(row, Mapping)]
            offset += len(rows)

    async def _count(self) -> None:
        async for page in self._pages():
            for row in page:
                self._ids.add(str(row.get("id")))
                namespace, user = _pair(row)
                # A session may lie under the user alone, or under the namespace alone.
                self._pairs |= {(namespace, user): None, (None, user): None, (namespace, None): None}
        self._pairs.pop((None, None), None)
        self.total = len(self._ids)

    async def _memories(self) -> AsyncIterator[Arrival]:
        done: set[str] = set()
        for _ in range(_SWEEPS):
            before = len(done)
            async for page in self._pages():
                for row in page:
                    id_ = str(row.get("id"))
                    if id_ not in done:
                        done.add(id_)
                        yield self._memory(id_, row)
            if len(done) == before:
                return
        raise StoreUnavailable("others keep writing to the server while it is read; what is moved stays. Run it again")

    def _memory(self, id_: str, row: Body) -> Arrival:
        if id_ in self._said:
            return LeftOut(id=id_, reason=REPEATED)
        owner = {} if row.get("user_id") or not self._options.user_id else {"user_id": self._options.user_id}
        try:
            return NewRecord.model_validate({**_filled(row), **owner}).recorded(0, now=self._options.now)
        except _FAULTS as error:
            return _left_out(id_, "memory", error)

    # --- working memory ---

    async def _sessions(self) -> AsyncIterator[Arrival]:
        """Every session that is listed: by the namespaces and users of memories, then by its name alone."""
        shown: Counter[str] = Counter()
        keys: set[tuple[Pair, str]] = set()
        for pair in sorted(self._pairs, key=lambda pair: pair.count(None)):
            for name in await self._names(pair):
                async for arrival in self._session(name, pair, keys, shown):
                    yield arrival
        everywhere = Counter(await self._names((None, None)))
        for name, count in everywhere.items():
            if shown[name] < count:
                async for arrival in self._session(name, (None, None), keys, shown):
                    yield arrival
            for _ in range(count - shown[name]):
                reason = "a session of somebody without a memory: the server shows it only to who names its user"
                yield LeftOut(id=name, reason=reason, refused=True)

    async def _names(self, pair: Pair) -> list[str]:
        listed: list[str] = []
        offset = 0
        while True:
            params = {"limit": min(self._options.page, _MOST), "offset": offset, **_asked(pair)}
            answer = await self._calls.ask("GET", "v1/working-memory/", params=params)
            page = [name for name in (answer or {}).get("sessions") or () if isinstance(name, str)]
            total = (answer or {}).get("total")
            if not page or (page == listed[-len(page) :] and isinstance(total, int) and offset >= total):
                return listed
            listed += page
            offset += len(page)

    async def _session(
        self, name: str, pair: Pair, keys: set[tuple[Pair, str]], shown: Counter[str]
    ) -> AsyncIterator[Arrival]:
        path = f"v1/working-memory/{quote(name, safe='')}"
        try:
            body = await self._calls.ask("GET", path, params=_asked(pair))
        except InvalidInput:
            shown[name] += 1
            yield LeftOut(id=name, reason="session: the server lists it and refuses to show it", refused=True)
            return
        if body is None or (_pair(body), name) in keys:
            return
        keys.add((_pair(body), name))
        shown[name] += 1
        for arrival in self._read(name, body):
            yield arrival

    def _read(self, name: str, body: Body) -> list[Arrival]:
        """The session, and what of it cannot be moved."""
        id_ = f"{body.get('namespace') or ''}/{body.get('user_id') or ''}/{name}"
        refused: list[Arrival] = []
        try:
            session = WorkingMemory.model_validate({**_filled(body), "messages": [], "memories": []})
        except ValidationError as error:
            return [LeftOut(id=id_, reason=f"session: {typed.invalid(error)}", refused=True)]
        address = conversation.Address(
            session_id=name, user_id=session.user_id or self._options.user_id or "",
            namespace=session.namespace or None, project_id="", environment="production",
        )  # fmt: skip
        messages: list[tuple[WireMessage, MessageInput]] = []
        rows: list[Recorded] = []
        for number, message in enumerate(_objects(body, "messages")):
            message_id = str(message.get("id") or made_id("message", id_, str(number), str(message.get("content"))))
            try:
                sent = WireMessage.model_validate({**_filled(message), "id": message_id})
                messages += [(sent, message_in) for message_in in inputs_of([sent], self._options.now)]
            except _FAULTS as error:
                refused.append(_left_out(message_id, "message", error))
            else:
                self._said |= {str(message[key]) for key in ("id", "memory_id") if message.get(key)}
        for row in _objects(body, "memories"):
            try:
                rows += records_of([NewRecord.model_validate(_filled(row))], name, address, self._options.now)
            except _FAULTS as error:
                refused.append(_left_out(str(row.get("id")), "memory of a session", error))
        session = session.model_copy(update={"messages": [sent for sent, _ in messages]})
        written = written_of(session, [message for _, message in messages], rows)
        # Most of what a session has as its memories is in the list of all of them by now.
        unlisted = [row for row in rows if row.id not in self._ids]
        return [*refused, SessionIn(address=address, written=written, memories=unlisted)]

    # --- summary views ---

    async def _views(self) -> AsyncIterator[Arrival]:
        """What was computed for them is made anew here."""
        for body in await self._calls.ask("GET", "v1/summary-views", expected=list) or ():
            if isinstance(body, Mapping):
                yield ViewIn(id=str(body.get("id")), body=body)


def _filled(row: Body) -> dict[str, Any]:
    """The fields of a row that are not null."""
    return {name: value for name, value in row.items() if value is not None}


def _objects(body: Body, name: str) -> list[Body]:
    return [row for row in body.get(name) or () if isinstance(row, Mapping)]


def _left_out(id_: str, what: str, error: Exception) -> LeftOut:
    if isinstance(error, ValidationError):
        error = typed.invalid(error)
    elif isinstance(error, RequestValidationError):
        error = ValueError("; ".join(str(fault["msg"]) for fault in error.errors()))
    elif isinstance(error, HTTPException):
        # It names the message, and a reason is the same for all of its kind.
        error = ValueError(str(error.detail).partition(" (")[0])
    return LeftOut(id=id_, reason=f"{what}: {error}", refused=True)


def _pair(row: Body) -> Pair:
    return (row.get("namespace") or None, row.get("user_id") or None)


def _asked(pair: Pair) -> dict[str, str]:
    return {name: value for name, value in zip(("namespace", "user_id"), pair, strict=True) if value}


# --- the requests ---


class _Calls:
    """Requests: what fails in passing is asked again, anything else is an error."""

    def __init__(self, url: str, header: str | None, waits: Sequence[float]) -> None:
        """Raises InvalidInput."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput("a Redis Agent Memory Server is named by its URL: http://localhost:8000")
        self._host, self._waits = parts.hostname, waits
        # httpx joins paths to the path of the base.
        self.client = httpx.AsyncClient(base_url=url, headers=_headers(header), timeout=_SECONDS)

    async def ask(self, method: str, path: str, expected: type = dict, **request: Any) -> Any:
        """The answer, of the expected type; None for 404. Raises StoreUnavailable, Unauthorized, InvalidInput."""
        for wait in (*self._waits, None):
            try:
                answer = await self.client.request(method, path, **request)
                failure, pause = self._failure(answer), _pause(answer)
                if failure is None:
                    value = None if answer.status_code == httpx.codes.NOT_FOUND else answer.json()
                    if value is None or isinstance(value, expected):
                        return value
                    failure = f"answered {type(value).__name__} where {expected.__name__} belongs"
            except (httpx.TransportError, httpx.DecodingError, ValueError) as error:
                failure, pause = type(error).__name__, None
            if wait is None:
                raise StoreUnavailable(
                    f"the server at {self._host} failed {len(self._waits) + 1} times ({method} {path}: {failure}); "
                    "what is moved stays. Run it again to go on"
                )
            await asyncio.sleep(pause or wait)
        return None

    def _failure(self, answer: httpx.Response) -> str | None:
        """What may be otherwise the next time; None for an answer. Raises Unauthorized, InvalidInput."""
        status = answer.status_code
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise Unauthorized(f"the server at {self._host} answered {status}: give its --header, 'Authorization: …'")
        if status in _PASSING or answer.is_server_error:
            return str(status)
        if not answer.is_success and status != httpx.codes.NOT_FOUND:
            raise InvalidInput(f"the server at {self._host} answered {status}: is it a Redis Agent Memory Server?")
        return None


def _pause(answer: httpx.Response) -> float | None:
    """How long the server tells us to wait."""
    seconds = answer.headers.get("Retry-After", "")
    return min(float(seconds), _LONGEST_WAIT) if seconds.isdecimal() else None


def _headers(header: str | None) -> dict[str, str]:
    if not header:
        return {}
    name, colon, value = header.partition(":")
    if not colon or not name.strip() or not value.strip():
        raise InvalidInput("--header: it should read 'Authorization: Bearer …' or 'X-API-Key: …'")
    return {name.strip(): value.strip()}
