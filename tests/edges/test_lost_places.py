"""Database, keys and forgotten-log belong together: a start over others, or without them, is refused.

Nothing is made in the place of what is lost, so that putting it back is enough.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_room import Room, one_line, room, warm_precis

from precis.bootstrap import Runtime, open_runtime
from precis.embedded.server import APPLICATION, stop
from precis.errors import ConfigurationError, InvalidInput
from precis.settings import Settings

ROWS = [
    {"id": "m1", "user_id": "ana", "text": "Ana sails to Riga."},
    {"id": "m2", "user_id": "ana", "text": "Ana keeps bees."},
]
VERBS = [("recall", "where does Ana sail"), ("serve", "--port", "0"), ("forget", "m1"), ("worker",)]


@pytest.fixture(scope="module")
def ana() -> Iterator[Room]:
    """Ana's two memories, one of them forgotten; nobody has started since."""
    with room() as here:
        here.run("import", here.write("ana.jsonl", [*ROWS]))
        here.run("forget", "m2")
        yield here


@contextmanager
def away(folder: Path) -> Iterator[None]:
    """A folder that is lost for a while."""
    kept = folder.with_name(f"{folder.name}.away")
    folder.rename(kept)
    try:
        yield
        assert not folder.exists()
    finally:
        kept.rename(folder)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_lost_keys_are_refused_and_none_are_made(ana: Room, verb: tuple[str, ...]) -> None:
    """Once they are back everything is as it was."""
    with away(ana.data_dir / "keys"):
        message = one_line(ana.run(*verb, code=2))
        assert "Put back the key folder" in message
    assert "Riga" in ana.run("recall", "where does Ana sail").stdout


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_lost_log_is_refused(ana: Room, verb: tuple[str, ...]) -> None:
    """Also where the database was not started since the forget: it has heard that a receipt is in the log."""
    with away(ana.data_dir / "forgotten"):
        assert "Put the newest copy back" in one_line(ana.run(*verb, code=2))
    assert "Riga" in ana.run("recall", "where does Ana sail").stdout


def test_an_older_log_is_refused(ana: Room) -> None:
    """One that was cut lacks what the database has heard of."""
    (log,) = (ana.data_dir / "forgotten").glob("*.log")
    content = log.read_bytes()
    log.write_bytes(b"".join(content.splitlines(keepends=True)[:-1]))
    try:
        assert "Put the newest copy back" in one_line(ana.run("recall", "bees", code=2))
    finally:
        log.write_bytes(content)


def test_a_log_that_is_lost_for_good_begins_again(tmp_path: Path) -> None:
    """With what the database knows: an older copy of it forgets again. Where nothing is lost nothing is changed."""
    with room() as here:
        here.run("import", here.write("ana.jsonl", [*ROWS, {"id": "m3", "user_id": "bo", "text": "Bo skates."}]))
        copy = tmp_path / "before.tar"
        here.run("backup", copy)
        here.run("forget", "m2")
        assert "nothing was changed" in here.run("receipts", "begin-log").stdout
        shutil.rmtree(here.data_dir / "forgotten")
        assert "`precis receipts begin-log`" in one_line(here.run("recall", "bees", code=2))
        assert here.json("receipts", "begin-log")["logs"] == [{"tenant_id": "default", "memories": 1, "receipts": 1}]
        assert "bees" not in here.run("recall", "bees").stdout
        here.run("receipts", "verify")
        asyncio.run(stop(here.server))
        here.run("restore", copy, "--replace")
        told = here.run("recall", "what about Ana?").stdout
        assert ("Riga" in told, "bees" in told) == (True, False)


def test_other_keys_over_one_database_are_refused(ana: Room, tmp_path: Path) -> None:
    """A second server with an empty folder makes none, neither do its doctor and its first key."""
    env = {"PRECIS_DATABASE_URL": ana.server.dsn(user=APPLICATION), "PRECIS_DATA_DIR": str(tmp_path / "other")}
    for verb in (*VERBS, ("keys", "create", "--tenant", "acme")):
        done = warm_precis(*verb, **env)
        assert (done.returncode, "none are made in its place" in one_line(done)) == (2, True)
    doctor = warm_precis("doctor", **env)
    assert doctor.returncode == 1
    assert "are not those of this database" in doctor.stdout
    assert not (tmp_path / "other" / "keys").exists()


def test_keys_that_were_made_elsewhere_are_refused(ana: Room, tmp_path: Path) -> None:
    """Of the same tenant, and of the same version: they open nothing."""
    other = Settings(data_dir=ana.data_dir, keys_dir=tmp_path / "keys")
    env = {"PRECIS_KEYS_DIR": str(tmp_path / "keys")}
    from precis.keys.keyring import Keyring  # noqa: PLC0415 - the folder that somebody has

    Keyring(other.keys_folder).open_tenant("default")
    assert "are others, and open none of its rows" in one_line(ana.run("recall", "bees", code=2, **env))
    doctor = ana.run("doctor", code=1, **env)
    assert "are others" in doctor.stdout


def test_an_empty_store_over_the_log_of_another_is_refused(ana: Room, tmp_path: Path) -> None:
    """Where database and keys are lost, or the keys are others: nothing is made, and the log proves what it proved."""
    left = tmp_path / "left"
    shutil.copytree(ana.data_dir / "forgotten", left / "forgotten")
    (log,) = (left / "forgotten").glob("*.log")
    before = log.read_bytes()
    for verb in (("import", ana.write("more.jsonl", [*ROWS])), ("serve", "--port", "0"), ("keys", "create")):
        assert "Put the database and its keys back" in one_line(warm_precis(*verb, PRECIS_DATA_DIR=str(left)))
        assert sorted(path.name for path in left.iterdir()) == ["forgotten"]
    doctor = warm_precis("doctor", PRECIS_DATA_DIR=str(left))
    assert (doctor.returncode, "has no keys of it" in doctor.stdout) == (1, True)
    from precis.keys.keyring import Keyring  # noqa: PLC0415 - another store's

    Keyring(left / "keys").open_tenant("default")
    assert "signed by other keys" in one_line(warm_precis("serve", "--port", "0", PRECIS_DATA_DIR=str(left)))
    assert (log.read_bytes(), (left / "db").exists()) == (before, False)


def test_another_log_beside_a_database_that_forgot_nothing_is_refused(ana: Room) -> None:
    """Its receipts are signed by other keys; the doctor sees it as the start does."""
    with room() as bo:
        bo.run("import", bo.write("bo.jsonl", [{"id": "b1", "user_id": "bo", "text": "Bo skates."}]))
        shutil.copytree(ana.data_dir / "forgotten", bo.data_dir / "forgotten", dirs_exist_ok=True)
        assert "signed by other keys" in one_line(bo.run("recall", "skates", code=2))
        assert "signed by other keys" in " ".join(bo.run("doctor", code=1).stdout.split())


def test_the_doctor_finds_what_a_verification_finds() -> None:
    """A receipt of another store behind this one's: the log was written by two."""
    with room() as here:
        here.run("import", here.write("ana.jsonl", [*ROWS]))
        here.run("forget", "m2")
        assert "0 to mend" in here.run("doctor").stdout
        (log,) = (here.data_dir / "forgotten").glob("*.log")
        content = log.read_bytes()
        (signed,) = [line for line in content.splitlines(keepends=True) if line.startswith(b'{"signed"')]
        log.write_bytes(content + signed.replace(b'"by":', b'"by_":'))
        assert "1 fault" in here.run("receipts", "verify", code=1).stdout
        assert "receipt 1 is another one" in " ".join(here.run("doctor", code=1).stdout.split())


def test_a_tenant_made_later_is_tied_to_its_keys(ana: Room) -> None:
    """Its file alone may be lost."""
    ana.run("keys", "create", "--tenant", "acme")
    file = ana.data_dir / "keys" / "tenants" / "acme.json"
    kept = file.read_bytes()
    file.unlink()
    assert "there are none of tenant 'acme'" in one_line(ana.run("recall", "bees", code=2))
    file.write_bytes(kept)
    file.chmod(0o600)
    ana.run("keys", "list", "--tenant", "acme")


@pytest.mark.parametrize("name", ["", " ", "\t"])
def test_a_tenant_without_a_name_is_refused_before_it_is_made(ana: Room, name: str) -> None:
    """As of a variable of the shell that is not set."""
    assert "the tenant has no name" in one_line(ana.run("keys", "create", "--tenant", name, code=2))
    assert name not in ana.json("keys", "tenants")["tenants"]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_tenant_without_a_name_is_refused_everywhere(runtime: Runtime) -> None:
    """By the directory and by the database itself."""
    with pytest.raises(InvalidInput, match="the tenant has no name"):
        await runtime.store.tenants.create("", name="", now=runtime.engine.clock())
    with pytest.raises(Exception, match="tenants_are_named"):
        async with runtime.database.tx() as tx:
            await tx.run("insert_tenant", tenant_id="", name="", now=runtime.engine.clock())


@pytest.mark.asyncio(loop_scope="session")
async def test_several_first_starts_at_once_make_the_same_keys(rooms_folder: Path) -> None:
    """Over a fresh folder; what each writes the others read."""
    settings = Settings(data_dir=rooms_folder / "at-once")

    async def start(number: int) -> None:
        async with open_runtime(settings) as runtime:
            row = {"id": f"r{number}", "user_id": f"u{number}", "text": "Ana sails to Riga."}
            await runtime.app("default").memories.add([row])

    await asyncio.gather(*map(start, range(4)))
    async with open_runtime(settings) as runtime:
        rows = await runtime.app("default").memories.get_many([f"r{number}" for number in range(4)])
    assert [rows[f"r{number}"].text for number in range(4)] == ["Ana sails to Riga."] * 4


@pytest.mark.asyncio(loop_scope="session")
async def test_an_older_database_is_tied_at_its_first_start(rooms_folder: Path, tmp_path: Path) -> None:
    """If its rows open. Where an earlier release knew nothing of keys, those that open no row are refused."""
    settings = Settings(data_dir=rooms_folder / "older")
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add([ROWS[0]])
        async with runtime.database.tx() as tx:
            await tx.connection.execute("UPDATE tenants SET keys_mark = NULL")
    other = settings.model_copy(update={"keys_dir": tmp_path / "keys"})
    with pytest.raises(ConfigurationError, match="there are none of tenant 'default'"):
        async with open_runtime(other):
            pass
    async with open_runtime(settings) as runtime, runtime.database.tx() as tx:
        assert [row["tenant_id"] for row in await tx.all("key_marks")] == ["default"]
