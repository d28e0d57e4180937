"""Logging: events with ids and figures, never a text of a memory. A caller's own structlog settings are left alone."""

import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, MutableMapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal

import structlog

from precis.errors import PrecisError

LEVELS: Mapping[str, int] = {
    "debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR,
}  # fmt: skip


#: Whether this process writes its log as JSON.
_writes_json = False


def tells_in_json(event: str, level: str, **fields: str) -> bool:
    """Write what a person is told as a line of the log, where the log is JSON: whatever reads it reads every line.

    Answers whether it was written; the level filters nothing here.
    """
    if _writes_json:
        now = datetime.now(UTC).isoformat()
        line = _in_one_piece(None, "", {**fields, "event": event, "level": level, "timestamp": now})
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    return _writes_json


def default_to_standard_logging() -> None:
    """Where structlog was not configured, send events through the standard library: quiet below a warning."""
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        # The loggers of modules that are imported already follow a later configuration.
        cache_logger_on_first_use=False,
    )


def write_logs(level: int, log_format: Literal["console", "json"]) -> None:
    """Write every log line to stderr in one form: precis's own, those of its packages, and warnings of Python.

    Whatever the level, other packages write nothing below info.
    """
    global _writes_json  # noqa: PLW0603 - a process has one log
    _writes_json = log_format == "json"
    # Whatever is logged while a request is served names it.
    stamped: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    renderer = _renderer(log_format)
    structlog.configure(
        processors=[*stamped, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # A line is one write: the processes of a server have one stderr, and where it is unbuffered, two would mix.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*stamped, structlog.stdlib.add_logger_name, _without_tasks],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    # Below info the clients of S3, KMS and Vault write down what they send and get: keys in the clear, and credentials.
    # Both, since a package may have set a level of its own.
    foreign = max(level, logging.INFO)
    handler.setLevel(foreign)
    logging.basicConfig(level=foreign, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    # It tells of every attempt to connect while the database is away: some each second, in every process; and of what
    # goes wrong while an error or Ctrl-C is on its way, in words that may quote a row.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    if _writes_json:
        _log_crashes()


def _without_tasks(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """What asyncio says went wrong, without the task it shows: that repeats the message of an error."""
    if event.get("logger") == "asyncio":
        event["event"] = event["event"].partition("\n")[0]
    return event


def _log_crashes() -> None:
    """What ends a process or a thread, and what goes wrong where nobody waits for it, is a line of the log as well."""
    log = structlog.get_logger("precis")

    def crashed(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        log.error("crashed", exc_info=(kind, error or kind(), trace))

    sys.excepthook = crashed
    threading.excepthook = lambda crash: crashed(crash.exc_type, crash.exc_value, crash.exc_traceback)
    sys.unraisablehook = lambda crash: crashed(crash.exc_type, crash.exc_value, crash.exc_traceback)


def _renderer(log_format: str) -> list[Any]:
    # A stack is text within the line.
    stack = structlog.processors.ExceptionRenderer(_stack)
    if log_format == "json":
        return [stack, _in_one_piece]
    return [stack, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty() and not os.environ.get("NO_COLOR"))]


#: Bytes of a line: what is longer a pipe may take in pieces, between which another process writes. And characters of
#: a text that is cut no more.
_PIECE, _LEAST = 4_000, 40
_as_json = structlog.processors.JSONRenderer()


def _in_one_piece(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
    """A line of JSON; where it is too long for a pipe, the longest of its texts lose their middle."""
    line = str(_as_json(logger, method, event))
    while len(line) > _PIECE:
        texts = {name: text for name, text in event.items() if isinstance(text, str)}
        name = max(texts, key=lambda name: len(texts[name]), default="")
        if len(longest := texts.get(name, "")) < _LEAST:
            break
        event = {**event, name: f"{longest[: len(longest) // 4]} ... {longest[-len(longest) // 2 :]}"}
        line = str(_as_json(logger, method, event))
    return line


def _stack(exc_info: tuple[type[BaseException], BaseException, TracebackType | None]) -> str:
    """Where an error came from: files, lines and types.

    No value of a variable, and no message but of precis's own errors: those of others may quote a row. Where the
    database has no room, no memory or no connection left, no stack says more than that.
    """
    return _lacking(exc_info[1]) or "\n".join(_lines(exc_info[1]))


def _lacking(error: BaseException | None) -> str | None:
    """The name and code of an error of PostgreSQL's class "insufficient resources", where one is the cause."""
    while error is not None:
        code = getattr(error, "sqlstate", None)
        if isinstance(code, str) and code.startswith("53"):
            return f"{type(error).__module__}.{type(error).__qualname__} ({code})"
        error = error.__cause__ or error.__context__
    return None


def _lines(error: BaseException) -> Iterator[str]:
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _lines(before)
        yield "which led to:"
    yield from (line.rstrip("\n") for line in traceback.format_tb(error.__traceback__))
    message = f": {error}" if isinstance(error, PrecisError) else ""
    yield f"{type(error).__module__}.{type(error).__qualname__}{message}"
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _lines(each)
