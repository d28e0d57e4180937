"""Each forget leaves one signed receipt, in one chain, without an id or a text; it is served, exported and verified."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import orjson
import pytest

from precis.app import App
from precis.app.receipts import Verification
from precis.bootstrap import Runtime
from precis.errors import NotFound
from precis.ids import new_id
from precis.keys.keyring import Keyring
from precis.keys.receipts import canonical, hash_of, verify
from precis.language.words import index_terms
from precis.store.postgres import postgres_store

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def write(app: App, *ids: str, user_id: str = "noor") -> None:
    """Some memories about one thing, so that there is a summary."""
    rows = [
        {"id": id_, "user_id": user_id, "type": "fact", "key": "boat", "text": f"The boat has sail number {at + 40}."}
        for at, id_ in enumerate(ids)
    ]
    await app.memories.add(rows)


async def lines_of(app: App) -> list[bytes]:
    """The export."""
    return [line async for line in app.receipts.export()]


async def test_forgets_of_every_kind_make_one_chain(app: App) -> None:
    """By ids, by user, a conversation, a message, and the wire's delete: each one receipt, in order."""
    await write(app, *(f"b{at}" for at in range(6)))
    await app.conversations.turn("t", [{"id": "x", "role": "user", "content": "Rig it."}], user_id="noor")
    await app.conversations.turn("u", [{"id": "y", "role": "user", "content": "Moor it."}], user_id="noor")
    receipts = [await app.memories.forget(["b0", "never-there"])]
    receipts.append(await app.conversations.forget_messages("t", ["x"], user_id="noor"))
    last = await app.conversations.forget("u", user_id="noor")
    assert last is not None
    await app.long_term.forget(["b1"])
    await app.memories.forget_user("noor")
    page = await app.receipts.list()
    assert [receipt["number"] for receipt in page.receipts] == [5, 4, 3, 2, 1]
    assert [receipt["what"] for receipt in page.receipts] == ["user", *["memories"] * 4]
    assert (await app.receipts.get(receipts[0].id)).receipt["counts"] == {
        "memories": 1, "not_found": 1, "statements_removed": receipts[0].statements_removed, "segments_removed": 0,
        "summaries_deleted": 0, "summaries_redacted": 1, "being_derived": 1,
    }  # fmt: skip
    assert (receipts[0].number, receipts[0].previous) == (1, None)
    assert receipts[1].previous == hash_of((await app.receipts.get(receipts[0].id)).receipt)
    verdict = verify(await lines_of(app), app.receipts.key.public_key)
    assert (verdict.faults, verdict.receipts) == ((), 5)
    assert (await app.receipts.verify()).holds


async def test_receipts_name_nobody(app: App) -> None:
    """No id of a memory, user or summary; who has the id asks for it and is answered."""
    user, ids = f"user-{new_id()}", [new_id() for _ in range(4)]
    await write(app, *ids, user_id=user)
    receipt = await app.memories.forget(ids[:2])
    await app.memories.forget_user(user)
    export = b"".join(await lines_of(app)).decode()
    assert [name for name in (user, *ids, receipt.summaries[0].id, "sail", "boat") if name in export] == []
    asked = [{"memory_id": ids[1]}, {"memory_id": ids[3]}, {"user_id": user}, {"user_id": "nobody"}]
    pages = [await app.receipts.list(memory_id=each.get("memory_id"), user_id=each.get("user_id")) for each in asked]
    assert [[row["number"] for row in page.receipts] for page in pages] == [[1], [2], [2, 1], []]
    with pytest.raises(NotFound):
        await app.receipts.get("nothing")


async def test_eight_at_once_make_one_chain(app: App) -> None:
    """Forgets and users at the same moment, many times: no number twice, none left out."""
    for turn in range(3):
        names = [f"c{turn}-{at}" for at in range(8)]
        for name in names:
            await write(app, name, user_id=name)
        await asyncio.gather(
            *(app.memories.forget(name) for name in names[:5]), *(app.memories.forget_user(name) for name in names[5:])
        )
    verdict = await app.receipts.verify()
    assert (verdict.faults, verdict.receipts) == ((), 24)


async def test_what_is_changed_in_the_database_is_named(runtime: Runtime, tenant: str, app: App) -> None:
    """A count that is another one, a row that is deleted, an end that is cut off and put back: each is told."""
    await write(app, *(f"d{at}" for at in range(5)))
    for at in range(4):
        await app.memories.forget(f"d{at}")

    async def change(statement: Any, *values: Any) -> list[str]:
        async with runtime.database.tenant(tenant) as connection:
            await connection.execute(statement, [tenant, *values])
        return [fault.what for fault in (await app.receipts.verify()).faults]

    told = await change(
        "UPDATE receipts SET body = jsonb_set(body, '{counts,memories}', '7') WHERE tenant_id = %s AND number = 2"
    )
    assert any("receipt 2 " in what and "signature" in what for what in told)
    assert "receipt 3 is missing" in await change("DELETE FROM receipts WHERE tenant_id = %s AND number = 3")
    # As a copy of the database from before the last two, signed head and all: only the forgotten-log knows better.
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("DELETE FROM receipts WHERE tenant_id = %s", [tenant])
    assert "receipt 1 to 4 are missing" in await change("DELETE FROM members WHERE tenant_id = %s AND false")
    told = await change("UPDATE receipt_heads SET number = 0, body = NULL WHERE tenant_id = %s")
    assert told == ["the database ends at receipt 0, the forgotten-log at 4"]
    await runtime.forget_again(tenant)


async def test_a_restored_copy_has_its_chain_back(runtime: Runtime, tenant: str, app: App) -> None:
    """What was signed since the copy comes from the forgotten-log, byte for byte; the next forget goes on behind it."""
    await write(app, *(f"e{at}" for at in range(5)))
    await app.memories.forget("e0")
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute("SELECT number, body, logged FROM receipt_heads")
        head = await asked.fetchone()
        assert head is not None
    await app.memories.forget(["e1", "e2"])
    await app.memories.forget("e3")
    before = await lines_of(app)
    # What a copy from after the first forget lacks.
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("DELETE FROM receipts WHERE number > 1 OR receipt_id = 'forgotten-log'")
        await connection.execute(
            "UPDATE receipt_heads SET number = 1, logged = %s, body = %s",
            [head["logged"], orjson.dumps(head["body"]).decode()],
        )
    assert await runtime.forget_again(tenant) == 0
    assert (await lines_of(app))[:3] == before[:3]
    await app.memories.forget("e4")
    verdict = await app.receipts.verify()
    assert (verdict.faults, verdict.receipts) == ((), 4)


async def test_receipts_of_an_earlier_release_are_signed_at_the_start(runtime: Runtime, tenant: str, app: App) -> None:
    """Their ids were in the clear; then they are hashes, in the order in which they were made."""
    bodies = [{"id": "old-1", "forgotten": ["m-1", "m-2"], "statements_removed": 3}, {}]
    async with runtime.database.tenant(tenant) as connection:
        for at, body in enumerate(bodies):
            await connection.execute(
                "INSERT INTO receipts (tenant_id, receipt_id, created_at, body) VALUES (%s, %s, %s, %s)",
                [tenant, f"old-{at + 1}", f"2025-01-0{at + 1}T00:00:00Z", orjson.dumps(body).decode()],
            )
    for _ in range(2):
        assert await runtime.forget_again(tenant) == 0
    (first,) = (await app.receipts.list(memory_id="m-2")).receipts
    assert (first["id"], first["number"], first["counts"]["statements_removed"]) == ("old-1", 1, 3)
    verdict = await app.receipts.verify()
    assert (verdict.faults, verdict.receipts) == ((), 2)
    assert b"m-1" not in b"".join(await lines_of(app))


async def test_a_log_from_before_goes_on(runtime: Runtime, tenant: str) -> None:
    """Two processes that share the log and the keys add to one chain."""
    other = postgres_store(
        runtime.database, Keyring(runtime.settings.keys_folder), runtime.engine.policies,
        runtime.store.restoring.log,
    )  # fmt: skip
    app, now = runtime.app(tenant), runtime.engine.clock()
    await write(app, "f0", "f1", "f2")
    await app.memories.forget("f0")
    assert (await other.memories.forget(tenant, ["f1"], now=now)).number == 2
    assert (await app.memories.forget("f2")).number == 3
    assert (await app.receipts.verify()).holds


# --- over REST ---


async def test_over_rest(api: httpx.AsyncClient, stranger: httpx.AsyncClient, app: App) -> None:
    """The key's name is in it; a page, one of them, the public key; and nobody else's are seen."""
    await write(app, "g0", "g1", "g2")
    answer = (await api.post("/v1/forget", json={"ids": ["g0"]})).json()
    await api.delete("/v1/memories/g1")
    page = (await api.get("/v1/receipts", params={"limit": 1})).json()
    assert ([row["by"] for row in page["receipts"]], page["head"]["number"]) == (["test"], 2)
    rest = (await api.get("/v1/receipts", params={"cursor": page["next_cursor"]})).json()
    assert ([row["id"] for row in rest["receipts"]], rest["next_cursor"]) == ([answer["id"]], None)
    one = (await api.get(f"/v1/receipts/{answer['id']}")).json()
    assert one["receipt"]["signature"] == answer["signature"]
    key = (await api.get("/v1/receipts/key")).json()
    lines = [canonical(document) for document in (*reversed([*page["receipts"], *rest["receipts"]]), page["head"])]
    assert verify(lines, key["public_key"]).holds
    for call in (f"/v1/receipts/{answer['id']}", "/v1/receipts/none"):
        assert (await stranger.get(call)).status_code == 404
    assert (await stranger.get("/v1/receipts")).json()["receipts"] == []
    assert (await api.get("/v1/receipts", params={"cursor": "x"})).status_code == 422


# --- what is left of a word ---


async def test_words_are_looked_for_over_rest(
    api: httpx.AsyncClient, app: App, runtime: Runtime, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Found while it is there, not after; only what is the tenant's own is read, and the word is kept nowhere."""
    word = f"Zirconal{new_id()[-6:]}"
    await app.memories.add([{"id": "w0", "user_id": "noor", "text": f"The bell is of {word}."}])
    before = (await api.post("/v1/verify-forgotten", json={"words": [word]})).json()
    hits = {place["where"]: place["hits"] for place in before["looked"] if place["hits"]}
    assert hits == {"memories.text, decrypted": 1, "memories.terms, as keyed hashes": 1}
    await app.memories.forget("w0")
    answer = await api.post("/v1/verify-forgotten", json={"words": [word, "Tourmaline"]})
    assert (answer.json()["found"], answer.json()["words"], word in answer.text) == (False, 2, False)
    notes = {place["where"]: place["note"] for place in answer.json()["looked"] if place["note"]}
    assert "rows of every tenant" in notes["files"]
    assert "nothing of a tenant" in notes["tenants, every column"]
    begun = await api.post("/v1/verify-forgotten", json={"words": [word], "wait": False})
    assert begun.status_code == 202
    async with asyncio.timeout(20):
        while (task := (await api.get(begun.headers["Location"])).json())["status"] not in ("success", "failed"):
            await asyncio.sleep(0.05)
    assert task["status"] == "success"
    short = await api.post("/v1/verify-forgotten", json={"words": ["qqz", word]})
    assert (short.status_code, "qqz" in short.text, word in short.text) == (422, False, False)
    everything = Verification(runtime.database, runtime.settings, tenant)
    assert [place.where for place in await everything.look([word]) if place.hits] == []
    assert word not in caplog.text


async def test_a_word_that_others_hold_is_no_leak(runtime: Runtime, tenant: str, app: App) -> None:
    """It was the forgotten one's alone when it was recorded; then others say it, or a statement says when it was."""
    common = {"user_id": "noor", "type": "fact", "key": "mast", "created_at": "2026-04-05T09:00:00Z"}
    rows: list[dict[str, Any]] = [
        {"id": "x0", "text": "In April the mast was bought at Vindhaven by Sindre."},
        {"id": "x1", "text": "Yesterday the mast was painted red by us.", "metadata": {"speaker": "Sindre"}},
        {"id": "x2", "text": "Today I varnished the mast with two coats.", "metadata": {"speaker": "Sindre"}},
        {"id": "x3", "text": "Tomorrow the mast goes up for good.", "metadata": {"speaker": "Sindre"}},
    ]
    await app.memories.add([{**common, **row} for row in rows[:-1]])
    proof = Verification(runtime.database, runtime.settings, tenant)
    recorded = await proof.record(["x0"], now=runtime.engine.clock())
    await app.memories.forget("x0")
    await app.memories.add([{**common, **rows[-1]}])
    terms = [int.from_bytes(head, "little", signed=True) for head in recorded.patterns["keyed word"]]
    keys = runtime.store.tenants.keyring.open_tenant(tenant)
    words = {keys.term(word): word for word in index_terms("April bought Vindhaven Sindre")}
    assert set(words) <= set(terms)
    (summary,) = (await app.summaries.list()).rows
    assert "April" in (summary.text or "")
    held = {words[term] for term in await proof.scan.held_by_others(tenant, terms)}
    assert index_terms("April")[0] in held
    assert index_terms("Vindhaven")[0] not in held
    await app.memories.add([{"id": "x4", "user_id": "noor", "text": "I sailed on to Vindhaven."}])
    held = {words[term] for term in await proof.scan.held_by_others(tenant, terms)}
    assert index_terms("Vindhaven")[0] in held
    looked = {place.where: place for place in await proof.look([], evidence=recorded)}
    assert "held by others: " in looked["recorded bytes that prove nothing: keyed word"].note
    # Words of nobody but the forgotten memory are looked for as before, and still lie in the files.
    assert looked["database files, recorded bytes: keyed word"].hits == len(terms) - len(held)
