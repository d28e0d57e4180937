"""Retention lets a text go, and with it all that its writer said beside it: over HTTP, and in what lies in the rows."""

from __future__ import annotations

import httpx
import pytest

from precis.app.receipts import Verification
from precis.bootstrap import Runtime

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Said nowhere but beside the texts, so no summary says them.
ASIDE = {"metadata": {"source": "qwyzzel ledger"}, "topics": ["vroxim"], "entities": ["Plimbert"]}


async def test_a_stub_says_nothing_but_subject_and_speaker(
    runtime: Runtime, tenant: str, api: httpx.AsyncClient
) -> None:
    """Metadata, topics and entities of an expired memory are gone; before, they are there and found."""
    rows = [
        {"id": f"m{n}", "user_id": "mira", "text": f"Mira bought sail number {n}.", "key": "sails", "type": "fact",
         "created_at": f"2020-03-0{n}T10:00:00Z", **ASIDE}
        for n in range(1, 5)
    ]  # fmt: skip
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    words = ["qwyzzel", "vroxim", "plimbert"]
    proof = Verification(runtime.database, runtime.settings, tenant)
    assert sum(looked.hits for looked in await proof.look(words)) > 0
    before = (await api.get("/v1/memories/m1")).json()
    assert (before["metadata"], before["topics"], before["entities"]) == tuple(ASIDE.values())

    assert (await api.post("/memory/summarize")).json()["deletions"] == 4
    stub = (await api.get("/v1/memories/m1")).json()
    assert (stub["text"], stub["retention_state"]) == (None, "expired")
    assert (stub["metadata"], stub["topics"], stub["entities"]) == ({}, [], [])
    assert (stub["extracted_key"], stub["created_at"][:10]) == ("sail", "2020-03-01")
    assert [looked.where for looked in await proof.look(words) if looked.hits] == []
