"""``precis doctor``: what is well, doubtful and broken, each by a fault that was planted."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cli_room import model_in_thread, warm_precis
from psycopg import AsyncConnection

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.embedded.files import MARKER
from precis.embedded.server import running
from precis.ids import system_clock
from precis.keys.forgotten_log import ForgottenLog, Mark
from precis.keys.keyring import Keyring
from precis.settings import Settings
from precis.watch.doctor import (
    _clock,
    _version,
    check_archive,
    check_database,
    check_disk,
    check_model,
    check_settings,
)
from precis.watch.outside import Finding, State, check_keys, check_log
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: The parts of a database that is well.
PARTS = ["database", "extension", "migrations", "role", "security", "clock"]


def states(findings: list[Finding]) -> list[tuple[str, str]]:
    """Part and state of each."""
    return [(finding.part, finding.state.value) for finding in findings]


async def test_a_database_that_is_well(runtime: Runtime, app: App, tenant: str) -> None:
    """Every part, and how far it has heard of the forgotten-log, which is the log that lies there."""
    (memory,) = (await app.memories.add([{"text": "I keep a canary.", "user_id": "noor"}])).memories
    await app.memories.forget([memory.id])
    await runtime.forget_again(tenant)
    findings, marks = await check_database(runtime.settings)
    assert states(findings) == [(part, "ok") for part in PARTS]
    assert marks is not None
    mark = marks[tenant]
    assert mark is not None
    assert mark.offset > 0
    assert check_log(runtime.settings, {tenant: marks[tenant]}).state is State.OK


async def test_faults_of_a_database_are_told(runtime: Runtime, rooms_folder: Path) -> None:
    """The owner as the role that serves, a table without row-level security, a migration of tomorrow."""
    async with (
        running(rooms_folder / "shared") as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        await owner.execute("CREATE TABLE of_nobody (tenant_id text)")
        try:
            findings, _ = await check_database(runtime.settings.model_copy(update={"database_url": server.owner_dsn}))
        finally:
            await owner.execute("DROP TABLE of_nobody")
        broken = {finding.part: finding.message for finding in findings if finding.state is State.FAIL}
        assert set(broken) == {"role", "security"}
        assert "of_nobody" in broken["security"]
        await owner.execute("INSERT INTO schema_migrations VALUES ('9999_of_tomorrow', 'x', '2099-01-01Z')")
        try:
            findings, _ = await check_database(runtime.settings)
        finally:
            await owner.execute("DELETE FROM schema_migrations WHERE name = '9999_of_tomorrow'")
    assert states(findings)[-1] == ("migrations", "fail")


async def test_a_database_out_of_reach_is_told_without_its_password() -> None:
    """One finding; the others need it."""
    settings = Settings(database_url="postgresql://eve:sesame@127.0.0.1:1/precis")
    findings, marks = await check_database(settings)
    assert states(findings) == [("database", "fail")]
    assert "sesame" not in findings[0].message
    assert marks is None
    keys = check_keys(settings, has_rows=None)
    assert (keys.state, "that was used before" in keys.message) == (State.WARN, True)


async def test_a_key_folder_that_was_open_is_told_before_it_is_shut(tmp_path: Path) -> None:
    """Whoever opens the keys shuts their folder: the doctor looks first, and leaves it as it is."""
    settings = Settings(data_dir=tmp_path)
    async with open_runtime(settings) as runtime:
        await runtime.app("default").memories.add([{"text": "I keep a canary.", "user_id": "noor"}])
    settings.keys_folder.chmod(0o777)
    findings, _ = await check_database(settings)
    assert states(findings)[-1] == ("keys", "fail")
    assert "chmod 700" in findings[-1].message
    assert settings.keys_folder.stat().st_mode & 0o777 == 0o777


async def test_where_nothing_can_be_written_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in place of the folder, and a disk that is mounted read-only."""
    (tmp_path / "file").touch()
    told = [finding.message for finding in check_disk(Settings(data_dir=tmp_path / "file"))]
    assert told[0] == f"{tmp_path / 'file'} is no folder: name another data folder"
    assert list(check_archive(Settings(data_dir=tmp_path / "file"))) == []
    values = list(os.statvfs(tmp_path))
    values[8] |= os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result(values))
    faults = [finding.message for finding in check_disk(Settings(data_dir=tmp_path)) if finding.state is State.FAIL]
    assert faults == [f"the disk of {tmp_path} is mounted read-only: mount it for writing"]


async def test_a_database_that_was_just_created_needs_no_keys(runtime: Runtime, rooms_folder: Path) -> None:
    """Without the extension, and with it before the first migration: no tenant is there whose keys could be lost."""
    async with (
        running(rooms_folder / "shared") as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        await owner.execute("CREATE DATABASE just_created")
        try:
            url = server.owner_dsn.replace("dbname=precis", "dbname=just_created")
            findings, marks = await check_database(runtime.settings.model_copy(update={"database_url": url}))
        finally:
            await owner.execute("DROP DATABASE just_created")
    assert states(findings)[-1][1] == "fail"
    assert marks == {}


async def test_an_old_server_and_a_wrong_clock() -> None:
    """Too old is broken; apart is doubtful."""
    assert _version(140_011).state is State.FAIL
    assert _version(180_004).message == "PostgreSQL 18.4 answers"
    assert _clock(system_clock()).state is State.OK
    assert _clock(system_clock() - timedelta(minutes=3)).state is State.WARN


async def test_settings_that_nothing_reads_or_that_contradict() -> None:
    """A misspelled variable is what no start of precis notices."""
    environment = {"PRECIS_MODLE": "x", "PRECIS_LOG_LEVEL": "info", "PRECIS_CONFIG": "x", "HOME": "/"}
    (finding,) = check_settings(Settings(), environment)
    assert (finding.state, "PRECIS_MODLE" in finding.message) == (State.WARN, True)
    settings = Settings(judge="a-judge", extraction="model", database_owner_url="postgresql://x", tokenizer=Path("/no"))
    assert [finding.state for finding in check_settings(settings, {})] == [State.FAIL] * 4
    inside = Settings(data_dir=Path("/d"), keys_dir=Path("/d/db/keys"))
    assert [finding.state for finding in check_settings(inside, {})] == [State.FAIL]
    unusable = Settings(
        data_dir=Path("/d"), forgotten_dir=Path("/d/db/forgotten"), model="m", model_base_url="here:1",
        prices={"m": {"input": 3}},
    )  # fmt: skip
    messages = [finding.message for finding in check_settings(unusable, {}) if finding.state is State.FAIL]
    assert ["PRECIS_FORGOTTEN_DIR" in messages[0], "PRECIS_MODEL_BASE_URL" in messages[1]] == [True, True]
    assert "input_per_million" in messages[2]
    assert [finding.state for finding in check_settings(Settings(), {})] == [State.OK]


async def test_a_server_that_others_reach_needs_a_key(rooms_folder: Path) -> None:
    """Its start says so; whoever asks before hears it as well, and no more once there is one."""
    private = Settings(data_dir=with_database(rooms_folder / "open-door"))
    reached: list[dict[str, Any]] = [{"host": "0.0.0.0"}, {"trusted_proxies": ["10.0.0.0/8"]}]  # noqa: S104 - refused
    async with open_runtime(private) as runtime:
        for others in reached:
            findings, _ = await check_database(private.model_copy(update=others))
            (finding,) = [finding for finding in findings if finding.part == "settings"]
            assert (finding.state, "precis keys create" in finding.message) == (State.FAIL, True)
        assert states((await check_database(private))[0]) == [(part, "ok") for part in PARTS]
        await runtime.store.tenants.create_key("default", name="door", now=runtime.engine.clock())
        for others in reached:
            findings, _ = await check_database(private.model_copy(update=others))
            assert states(findings) == [(part, "ok") for part in PARTS]


async def test_keys_that_are_lost_open_to_others_or_damaged(tmp_path: Path) -> None:
    """Nothing is made where something is missing: a new key would hide the loss."""
    settings, folder = Settings(data_dir=tmp_path), tmp_path / "keys"
    assert check_keys(settings, has_rows=False).state is State.OK
    assert check_keys(settings, has_rows=True).state is State.FAIL
    assert not folder.exists()
    Keyring(folder).open_tenant("default")
    assert check_keys(settings, has_rows=True).state is State.OK
    folder.chmod(0o755)
    assert "chmod 700" in check_keys(settings, has_rows=True).message
    folder.chmod(0o700)
    (folder / "tenants" / "default.json").write_text("{}")
    assert check_keys(settings, has_rows=True).state is State.FAIL
    (folder / "master.key").unlink()
    assert "master.key" in check_keys(settings, has_rows=True).message
    assert not (folder / "master.key").exists()


async def test_a_log_that_is_damaged_cut_or_gone(tmp_path: Path) -> None:
    """The database knows how far it has heard of it."""
    settings = Settings(data_dir=tmp_path)
    keys = Keyring(tmp_path / "keys").open_tenant("default")
    log = ForgottenLog(settings.forgotten_folder)
    for number in range(3):
        log.forgot(keys, f"r{number}", [f"m{number}"], until=system_clock())
    heard = log.unread("default", Mark(), limit=10).mark
    assert check_log(settings, {"default": heard}).message.startswith("3 lines")
    (file,) = settings.forgotten_folder.glob("*.log")
    content = file.read_bytes()
    file.write_bytes(b"".join(content.splitlines(keepends=True)[:2]))
    assert check_log(settings, {"default": heard}).state is State.FAIL
    file.write_bytes(content + b"{torn]\n")
    assert "damaged" in check_log(settings, {"default": heard}).message
    file.unlink()
    assert check_log(settings, {"default": heard}).state is State.FAIL


async def test_a_log_that_a_start_refuses_is_told(rooms_folder: Path) -> None:
    """What the database has told it is compared as at a start, and not only up to where it has followed it."""
    settings = Settings(data_dir=with_database(rooms_folder / "emptied-log"))
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        await app.memories.add([{"id": "m1", "text": "I keep a canary.", "user_id": "noor"}])
        await app.memories.forget("m1")
    (log,) = settings.forgotten_folder.iterdir()
    content = log.read_bytes()
    log.write_bytes(b"")
    findings, _ = await check_database(settings)
    (finding,) = [finding for finding in findings if finding.state is State.FAIL]
    assert (finding.part, "lacks what the database has told it" in finding.message) == ("forgotten-log", True)
    log.write_bytes(content)
    assert states((await check_database(settings))[0]) == [(part, "ok") for part in PARTS]


async def test_the_model_is_called_only_where_that_is_asked_for(tmp_path: Path) -> None:
    """Once; a model that does not answer is broken."""
    with model_in_thread() as server:
        settings = Settings(model="gpt-4o-mini", model_base_url=server.base_url)
        assert (await check_model(settings, call=False)).state is State.OK
        assert server.stats.calls == 0
        finding = await check_model(settings, call=True)
        assert finding.state is State.OK, finding
        assert server.stats.calls == 1
    away = Settings(model="gpt-4o-mini", model_base_url="http://127.0.0.1:1/v1")
    assert (await check_model(away, call=True)).state is State.FAIL
    assert (await check_model(Settings(), call=True)).state is State.OK
    assert {finding.part for finding in check_disk(Settings(data_dir=tmp_path / "new"))} == {"disk"}


async def test_the_verb_ends_with_1_where_something_is_to_mend(tmp_path: Path) -> None:
    """Eighty columns, a line for each part, one document with --json; settings that cannot be read are a finding."""
    data = tmp_path / "data"
    for _ in range(2):
        done = warm_precis("doctor", "--data-dir", data, COLUMNS="80")
        assert (done.returncode, done.stderr) == (0, "")
        assert max(map(len, done.stdout.splitlines())) <= 80
    assert not data.exists()
    done = warm_precis("doctor", "--data-dir", data, "--json", PRECIS_JUDGE="a-judge")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["failed"] == 1
    assert {"part": "settings", "state": "fail", "message": "PRECIS_JUDGE needs a model: set PRECIS_MODEL"} in (
        document["findings"]
    )
    done = warm_precis("doctor", "--data-dir", data, PRECIS_MONTHLY_CEILING="much")
    assert done.returncode == 1
    assert "monthly_ceiling (PRECIS_MONTHLY_CEILING)" in " ".join(done.stdout.split())


async def test_a_certificate_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """As the server reads it, and not only once somebody starts that."""
    done = warm_precis("doctor", "--data-dir", tmp_path / "data", PRECIS_TLS_CERTIFICATE=str(tmp_path / "no.pem"))
    assert done.returncode == 1
    assert "PRECIS_TLS_CERTIFICATE and PRECIS_TLS_KEY are no certificate" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("KEY_PROVIDER", "aws-kms", "PRECIS_KEY_PROVIDER=aws-kms needs PRECIS_KEYS_URL"),
        ("KEYS_URL", "gs://bucket", "PRECIS_KEYS_URL has to be s3://BUCKET/PREFIX"),
        ("FORGOTTEN_URL", "gs://bucket", "PRECIS_FORGOTTEN_URL has to be s3://BUCKET/PREFIX"),
        ("KEYS_URL", "postgresql://eve@127.0.0.1:1/keys", "PRECIS_KEYS_URL needs somebody who wraps"),
        ("MASTER_KEY", "short", "PRECIS_MASTER_KEY is not one"),
        ("DATABASE_URL", "", "database_url (PRECIS_DATABASE_URL): it is empty"),
        ("DATABASE_URL", "mysql://ana@db/x", "database_url (PRECIS_DATABASE_URL): it names no PostgreSQL database"),
        ("REPLICA_URLS", "here", "replica_urls (PRECIS_REPLICA_URLS): it has to be JSON"),
        ("METRICS_KEY", "short", "metrics_key (PRECIS_METRICS_KEY): it has to have at least 32 characters"),
    ],
)
async def test_faults_of_settings_are_settings(tmp_path: Path, name: str, value: str, message: str) -> None:
    """Under that name, once, and not as faults of a database; a misspelled one beside it is told, too."""
    variables = {f"PRECIS_{name}": value, "PRECIS_DATABSE_URL": "x"}
    done = warm_precis("doctor", "--data-dir", tmp_path / "data", "--json", **variables)
    findings = json.loads(done.stdout)["findings"]
    failed = [finding for finding in findings if finding["state"] == "fail"]
    assert {finding["part"] for finding in failed} == {"settings"}
    assert [finding for finding in failed if message in finding["message"]]
    assert [finding for finding in findings if "PRECIS_DATABSE_URL" in finding["message"]]


async def test_an_empty_variable_is_none(tmp_path: Path) -> None:
    """As those who pass on what nobody set send it."""
    names = ("MONTHLY_CEILING", "METRICS_KEY", "REPLICA_URLS", "WRITES_AT_ONCE", "TLS_KEY", "MODEL", "MASTER_KEY")
    done = warm_precis("doctor", "--data-dir", tmp_path / "data", **{f"PRECIS_{name}": "" for name in names})
    assert (done.returncode, done.stderr) == (0, "")


async def test_a_log_that_is_not_copied_is_told(tmp_path: Path) -> None:
    """Nothing where it is not asked for; broken where the folder is away, or many files wait."""
    settings = Settings(data_dir=tmp_path)
    assert list(check_archive(settings)) == []
    (tmp_path / MARKER).write_text(str(tmp_path / "wal"))
    assert states(list(check_archive(settings))) == [("log archive", "fail")]
    (tmp_path / "wal").mkdir()
    assert states(list(check_archive(settings))) == [("log archive", "ok")]
    waiting = tmp_path / "db" / "pg_wal" / "archive_status"
    waiting.mkdir(parents=True)
    for number in range(20):
        (waiting / f"{number:024X}.ready").touch()
    (finding,) = check_archive(settings)
    assert "20 files of 16 MB wait" in finding.message
