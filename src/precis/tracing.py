"""Spans for OpenTelemetry, from a request to its statements, where a provider was set in this process.

Only the plain API is used, and only once somebody else has imported it: without a provider a span is a look into a
dictionary. No attribute holds a text, a person's id or a parameter of a statement; of an error the type is told, since
its message may quote a row.
"""

import functools
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import TracebackType
from typing import Any, Literal, ParamSpec, Self, TypeVar

from precis.metrics import EMBEDDING_SECONDS

P = ParamSpec("P")
R = TypeVar("R")
Attributes = Mapping[str, str | int | float | bool | None]
Kind = Literal["internal", "server", "client", "consumer"]
_API = "opentelemetry.trace"
#: What the API itself reads: a provider that is loaded when it is asked for.
_NAMED = "OTEL_PYTHON_TRACER_PROVIDER" in os.environ
_TRACEPARENT = "traceparent"


class Span:
    """A span that is open, or none: then nothing is noted."""

    __slots__ = ("_entered", "_manager")

    def __init__(self, manager: AbstractContextManager[Any] | None = None) -> None:
        self._manager = manager
        self._entered: Any = None

    def note(self, attributes: Attributes, *, name: str | None = None) -> None:
        """Say more of it; what is None is left out."""
        if self._entered is not None:
            self._entered.set_attributes({key: value for key, value in attributes.items() if value is not None})
            if name is not None:
                self._entered.update_name(name)

    def failed(self, kind: str) -> None:
        """It ended badly, by an error of this type."""
        if self._entered is not None:
            api = importlib.import_module(_API)
            self._entered.set_status(api.Status(api.StatusCode.ERROR))
            self._entered.set_attribute("error.type", kind)

    def __enter__(self) -> Self:
        """Open it."""
        if self._manager is not None:
            self._entered = self._manager.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        if self._manager is not None:
            if kind is not None:
                self.failed(kind.__qualname__)
            self._manager.__exit__(kind, error, trace)


#: Where there is no provider; it holds nothing, so all share it.
_NONE = Span()


def is_on() -> bool:
    """Whether somebody set a provider."""
    api = _api()
    # FastAPI imports the API, and every statement comes by here: asked officially it looks through the environment.
    if api is None or (getattr(api, "_TRACER_PROVIDER", api) is None and not _NAMED):
        return False
    return not isinstance(api.get_tracer_provider(), api.ProxyTracerProvider)


def _api() -> Any:
    if _API not in sys.modules and _NAMED:
        try:
            importlib.import_module(_API)
        except ImportError:
            return None
    return sys.modules.get(_API)


def span(
    name: str, attributes: Attributes | None = None, *, kind: Kind = "internal", links: Iterable[str | None] = ()
) -> Span:
    """A span for the length of a block; ``links`` are what ``traceparent`` answered in other spans."""
    if not is_on():
        return _NONE
    api = _api()
    kept = {key: value for key, value in (attributes or {}).items() if value is not None}
    contexts = (_read({_TRACEPARENT: link}) for link in links if link)
    manager = api.get_tracer("precis").start_as_current_span(
        name,
        kind=api.SpanKind[kind.upper()],
        attributes=kept,
        links=[api.Link(api.get_current_span(context).get_span_context()) for context in contexts],
        # Its message and its stack may hold what a row says.
        record_exception=False,
        set_status_on_exception=False,
    )
    return Span(manager)


def traced(name: str) -> Callable[[Callable[P, Coroutine[Any, Any, R]]], Callable[P, Coroutine[Any, Any, R]]]:
    """A span around every call."""

    def decorated(method: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
        @functools.wraps(method)
        async def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not is_on():
                return await method(*args, **kwargs)
            with span(name):
                return await method(*args, **kwargs)

        return call

    return decorated


def trace_verbs(resource: str, verbs: type) -> None:
    """A span around every call of a public coroutine of this class: ``memories.add``."""
    for name, method in list(vars(verbs).items()):
        if not name.startswith("_") and inspect.iscoroutinefunction(method):
            setattr(verbs, name, traced(f"{resource}.{name}")(method))


def received(headers: Iterable[tuple[bytes, bytes]]) -> AbstractContextManager[None]:
    """What is opened in the block belongs to the trace that the sender of these headers named."""
    return _continued(headers) if is_on() else nullcontext()


@contextmanager
def _continued(headers: Iterable[tuple[bytes, bytes]]) -> Any:
    context = importlib.import_module("opentelemetry.context")
    token = context.attach(_read({name.decode("latin-1"): value.decode("latin-1") for name, value in headers}))
    try:
        yield
    finally:
        context.detach(token)


def _read(carrier: Mapping[str, str]) -> Any:
    return importlib.import_module("opentelemetry.propagate").extract(carrier)


def sent() -> dict[str, str]:
    """Headers that tell whoever is called which trace this belongs to; none without a provider."""
    carrier: dict[str, str] = {}
    if is_on():
        importlib.import_module("opentelemetry.propagate").inject(carrier)
    return carrier


def traceparent() -> str | None:
    """The span that is open, to be linked to later and elsewhere; None without one."""
    return sent().get(_TRACEPARENT)


def trace_id() -> str | None:
    """The trace that is open, as backends show it; None without one."""
    current = traceparent()
    return current.split("-")[1] if current else None


# --- calls to a model or an embedder ---


@contextmanager
def embedding(version: str, texts: Sequence[str]) -> Iterator[None]:
    """One call to an embedder, which is a figure for Prometheus as well."""
    with (
        EMBEDDING_SECONDS.time(),
        span("embed", {"gen_ai.request.model": version, "precis.texts": len(texts)}, kind="client"),
    ):
        yield


def chat(model: str) -> Span:
    """One call of a model; by the names of OpenTelemetry's conventions."""
    return span(f"chat {model}", {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}, kind="client")


def note_answer(called: Span, policy: str, tokens_in: int, tokens_out: int, outcome: str) -> None:
    """What a call of a model took, for whom, and how it ended."""
    tokens = {"gen_ai.usage.input_tokens": tokens_in, "gen_ai.usage.output_tokens": tokens_out}
    called.note({**tokens, "precis.policy": policy, "precis.outcome": outcome})
