"""Requests to /mcp that are refused before the protocol reads them, and refusals that quote nothing that was sent."""

from collections.abc import Mapping
from urllib.parse import parse_qs

import orjson
from mcp_types import INVALID_PARAMS
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from precis.mcp.person import USER_HEADER, USER_PARAMETER

_NO_MESSAGE = "this is no JSON-RPC 2.0 message of MCP: it needs jsonrpc, method, params, and an id if it is answered"
#: How the protocol's own refusal begins, which goes on with what was sent.
_QUOTES = "Validation error"


def two_users(scope: Scope) -> str | None:
    """Why a request is refused that names one user by its header and another by its URL; None for any other."""
    headers = {value.decode("latin-1") for name, value in scope["headers"] if name.decode("latin-1") == USER_HEADER}
    named = headers.union(parse_qs(scope.get("query_string", b"").decode("latin-1")).get(USER_PARAMETER, ()))
    return f"{USER_HEADER} and ?{USER_PARAMETER}= name different users; name one" if len(named) > 1 else None


async def refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    """400, as the protocol has it."""
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_PARAMS, "message": reason}}
    await JSONResponse(error, 400)(scope, receive, send)


class Unquoted:
    """Sends what it is handed, but for refusals that quote what was sent: that may be the text of a memory."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """One part of the answer."""
        if message["type"] == "http.response.start" and message["status"] == 400:
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._refused(self._start)

    async def _refused(self, start: Message) -> None:
        answer = _loaded(self._body)
        error = answer.get("error")
        if isinstance(error, dict) and str(error.get("message", "")).startswith(_QUOTES):
            error["message"] = _NO_MESSAGE
            self._body = orjson.dumps(answer)
        sizes = [(b"content-length", str(len(self._body)).encode())]
        headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        await self._send({**start, "headers": headers + sizes})
        await self._send({"type": "http.response.body", "body": self._body})


def _loaded(body: bytes) -> dict[str, object]:
    try:
        answer = orjson.loads(body)
    except ValueError:
        return {}
    return dict(answer) if isinstance(answer, Mapping) else {}
