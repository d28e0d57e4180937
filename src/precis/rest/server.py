"""Build the API, and serve it until told to stop."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from precis import bootstrap, errors, typed, work
from precis.app import App
from precis.jobs.worker import running_worker
from precis.page import routes, visit
from precis.rest import conversations, memories, openapi, operating, persons, rollups, summaries, texts
from precis.rest.auth import Authentication, Keys
from precis.rest.callers import BodyLimit
from precis.rest.connections import Connection, Watch
from precis.rest.http import Access, answer_to, once, status_of
from precis.rest.lanes import Admission
from precis.rest.redis import long_term_memory, summary_views, working_memory
from precis.rest.sockets import Certificate, Limits
from precis.settings import Settings

if TYPE_CHECKING:
    from precis.mcp.server import Endpoint

_ABOUT = """Memory summaries that stay small, current, honest and forgettable.

Each summary is made of statements, each statement names the memories it rests on, and forgetting a memory takes
everything with it that rests on it. Errors are `{"detail": ...}`; unknown fields are refused with 422. Each answer has
the header `X-Request-Id`: the log names the request by it.
"""
#: Tenants whose app is kept from request to request.
_APPS = 1_000
#: What the router says of an address that it does not know.
_ROUTERS_OWN = "Not Found"
_NO_ROUTE = "there is no such address; /openapi.json describes those that there are"
_NO_MCP = "this server has no MCP: it needs pip install 'precis-memory[mcp]'"
#: What needs a key, in the order in which routes are looked up.
_KEYED = (
    memories.router, persons.router, persons.users_router, persons.receipts_router, memories.recall_router,
    summaries.router, summaries.clusters_router, summaries.feedback_router, operating.costs_router,
    operating.jobs_router, texts.router, long_term_memory.router, long_term_memory.prompt_router, summary_views.router,
    summary_views.tasks_router, rollups.router, rollups.schedules_router, conversations.router, working_memory.router,
)  # fmt: skip


def build(runtime: bootstrap.Runtime, *, loopback: bool = True, timer: Callable[[], float] = time.monotonic) -> FastAPI:
    """The API over a runtime.

    ``loopback`` says that only this computer can reach it: anywhere else nobody is served without a key, not even
    after the last key was revoked.
    """
    api = FastAPI(
        title="precis",
        generate_unique_id_function=openapi.name_of,
        openapi_tags=openapi.TAGS,
        dependencies=[Depends(once)],
        version="1",
        description=_ABOUT,
        # A redirect would lead out of /t/<key>/, and the pages load their scripts from elsewhere.
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        # Traces would show the address that was asked for, and with it a key in /t/<key>/.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    api.state.runtime = runtime
    # An app holds no state of its own, so the latest ones are kept.
    api.state.app_of = lru_cache(_APPS)(runtime.app)
    _answer_errors(api)
    for router in _KEYED:
        api.router.routes.extend(router.routes)
    api.include_router(operating.health_router)
    api.state.mcp = Mcp(runtime, api.state.app_of)
    # Hosts are configured with either. Nothing is ever sent but answers: a stream that a host opens by GET would hold a
    # connection for nothing, and keep the server from stopping.
    for address in ("/mcp", "/mcp/"):
        api.router.routes.append(Route(address, api.state.mcp, methods=["POST"]))
    openapi.name_methods(api)
    if runtime.settings.metrics:
        api.router.routes.append(operating.metrics_route(runtime, timer=timer))
    keys = Keys(runtime, timer=timer)
    if runtime.settings.page:
        wrong = partial(operating.wrong_lines, runtime)
        # Sessions need a database that answers, so they are opened by the first request to the page.
        api.state.door = lambda: visit.Door(sessions=keys.sessions, enter=keys.enter, status_of=status_of, wrong=wrong)
        api.router.routes.extend(routes.ROUTES)
    openapi.describe(api)
    # The last one added is the first to see a request.
    settings = runtime.settings
    api.add_middleware(Admission, runtime=runtime)
    api.add_middleware(Authentication, keys=keys, loopback=loopback, hosts=settings.allowed_hosts, page=settings.page)
    api.add_middleware(BodyLimit)
    api.add_middleware(Access)
    return api


def _answer_errors(api: FastAPI) -> None:
    """Answer precis's errors and those of body validation."""

    async def precis_error(_: Request, error: Exception) -> JSONResponse:
        return answer_to(error)

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        flaws = error.errors() if isinstance(error, RequestValidationError) else []
        # Without what was sent: that may be the text of a memory.
        detail = [{"type": flaw["type"], "loc": list(flaw["loc"]), "msg": typed.told_by(flaw)} for flaw in flaws]
        return JSONResponse({"detail": detail}, status_code=422)

    async def no_route(_: Request, error: Exception) -> JSONResponse:
        detail = getattr(error, "detail", _ROUTERS_OWN)
        return JSONResponse({"detail": _NO_ROUTE if detail == _ROUTERS_OWN else detail}, status_code=404)

    api.add_exception_handler(404, no_route)
    api.add_exception_handler(errors.PrecisError, precis_error)
    api.add_exception_handler(RequestValidationError, invalid)


class Mcp:
    """The route /mcp, for hosts of the Model Context Protocol; its packages are read with the first request.

    It needs a key like any other: who may ask is settled before it is reached.
    """

    def __init__(self, runtime: bootstrap.Runtime, app_of: Callable[[str], App]) -> None:
        self._runtime = runtime
        self._app_of = app_of
        self._opening = asyncio.Lock()
        self._endpoint: Endpoint | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        try:
            endpoint = await self._opened()
        except ModuleNotFoundError:
            await JSONResponse({"detail": _NO_MCP}, 501)(scope, receive, send)
            return
        await endpoint(scope, receive, send)

    async def _opened(self) -> Endpoint:
        async with self._opening:
            if self._endpoint is None:
                module = await asyncio.to_thread(import_module, "precis.mcp.server")
                self._endpoint = module.Endpoint(self._runtime, self._app_of)
            return self._endpoint

    async def aclose(self) -> None:
        """End what is under way."""
        if self._endpoint is not None:
            await self._endpoint.aclose()


@asynccontextmanager
async def listening(
    runtime: bootstrap.Runtime,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    timer: Callable[[], float] = time.monotonic,
    limits: Limits | None = None,
) -> AsyncIterator[str]:
    """Serve for the length of a block, which gets the base URL; port 0 is any free one. Raises ConfigurationError."""
    settings, limits = runtime.settings, limits or Limits()
    certificate = Certificate.of(settings)
    await _refuse_open(runtime, host)
    loopback = _is_private(settings, host)
    api = build(runtime, loopback=loopback, timer=timer)
    with _bound(host, port) as listener:
        config = uvicorn.Config(
            api,
            lifespan="off",
            ws="none",
            log_config=None,
            server_header=False,
            # Its own default believes what every program of this computer says.
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_graceful_shutdown=limits.grace,
        )
        async with aclosing(api.state.mcp), _serving(_Server(config), listener, limits, certificate):
            yield _url(listener, "https" if certificate else "http")


@asynccontextmanager
async def _serving(
    server: _Server, listener: socket.socket, limits: Limits, certificate: Certificate | None
) -> AsyncIterator[None]:  # fmt: skip
    """Connections are taken for the length of a block; after it those that are being served are finished."""
    server.config.load()
    watch = Watch(limits)

    connection = partial(Connection, config=server.config, server_state=server.server_state, app_state={}, watch=watch)
    # Without a socket of its own uvicorn serves what is handed to it.
    serving = asyncio.create_task(server.serve(sockets=[]))
    looking = asyncio.create_task(watch.look())
    accepting = asyncio.create_task(watch.accept(listener, connection, certificate))
    try:
        yield
    finally:
        accepting.cancel()
        await asyncio.wait({accepting})
        if certificate is None:
            await watch.take_last(listener, connection)
        listener.close()
        server.should_exit = True
        await serving
        looking.cancel()
        await asyncio.wait({looking})


async def serve(
    settings: Settings,
    *,
    host: str | None = None,
    port: int | None = None,
    worker: Callable[[bootstrap.Runtime], AbstractAsyncContextManager[None]] | None = running_worker,
    ready: Callable[[str], None] | None = None,
    progress: bootstrap.Progress | None = None,
) -> None:
    """Serve until SIGTERM, SIGINT or SIGHUP; requests under way are finished. ``ready`` is told the base URL.

    Without ``host`` and ``port`` where the settings say. ``worker`` is what refreshes meanwhile, if anything does.

    Raises ConfigurationError, StoreUnavailable.
    """
    host, port = settings.host if host is None else host, settings.port if port is None else port
    async with AsyncExitStack() as stack:
        runtime = await stack.enter_async_context(bootstrap.open_runtime(settings, progress=progress))
        await _refuse_open(runtime, host)
        if worker is not None:
            await stack.enter_async_context(worker(runtime))
        url = await stack.enter_async_context(listening(runtime, host=host, port=port))
        with work.told_to_stop() as stop:
            (ready or str)(url)
            gc.freeze()  # what is loaded stays: looking through it for garbage would stop every request for a while
            await stop.wait()


async def _refuse_open(runtime: bootstrap.Runtime, host: str) -> None:
    """Without keys everybody who reaches the server would be served."""
    if _is_private(runtime.settings, host) or await runtime.store.tenants.any_keys():
        return
    where = "behind a proxy" if typed.is_loopback(host) else f"on {host!r}"
    message = (
        f"without keys precis listens on this computer only, not {where}: "
        "run `precis keys create` first, or listen on 127.0.0.1"
    )
    raise errors.ConfigurationError(message)


def _is_private(settings: Settings, host: str) -> bool:
    """Whether only this computer reaches the server: a proxy lets others in."""
    return typed.is_loopback(host) and not settings.trusted_proxies


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: it would raise the signal again before the database is closed."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever started the server."""
        yield


@contextmanager
def _bound(host: str, port: int) -> Iterator[socket.socket]:
    """Bind before uvicorn does: it leaves the process where a port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        message = f"cannot listen on {host}:{port}: {error}; choose another host or port"
        raise errors.ConfigurationError(message) from error
    # Answers are small: waiting to fill a packet would cost each of them some 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listener:
        yield listener


def _url(listener: socket.socket, scheme: str) -> str:
    address, port = listener.getsockname()[:2]
    return f"{scheme}://[{address}]:{port}" if ":" in address else f"{scheme}://{address}:{port}"
