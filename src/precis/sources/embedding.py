"""The embedder of a pool behind an OpenAI-compatible endpoint: the model that the assistant beside the pool uses."""

from __future__ import annotations

import asyncio
from typing import Any

from precis.sources.source import PoolEmbedder

#: Seconds an answer may take.
_TIMEOUT = 60.0


def endpoint_embedder(model: str, *, base_url: str, api_key: str | None = None) -> PoolEmbedder:
    """Ask this model for vectors. Errors are those of the client."""

    def ask(texts: list[str]) -> list[list[float]]:
        import openai  # noqa: PLC0415 - heavy, and needed here only

        with openai.OpenAI(base_url=base_url, api_key=api_key or "none", timeout=_TIMEOUT) as client:
            answer: Any = client.embeddings.create(model=model, input=texts, encoding_format="float")
        return [list(one.embedding) for one in sorted(answer.data, key=lambda one: one.index)]

    async def embed(texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(ask, texts)

    return embed
