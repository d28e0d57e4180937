"""How much a model reads at once, by an offline list."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def window_of(model: str) -> int | None:
    """Tokens of the model's context window; None for a model or a window the list does not know."""
    from genai_prices import data_snapshot  # noqa: PLC0415  (0.3 s, and needed only where a model is named)

    try:
        _, found = data_snapshot.get_snapshot().find_provider_model(model, None, None, None)
    except LookupError:
        return None
    return found.context_window
