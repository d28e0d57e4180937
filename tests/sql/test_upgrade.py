"""A database that release 0.1.0 made, with data, is brought up to this release; `precis migrate --status` says how."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from databases import Scratch, connect

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.database.migrate import Standing, migrate, migrations, status
from precis.embedded.server import APPLICATION
from precis.errors import ConfigurationError, Forgotten
from precis.keys.tenants import DEFAULT_TENANT
from precis.settings import Settings
from warm import run_warm

pytestmark = pytest.mark.asyncio(loop_scope="session")

RELEASE = Path(__file__).parent / "release_0_1_0"
#: The last migration of that release.
LAST = "0011_centroids_of_one_embedder.sql"
#: Made by that release; it opens nothing else.
API_KEY = "pk_default_fd1df491558f925b_bupt4hmusuodlgp2tr4u4po7j24j74nqoujkgfjevdo6m3qpeb5q"
Make = Callable[..., Awaitable[Scratch]]


async def _old(scratch: Make) -> Scratch:
    """A database as 0.1.0 left it."""
    database = await scratch()
    async with await connect(database.owner) as connection:
        await connection.execute(gzip.decompress((RELEASE / "database.sql.gz").read_bytes()))
    return database


def _kept(folder: Path) -> dict[str, Any]:
    """Its keys and its forgotten-log, in a folder of the test's own, as private as they were."""
    for name in ("keys", "forgotten"):
        shutil.copytree(RELEASE / name, folder / name)
        for path in (folder / name).rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
    return {"data_dir": folder, "keys_dir": folder / "keys", "forgotten_dir": folder / "forgotten"}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def upgraded(scratch: Make, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Runtime, Scratch]]:
    """This release over what 0.1.0 left."""
    database = await _old(scratch)
    places = _kept(tmp_path_factory.mktemp("old"))
    settings = Settings(database_url=database.serving, database_owner_url=database.owner, **places)
    async with open_runtime(settings) as runtime:
        yield runtime, database


@pytest.fixture
def old_app(upgraded: tuple[Runtime, Scratch]) -> App:
    """precis over it."""
    return upgraded[0].app(DEFAULT_TENANT)


async def test_everything_is_recalled(old_app: App) -> None:
    """Each memory is there with its text, is found by its words, and stands in its summary."""
    memories = {memory.id: memory.text for memory in (await old_app.memories.list(is_summary=False, limit=100)).rows}
    assert memories["ilse-garden-1"] == "I planted three quince trees in the garden."
    assert {"ilse-work-2", "noor-boat-0", "note-0", "note-1"} <= set(memories)
    assert not {"ilse-garden-2", "quentin-health-0"} & set(memories)
    (best, *_) = await old_app.recall.search("How many quince trees are planted?", user_id="ilse", summaries="without")
    assert best.memory.id == "ilse-garden-1"
    summaries = (await old_app.summaries.list(user_id="ilse")).rows
    assert {3} == {len(summary.parent_id) for summary in summaries}
    assert all(statement.source_ids for summary in summaries for statement in summary.statements)


async def test_conversation_and_view_go_on(old_app: App) -> None:
    """A turn is added to the old one, and the view's result is the one that was made."""
    messages = await old_app.conversations.messages("c-harbor", user_id="noor")
    assert ["Which harbor should I take in June?", "Medemblik has room in June."] == [row.text for row in messages]
    turn = [{"id": "h2", "role": "user", "content": "Then Medemblik it is."}]
    await old_app.conversations.turn("c-harbor", turn, user_id="noor")
    assert len(await old_app.conversations.messages("c-harbor", user_id="noor")) == 3
    (view,) = await old_app.views.list()
    (partition,) = await old_app.views.partitions(view.id, user_id="noor")
    assert "Meerkoet" in (partition.summary or "")


async def test_new_memories_join_old_subjects(old_app: App) -> None:
    """A fourth memory of the boat is in the summary that 0.1.0 made."""
    (before,) = [row for row in (await old_app.summaries.list(user_id="noor")).rows if row.extracted_key == "boat"]
    await old_app.memories.add(
        [{"id": "new", "user_id": "noor", "type": "fact", "key": "boat", "text": "The boat has room for six people."}]
    )
    after = await old_app.summaries.get(before.id)
    assert "six people" in after.text
    assert "Meerkoet" in after.text


async def test_what_was_forgotten_stays_away(old_app: App) -> None:
    """A forgotten id is refused, the receipts of then are signed now, and their chain holds."""
    with pytest.raises(Forgotten):
        await old_app.memories.add([{"id": "ilse-garden-2", "user_id": "ilse", "text": "The gate is green."}])
    verdict = await old_app.receipts.verify()
    assert verdict.holds
    receipts = (await old_app.receipts.list()).receipts
    assert [row["kind"] for row in receipts].count("from an earlier release") == 2


async def test_old_memories_can_be_forgotten(old_app: App) -> None:
    """One, and a whole user: they leave every summary, and the search for their words finds nothing."""
    receipt = await old_app.memories.forget("ilse-garden-1")
    assert receipt.statements_removed >= 1
    assert not any("quince" in row.text for row in (await old_app.summaries.list()).rows)
    receipt = await old_app.memories.forget_user("ilse")
    assert receipt.key_destroyed
    assert not (await old_app.memories.list(user_id="ilse")).rows
    assert (await old_app.receipts.verify()).holds


async def test_old_keys_open(upgraded: tuple[Runtime, Scratch]) -> None:
    """An API key of then names its tenant."""
    assert (await upgraded[0].store.tenants.holder_of(API_KEY)).tenant_id == DEFAULT_TENANT


async def test_status_says_what_waits(scratch: Make) -> None:
    """Of the old database: its eleven are applied, with their dates, the others wait; afterwards none does."""
    database = await _old(scratch)
    before = await status(database.owner)
    assert [each.name for each in before] == [*(name for name, _ in migrations()), "procrastinate"]
    waiting = [each.name for each in before if each.standing is Standing.WAITING]
    assert waiting == [name for name, _ in migrations() if name > LAST]
    assert before[0].applied_at == datetime(2026, 3, 2, 9, 0, 7, tzinfo=UTC)
    assert await status(database.owner) == before
    await migrate(database.owner, app_role=APPLICATION, now=datetime(2026, 11, 1, tzinfo=UTC))
    assert {each.standing for each in await status(database.serving)} == {Standing.APPLIED}


async def test_status_of_nothing_and_of_a_mismatch(scratch: Make) -> None:
    """An empty database waits for all and stays empty; a changed migration and one of a newer release are named."""
    database = await scratch()
    assert {each.standing for each in await status(database.owner)} == {Standing.WAITING}
    async with await connect(database.owner) as connection:
        asked = await connection.execute("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")
        assert await asked.fetchone() == {"count": 0}
        await migrate(database.owner, app_role=APPLICATION, now=datetime(2026, 11, 1, tzinfo=UTC))
        await connection.execute("UPDATE schema_migrations SET checksum = 'x' WHERE name LIKE '0003%'")
        await connection.execute("INSERT INTO schema_migrations VALUES ('9999_later.sql', 'x', now())")
    code, document = _asked(database)
    standings = {each["name"]: each["standing"] for each in document["migrations"]}
    assert (1, False) == (code, document["current"])
    assert ("changed", "unknown", "applied") == (
        standings["0003_places.sql"], standings["9999_later.sql"], standings["0001_foundation.sql"],
    )  # fmt: skip


def _asked(database: Scratch) -> tuple[int, dict[str, Any]]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")}
    env |= {"PRECIS_DATABASE_URL": database.serving, "PRECIS_CONFIG": "/dev/null"}
    answer = run_warm(["migrate", "--status", "--json"], env=env, timeout=60)
    document: dict[str, Any] = json.loads(answer.stdout)
    return answer.returncode, document


async def test_a_tenant_without_a_name_is_gone_and_another_keyring_is_refused(scratch: Make, tmp_path: Path) -> None:
    """An earlier release made such a tenant, and failed at every request since; it noted nothing of the keys."""
    database = await _old(scratch)
    async with await connect(database.owner) as connection:
        await connection.execute("INSERT INTO tenants (tenant_id, name, created_at) VALUES ('', '', now())")
    places = _kept(tmp_path)
    urls: dict[str, Any] = {"database_url": database.serving, "database_owner_url": database.owner}
    with pytest.raises(ConfigurationError, match="there are none of tenant 'default'"):
        async with open_runtime(Settings(**urls, **places | {"keys_dir": tmp_path / "other"})):
            pass
    assert not (tmp_path / "other").exists()
    async with open_runtime(Settings(**urls, **places)) as runtime:
        assert "" not in await runtime.store.tenants.list()
        await runtime.app(DEFAULT_TENANT).memories.add([{"user_id": "ana", "text": "Ana keeps bees."}])
