"""What is told of a call to a model or an embedder: figures, and no word that was sent or answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from precis.makers import Usage
from precis.metrics import EMBEDDING_SECONDS
from precis.tracing import Span, span


@contextmanager
def embedding(version: str, texts: Sequence[str]) -> Iterator[None]:
    """One call to an embedder: a figure for Prometheus, and a span where somebody traces."""
    with (
        EMBEDDING_SECONDS.time(),
        span("embed", {"gen_ai.request.model": version, "precis.texts": len(texts)}, kind="client"),
    ):
        yield


def chat(model: str) -> Span:
    """One call of a model; by the names of OpenTelemetry's conventions."""
    return span(f"chat {model}", {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}, kind="client")


def note_answer(tracing: Span, *, policy: str, used: Usage, outcome: str) -> None:
    """What it took, for whom, and how it ended."""
    tokens = {"gen_ai.usage.input_tokens": used.tokens_in, "gen_ai.usage.output_tokens": used.tokens_out}
    tracing.note({**tokens, "precis.policy": policy, "precis.outcome": outcome})
