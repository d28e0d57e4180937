"""What a request in words cut out of a memory does not come back with an older copy of the database."""

from __future__ import annotations

from typing import Any

import httpx
import orjson
import pytest

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import Forgotten, NotFound

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What of a row tells what it says.
_SAYS = (
    "text_ciphertext", "attributes_ciphertext", "terms", "fingerprint", "text_hash", "updated_at", "embedding",
    "key_hash", "person_hash",
)  # fmt: skip
TWO = "Torvald lives in Kalmar, and Ulrike lives in Ystad."


class Copy:
    """What a copy of the database from before has of one memory, and of the receipts."""

    def __init__(self, runtime: Runtime, tenant: str) -> None:
        self._runtime = runtime
        self._tenant = tenant

    async def take(self, memory_id: str) -> None:
        """Now."""
        async with self._runtime.database.tenant(self._tenant) as connection:
            asked = await connection.execute("SELECT * FROM memories WHERE memory_id = %s", [memory_id])
            self._row = await asked.fetchone() or {}
            asked = await connection.execute("SELECT number, body, logged FROM receipt_heads")
            self._head = await asked.fetchone() or {"number": 0, "body": None, "logged": 0}

    async def put_back(self) -> None:
        """As a restore does."""
        head, row = self._head, self._row
        body = None if head["body"] is None else orjson.dumps(head["body"]).decode()
        async with self._runtime.database.tenant(self._tenant) as connection:
            columns = ", ".join(f"{name} = %({name})s" for name in _SAYS)
            statement = f"UPDATE memories SET {columns} WHERE memory_id = %(memory_id)s"  # noqa: S608 - our own names
            await connection.execute(statement.encode(), row)
            await connection.execute(
                "DELETE FROM receipts WHERE number > %s OR receipt_id = 'forgotten-log'", [head["number"]]
            )
            await connection.execute(
                "UPDATE receipt_heads SET number = %s, logged = %s, body = %s", [head["number"], head["logged"], body]
            )


@pytest.fixture
def older(runtime: Runtime, tenant: str) -> Copy:
    """An older copy."""
    return Copy(runtime, tenant)


async def write(app: App, text: str = TWO) -> None:
    """The memory, and one from which a receipt was made before the copy."""
    await app.memories.add([{"id": "t0", "user_id": "ana", "text": text}])
    await app.memories.add([{"id": "t1", "user_id": "ana", "text": "The kettle whistles."}])
    await app.memories.forget("t1")


async def part(app: App, name: str) -> Any:
    """Forget everything about somebody: of which memories a part went."""
    receipt = await app.memories.forget(await app.memories.find_to_forget(f"everything about {name}", user_id="ana"))
    assert getattr(receipt, "edited", ()) == ("t0",)
    return receipt


async def test_the_part_goes_again(
    api: httpx.AsyncClient, runtime: Runtime, tenant: str, app: App, older: Copy
) -> None:
    """The copy has the sentence whole: the same half stays. The receipt was signed, and is there again."""
    await write(app)
    await older.take("t0")
    receipt = await part(app, "Torvald")
    assert (receipt.forgotten, receipt.number) == ((), 2)
    await older.put_back()
    assert (await app.memories.get("t0")).text == TWO
    assert await runtime.forget_again(tenant) == 0
    assert (await app.memories.get("t0")).text == "Ulrike lives in Ystad."
    rows = (await api.get("/v1/receipts", params={"memory_id": "t0"})).json()["receipts"]
    assert [(row["id"], row["what"], row["counts"]["memories"]) for row in rows] == [
        (receipt.id, "part of a memory", 0)
    ]
    assert (await app.receipts.verify()).holds
    await older.put_back()
    assert await runtime.forget_again(tenant) == 0
    assert (await app.memories.get("t0")).text == "Ulrike lives in Ystad."


async def test_parts_that_went_one_after_the_other(runtime: Runtime, tenant: str, app: App, older: Copy) -> None:
    """Each is cut out of what the one before left."""
    await write(app, f"{TWO} Sigrun keeps bees.")
    await older.take("t0")
    await part(app, "Torvald")
    await part(app, "Sigrun")
    await older.put_back()
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("DELETE FROM tombstones")
    await runtime.forget_again(tenant)
    assert (await app.memories.get("t0")).text == "Ulrike lives in Ystad."
    for before in (f"{TWO} Sigrun keeps bees.", "Ulrike lives in Ystad. Sigrun keeps bees."):
        again = await app.memories.add([{"id": "t0", "user_id": "ana", "text": before}])
        assert [row.created for row in again.memories] == [False]
    assert (await app.memories.get("t0")).text == "Ulrike lives in Ystad."


async def test_what_says_something_else_goes_whole(runtime: Runtime, tenant: str, app: App, older: Copy) -> None:
    """The copy is from before somebody edited the memory: nobody knows what it holds, and a receipt names it."""
    await write(app, "In Kalmar lives Torvald the sailor.")
    await older.take("t0")
    await app.memories.edit("t0", {"text": TWO})
    await part(app, "Torvald")
    await older.put_back()
    assert await runtime.forget_again(tenant) == 1
    with pytest.raises(NotFound):
        await app.memories.get("t0")
    with pytest.raises(Forgotten):
        await app.memories.add([{"id": "t0", "user_id": "ana", "text": TWO}])
    rows = (await app.receipts.list(memory_id="t0")).receipts
    assert [(row["kind"], row["what"]) for row in rows] == [
        ("forgotten again", "memories"), ("forgotten", "part of a memory"),
    ]  # fmt: skip
    assert (await app.receipts.verify()).holds


async def test_what_was_written_since_stays(runtime: Runtime, tenant: str, app: App, older: Copy) -> None:
    """The database is not older, it only lost its receipts: an edit made afterwards is nobody's half."""
    await write(app)
    await part(app, "Torvald")
    await app.memories.edit("t0", {"text": f"{TWO} So it stands in the book."})
    await older.take("t0")
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("DELETE FROM receipts")
        await connection.execute("UPDATE receipt_heads SET number = 0, logged = 0, body = NULL")
    assert await runtime.forget_again(tenant) == 0
    assert (await app.memories.get("t0")).text == f"{TWO} So it stands in the book."


async def test_what_was_forgotten_and_written_again_stays(runtime: Runtime, tenant: str, app: App, older: Copy) -> None:
    """Forgotten whole after its half, then written again on purpose: the copy with just that text keeps it."""
    await write(app)
    await older.take("t0")
    await part(app, "Torvald")
    await app.memories.forget("t0")
    await app.memories.add([{"id": "t0", "user_id": "ana", "text": TWO, "revive": True}])
    await older.put_back()
    assert await runtime.forget_again(tenant) == 0
    assert (await app.memories.get("t0")).text == TWO
