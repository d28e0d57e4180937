"""What every place of keys and of the forgotten-log promises: PostgreSQL here, S3 in tests/machines.

The module that imports these tests has a fixture ``place``, which answers a ``Place``.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from databases import Scratch, connect
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.database.migrate import migrate
from precis.embedded.server import APPLICATION
from precis.errors import ConfigurationError, Forgotten, StoreUnavailable, Undecryptable
from precis.ids import new_id, system_clock
from precis.keys.elsewhere.keyring import LATEST, SOON, RemoteKeyring
from precis.keys.elsewhere.log import RemoteLog
from precis.keys.elsewhere.objects import Objects
from precis.keys.forgotten_log import Mark
from precis.keys.keyring import Keyring
from precis.keys.opening import move_from_folders, open_keyring, open_objects
from precis.settings import Settings
from precis.watch.doctor import check_database
from precis.watch.health import wrongs
from precis.watch.outside import State, check_keys, check_log

#: The loop of the shared database.
asynchronous = pytest.mark.asyncio(loop_scope="session")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CANARY = "Thornvale"
NOTES = [
    {"id": f"n{at}", "user_id": "ana", "type": "fact", "key": "clinic", "text": text}
    for at, text in enumerate((f"I go to the {CANARY} clinic.", "My clinic is near the harbor.", "It opens at nine."))
]
BEN = {"id": "b1", "user_id": "ben", "text": f"Ben met {CANARY} in Riga."}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Somewhere empty that several machines reach."""

    #: Settings that name it, and who wraps the keys.
    settings: Mapping[str, Any]
    #: Take away what lies under a name, and put something there, as a restore does.
    remove: Callable[[str], None]
    put: Callable[[str, bytes], None]
    objects: Objects = field(init=False)

    def __post_init__(self) -> None:
        """Look at it in the way that precis does."""
        object.__setattr__(self, "objects", open_objects(self.settings["forgotten_url"]))

    def copy(self, prefix: str) -> dict[str, bytes]:
        """What lies there under a prefix."""
        stored = {name: self.objects.read(name) for name in self.objects.names(prefix)}
        return {name: value.body for name, value in stored.items() if value is not None}

    def put_back(self, prefix: str, copy: Mapping[str, bytes]) -> None:
        """And nothing else, as it was."""
        for name in self.objects.names(prefix):
            self.remove(name)
        for name, body in copy.items():
            self.put(name, body)


@pytest.fixture
def ring(place: Place) -> RemoteKeyring:
    """The keys of one machine."""
    return ring_of(place)


@pytest.fixture
def log(place: Place) -> RemoteLog:
    """The forgotten-log of one machine."""
    return RemoteLog(open_objects(place.settings["forgotten_url"]))


def ring_of(place: Place, **more: Any) -> RemoteKeyring:
    """The keys of another machine."""
    ring = open_keyring(Settings(**{**place.settings, **more}))
    assert isinstance(ring, RemoteKeyring)
    return ring


# --- the place ---


def test_nobody_overwrites_what_lies_there(place: Place) -> None:
    """Neither what is new, nor what is newer than what was read."""
    objects = place.objects
    first = objects.add("a/1", b"first")
    assert first is not None
    assert objects.add("a/1", b"second") is None
    second = objects.replace("a/1", b"second", version=first.version)
    assert second is not None
    assert objects.replace("a/1", b"third", version=first.version) is None
    assert objects.replace("a/2", b"third", version=first.version) is None
    assert objects.read("a/1") == second
    assert objects.read("a/2") is None
    objects.add("a/0", b"")
    objects.add("b/0", b"")
    assert list(objects.names("a/")) == ["a/0", "a/1"]
    assert list(objects.names("", limit=2)) == ["a/0", "a/1"]


# --- the forgotten-log ---


def test_machines_that_write_at_once_write_one_after_another(place: Place, ring: RemoteKeyring) -> None:
    """Every line is there once, in an order that all of them read."""
    keys = ring.open_tenant("acme")
    logs = [RemoteLog(open_objects(place.settings["forgotten_url"])) for _ in range(4)]

    def write(machine: int) -> None:
        for number in range(5):
            logs[machine].forgot(keys, f"r{machine}.{number}", [f"m{machine}.{number}"], until=NOON)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    read = [log.unread("acme", Mark(), limit=1_000) for log in logs]
    assert read[0] == read[1] == read[2] == read[3]
    assert sorted(read[0].receipts) == sorted(f"r{machine}.{number}" for machine in range(4) for number in range(5))
    for machine in range(4):
        own = [receipt for receipt in read[0].receipts if receipt.startswith(f"r{machine}.")]
        assert own == sorted(own)
    assert logs[0].tenants() == ["acme"]


def test_a_log_is_read_from_a_mark_on(log: RemoteLog, ring: RemoteKeyring) -> None:
    """A few lines at a time, and nothing twice."""
    keys = ring.open_tenant("acme")
    assert log.unread("acme", Mark(), limit=10).entries == ()
    for number in range(5):
        log.forgot(keys, f"r{number}", [f"m{number}"], until=NOON, user_id="ana" if number == 4 else None)
    first = log.unread("acme", Mark(), limit=2)
    rest = log.unread("acme", first.mark, limit=10)
    assert [*first.receipts, *rest.receipts] == [f"r{number}" for number in range(5)]
    assert rest.entries[-1].user == keys.user_ref("ana")
    assert log.has("acme", rest.mark)
    assert log.unread("acme", rest.mark, limit=10).entries == ()


def test_what_is_missing_in_a_log_is_noticed(place: Place, log: RemoteLog, ring: RemoteKeyring) -> None:
    """In the middle, at the end, everything; or changed."""
    keys = ring.open_tenant("acme")
    for number in range(3):
        log.forgot(keys, f"r{number}", [f"m{number}"], until=NOON)
    log.signed("acme", [{"number": 7}])
    mark = log.unread("acme", Mark(), limit=10).mark
    copy = place.copy("forgotten/")
    newest, *_, oldest = sorted(copy)

    def without(name: str) -> RemoteLog:
        place.put_back("forgotten/", {other: body for other, body in copy.items() if other != name})
        return RemoteLog(place.objects)

    with pytest.raises(ConfigurationError, match="entry 1 is missing"):
        without(oldest).unread("acme", Mark(), limit=10)
    with pytest.raises(ConfigurationError, match="lacks what the database"):
        without(newest).unread("acme", mark, limit=10)
    with pytest.raises(ConfigurationError, match="lacks what the database"):
        without(newest).prove("acme", signed=7)
    place.put_back("forgotten/", {**copy, oldest: copy[oldest].replace(b"r0", b"r9")})
    with pytest.raises(ConfigurationError, match="entry 2 is missing or was changed"):
        RemoteLog(place.objects).unread("acme", Mark(), limit=10)
    place.put_back("forgotten/", copy)
    RemoteLog(place.objects).prove("acme", signed=7)
    assert RemoteLog(place.objects).unread("acme", mark, limit=10).entries == ()


# --- the keys ---


def test_machines_share_one_key(place: Place) -> None:
    """Whoever is first makes it, and none of it lies there in the clear."""
    rings = [ring_of(place) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        keys = list(pool.map(lambda ring: ring.open_tenant("Acme & Söhne"), rings))
    assert len({key.signing_seed() for key in keys}) == 1
    version, wrapped = keys[0].wrap(b"r" * 32, b"k" * 32)
    assert keys[3].unwrap(b"r" * 32, version, wrapped) == b"k" * 32
    ((_, body),) = place.copy("keys/").items()
    document = json.loads(body)
    assert {"wrapped", "tenant", "master", "versions", "secrets"} == set(document)


def test_an_erased_version_opens_nothing_at_any_machine(place: Place) -> None:
    """At the others within seconds, without a word to them; a new one is found at once."""
    now = [0.0]
    first, second = ring_of(place), RemoteKeyring(place.objects, ring_of(place)._provider, timer=lambda: now[0])
    here, elsewhere = first.open_tenant("acme"), second.open_tenant("acme")
    version, wrapped = elsewhere.wrap(b"r" * 32, b"k" * 32)
    newest = first.begin_rotation("acme")
    assert elsewhere.has(newest)
    assert elsewhere.unwrap(b"r" * 32, version, wrapped) == b"k" * 32
    assert first.finish_rotation("acme", keep=newest) == (version,)
    with pytest.raises(Undecryptable):
        here.unwrap(b"r" * 32, version, wrapped)
    now[0] = LATEST
    with pytest.raises(Undecryptable):
        elsewhere.unwrap(b"r" * 32, version, wrapped)
    assert not any(
        name == str(version) for body in place.copy("keys/").values() for name in json.loads(body)["versions"]
    )


def test_machines_that_rotate_at_once_lose_no_version(place: Place) -> None:
    """Each adds one."""
    rings = [ring_of(place) for _ in range(4)]
    rings[0].open_tenant("acme")
    with ThreadPoolExecutor(4) as pool:
        versions = list(pool.map(lambda ring: ring.begin_rotation("acme"), rings))
    assert sorted(versions) == [2, 3, 4, 5]
    with pytest.raises(ConfigurationError, match="no key version 6"):
        rings[0].finish_rotation("acme", keep=6)


def test_a_machine_goes_on_for_seconds_without_the_place(place: Place) -> None:
    """It looks again beside the work, and waits for an answer after half a minute: then it opens nothing more."""
    now, away = [0.0], _Away(place.objects)
    ring = RemoteKeyring(away, ring_of(place)._provider, timer=lambda: now[0])
    keys = ring.open_tenant("acme")
    away.is_away = True
    now[0] = SOON
    assert keys.wrap(b"r" * 32, b"k" * 32)[0] == 1
    now[0] = LATEST
    with pytest.raises(StoreUnavailable):
        keys.wrap(b"r" * 32, b"k" * 32)
    away.is_away = False
    assert keys.wrap(b"r" * 32, b"k" * 32)[0] == 1


def test_lost_and_damaged_keys_are_never_made_anew(place: Place, ring: RemoteKeyring) -> None:
    """Nor those that somebody put under another tenant's name."""
    ring.open_tenant("acme")
    ring.open_tenant("other")
    copy = place.copy("keys/")
    name = "keys/acme.json"
    place.remove(name)
    ring.let_go()
    with pytest.raises(ConfigurationError, match="are missing in"):
        ring.open_tenant("acme")
    assert place.objects.read(name) is None
    place.put(name, copy["keys/other.json"])
    with pytest.raises(ConfigurationError, match="are those of 'other'"):
        ring.open_tenant("acme")
    place.put(name, b"{")
    with pytest.raises(ConfigurationError, match="damaged"):
        ring.open_tenant("acme")


def test_documents_are_wrapped_anew(place: Place, ring: RemoteKeyring) -> None:
    """Each by a fresh key, and they open as before."""
    seed = ring.open_tenant("acme").signing_seed()
    before = place.copy("keys/")
    ring.rotate_master()
    after = place.copy("keys/")
    assert {json.loads(body)["wrapped"] for body in before.values()}.isdisjoint(
        json.loads(body)["wrapped"] for body in after.values()
    )
    assert ring_of(place).open_tenant("acme").signing_seed() == seed


class _Away:
    """A place that does not answer for a while."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self.is_away = False

    def __getattr__(self, name: str) -> Any:
        if self.is_away and name != "where":
            raise StoreUnavailable("away")
        return getattr(self._objects, name)


# --- precis on several machines ---


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """Machines with a folder each, over one database that can be copied and put back."""

    place: Place
    folder: Path
    database: Scratch

    @asynccontextmanager
    async def machine(self, name: str) -> AsyncIterator[Runtime]:
        """precis on one of them."""
        async with open_runtime(self.settings(name)) as runtime:
            yield runtime

    def settings(self, name: str) -> Settings:
        """With a folder that no other machine has."""
        return Settings(data_dir=self.folder / name, database_url=self.database.serving, **self.place.settings)

    async def copied(self) -> Deployment:
        """The same over a copy of the database, while nobody uses it."""
        return Deployment(place=self.place, folder=self.folder, database=await copy_of(self.database))


async def copy_of(database: Scratch) -> Scratch:
    """A copy as PostgreSQL makes it."""
    old, new = str(conninfo_to_dict(database.owner)["dbname"]), f"scratch_{new_id().replace('-', '')}"
    async with await connect(make_conninfo(database.owner, dbname="postgres")) as owner:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        await owner.execute(statement.format(sql.Identifier(new), sql.Identifier(old)))
    return Scratch(owner=make_conninfo(database.owner, dbname=new), serving=make_conninfo(database.serving, dbname=new))


async def drop(database: Scratch) -> None:
    """With whoever is in it."""
    name = str(conninfo_to_dict(database.owner)["dbname"])
    async with await connect(make_conninfo(database.owner, dbname="postgres")) as owner:
        await owner.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def migrated(scratch: Callable[..., Awaitable[Scratch]]) -> Scratch:
    """An empty database with every migration, to copy."""
    empty = await scratch()
    await migrate(empty.owner, app_role=APPLICATION, now=system_clock())
    return empty


@pytest_asyncio.fixture(loop_scope="session")
async def deployment(migrated: Scratch, place: Place, rooms_folder: Path) -> AsyncIterator[Deployment]:
    """A new one."""
    folder = rooms_folder / new_id()
    deployment = Deployment(place=place, folder=folder, database=await copy_of(migrated))
    yield deployment
    await drop(deployment.database)
    shutil.rmtree(folder, ignore_errors=True)


async def told_by(app: App) -> str:
    """Everything that recall, lists and summaries answer."""
    question = f"Who goes to the clinic in {CANARY}, and whom did Ben meet?"
    texts = [str(hit.memory.text) for user in ("ana", "ben") for hit in await app.recall.search(question, user_id=user)]
    texts += [str(memory.text) for memory in (await app.memories.list()).rows]
    texts += [str(summary.text) for summary in (await app.summaries.list()).rows]
    return "\n".join(texts)


@asynchronous
async def test_what_one_machine_forgets_is_gone_at_the_other(deployment: Deployment) -> None:
    """At once, with its user's key; and what that machine writes next under a new key opens everywhere."""
    async with AsyncExitStack() as stack:
        first = (await stack.enter_async_context(deployment.machine("first"))).app("default")
        runtime = await stack.enter_async_context(deployment.machine("second"))
        second = runtime.app("default")
        await first.memories.add([*NOTES, BEN])
        assert CANARY in await told_by(second)
        await second.memories.forget(["n0"])
        receipt = await second.memories.forget_user("ben")
        assert receipt.key_destroyed
        assert CANARY not in await told_by(first)
        assert CANARY not in await told_by(second)
        await first.memories.add([{"id": "c1", "user_id": "cleo", "text": "Cleo keeps bees."}])
        assert [memory.text for memory in (await second.memories.list(user_id="cleo")).rows] == ["Cleo keeps bees."]
        with pytest.raises(Forgotten):
            await first.memories.add([NOTES[0]])
        assert (await first.receipts.verify()).holds
        assert (await second.receipts.verify()).holds
        assert not [fault for fault in await wrongs(runtime) if fault.part in {"keys", "forgotten-log"}]
        for name in ("first", "second"):
            assert not (deployment.folder / name / "keys").exists()
            assert not (deployment.folder / name / "forgotten").exists()


@asynchronous
async def test_what_is_written_right_after_a_rotation_opens(deployment: Deployment) -> None:
    """At a machine that has heard nothing of it: it never wraps under a version that another machine has erased."""
    async with deployment.machine("first") as first, deployment.machine("second") as second:
        await first.app("default").memories.add([BEN])
        await second.app("default").memories.forget_user("ben")
        await first.app("default").memories.add([{"id": "c1", "user_id": "cleo", "text": "Cleo keeps bees."}])
        (memory,) = (await second.app("default").memories.list(user_id="cleo")).rows
        assert memory.text == "Cleo keeps bees."


@asynchronous
async def test_an_older_database_forgets_again(deployment: Deployment) -> None:
    """A single memory with today's keys; a user only with the keys of then, and without them nothing is served."""
    async with deployment.machine("first") as runtime:
        await runtime.app("default").memories.add([*NOTES, BEN])
    keys, older, oldest = deployment.place.copy("keys/"), await deployment.copied(), await deployment.copied()
    try:
        async with deployment.machine("first") as runtime:
            await runtime.app("default").memories.forget(["n0", "b1"])
        async with older.machine("second") as runtime:
            assert CANARY not in await told_by(runtime.app("default"))
            assert (await runtime.app("default").receipts.verify()).holds
        async with deployment.machine("first") as runtime:
            await runtime.app("default").memories.forget_user("ben")
        with pytest.raises(ConfigurationError, match="as old as the database"):
            async with oldest.machine("third"):
                pass
        findings, _ = await check_database(oldest.settings("third"))
        assert [finding.part for finding in findings if finding.state is State.FAIL] == ["keys"]
        deployment.place.put_back("keys/", keys)
        async with oldest.machine("third") as runtime:
            assert CANARY not in await told_by(runtime.app("default"))
            assert "harbor" in await told_by(runtime.app("default"))
            async with runtime.database.tx("default") as tx:
                refs = {row["user_ref"] for row in await tx.all("all_user_keys")}
            assert runtime.store.tenants.keyring.open_tenant("default").user_ref("ben") not in refs
    finally:
        await drop(older.database)
        await drop(oldest.database)


@asynchronous
async def test_older_or_lost_keys_are_refused(deployment: Deployment) -> None:
    """Nothing is served, and no key is made in the place of one that was lost."""
    async with deployment.machine("first") as runtime:
        await runtime.app("default").memories.add([*NOTES, BEN])
    older = deployment.place.copy("keys/")
    async with deployment.machine("first") as runtime:
        await runtime.app("default").memories.forget_user("ben")
    newest = deployment.place.copy("keys/")
    for keys in (older, {}):
        deployment.place.put_back("keys/", keys)
        with pytest.raises(ConfigurationError, match="not those of this database"):
            async with deployment.machine("second"):
                pass
        assert deployment.place.copy("keys/") == keys
    deployment.place.put_back("keys/", newest)
    async with deployment.machine("second") as runtime:
        assert CANARY in (await told_by(runtime.app("default")))
        assert "Ben" not in (await told_by(runtime.app("default")))


@asynchronous
async def test_an_older_or_lost_log_is_refused(deployment: Deployment) -> None:
    """It cannot be proven any more that the database is the newest; the doctor says so, too."""
    async with deployment.machine("first") as runtime:
        await runtime.app("default").memories.add([*NOTES, BEN])
        await runtime.app("default").memories.forget(["b1"])
    older = deployment.place.copy("forgotten")
    async with deployment.machine("first") as runtime:
        await runtime.app("default").memories.forget(["n0"])
    newest = deployment.place.copy("forgotten")
    for log in (older, {}):
        deployment.place.put_back("forgotten", log)
        with pytest.raises(ConfigurationError, match="lacks what the database has told it"):
            async with deployment.machine("second"):
                pass
    settings = deployment.settings("second")
    assert check_keys(settings, has_rows=True).state is State.OK
    assert check_log(settings, {"default": Mark(offset=1, before="of a log that was lost")}).state is State.FAIL
    deployment.place.put_back("forgotten", newest)
    async with deployment.machine("second") as runtime:
        assert CANARY not in await told_by(runtime.app("default"))
    assert check_log(settings, {}).state is State.OK


@asynchronous
async def test_a_hole_in_the_log_stops_only_a_database_that_has_not_followed_it(deployment: Deployment) -> None:
    """The doctor names it and says so; servers, starts and forgets go on. An older copy of the database is refused."""
    async with deployment.machine("first") as runtime:
        await runtime.app("default").memories.add([*NOTES, BEN])
    older = await deployment.copied()
    try:
        async with deployment.machine("first") as runtime:
            await runtime.app("default").memories.forget(["n0"])
            await runtime.app("default").memories.forget(["b1"])
        log = deployment.place.copy("forgotten/")
        _, hole, *_ = sorted(log)  # beside the newest
        async with deployment.machine("first") as runtime:  # a start follows the log to its end
            deployment.place.remove(hole)
            assert CANARY not in await told_by(runtime.app("default"))
        fault = check_log(deployment.settings("second"), {})
        assert (fault.state, "not served" in fault.message) == (State.FAIL, True)
        async with deployment.machine("second") as runtime:
            assert CANARY not in await told_by(runtime.app("default"))
            assert [each for each in await wrongs(runtime) if each.stops] == []
            await runtime.app("default").memories.forget(["n1"])
        with pytest.raises(ConfigurationError, match="is missing or was changed"):
            async with older.machine("third"):
                pass
        deployment.place.put(hole, log[hole])
        async with older.machine("third") as runtime:
            assert CANARY not in await told_by(runtime.app("default"))
        assert check_log(deployment.settings("second"), {}).state is State.OK
    finally:
        await drop(older.database)


@asynchronous
async def test_a_forget_that_the_log_did_not_take_is_refused(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not acknowledged, and nothing is gone."""
    async with deployment.machine("first") as runtime:
        app = runtime.app("default")
        await app.memories.add(NOTES)
        log = runtime.store.restoring.log
        assert isinstance(log, RemoteLog)
        away = _Away(log._objects)
        monkeypatch.setattr(log, "_objects", away)
        away.is_away = True
        with pytest.raises(StoreUnavailable):
            await app.memories.forget(["n0"])
        assert CANARY in await told_by(app)
        (fault,) = [fault for fault in await wrongs(runtime) if fault.part == "forgotten-log"]
        assert (fault.stops, str(fault)) == (False, "forgotten-log: nothing can be forgotten: away")
        away.is_away = False
        await app.memories.forget(["n0"])
        assert CANARY not in await told_by(app)


@asynchronous
async def test_folders_move_to_where_several_machines_reach_them(deployment: Deployment) -> None:
    """Nothing forgotten comes back, the chain goes on, and moving again changes nothing; keys never mix."""
    alone = Settings(data_dir=deployment.folder / "alone", database_url=deployment.database.serving)
    async with open_runtime(alone) as runtime:
        await runtime.app("default").memories.add([*NOTES, BEN])
        await runtime.app("default").memories.forget(["n0"])
    async with open_runtime(alone) as runtime:
        await runtime.app("default").memories.forget_user("ben")
    with pytest.raises(ConfigurationError, match="set PRECIS_KEYS_URL"):
        move_from_folders(alone)
    settings = alone.model_copy(update=Settings(**deployment.place.settings).model_dump(exclude_unset=True))
    assert move_from_folders(settings) == (1, 1)
    lies = deployment.place.copy("")
    assert move_from_folders(settings) == (1, 1)
    assert deployment.place.copy("") == lies
    async with deployment.machine("second") as runtime:
        app = runtime.app("default")
        assert CANARY not in await told_by(app)
        assert "harbor" in await told_by(app)
        await app.memories.forget(["n1"])
        assert (await app.receipts.verify()).holds
    async with deployment.machine("third") as runtime:
        assert "harbor" not in await told_by(runtime.app("default"))
    Keyring(deployment.folder / "others" / "keys").open_tenant("default")
    with pytest.raises(ConfigurationError, match="has other keys"):
        move_from_folders(settings.model_copy(update={"data_dir": deployment.folder / "others"}))
