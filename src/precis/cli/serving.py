"""precis serve, mcp and worker."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from importlib import import_module
from typing import Annotated

import typer
from prometheus_client import start_http_server

from precis.app import App
from precis.bootstrap import Runtime
from precis.cli.printing import tell
from precis.cli.verb import DataDir, Opening, check_reachable, settings_for, tell_progress, verb
from precis.errors import ConfigurationError
from precis.jobs.worker import end_worker, run_worker, running_worker
from precis.metrics import COUNTED
from precis.rest.server import serve as serve_rest
from precis.stopping import told_to_stop


@verb
async def serve(
    *,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on, else PRECIS_HOST, else 127.0.0.1; without API keys this computer's."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Else PRECIS_PORT, else 8766; 0 is any free one.")
    ] = None,
    data_dir: DataDir = None,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave refreshes to `precis worker`.")] = False,
    no_page: Annotated[bool, typer.Option("--no-page", help="Leave out the page to look at.")] = False,
) -> None:
    """Serve the page to look at, and the REST API, until Ctrl-C."""
    settings = settings_for(data_dir)
    if no_page:
        settings = settings.model_copy(update={"page": False})
    if settings.database_url is not None:
        await check_reachable(settings.database_url)

    def ready(url: str) -> None:
        tell(f"precis serves at {url}, its API is described at {url}/openapi.json", "serving", url=url)

    await serve_rest(settings, host=host, port=port, worker=not no_worker, ready=ready, progress=tell_progress)


@verb
async def mcp(
    opening: Opening,
    *,
    user_id: Annotated[str, typer.Option("--user-id", help="Whose memory this host reads and writes.")] = "me",
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave refreshes to `precis worker`.")] = False,
) -> None:
    """Serve one person's memory to an MCP host over stdin and stdout, until it closes them."""
    try:
        server, person = import_module("precis.mcp.server"), import_module("precis.mcp.person")
    except ModuleNotFoundError as error:
        raise ConfigurationError("MCP needs its packages: pip install 'precis-memory[mcp]'") from error
    opened: asyncio.Future[tuple[Runtime, App]] = asyncio.get_running_loop().create_future()
    with server.stdin_that_ends() as end_stdin:
        # It answers the host while the database starts.
        serving = asyncio.create_task(server.serve_stdio(opened, person.checked_user(user_id)))
        try:
            async with opening() as (runtime, app), AsyncExitStack() as stack:
                if not no_worker:
                    await stack.enter_async_context(running_worker(runtime))
                opened.set_result((runtime, app))
                await asyncio.wait({serving})
        finally:
            opened.cancel()
            end_stdin()
            await asyncio.wait({serving})


@verb
async def worker(
    runtime: Runtime,
    *,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Tenants worked at the same time.")] = 2,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Tell this computer what the worker counts, at this port.")
    ] = None,
) -> None:
    """Refresh what is due until Ctrl-C; several workers may run, on several machines."""
    if metrics_port is not None:
        _tell_metrics(metrics_port)
    working = asyncio.create_task(run_worker(runtime, concurrency=concurrency, install_signal_handlers=False))
    with told_to_stop() as stop:
        stopped = asyncio.create_task(stop.wait())
        tell("precis works; Ctrl-C stops it", "working")
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    await end_worker(working)


def _tell_metrics(port: int) -> None:
    """Serve the figures of this process, until it ends."""
    try:
        start_http_server(port, addr="127.0.0.1", registry=COUNTED)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on 127.0.0.1:{port}: {error}; choose another --metrics-port"
        ) from error
