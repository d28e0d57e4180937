"""A forget whose commit fails is repeated by the next start: on what had been written by then, and on nothing newer.

The commit fails for real, in PostgreSQL: a deferred trigger on the receipts ends the connection, or refuses.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import orjson
import psycopg
import pytest
import pytest_asyncio
from psycopg import AsyncConnection, sql
from test_forget_killed import copy, served

from precis.app import App
from precis.bootstrap import Runtime
from precis.embedded import server as embedded
from precis.errors import Forgotten, NotFound, StoreUnavailable
from precis.ids import new_id
from precis.keys.forgotten_log import ForgottenLog, Mark
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")
Failing = Callable[..., AbstractAsyncContextManager[None]]

#: What happens when a receipt is committed.
LOST = "PERFORM pg_terminate_backend(pg_backend_pid());"
REFUSED = "RAISE 'not now';"
RACED_ONCE = "IF nextval('commits_tried') = 1 THEN RAISE 'a race' USING ERRCODE = '40001'; END IF;"
TEXTS = {
    "tea": "Ana drinks green tea every morning.",
    "bike": "Ana repairs old bicycles on Sundays.",
    "trip": "Ana travels to Bruges by night train.",
}
JASMINE = [
    {"id": f"j{number}", "user_id": "ana", "type": "preference", "key": "tea", "text": text}
    for number, text in enumerate(
        ("I like jasmine tea.", "Jasmine tea must steep two minutes.", "I drink jasmine tea from a glass.")
    )
]


@asynccontextmanager
async def failing_commits(owner: AsyncConnection, tenant: str, what: str = LOST) -> AsyncIterator[None]:
    """Meanwhile this happens at the end of every transaction that leaves a receipt in the tenant."""
    await owner.execute("CREATE SEQUENCE commits_tried")
    await owner.execute(
        sql.SQL("CREATE FUNCTION fail_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS {}").format(
            sql.Literal(f"BEGIN {what} RETURN NULL; END")
        )
    )
    await owner.execute(
        sql.SQL(
            "CREATE CONSTRAINT TRIGGER fail_commit AFTER INSERT ON receipts DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW WHEN (NEW.tenant_id = {}) EXECUTE FUNCTION fail_commit()"
        ).format(sql.Literal(tenant))
    )
    try:
        yield
    finally:
        await owner.execute("DROP TRIGGER fail_commit ON receipts")
        await owner.execute("DROP FUNCTION fail_commit")
        await owner.execute("DROP SEQUENCE commits_tried")


@pytest_asyncio.fixture(loop_scope="session")
async def failing(runtime: Runtime, tenant: str) -> AsyncIterator[Failing]:
    """Lets the commits of the test's tenant fail."""
    async with (
        embedded.running(runtime.settings.data_dir) as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        yield lambda what=LOST: failing_commits(owner, tenant, what)


async def add(app: App, *ids: str, user_id: str = "ana") -> None:
    """Write some of the texts."""
    await app.memories.add([{"id": id_, "user_id": user_id, "text": TEXTS[id_]} for id_ in ids])


async def texts(app: App) -> dict[str, str | None]:
    """What is served, by id."""
    return {memory.id: memory.text for memory in (await app.memories.list(is_summary=False)).rows}


async def start(runtime: Runtime, tenant: str) -> int:
    """What every start does before anything is served; answers how many rows were forgotten again."""
    gone = await runtime.forget_again(tenant)
    assert await runtime.forget_again(tenant) == 0
    return gone


def lines(runtime: Runtime, tenant: str) -> int:
    """How many forgets the log has."""
    return len(ForgottenLog(runtime.settings.forgotten_folder).unread(tenant, Mark(), limit=100).receipts)


async def counts(runtime: Runtime, tenant: str) -> list[tuple[str, int]]:
    """What the archive counted of each user."""
    async with runtime.database.tenant(tenant) as connection:
        rows = await (await connection.execute("SELECT user_id, counted FROM archive_counts")).fetchall()
    return [(row["user_id"], row["counted"]) for row in rows]


# --- a user ---


@pytest.mark.parametrize(("what", "error"), [(LOST, StoreUnavailable), (REFUSED, psycopg.Error)], ids=["lost", "no"])
async def test_what_a_user_wrote_since_stays(
    runtime: Runtime, app: App, tenant: str, failing: Failing, what: str, error: type[Exception]
) -> None:
    """It can be read under the user's key, also what was edited since; what is older is forgotten."""
    await add(app, "tea", "bike")
    async with failing(what):
        with pytest.raises(error):
            await app.memories.forget_user("ana")
    assert lines(runtime, tenant) == 1
    await add(app, "trip")
    await app.memories.edit("bike", {"text": "Ana sold her bicycles."})
    assert await start(runtime, tenant) == 1
    assert await texts(app) == {"trip": TEXTS["trip"], "bike": "Ana sold her bicycles."}
    with pytest.raises(Forgotten):
        await add(app, "tea")
    assert (await app.memories.forget_user("ana")).key_destroyed


async def test_a_user_who_wrote_nothing_since_goes_whole(
    runtime: Runtime, app: App, tenant: str, failing: Failing
) -> None:
    """With the key; somebody else's stays."""
    await add(app, "tea", "bike")
    await add(app, "trip", user_id="ben")
    async with failing():
        with pytest.raises(StoreUnavailable):
            await app.memories.forget_user("ana")
    assert await start(runtime, tenant) == 2
    assert await texts(app) == {"trip": TEXTS["trip"]}
    with pytest.raises(NotFound):
        await app.memories.forget_user("ana")


async def test_a_user_who_had_nothing_but_a_key(runtime: Runtime, app: App, tenant: str, failing: Failing) -> None:
    """It goes, unless something was written under it since."""
    for user_id in ("ana", "ben"):
        written = await app.memories.add([{"user_id": user_id, "text": TEXTS["tea"]}])
        await app.memories.forget(written.memories[0].id)
    async with failing():
        for user_id in ("ana", "ben"):
            with pytest.raises(StoreUnavailable):
                await app.memories.forget_user(user_id)
    await add(app, "trip", user_id="ben")
    assert await start(runtime, tenant) == 0
    assert await texts(app) == {"trip": TEXTS["trip"]}
    with pytest.raises(NotFound):
        await app.memories.forget_user("ana")
    assert (await app.memories.forget_user("ben")).key_destroyed


async def test_a_user_who_comes_back_after_a_second_attempt(
    runtime: Runtime, app: App, tenant: str, failing: Failing
) -> None:
    """The first attempt lost a race at its commit and is in the log, too: who was forgotten once may write again."""
    await add(app, "tea", "bike")
    async with failing(RACED_ONCE):
        assert (await app.memories.forget_user("ana")).key_destroyed
    assert lines(runtime, tenant) == 2
    await add(app, "trip")
    assert await start(runtime, tenant) == 0
    assert await texts(app) == {"trip": TEXTS["trip"]}


async def test_what_else_a_user_has(runtime: Runtime, app: App, tenant: str, failing: Failing) -> None:
    """Conversations and feedback by their times; a time zone and a count, which have none, stay with what stays."""
    for name in ("old", "both"):
        await app.conversations.turn(name, [{"role": "user", "content": f"The {name} ship is red."}], user_id="ana")
    summary = (await app.memories.add(JASMINE)).summaries[0]
    before = await app.feedback.give(summary, verdict="good", note="Right.")
    await runtime.store.zones.put(tenant, "ana", "Europe/Brussels", policies=())
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("INSERT INTO archive_counts VALUES (%s, '', 'ana', 7)", (tenant,))
    async with failing():
        with pytest.raises(StoreUnavailable):
            await app.memories.forget_user("ana")
    await app.conversations.turn("both", [{"role": "user", "content": "It is blue now."}], user_id="ana")
    later = [{**row, "id": f"later-{row['id']}", "key": "jasmine"} for row in JASMINE]
    newer = (await app.memories.add(later)).summaries[0]
    after = await app.feedback.give(newer, verdict="good", note="Right as well.")
    await start(runtime, tenant)
    with pytest.raises(NotFound):
        await app.conversations.load("old", user_id="ana")
    messages = await app.conversations.messages("both", user_id="ana")
    assert [message.text for message in messages] == ["It is blue now."]
    assert [row.id for row in (await app.feedback.list()).rows] == [after.feedback.id]
    assert before.feedback.id != after.feedback.id
    assert {row["id"] for row in later} < set(await texts(app))
    assert await runtime.store.zones.list(tenant) == {"ana": "Europe/Brussels"}
    assert await counts(runtime, tenant) == [("ana", 7)]


async def test_a_line_without_a_time_takes_the_whole_user(runtime: Runtime, app: App, tenant: str) -> None:
    """As it did when such lines were written."""
    await add(app, "tea", "bike")
    ref = runtime.store.tenants.keyring.open_tenant(tenant).user_ref("ana")
    line = {"receipt": new_id(), "memories": [], "user": ref.hex()}
    folder = runtime.settings.forgotten_folder
    folder.mkdir(exist_ok=True)
    (folder / f"{tenant.encode().hex()}.log").write_bytes(orjson.dumps(line) + b"\n")
    assert await start(runtime, tenant) == 2
    assert await texts(app) == {}


# --- ids ---


async def test_what_was_written_under_an_id_since_stays(
    runtime: Runtime, app: App, tenant: str, failing: Failing
) -> None:
    """An edit made after the forget that failed says what its writer means now."""
    await add(app, "tea", "bike", "trip")
    async with failing():
        with pytest.raises(StoreUnavailable):
            await app.memories.forget(["tea", "bike"])
    await app.memories.edit("tea", {"text": "Ana drinks coffee."})
    assert await start(runtime, tenant) == 1
    assert await texts(app) == {"tea": "Ana drinks coffee.", "trip": TEXTS["trip"]}
    await app.memories.forget("tea")
    assert await texts(app) == {"trip": TEXTS["trip"]}


async def test_an_id_revived_and_edited_after_a_second_attempt(
    runtime: Runtime, app: App, tenant: str, failing: Failing
) -> None:
    """The log knows of the revival what was written first, and the row says something else since."""
    await add(app, "tea")
    async with failing(RACED_ONCE):
        await app.memories.forget("tea")
    await app.memories.add([{"id": "tea", "user_id": "ana", "text": "Ana drinks mate.", "revive": True}])
    await app.memories.edit("tea", {"text": "Ana drinks cocoa."})
    assert await start(runtime, tenant) == 0
    assert await texts(app) == {"tea": "Ana drinks cocoa."}


@pytest.mark.parametrize("behind", [timedelta(0), timedelta(minutes=5)], ids=["the same instant", "a clock behind"])
async def test_what_is_there_goes_whatever_the_clock_says(
    runtime: Runtime, app: App, tenant: str, failing: Failing, behind: timedelta
) -> None:
    """Rows that the forget took are not newer than it, though the clock that it was given says so."""
    await add(app, "tea", "bike", "trip")
    written = max(memory.updated_at for memory in (await app.memories.list()).rows)
    async with failing():
        with pytest.raises(StoreUnavailable):
            await runtime.store.memories.forget(tenant, ["tea"], now=written - behind)
        with pytest.raises(StoreUnavailable):
            await runtime.store.memories.forget_user(tenant, "ana", now=written - behind)
    assert await start(runtime, tenant) == 3
    assert await texts(app) == {}


async def test_a_date_that_its_writer_names_is_no_proof(
    runtime: Runtime, app: App, tenant: str, failing: Failing
) -> None:
    """What is dated tomorrow was there and goes; what came later and is dated last year stays."""
    now = runtime.engine.clock()
    rows = [
        {"id": id_, "user_id": "ana", "text": TEXTS[id_], "created_at": now + timedelta(days=days)}
        for id_, days in (("tea", 1), ("bike", -365))
    ]
    await app.memories.add(rows[:1])
    async with failing():
        with pytest.raises(StoreUnavailable):
            await app.memories.forget_user("ana")
    await app.memories.add(rows[1:])
    assert await start(runtime, tenant) == 1
    assert await texts(app) == {"bike": TEXTS["bike"]}


# --- over REST, with real starts and a real restored copy ---


@pytest.fixture
def data(rooms_folder: Path) -> Path:
    """A data folder nobody used before."""
    return with_database(rooms_folder / new_id())


async def test_over_rest_and_a_restart(data: Path) -> None:
    """503 for the forget; what is written after it is served after the next start, and what was there is not."""
    rows = [{"id": id_, "user_id": "ana", "text": text} for id_, text in TEXTS.items()]
    async with served(data) as api, embedded.running(data) as server:
        assert (await api.post("/v1/memories", json={"memories": rows[:2]})).status_code == 201
        async with (
            await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
            failing_commits(owner, "default"),
        ):
            assert (await api.delete("/v1/users/ana")).status_code == 503
        assert (await api.post("/v1/memories", json={"memories": rows[2:]})).status_code == 201
    for _ in range(2):
        async with served(data) as api:
            assert await _statuses(api, TEXTS) == {"tea": 404, "bike": 404, "trip": 200}
            assert (await api.get("/v1/memories/trip")).json()["text"] == TEXTS["trip"]


async def _statuses(api: httpx.AsyncClient, ids: Iterable[str]) -> dict[str, int]:
    return {id_: (await api.get(f"/v1/memories/{id_}")).status_code for id_ in ids}


async def put(api: httpx.AsyncClient, session: str, *numbers: int, **fields: object) -> httpx.Response:
    """Write a session of the wire with these messages."""
    messages = [
        {"id": f"{session}-{number}", "role": "user", "content": f"Crate {number} of {session} goes to the pier."}
        for number in numbers
    ]
    return await api.put(f"/v1/working-memory/{session}", json={"messages": messages, "user_id": "sade"} | fields)


async def test_a_restored_copy_lets_sessions_be_written_again(data: Path) -> None:
    """What a DELETE, the TTL or a PUT took away may be written again, what a person forgot may not: as before."""
    async with served(data) as api:
        for session, fields in {"deleted": {}, "timed": {"ttl_seconds": 1}, "cut": {}, "asked": {}}.items():
            assert (await put(api, session, 1, 2, **fields)).status_code == 200
    older = data.with_name(data.name + "-older")
    copy(data / "db", older / "db")
    copy(data / "keys", older / "keys")
    async with served(data) as api:
        assert (await api.delete("/v1/working-memory/deleted")).status_code == 200
        assert (await put(api, "cut", 1)).status_code == 200
        assert (await api.delete("/v1/conversations/asked")).status_code == 200
        await asyncio.sleep(1.1)
        assert (await api.get("/v1/working-memory/timed")).status_code == 404
        assert (await put(api, "another", 1)).status_code == 200  # a write ends what has run out
    copy(older / "db", data / "db")
    copy(older / "keys", data / "keys")
    async with served(data) as api:
        left = (await api.get("/v1/memories", params={"limit": 100})).json()["memories"]
        assert [row["text"] for row in left if not row["is_summary"]] == ["Crate 1 of cut goes to the pier."]
        assert (await put(api, "asked", 1, 2)).status_code == 410
        for session in ("deleted", "timed", "cut"):
            answer = await put(api, session, 1, 2)
            assert (answer.status_code, len(answer.json()["messages"])) == (200, 2), session


async def test_a_session_that_was_written_since_is_whole(data: Path) -> None:
    """A DELETE and a shorter PUT that failed, and then a PUT of all of it, whose messages are recognized: all stay."""
    sessions = ("deleted", "cut", "idle")
    async with served(data) as api, embedded.running(data) as server:
        for session in sessions:
            assert (await put(api, session, 1, 2)).status_code == 200
        async with (
            await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
            failing_commits(owner, "default"),
        ):
            assert (await api.delete("/v1/working-memory/deleted")).status_code == 503
            assert (await api.delete("/v1/working-memory/idle")).status_code == 503
            assert (await put(api, "cut", 1)).status_code == 503
        assert (await put(api, "deleted", 1, 2)).status_code == 200
        assert (await put(api, "cut", 1, 2, 3)).status_code == 200
    async with served(data) as api:
        sizes = [len((await api.get(f"/v1/working-memory/{name}")).json()["messages"]) for name in sessions]
    assert sizes == [2, 3, 0]
