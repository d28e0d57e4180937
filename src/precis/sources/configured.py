"""What the settings say of the archive: its rules, and the pools that it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from precis.engine.policy import Originals
from precis.errors import ConfigurationError, InvalidInput
from precis.policies.archive import Archive, GroupBy, Schedule
from precis.settings import PoolSettings, Settings
from precis.sources.chroma import open_chroma
from precis.sources.cognee import open_cognee
from precis.sources.source import Pool, PoolEmbedder

#: Seconds an answer of an embedding model may take.
_TIMEOUT = 60.0


def archive_settings(settings: Settings) -> Archive:
    """What the deployment set, as the policy takes it."""
    return changed(Archive(), **{each.name: getattr(settings, f"archive_{each.name}") for each in fields(Archive)})


def changed(rules: Archive, **changes: Any) -> Archive:
    """The settings with these in place of their own, for one pass. Raises InvalidInput."""
    kinds = {"schedule": Schedule, "originals": Originals, "group_by": GroupBy}
    values = dict(changes)
    for name in kinds.keys() & changes.keys():
        try:
            values[name] = kinds[name](changes[name])
        except ValueError as error:
            raise InvalidInput(f"{name}: {changes[name]!r} is none of its values", field=name) from error
    for name in ("min_age_days", "keep_original_days", "max_memories_per_batch"):
        least = int(name == "max_memories_per_batch")
        if name in values and (type(values[name]) is not int or not least <= values[name] <= 36_500):
            raise InvalidInput(f"{name}: {values[name]!r} is not within {least} to 36500", field=name)
    return replace(rules, **values)


def pools_of(settings: Settings, tenant_id: str) -> Sequence[PoolSettings]:
    """The pools of one tenant."""
    return [pool for pool in settings.archive_pools if pool.tenant == tenant_id]


def open_pool(named: PoolSettings, settings: Settings) -> Pool:
    """The store itself. Raises ConfigurationError."""
    archive = archive_settings(settings)
    if named.kind == "cognee":
        return open_cognee(marker=archive.marker, marks=archive.marks)
    if named.path is None:
        raise ConfigurationError("--path: name the folder of the Chroma store")
    return open_chroma(named.path, collection=named.collection, embed=_embedder(named, settings), marks=archive.marks)


def _embedder(named: PoolSettings, settings: Settings) -> PoolEmbedder | None:
    """The model named, asked with the key that belongs to its endpoint."""
    if named.embed_model is None:
        return None
    if named.embed_url in (None, settings.model_base_url):
        key = settings.archive_embed_api_key or settings.model_api_key
    else:
        key = settings.archive_embed_api_key  # the key of one endpoint is not for another to see
    return endpoint_embedder(
        named.embed_model, base_url=named.embed_url or settings.model_base_url,
        api_key=key.get_secret_value() if key else None,
    )  # fmt: skip


def endpoint_embedder(model: str, *, base_url: str, api_key: str | None = None) -> PoolEmbedder:
    """Ask this model of an OpenAI-compatible endpoint for vectors. Errors are those of the client."""

    def ask(texts: list[str]) -> list[list[float]]:
        import openai  # noqa: PLC0415 - heavy, and needed here only

        with openai.OpenAI(base_url=base_url, api_key=api_key or "none", timeout=_TIMEOUT) as client:
            answer: Any = client.embeddings.create(model=model, input=texts, encoding_format="float")
        return [list(row.embedding) for row in sorted(answer.data, key=lambda row: row.index)]

    async def embed(texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(ask, texts)

    return embed
