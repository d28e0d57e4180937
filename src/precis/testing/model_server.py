"""An OpenAI-compatible model server for tests and measurements: honest by default, failing on request.

Alone: ``python -m precis.testing.model_server --port 8123``. In a test::

    async with model_server() as server:
        server.behave("status", times=2, status=429, retry_after=0.1)
        ...  # talk to server.base_url
        assert server.stats.tokens_in < 5000
"""

import argparse
import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from dataclasses import asdict
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from precis.models import tokens
from precis.testing.model_answers import encode, hashed_vector
from precis.testing.model_behaviors import Behavior, Calls, Kind, Record, Script, Stats
from precis.testing.model_wire import Reply, completion, contents, error, format_of, prompt_tokens, speak, usage

MODELS = ("precis-test", "precis-test-fast")
_STATUS = {Kind.STATUS, Kind.NO_JSON_SCHEMA, Kind.NO_TOOLS, Kind.NO_MAX_TOKENS}


class Dropped(Response):
    """Announces more than it sends, so that the connection breaks in the middle."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the head and one byte, then stop."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"4096")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})


class ModelServer:
    """The server's state; ``base_url`` is set once it listens."""

    def __init__(self, *, seed: int = 7) -> None:
        self.base_url = ""
        self._script = Script(seed)
        self._calls = Calls()
        self._in_progress = 0
        self._made = 0
        self._closing = asyncio.Event()
        #: Headers of every call, oldest first.
        self.headers: list[dict[str, str]] = []
        self._routes: dict[str, Callable[[dict[str, Any], list[Behavior]], tuple[Record, Response]]] = {
            "chat": self._chat,
            "embeddings": self._embeddings,
        }

    @property
    def in_progress(self) -> int:
        """Requests that were received and not answered yet."""
        return self._in_progress

    @property
    def stats(self) -> Stats:
        """Calls and tokens since the start or the last reset."""
        return self._calls.stats

    @property
    def records(self) -> list[Record]:
        """Every call since the start or the last reset, oldest first."""
        return list(self._calls.records)

    def behave(self, kind: str, **options: Any) -> None:
        """Answer in this way, or fail in this way: see Kind and Behavior for what there is."""
        self._script.add(Behavior(kind=Kind(kind), **options))

    def reset(self) -> None:
        """Honest answers again, and no memory of earlier calls."""
        self._script.reset()
        self._calls.reset()

    def close(self) -> None:
        """End every stall now."""
        self._closing.set()

    async def answer(self, endpoint: str, body: dict[str, Any]) -> Response:
        """One call to a model endpoint."""
        self._in_progress += 1
        self._calls.started(self._in_progress)
        try:
            behaviors = self._script.take(endpoint, body)
            await self._stall(behaviors)
            record, response = self._failed(endpoint, body, behaviors) or self._routes[endpoint](body, behaviors)
            self._calls.add(record)
            return response
        finally:
            self._in_progress -= 1

    async def _stall(self, behaviors: Sequence[Behavior]) -> None:
        seconds = sum(b.seconds for b in behaviors if b.kind is Kind.STALL)
        if seconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), seconds)

    def _failed(
        self, endpoint: str, body: dict[str, Any], behaviors: Sequence[Behavior]
    ) -> tuple[Record, Response] | None:
        """The answer of a failure that needs no model; None when the model is to answer."""
        for behavior in behaviors:
            if behavior.kind in _STATUS:
                outcome = f"status {behavior.status}" if behavior.kind is Kind.STATUS else behavior.kind.value
                return self._record(endpoint, body, outcome), error(behavior)
            if behavior.kind is Kind.DROP:
                record = self._record(endpoint, body, "drop", tokens_in=prompt_tokens(body, self._count(body)))
                return record, Dropped()
            if behavior.kind is Kind.GARBAGE:
                return self._record(endpoint, body, "garbage"), PlainTextResponse("<html>proxy</html>")
        return None

    def _chat(self, body: dict[str, Any], behaviors: list[Behavior]) -> tuple[Record, Response]:
        count = self._count(body)
        reply: Reply = speak(body, self._script, behaviors, count)
        used = usage(body, reply, [*behaviors, self._script.way], count)
        record = self._record(
            "chat",
            body,
            reply.outcome,
            tokens_in=used["prompt_tokens"],
            tokens_out=used["completion_tokens"],
            tokens_cached=used["prompt_tokens_details"]["cached_tokens"],
            answer=reply.text,
        )
        hidden = any(b.kind is Kind.NO_USAGE for b in behaviors)
        return record, JSONResponse(completion(record.id, record.model, reply, None if hidden else used))

    def _embeddings(self, body: dict[str, Any], behaviors: list[Behavior]) -> tuple[Record, Response]:
        del behaviors
        texts = [body["input"]] if isinstance(body["input"], str) else list(body["input"])
        dimensions = int(body.get("dimensions") or 256)
        packed = body.get("encoding_format") == "base64"
        vectors = [encode(hashed_vector(text, dimensions), packed=packed) for text in texts]
        total = sum(map(self._count(body), texts))
        record = self._record("embeddings", body, "ok", tokens_in=total)
        rows = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
        used = {"prompt_tokens": total, "total_tokens": total}
        return record, JSONResponse({"object": "list", "data": rows, "model": record.model, "usage": used})

    def _count(self, body: dict[str, Any]) -> Callable[[str], int]:
        return tokens.counter(str(body.get("model", "")))

    def _record(self, endpoint: str, body: dict[str, Any], outcome: str, **fields: Any) -> Record:
        self._made += 1
        return Record(
            id=f"call-{self._made}",
            endpoint=endpoint,
            model=str(body.get("model", "")),
            format=format_of(body),
            outcome=outcome,
            prompt=contents(body),
            body=body,
            **fields,
        )


def app(server: ModelServer) -> FastAPI:
    """The HTTP face of a server."""
    api = FastAPI(title="precis model server", openapi_url=None)

    async def chat(request: Request) -> Response:
        server.headers.append(dict(request.headers))
        return await server.answer("chat", await request.json())

    async def embeddings(request: Request) -> Response:
        server.headers.append(dict(request.headers))
        return await server.answer("embeddings", await request.json())

    async def models() -> dict[str, Any]:
        return {
            "object": "list",
            "data": [{"id": name, "object": "model", "owned_by": "precis"} for name in MODELS],
        }

    async def stats(*, records: bool = False) -> dict[str, Any]:
        kept = [asdict(record) for record in server.records] if records else None
        return asdict(server.stats) | ({"records": kept} if kept is not None else {})

    async def behave(request: Request) -> Response:
        try:
            server.behave(**await request.json())
        except (TypeError, ValueError) as wrong:
            return JSONResponse({"detail": str(wrong)}, status_code=422)
        return Response(status_code=204)

    async def reset() -> Response:
        server.reset()
        return Response(status_code=204)

    api.add_api_route("/v1/chat/completions", chat, methods=["POST"], response_model=None)
    api.add_api_route("/v1/embeddings", embeddings, methods=["POST"], response_model=None)
    api.add_api_route("/v1/models", models, methods=["GET"])
    api.add_api_route("/stats", stats, methods=["GET"])
    api.add_api_route("/behave", behave, methods=["POST"], response_model=None)
    api.add_api_route("/reset", reset, methods=["POST"], response_model=None)
    return api


class _Listener(uvicorn.Server):
    """A uvicorn server that leaves the signals of the process alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


@contextlib.asynccontextmanager
async def model_server(*, host: str = "127.0.0.1", port: int = 0, seed: int = 7) -> AsyncIterator[ModelServer]:
    """A running model server on a free port unless one is given, closed at the end of the block."""
    server = ModelServer(seed=seed)
    listening = socket.create_server((host, port))
    # The connections inherit it; asyncio sets it only where the protocol is named, and answers took 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server.base_url = f"http://{host}:{listening.getsockname()[1]}/v1"
    config = uvicorn.Config(app(server), http="h11", ws="none", lifespan="off", log_level="critical", loop="asyncio")
    listener = _Listener(config)
    serving = asyncio.create_task(listener.serve(sockets=[listening]))
    try:
        while not listener.started:
            await asyncio.sleep(0.005)
        yield server
    finally:
        server.close()
        listener.should_exit = listener.force_exit = True
        await serving
        listening.close()


async def _serve_until_stopped(host: str, port: int, seed: int) -> None:
    async with model_server(host=host, port=port, seed=seed) as server:
        sys.stdout.write(f"{server.base_url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main(argv: Sequence[str] | None = None) -> None:
    """Serve until interrupted; the first line of output is the base URL."""
    parser = argparse.ArgumentParser(prog="precis.testing.model_server", description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8123, help="0 takes a free one")
    parser.add_argument("--seed", type=int, default=7, help="of the random sequence behind shares and spreads")
    options = parser.parse_args(argv)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve_until_stopped(options.host, options.port, options.seed))


if __name__ == "__main__":
    main()
