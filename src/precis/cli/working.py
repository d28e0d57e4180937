"""precis worker."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from prometheus_client import start_http_server

from precis.bootstrap import Runtime
from precis.cli.printing import tell
from precis.cli.verb import verb
from precis.errors import ConfigurationError
from precis.jobs.beside import until_server_ends
from precis.jobs.worker import end_worker, run_worker
from precis.metrics import COUNTED
from precis.work import told_to_stop


@verb
async def worker(
    runtime: Runtime,
    *,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Tenants worked at the same time.")] = 2,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Tell this computer what the worker counts, at this port.")
    ] = None,
    beside_server: Annotated[bool, typer.Option("--beside-server", hidden=True)] = False,
) -> None:
    """Refresh what is due until Ctrl-C; several workers may run, on several machines."""
    if metrics_port is not None:
        _tell_metrics(metrics_port)
    working = asyncio.create_task(run_worker(runtime, concurrency=concurrency, install_signal_handlers=False))
    with told_to_stop() as stop:
        if not beside_server:
            tell("precis works; Ctrl-C stops it", "working")
        # Who stops a server and all its processes by a signal leaves it to the server to end its worker.
        ended: asyncio.Task[object] = (
            asyncio.create_task(until_server_ends(runtime.pressure))
            if beside_server
            else asyncio.create_task(stop.wait())
        )
        await asyncio.wait({working, ended}, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    await end_worker(working)


def _tell_metrics(port: int) -> None:
    """Serve the figures of this process, until it ends."""
    try:
        start_http_server(port, addr="127.0.0.1", registry=COUNTED)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on 127.0.0.1:{port}: {error}; choose another --metrics-port"
        ) from error
