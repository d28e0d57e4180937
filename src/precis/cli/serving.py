"""precis serve and mcp."""

import asyncio
import gc
from contextlib import AsyncExitStack
from functools import partial
from importlib import import_module
from typing import Annotated

import typer

from precis import bootstrap, errors, work
from precis.app import App
from precis.cli.printing import tell
from precis.cli.verb import (
    DataDir,
    Opening,
    beginning,
    check_reachable,
    checked_id,
    settings_for,
    tell_progress,
    verb,
)  # fmt: skip
from precis.jobs.worker import running_worker
from precis.jobs.worker_process import worker_beside
from precis.rest.server import serve as serve_rest

#: Seconds after which a server has loaded most of what it needs, and nearly all of it.
_SETTLED_SECONDS = (5.0, 60.0)


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

    options = [] if data_dir is None else ["--data-dir", str(data_dir)]
    worker_of = partial(worker_beside, options=options) if settings.worker_process else running_worker
    async with work.alongside(_keep_what_stays()):
        await serve_rest(
            settings, host=host, port=port, worker=None if no_worker else worker_of, ready=ready, progress=tell_progress
        )


async def _keep_what_stays() -> None:
    """Have Python look no more for garbage among what stays for good: it takes a tenth of a second at every look.

    Nobody is served meanwhile. The second time is for what the first requests have loaded.
    """
    for seconds in _SETTLED_SECONDS:
        await asyncio.sleep(seconds)
        gc.collect()
        gc.freeze()


@verb
@beginning
async def mcp(
    opening: Opening,
    *,
    user_id: Annotated[
        str, typer.Option("--user-id", callback=checked_id, help="Whose memory this host reads and writes.")
    ] = "me",
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave refreshes to `precis worker`.")] = False,
) -> None:
    """Serve one person's memory to an MCP host over stdin and stdout, until it closes them."""
    try:
        server, person = import_module("precis.mcp.server"), import_module("precis.mcp.person")
    except ModuleNotFoundError as error:
        raise errors.ConfigurationError("MCP needs its packages: pip install 'precis-memory[mcp]'") from error
    opened: asyncio.Future[tuple[bootstrap.Runtime, App]] = asyncio.get_running_loop().create_future()
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
