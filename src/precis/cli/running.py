"""Run a verb: open precis, turn what goes wrong into one line and an exit code."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import structlog
import typer
from psycopg import AsyncConnection, OperationalError
from psycopg import Error as DatabaseError
from psycopg_pool import PoolTimeout
from pydantic import ValidationError

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.cli.printing import errors
from precis.errors import ConfigurationError, NotFound, PrecisError, StoreUnavailable
from precis.settings import Settings

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
#: Seconds an external database may take to answer at all.
_CONNECT_SECONDS = 5


def run(work: Coroutine[Any, Any, int | None]) -> None:
    """Run a verb to its end; what it answers is the exit code."""
    try:
        code = asyncio.run(work)
    except (PrecisError, DatabaseError, PoolTimeout, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever reads us has seen enough; what is still buffered must not be written at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from error
        errors.print(f"precis: {one_line(error)}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from error
    except KeyboardInterrupt as error:
        raise typer.Exit(130) from error
    if code:
        raise typer.Exit(code)


def one_line(error: BaseException) -> str:
    """An error's message without line breaks; the class where it has none."""
    return " ".join(str(error).split()) or type(error).__name__


def settings_for(data_dir: Path | None) -> Settings:
    """The settings, with this data directory where one is named. Raises ConfigurationError."""
    try:
        settings = Settings(data_dir=data_dir) if data_dir is not None else Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"setting {name}: {first['msg']}") from error
    write_logs(settings)
    return settings


def write_logs(settings: Settings) -> None:
    """Logs go to stderr: stdout is for answers."""
    level = _LEVELS[settings.log_level]
    last: Any = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso"), last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=level, stream=sys.stderr)


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
