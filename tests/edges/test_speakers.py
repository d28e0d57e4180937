"""Who said it is part of what was said: the same words of somebody else are another memory."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.keys.vault import Vault
from precis.store.rows import fingerprint

pytestmark = pytest.mark.asyncio(loop_scope="session")


def spoken(speaker: str | None) -> dict[str, object]:
    """A memory of somebody's words."""
    metadata = {"speaker": speaker} if speaker else {}
    text = "I sold the canoe to my brother."
    return {"id": "canoe", "text": text, "user_id": "ilse", "created_at": "2026-03-04T10:00:00Z", "metadata": metadata}


async def test_other_speakers_are_other_content(api: httpx.AsyncClient) -> None:
    """Written again under its id: the same speaker is a repetition, another one or none a conflict."""
    assert (await api.post("/v1/memories", json={"memories": [spoken("Ilse")]})).status_code == 201
    again = await api.post("/v1/memories", json={"memories": [spoken("Ilse")]})
    assert [False] == [row["created"] for row in again.json()["memories"]]
    for speaker in ("Oskar", None):
        assert (await api.post("/v1/memories", json={"memories": [spoken(speaker)]})).status_code == 409
    stored = (await api.get("/v1/memories/canoe")).json()
    assert "Ilse" == stored["metadata"]["speaker"]


async def test_a_fingerprint_tells_speakers_apart(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """A draft that read the words as Ilse's is discarded once they are Oskar's: fingerprints are what it compares."""
    await api.post("/v1/memories", json={"memories": [spoken("Ilse")]})
    memory = (await runtime.store.memories.get(tenant, ["canoe"]))["canoe"]
    assert "Ilse" == memory.speaker
    keys = Vault(runtime.store.tenants.keyring).keys(tenant)
    for speaker in ("Oskar", None):
        other = replace(memory, speaker=speaker)
        assert fingerprint(memory, keys) != fingerprint(other, keys)
    assert fingerprint(memory, keys) == memory.fingerprint
