"""Migrations: applied once, in order, guarded by a lock and by checksums."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from hashlib import sha256

import psycopg
import pytest
from databases import Scratch, connect, rows_of

from precis.database import migrate as migrating
from precis.database.migrate import migrate, migrations
from precis.embedded.server import APPLICATION
from precis.errors import ConfigurationError
from warm import fork

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
Make = Callable[..., Awaitable[Scratch]]
EVERYTHING = [*(name for name, _ in migrations()), "procrastinate"]
#: Another process: says that it is ready, waits for a line, migrates, says what it applied.
OTHER_PROCESS = """
import asyncio, json, sys
from datetime import UTC, datetime
from precis.database.migrate import migrate

print("ready", flush=True)
sys.stdin.readline()
done = asyncio.run(migrate(sys.argv[1], app_role=sys.argv[2], now=datetime.now(UTC)))
print(json.dumps(done), flush=True)
"""

#: A cluster with members of two embedders, one of whose members nothing was read, and a period; m4 is a message.
_MIXED = """
INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, place, centroid,
                    created_at)
    VALUES ('t', 'tea', 'clusters', 'u', '', '', 'fact', NULL, '[0.6,0.3]', now()),
           ('t', 'train', 'clusters', 'u', '', '', 'fact', NULL, '[1,0]', now()),
           ('t', 'day', 'day', 'u', '', '', '', 'd', NULL, now());
INSERT INTO memories (tenant_id, memory_id, user_id, project_id, environment, memory_type, kind, extracted_type, tier,
                      retention_state, is_summary, embedding, embedding_version, terms, importance, fingerprint, tokens,
                      created_at, updated_at)
    SELECT 't', 'm' || n, 'u', '', '', 'semantic', CASE WHEN n = 4 THEN 'turn' END, 'fact', 'raw', 'live', false,
           CASE WHEN n <= 2 THEN '[1,0]'::halfvec WHEN n = 3 THEN '[0,1]' END,
           CASE WHEN n = 3 THEN 'new@1' ELSE 'old@1' END, '{}', 0.5, '', 1, now() + n * interval '1 minute', now()
    FROM generate_series(1, 5) n;
INSERT INTO members SELECT 't', g, 'm' || n FROM generate_series(1, 3) n, unnest(ARRAY['tea', 'day']) g;
INSERT INTO members VALUES ('t', 'train', 'm5');
"""

#: Two tenants whose clusters were grouped anew once, and a memory of a namespace of the first.
_NAMESPACED = """
INSERT INTO schedules (tenant_id, policy, last_run)
    VALUES ('t', 'clusters', now()), ('t', 'archive', now()), ('u', 'clusters', now());
INSERT INTO memories (tenant_id, memory_id, user_id, project_id, environment, namespace, memory_type, extracted_type,
                      tier, retention_state, is_summary, terms, importance, fingerprint, tokens, created_at, updated_at,
                      source_class)
    SELECT each, 'm', 'u', '', '', CASE WHEN each = 't' THEN 'tess' END, 'semantic', 'fact', 'raw', 'live', false, '{}',
           0.5, '', 1, now(), now(), 'user'
    FROM unnest(ARRAY['t', 'u']) each;
"""


async def up(place: Scratch) -> list[str]:
    """Migrate as a process does that starts."""
    return await migrate(place.owner, app_role=APPLICATION, now=NOW)


async def catalog(place: Scratch) -> list[tuple[str, ...]]:
    """Every table, index and right, with the numbers the server knows them by."""
    async with await connect(place.owner) as connection:
        asked = await connection.execute(
            "SELECT oid::text, relname, relfilenode::text, relacl::text FROM pg_class "
            "WHERE relnamespace = 'public'::regnamespace ORDER BY oid"
        )
        return [tuple(map(str, row.values())) for row in await asked.fetchall()]


async def test_two_processes_at_once_migrate_once(scratch: Make) -> None:
    """Both start on an empty database at the same moment: one applies everything, the other finds it done."""
    place = await scratch()
    pipe = asyncio.subprocess.PIPE
    arguments = (place.owner, APPLICATION)
    processes = [await fork(*arguments, program=OTHER_PROCESS, stdin=pipe, stdout=pipe) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
    answers = await asyncio.gather(*(process.communicate() for process in processes))
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(json.loads(out) for out, _ in answers) == [[], EVERYTHING]


async def test_many_at_once_in_one_process(scratch: Make) -> None:
    """Five connections race for the same lock."""
    place = await scratch()
    applied = await asyncio.gather(*(up(place) for _ in range(5)))
    assert sorted(applied) == [[], [], [], [], EVERYTHING]


async def test_running_again_does_nothing(scratch: Make) -> None:
    """No table, index or right is touched the second time."""
    place = await scratch()
    assert await up(place) == EVERYTHING
    before = await catalog(place)
    assert await up(place) == []
    assert await catalog(place) == before


async def test_each_is_recorded_with_its_checksum(scratch: Make) -> None:
    """Name, SHA-256 of the text, and the time that was passed in."""
    place = await scratch()
    await up(place)
    async with await connect(place.owner) as connection:
        rows = await (await connection.execute("SELECT * FROM schema_migrations ORDER BY name")).fetchall()
    assert [(row["name"], row["checksum"]) for row in rows] == [
        (name, sha256(text.encode()).hexdigest()) for name, text in migrations()
    ]
    assert {row["applied_at"] for row in rows} == {NOW}


async def test_a_changed_migration_is_refused(scratch: Make) -> None:
    """The text that was applied is not the text of this release: which one, and what to do."""
    place = await scratch()
    await up(place)
    async with await connect(place.owner) as connection:
        await connection.execute("UPDATE schema_migrations SET checksum = 'of another text' WHERE name LIKE '0001%'")
    with pytest.raises(ConfigurationError, match=r"0001_foundation\.sql was applied with another text.*new migration"):
        await up(place)


async def test_an_unknown_migration_is_refused(scratch: Make) -> None:
    """A newer precis was here: this one does not touch the database."""
    place = await scratch()
    await up(place)
    async with await connect(place.owner) as connection:
        await connection.execute("INSERT INTO schema_migrations VALUES ('9999_later.sql', 'x', %s)", [NOW])
    with pytest.raises(ConfigurationError, match=r"9999_later\.sql.*does not know.*newer precis"):
        await up(place)


async def test_a_refusal_gives_the_lock_back(scratch: Make) -> None:
    """After a refused run the next one is not kept waiting."""
    place = await scratch()
    await up(place)
    async with await connect(place.owner) as connection:
        await connection.execute("INSERT INTO schema_migrations VALUES ('9999_later.sql', 'x', %s)", [NOW])
        with pytest.raises(ConfigurationError):
            await up(place)
        await connection.execute("DELETE FROM schema_migrations WHERE name = '9999_later.sql'")
    async with asyncio.timeout(5):
        assert await up(place) == []


async def test_a_failing_migration_leaves_nothing(scratch: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runs in its own transaction: half of one is not there, those before it stay."""
    place = await scratch()
    broken = [*migrations(), ("0999_broken.sql", "CREATE TABLE half (a int); SELECT nothing FROM nowhere;")]
    monkeypatch.setattr(migrating, "migrations", lambda: broken)
    with pytest.raises(psycopg.errors.UndefinedTable):
        await up(place)
    monkeypatch.undo()
    assert await up(place) == ["procrastinate"]
    async with await connect(place.owner) as connection:
        asked = await connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = rows_of(await asked.fetchall(), "tablename")
    assert "memories" in tables
    assert "half" not in tables


async def test_centroids_of_two_embedders_are_made_anew(scratch: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a database that mixed them: the centroid is that of the newest member's embedder. Periods have none."""
    place = await scratch()
    before = [one for one in migrations() if one[0] < "0010"]
    with monkeypatch.context() as patch:
        patch.setattr(migrating, "migrations", lambda: before)
        await up(place)
    async with await connect(place.owner) as connection:
        await connection.execute(_MIXED)
        await up(place)
        asked = await connection.execute(
            "SELECT group_id, centroid::text, centroid_version FROM groups ORDER BY group_id"
        )
        assert [tuple(row.values()) for row in await asked.fetchall()] == [
            ("day", None, None), ("tea", "[0,1]", "new@1"), ("train", None, None),
        ]  # fmt: skip
        asked = await connection.execute("SELECT memory_id, embedding_version FROM memories ORDER BY memory_id")
        assert [tuple(row.values()) for row in await asked.fetchall()] == [
            ("m1", "old@1"), ("m2", "old@1"), ("m3", "new@1"), ("m4", None), ("m5", "old@1"),
        ]  # fmt: skip


async def test_who_has_namespaces_is_grouped_anew(scratch: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass that groups clusters anew forgets when it was there last, where a tenant has memories of a namespace."""
    place = await scratch()
    before = [migration for migration in migrations() if migration[0] < "0027"]
    monkeypatch.setattr(migrating, "migrations", lambda: before)
    await up(place)
    async with await connect(place.owner) as connection:
        await connection.execute(_NAMESPACED)
        monkeypatch.undo()
        await up(place)
        asked = await connection.execute("SELECT tenant_id, policy FROM schedules ORDER BY tenant_id")
        assert [("t", "archive"), ("u", "clusters")] == [tuple(row.values()) for row in await asked.fetchall()]


async def test_the_old_indexes_of_large_users_go(scratch: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """One at a time, so that they may be as many as they are; nothing else does."""
    place = await scratch()
    before = [migration for migration in migrations() if migration[0] < "0023"]
    with monkeypatch.context() as patch:
        patch.setattr(migrating, "migrations", lambda: before)
        await up(place)
    indexes = "SELECT relname FROM pg_class WHERE relname LIKE 'memories%' AND relkind = 'i' ORDER BY relname"
    async with await connect(place.owner) as connection:
        kept = await (await connection.execute(indexes)).fetchall()
        for name in ("memories_near_0123abcd", "memories_near_all_4567"):
            await connection.execute(
                f"CREATE INDEX {name} ON memories USING hnsw ((embedding::halfvec(2)) halfvec_cosine_ops)"
            )
        await up(place)
        assert await (await connection.execute(indexes)).fetchall() == kept


async def test_the_serving_role_may_use_the_rows_only(scratch: Make) -> None:
    """After a migration it reads and writes rows, and can change no table."""
    place = await scratch()
    await up(place)
    async with await connect(place.serving) as connection:
        assert await (await connection.execute("SELECT * FROM memories")).fetchall() == []
        for forbidden in ("DROP TABLE memories", "ALTER TABLE memories ADD x int", "TRUNCATE memories"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await connection.execute(forbidden)


async def _serve(database: Scratch) -> tuple[int | None, str]:
    """What `precis serve` over this database ends with, and says."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")}
    env |= {"PRECIS_DATABASE_URL": database.serving, "PRECIS_CONFIG": "/dev/null"}
    process = await fork("serve", "--port", "0", stderr=asyncio.subprocess.PIPE, env=env)
    _, printed = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, printed.decode()


async def test_serving_before_migrating_says_what_to_do(scratch: Make) -> None:
    """An empty database, one of an earlier release, and one whose tables the role may not read: a line each."""
    database = await scratch()
    code, printed = await _serve(database)
    assert (code, printed.count("\n")) == (2, 1)
    assert f"from {migrations()[0][0]} on" in printed
    assert "run `precis migrate`" in printed
    await migrate(database.owner, app_role=APPLICATION, now=NOW)
    last = migrations()[-1][0]
    async with await connect(database.owner) as connection:
        await connection.execute("DELETE FROM schema_migrations WHERE name = %s", [last])
        code, printed = await _serve(database)
        assert (code, printed.count("\n")) == (2, 1)
        assert f"from {last} on" in printed
        await connection.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {APPLICATION}")
    code, printed = await _serve(database)
    assert (code, printed.count("\n")) == (2, 1)
    assert "may not read the tables" in printed


async def test_names_are_numbered_without_a_gap() -> None:
    """0001, 0002, ...: the order of names is the order of application."""
    numbers = [int(name.partition("_")[0]) for name, _ in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_a_database_of_another_encoding_is_refused(scratch: Make) -> None:
    """Before anything is made in it, and at each start: it could not keep every text."""
    place = await scratch("ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
    with pytest.raises(ConfigurationError, match="keeps text as SQL_ASCII, and precis needs UTF8"):
        await up(place)
    with pytest.raises(ConfigurationError, match="keeps text as SQL_ASCII, and precis needs UTF8"):
        await migrating.check_migrated(place.serving)
