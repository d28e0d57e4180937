"""Opening the pools that the settings name."""

from __future__ import annotations

from collections.abc import Sequence

from precis.app.archive import archive_settings
from precis.errors import ConfigurationError
from precis.settings import PoolSettings, Settings
from precis.sources.chroma import open_chroma
from precis.sources.cognee import open_cognee
from precis.sources.embedding import endpoint_embedder
from precis.sources.source import Pool, PoolEmbedder


def pools_of(settings: Settings, tenant_id: str) -> Sequence[PoolSettings]:
    """The pools of one tenant."""
    return [pool for pool in settings.archive_pools if pool.tenant == tenant_id]


def open_pool(named: PoolSettings, settings: Settings) -> Pool:
    """The store itself. Raises ConfigurationError."""
    chosen = archive_settings(settings)
    if named.kind == "cognee":
        return open_cognee(marker=chosen.marker, marks=chosen.marks)
    if named.path is None:
        raise ConfigurationError("--path: name the folder of the Chroma store")
    return open_chroma(named.path, collection=named.collection, embed=_embedder(named, settings), marks=chosen.marks)


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
