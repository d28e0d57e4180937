"""Nobody is certified gone who was never there: unknown ids and users are 404, and nothing is written or destroyed."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.errors import NotFound
from precis.store.pools.batches import Original, PoolBatch

pytestmark = pytest.mark.asyncio(loop_scope="session")
Trace = Callable[[Runtime, str, httpx.AsyncClient], Awaitable[None]]


async def state_of(runtime: Runtime, tenant: str) -> tuple[Any, ...]:
    """What a forget may change: receipts, keys in the database and in the file, tombstones, the forgotten-log."""
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute(
            "SELECT (SELECT count(*) FROM receipts) AS receipts, (SELECT count(*) FROM tombstones) AS tombstones, "
            "(SELECT array_agg(wrapped ORDER BY wrapped) FROM user_keys) AS keys"
        )
        row = dict(await asked.fetchone() or {})
    keys: Path = runtime.settings.keys_folder / "tenants" / f"{tenant}.json"
    log: Path = runtime.settings.forgotten_folder / f"{tenant.encode().hex()}.log"
    file = json.loads(keys.read_text())["versions"] if keys.exists() else None
    return (row, file, log.read_bytes() if log.exists() else b"")


async def memory(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """An ordinary memory."""
    await api.post("/v1/memories", json={"memories": [{"id": "m1", "user_id": "mira", "text": "Mira rows."}]})


async def all_forgotten(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """Every memory was forgotten by its id: the key that opens old copies of them is still there."""
    await memory(runtime, tenant, api)
    assert (await api.delete("/v1/memories/m1")).status_code == 200


async def expired(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """Every text has expired; a summary of the archive says it."""
    rows = [
        {"user_id": "mira", "text": f"Mira bought sail number {n}.", "created_at": f"2020-03-0{n}T10:00:00Z"}
        for n in range(1, 5)
    ]
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    assert (await api.post("/memory/summarize")).json()["deletions"] == 4


async def conversation(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """A message that is in a conversation."""
    await runtime.app(tenant).conversations.turn("s1", [{"role": "user", "content": "Hello."}], user_id="mira")


async def working_memory(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """A session of the wire that holds data and no message."""
    body = {"messages": [], "memories": [], "data": {"color": "blue"}, "session_id": "s2", "user_id": "mira"}
    answer = await api.put("/v1/working-memory/s2", params={"user_id": "mira"}, json=body)
    assert answer.status_code == 200, answer.text


async def zone(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """Where the user lives, and nothing else."""
    await runtime.app(tenant).rollups.set_zone("Europe/Lisbon", user_id="mira")


async def pool(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """A batch that was made of somebody else's store."""
    now = runtime.engine.clock()
    original = Original(memory_id="p1", position=0, created_at=now, digest=b"d")
    batch = PoolBatch(
        id=f"b-{tenant}", pool="chroma:x", user_id="mira", agent_id=None, run_id=None, state="planned", until=now,
        definition="d", kept=False, sources=(original,),
    )  # fmt: skip
    await runtime.store.pools.batches(tenant, "chroma:x").plan(batch, now=now)


#: What a user may have left, and whether there is a key to destroy.
TRACES: dict[str, tuple[Trace, bool]] = {
    "a memory": (memory, True),
    "all forgotten by id": (all_forgotten, True),
    "all expired": (expired, True),
    "a conversation": (conversation, True),
    "working memory": (working_memory, True),
    "a time zone": (zone, False),
    "a pool": (pool, False),
}


@pytest.mark.parametrize("kind", list(TRACES))
async def test_whoever_left_a_trace_is_forgotten(
    runtime: Runtime, tenant: str, api: httpx.AsyncClient, kind: str
) -> None:
    """200, with the key only where there was one; once nothing is left of the user, 404."""
    leave, key = TRACES[kind]
    await api.post("/v1/memories", json={"memories": [{"id": "of-ben", "user_id": "ben", "text": "Ben sails."}]})
    await leave(runtime, tenant, api)
    answer = await api.delete("/v1/users/mira")
    assert (answer.status_code, answer.json()["key_destroyed"]) == (200, key)
    # What lies in a pool is out of reach of this call: its trace stays, and is named each time.
    again = await api.delete("/v1/users/mira")
    if kind == "a pool":
        assert (again.status_code, [place["state"] for place in again.json()["external"]]) == (200, ["out of reach"])
    else:
        assert again.status_code == 404
    assert (await api.get("/v1/memories/of-ben")).json()["text"] == "Ben sails."


@pytest.mark.parametrize("others", [True, False], ids=["others there", "an empty tenant"])
async def test_an_unknown_user_is_404_and_nothing_happens(
    runtime: Runtime, tenant: str, api: httpx.AsyncClient, others: bool
) -> None:
    """Over REST and from Python: no key is destroyed, no receipt written, nothing noted in the log."""
    runtime.store.tenants.keyring.open_tenant(tenant)
    if others:
        await memory(runtime, tenant, api)
    before = await state_of(runtime, tenant)
    answer = await api.delete("/v1/users/nobody")
    assert (answer.status_code, "no key was destroyed" in answer.json()["detail"]) == (404, True)
    with pytest.raises(NotFound):
        await runtime.app(tenant).memories.forget_user("nobody")
    assert await state_of(runtime, tenant) == before


async def test_unknown_ids_are_404_and_nothing_happens(runtime: Runtime, tenant: str, api: httpx.AsyncClient) -> None:
    """By either route, also for an id that was forgotten before."""
    await all_forgotten(runtime, tenant, api)
    before = await state_of(runtime, tenant)
    for id_ in ("never", "m1"):
        assert (await api.delete(f"/v1/memories/{id_}")).status_code == 404
        assert (await api.post("/v1/forget", json={"ids": [id_, "nor-this"]})).status_code == 404
    assert await state_of(runtime, tenant) == before


async def test_known_ids_go_and_the_answer_names_the_unknown(api: httpx.AsyncClient, runtime: Runtime) -> None:
    """A list of both: law 4 for those that exist, 200, and the others by name."""
    await memory(runtime, "", api)
    answer = await api.post("/v1/forget", json={"ids": ["never", "m1", "nor-this"]})
    assert answer.status_code == 200
    assert (answer.json()["forgotten"], answer.json()["not_found"]) == (["m1"], ["never", "nor-this"])
    assert (await api.get("/v1/memories/m1")).status_code == 404


async def test_the_wire_counts_what_went(api: httpx.AsyncClient, runtime: Runtime, tenant: str) -> None:
    """Its format has no 404 here: it answers how many were deleted, and certifies nothing for none."""
    await memory(runtime, tenant, api)
    before = await state_of(runtime, tenant)
    answer = await api.delete("/v1/long-term-memory", params={"memory_ids": ["never"]})
    assert (answer.status_code, "0" in answer.json()["status"]) == (200, True)
    assert await state_of(runtime, tenant) == before
