"""Run a verb: open precis, turn what goes wrong into one line and an exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import typer
from psycopg import AsyncConnection, OperationalError
from psycopg import Error as DatabaseError
from psycopg_pool import PoolTimeout
from pydantic import ValidationError
from pydantic_settings import SettingsError

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.cli.exits import SIGNALED, exit_of
from precis.cli.printing import errors, tell_failure
from precis.errors import ConfigurationError, NotFound, PrecisError, StoreUnavailable
from precis.logs import LEVELS, write_logs
from precis.settings import Settings
from precis.stopping import end_tasks, ended_by_signals

#: Seconds an external database may take to answer at all.
_CONNECT_SECONDS = 5


def run(work: Coroutine[Any, Any, int | None]) -> None:
    """Run a verb to its end; what it answers is the exit code. See Exit for what the code of an error says."""
    heard: list[int] = []
    try:
        code = asyncio.run(_stoppable(work, heard))
    except (PrecisError, DatabaseError, PoolTimeout, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever reads us has seen enough; what is still buffered must not be written at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(SIGNALED + signal.SIGPIPE) from error
        tell_failure(one_line(error))
        raise typer.Exit(exit_of(error)) from error
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        raise typer.Exit(SIGNALED + (heard[0] if heard else signal.SIGINT)) from error
    if code:
        raise typer.Exit(code)


async def _stoppable(work: Coroutine[Any, Any, int | None], heard: list[int]) -> int | None:
    """The verb; a signal cancels it, and everything it opened is closed in order."""
    try:
        with ended_by_signals(heard):
            return await work
    finally:
        await end_tasks()


def one_line(error: BaseException) -> str:
    """An error's message without line breaks; the class where it has none."""
    return " ".join(str(error).split()) or type(error).__name__


def settings_for(data_dir: Path | None) -> Settings:
    """The settings, with this data directory where one is named. Raises ConfigurationError."""
    try:
        settings = Settings(data_dir=data_dir) if data_dir is not None else Settings()
    except SettingsError as error:
        raise ConfigurationError(f"{one_line(error)}: it has to be JSON") from error
    except ValidationError as error:
        if os.environ.get("PRECIS_LOG_FORMAT") == "json":
            write_logs(LEVELS["error"], "json")
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"setting {name}: {first['msg']}") from error
    write_logs(LEVELS[settings.log_level], settings.log_format)
    return settings


@asynccontextmanager
async def opened(data_dir: Path | None, *, say: Callable[[str], None] | None = None) -> AsyncIterator[Runtime]:
    """precis for the length of a verb. Raises ConfigurationError, StoreUnavailable."""
    settings = settings_for(data_dir)
    for url in filter(None, (settings.database_url, settings.database_owner_url)):
        await answers(url)
    async with open_runtime(settings, progress=say or say_to_a_person) as runtime:
        yield runtime


@asynccontextmanager
async def opened_app(data_dir: Path | None, tenant: str) -> AsyncIterator[tuple[Runtime, App]]:
    """precis for one tenant that exists. Raises NotFound as well."""
    async with opened(data_dir) as runtime:
        if tenant not in await runtime.store.tenants.list():
            raise NotFound(f"there is no tenant {tenant!r}: `precis keys create --tenant {tenant}` makes one")
        yield runtime, runtime.app(tenant)


async def answers(url: str) -> None:
    """Ask an external database whether it is there, before a pool waits for it. Raises StoreUnavailable."""
    try:
        connection = await AsyncConnection.connect(url, connect_timeout=_CONNECT_SECONDS)
    except OperationalError as error:
        raise StoreUnavailable(f"the database cannot be reached: {one_line(error)}") from error
    except DatabaseError as error:
        raise ConfigurationError(f"the database URL is not one: {one_line(error)}") from error
    await connection.close()


def say_to_a_person(message: str) -> None:
    """Progress, for somebody who watches."""
    if errors.is_terminal:
        errors.print(f"{message} ...", style="dim", highlight=False)
