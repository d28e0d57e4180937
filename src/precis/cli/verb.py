"""``@verb``: a verb of the command line, written once, as an async function.

typer reads the options from the annotations. A verb that takes an ``App`` or a ``Runtime`` has precis opened for it;
one that takes an ``Opening`` opens precis by itself, once it has read what its options say. Then --tenant and
--data-dir are added to its options, and --json where it answers an ``Answer``. Whatever ends a verb is one line and an
exit code.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer
import uvloop
from psycopg import AsyncConnection, OperationalError
from psycopg import Error as DatabaseError
from psycopg_pool import PoolTimeout
from pydantic import ValidationError
from pydantic_settings import SettingsError

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.cli.printing import errors, tell_failure, write_json
from precis.embedded.place import has_database
from precis.errors import (
    ConfigurationError,
    Conflict,
    Forgotten,
    InvalidInput,
    NotFound,
    PrecisError,
    StoreUnavailable,
    Unauthorized,
)
from precis.keys.tenants import DEFAULT_TENANT
from precis.logs import LEVELS, write_logs
from precis.settings import Settings, fault_of
from precis.work import end_tasks, ended_by_signals


def _folder(name: str) -> Path:
    if not name:
        raise typer.BadParameter("the name is empty: name a folder, or leave the option out")
    return Path(name)


def checked_id(name: str | None) -> str | None:
    """An id that is not empty, as of a variable of the shell that is not set."""
    if name == "":
        raise typer.BadParameter("the id is empty: name a user, or leave the option out")
    return name


_PLACE = "Where the database and the keys lie; else PRECIS_DATA_DIR, else .precis."
DataDir = Annotated[Path | None, typer.Option("--data-dir", parser=_folder, metavar="PATH", help=_PLACE)]
Tenant = Annotated[str, typer.Option("--tenant", help="Whose memories.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout and nothing else.")]
User = Annotated[str | None, typer.Option("--user-id", callback=checked_id, help="Only what belongs to this user.")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="What was known and stood then: a day, or a time with its zone.")
]
Limit = Annotated[int, typer.Option(min=1, max=1000, help="How many.")]
Cursor = Annotated[str | None, typer.Option(help="Where the last page ended.")]

#: Added to the number of a signal that ended a verb, as shells do.
SIGNALED = 128
#: Seconds an external database may take to answer at all.
_CONNECT_SECONDS = 5


class Exit(IntEnum):
    """The same for every verb; a verb that was ended by a signal exits with 128 and its number."""

    FINE = 0
    #: The answer is no: nothing is stored under that name, what is stored speaks against it, or a search that should
    #: find nothing found something.
    NO = 1
    #: It was called wrongly: an option, an argument, the content of a file, or a setting.
    WRONG_CALL = 2
    #: It was called rightly and failed: the database, the model, the disk.
    FAILURE = 3


_NO = (NotFound, Forgotten, Conflict)
_WRONG_CALL = (InvalidInput, ConfigurationError, Unauthorized, FileNotFoundError, IsADirectoryError, NotADirectoryError,
               PermissionError)  # fmt: skip


def exit_of(error: BaseException) -> Exit:
    """The exit code for an error that ended a verb."""
    if isinstance(error, _NO):
        return Exit.NO
    return Exit.WRONG_CALL if isinstance(error, _WRONG_CALL) else Exit.FAILURE


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a verb answers: one document with --json, words for people without; printed once precis is closed."""

    json: Any
    #: Prints the words.
    words: Callable[[], None]
    #: Tells stderr what the document has no place for.
    beside_json: Callable[[], None] | None = None
    #: Tells stderr what is to be known after either.
    afterwards: Callable[[], None] | None = None
    #: How the verb ends then: with this error, or with this code.
    failure: PrecisError | None = None
    code: Exit = Exit.FINE


#: ``async with opening() as (runtime, app)``.
Opening = Callable[[], AbstractAsyncContextManager[tuple[Runtime, App]]]
#: What a verb may have among its parameters beside options.
_PARTS = (App, Runtime, Opening)
Verb = Callable[..., Coroutine[Any, Any, Answer | None]]


def group() -> typer.Typer:
    """A verb with sub-verbs."""
    return typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def beginning(function: Verb) -> Verb:
    """Mark a verb that begins a store where there is none; every other one says that there is none."""
    vars(function)["begins"] = True
    return function


def verb(function: Verb) -> Callable[..., None]:
    """The command for typer. Options that several verbs take come last, unless the verb declares them elsewhere.

    Where the verb takes an ``App`` or an ``Opening``, the tenant has to exist; a ``Runtime`` alone asks for none. The
    store has to be there, unless the verb is one that is ``beginning`` it.
    """
    begins = "begins" in vars(function)
    declared = signature(function, eval_str=True)
    parts = {name: each.annotation for name, each in declared.parameters.items() if each.annotation in _PARTS}
    own = [each for name, each in declared.parameters.items() if name not in parts]
    common = [each for each in _common(set(parts.values()), declared) if each.name not in declared.parameters]

    @wraps(function)
    def command(**options: Any) -> None:
        work = partial(function, **{each.name: options[each.name] for each in own})
        shared: Mapping[str, Any] = {name: options.get(name) for name in _COMMON}
        run(_answered(work, parts, begins=begins, **shared))

    vars(command)["__signature__"] = declared.replace(parameters=[*own, *common], return_annotation=None)
    return command


#: Annotation and default of options that a verb need not declare.
_COMMON: Mapping[str, tuple[Any, Any]] = {
    "tenant": (Tenant, DEFAULT_TENANT),
    "data_dir": (DataDir, None),
    "as_json": (Json, False),
}


def _common(parts: set[Any], declared: Signature) -> Iterator[Parameter]:
    """The options that belong to what a verb takes and answers."""
    needed = {"tenant": bool(parts - {Runtime}), "data_dir": bool(parts), "as_json": bool(declared.return_annotation)}
    for name, (annotation, default) in _COMMON.items():
        if needed[name]:
            yield Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


async def _answered(
    function: Verb, parts: Mapping[str, Any], *, tenant: str, data_dir: Path | None, as_json: bool, begins: bool
) -> Exit | None:
    """Open what the verb takes, let it work, close, and print what it answers."""
    values: dict[Any, Any] = {Opening: partial(opened_app, data_dir, tenant, begins=begins)}
    async with AsyncExitStack() as stack:
        if App in parts.values():
            values[Runtime], values[App] = await stack.enter_async_context(opened_app(data_dir, tenant, begins=begins))
        elif Runtime in parts.values():
            values[Runtime] = await stack.enter_async_context(opened_runtime(data_dir, begins=begins))
        answer = await function(**{name: values[part] for name, part in parts.items()})
    if answer is None:
        return None
    if as_json:
        write_json(answer.json)
        if answer.beside_json is not None:
            answer.beside_json()
    else:
        answer.words()
    if answer.afterwards is not None:
        answer.afterwards()
    if answer.failure is not None:
        raise answer.failure
    return answer.code


def run(work: Coroutine[Any, Any, int | None]) -> None:
    """Run a verb to its end and leave with the exit code it returns; an error is told on one line and gives its own."""
    received: list[int] = []
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            code = runner.run(_stoppable(work, received))
        sys.stdout.flush()
    except (PrecisError, DatabaseError, PoolTimeout, OSError) as error:
        _drop_unwritten()
        if isinstance(error, BrokenPipeError):  # whoever reads us has seen enough
            raise typer.Exit(SIGNALED + signal.SIGPIPE) from error
        tell_failure(one_line(error))
        raise typer.Exit(exit_of(error)) from error
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        raise typer.Exit(SIGNALED + (received[0] if received else signal.SIGINT)) from error
    if code:
        raise typer.Exit(code)


def _drop_unwritten() -> None:
    """What standard output does not take now must not be tried again at exit, where it would be a traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


async def _stoppable(work: Coroutine[Any, Any, int | None], received: list[int]) -> int | None:
    """The verb; a signal cancels it, and everything it opened is closed in order."""
    try:
        with ended_by_signals(received):
            return await work
    finally:
        await end_tasks()


def one_line(error: BaseException) -> str:
    """An error's message without line breaks; the class where it has none. Of a file, which it is."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}; check the path, its permissions and its disk"
    return " ".join(str(error).split()) or type(error).__name__


def settings_for(data_dir: Path | None) -> Settings:
    """The settings, with this data directory where one is named. Raises ConfigurationError."""
    try:
        settings = Settings(data_dir=data_dir) if data_dir is not None else Settings()
    except (SettingsError, ValidationError) as error:
        if os.environ.get("PRECIS_LOG_FORMAT") == "json":
            write_logs(LEVELS["error"], "json")
        raise ConfigurationError(f"setting {fault_of(error)}") from error
    write_logs(LEVELS[settings.log_level], settings.log_format)
    return settings


@asynccontextmanager
async def opened_runtime(
    data_dir: Path | None, *, begins: bool = False, follows: bool = True
) -> AsyncIterator[Runtime]:
    """precis for the length of a verb. Raises ConfigurationError, StoreUnavailable."""
    settings = settings_for(data_dir)
    if not begins and settings.database_url is None and not has_database(settings.data_dir):
        raise ConfigurationError(
            f"there is no store in {settings.data_dir.absolute()}: name its folder with --data-dir or PRECIS_DATA_DIR; "
            "`precis serve`, `precis memories add` and `precis import` begin one"
        )
    for url in filter(None, (settings.database_url, settings.database_owner_url)):
        await check_reachable(url)
    async with open_runtime(settings, progress=tell_progress, follows=follows) as runtime:
        yield runtime


@asynccontextmanager
async def opened_app(data_dir: Path | None, tenant: str, *, begins: bool = False) -> AsyncIterator[tuple[Runtime, App]]:
    """precis for one tenant that exists. Raises NotFound as well."""
    async with opened_runtime(data_dir, begins=begins) as runtime:
        if tenant not in await runtime.store.tenants.list():
            raise NotFound(f"there is no tenant {tenant!r}: `precis keys create --tenant {tenant}` makes one")
        yield runtime, runtime.app(tenant)


async def check_reachable(url: str) -> None:
    """Connect to an external database once, so that nobody waits for a pool that gets none. Raises StoreUnavailable."""
    try:
        connection = await AsyncConnection.connect(url, connect_timeout=_CONNECT_SECONDS)
    except OperationalError as error:
        raise StoreUnavailable(f"the database cannot be reached: {one_line(error)}") from error
    except DatabaseError as error:
        raise ConfigurationError(f"the database URL is not one: {one_line(error)}") from error
    await connection.close()


def tell_progress(message: str) -> None:
    """Progress, for somebody who watches."""
    if errors.is_terminal:
        errors.print(f"{message} ...", style="dim", highlight=False)
