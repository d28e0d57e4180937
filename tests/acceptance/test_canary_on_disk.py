"""Forgotten is gone from the disk: raw searches of every file under the data folder, before and after.

Each search first proves that it would find what it looks for.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from disk import LOG_PAGE, PIECE, footprint, found, is_log, log_segments, names, owner_of, plain, wrapped_keys
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from precis.app import App
from precis.app.refreshing import work
from precis.bootstrap import open_runtime
from precis.embedded import server as embedded
from precis.errors import StoreUnavailable, Undecryptable
from precis.ids import new_id
from precis.settings import Settings
from precis.store.forgotten.scan_files import purge
from precis.store.postgres import PostgresStore
from rooms import with_database

CANARY = "zyxqvortle"
TEA = ("Ana drinks green tea every morning.", "Ana keeps a cracked teapot.", "Ana buys tea at the harbor market.")
SECRET = f"Ana hides her {CANARY} tea in a tin from Kyoto."
#: Too long for a row: it lies in chunks beside its table.
LONG = f"Ana wrote a {CANARY} diary about tea. " + " ".join(f"leaf{n} stirred{n * 7}" for n in range(400))


@dataclass(frozen=True, kw_only=True)
class House:
    """precis on a data folder of its own, and its owner's view."""

    folder: Path
    app: App
    owner: AsyncConnection[DictRow]
    owner_dsn: str

    @property
    def db(self) -> Path:
        """The database's files."""
        return self.folder / "db"

    async def tell(self, *texts: str, user_id: str = "ana") -> list[str]:
        """Write memories of one subject; answers their ids."""
        rows = [{"id": new_id(), "text": t, "user_id": user_id, "type": "preference", "key": "tea"} for t in texts]
        await self.app.memories.add(rows)
        return [row["id"] for row in rows]

    async def refresh(self) -> None:
        """Make all summaries current."""
        engine = self.app.parts.engine
        await work(engine, self.app.parts.tenant_id, until=engine.clock() + timedelta(minutes=1))

    async def on_disk(self, *statements: str) -> None:
        """Run these as the owner; then all that is in memory is in the files."""
        for statement in (*statements, "CHECKPOINT"):
            await self.owner.execute(statement)


@asynccontextmanager
async def house(folder: Path, **settings: Any) -> AsyncIterator[House]:
    """Open a data folder."""
    async with (
        open_runtime(Settings(data_dir=folder, **settings)) as runtime,
        embedded.running(folder) as server,
        owner_of(server.owner_dsn) as owner,
    ):
        yield House(folder=folder, app=runtime.app("default"), owner=owner, owner_dsn=server.owner_dsn)


@pytest.fixture
def folder(rooms_folder: Path) -> Path:
    """A data folder nobody used before."""
    return with_database(rooms_folder / new_id())


async def test_a_forgotten_memory_leaves_no_byte_on_disk(folder: Path) -> None:
    """Ciphertexts, vectors, words of a memory and of all it was summarized into: no file has them after a purge."""
    async with house(folder) as ours:
        canary = await ours.tell(SECRET, LONG)
        kept = await ours.tell(*TEA)
        (summary,) = (await ours.app.summaries.list()).rows
        assert CANARY in summary.text
        await ours.app.recall.search(f"where is the {CANARY} tea")
        patterns = await footprint(ours.owner, canary)
        assert all(patterns.values()), patterns
        await ours.on_disk("ANALYZE")
        before = found(ours.db, patterns)
        assert names(patterns) == before.keys()
        for kind in ("text 0", "vector 0", "statement 0", "summary 0", "centroid 0"):
            assert {path.split("/")[0] for path in before[kind]} == {"base", "pg_wal"}, kind
        assert found(ours.db, plain(canary[0]))  # an id is stored as it is
        assert found(folder, plain(CANARY)) == {}

        await ours.app.memories.forget(canary)
        await ours.refresh()
        await ours.on_disk("VACUUM")
        assert {"text 0", "vector 0"} <= found(ours.db, patterns).keys()

        await purge(ours.owner_dsn)
        assert found(folder, patterns) == {}
        assert found(folder, plain(CANARY)) == {}
        assert set(kept) == {row.id for row in (await ours.app.memories.list(is_summary=False)).rows}
        assert found(ours.db, await footprint(ours.owner, kept))
    assert found(folder, patterns) == {}


async def test_an_index_over_a_user_keeps_nothing_of_them(folder: Path) -> None:
    """Neither vectors in its lists nor the user's id."""
    async with house(folder) as ours:
        told = await ours.tell(SECRET, *TEA, user_id=f"{CANARY}-user")
        engine, store = ours.app.parts.engine, ours.app.parts.store
        assert isinstance(store, PostgresStore)
        indexes = store.scope_indexes
        await indexes.make("default", f"{CANARY}-user", version=engine.embedder.version)
        path = "SELECT pg_relation_filepath('listed_vectors_by_list') AS path"
        row = await (await ours.owner.execute(path)).fetchone()
        assert row is not None
        patterns = await footprint(ours.owner, told)
        vectors = {kind: data for kind, data in patterns.items() if kind == "vector"}
        await ours.on_disk()
        assert any(row["path"] in path for paths in found(ours.db, vectors).values() for path in paths)
        assert found(ours.db, plain(CANARY))  # ids are stored as they are

        await ours.app.memories.forget_user(f"{CANARY}-user")
        await purge(ours.owner_dsn)
        assert found(folder, patterns) == {}
        assert found(folder, plain(CANARY)) == {}


async def test_an_edit_leaves_no_byte_of_the_old_text(folder: Path) -> None:
    """An edited memory's old ciphertext, vector and words go the same way."""
    async with house(folder) as ours:
        (edited,) = await ours.tell(SECRET)
        await ours.tell(*TEA)
        patterns = await footprint(ours.owner, [edited])
        await ours.on_disk()
        assert names(patterns) == found(ours.db, patterns).keys()
        await ours.app.memories.edit(edited, {"text": "Ana prefers plain water."})
        await ours.refresh()
        await purge(ours.owner_dsn)
        assert found(folder, patterns) == {}


async def test_the_log_of_before_is_gone_and_none_is_kept_to_be_written_over(folder: Path) -> None:
    """A checkpoint removes what the log no longer needs; no segment outlives a purge, whatever it was kept for."""
    mark = {"mark": [b"a mark in the log " * 4]}
    write = ("SELECT pg_logical_emit_message(false, 'x', repeat('a mark in the log ', 5000))", "SELECT pg_switch_wal()")
    async with house(folder) as ours:
        for _ in range(3):
            await ours.on_disk(*write)
        assert len(await log_segments(ours.owner)) <= 2

        await ours.on_disk("ALTER SYSTEM SET wal_recycle = on", "SELECT pg_reload_conf()", *write * 3)
        before = await log_segments(ours.owner)
        assert found(ours.db, mark)
        with pytest.raises(StoreUnavailable, match="wal_recycle is on"):
            await purge(ours.owner_dsn)

        await ours.on_disk("ALTER SYSTEM RESET wal_recycle", "SELECT pg_reload_conf()")
        assert found(ours.db, mark)
        await purge(ours.owner_dsn)
        assert not before & await log_segments(ours.owner)
        assert found(folder, mark) == {}


async def test_what_a_page_of_the_log_cuts_in_two_is_found(folder: Path) -> None:
    """A record longer than two pages of the log: each piece of it is found, also those that a header lies in."""
    written = "".join(f"{number:07}-" for number in range(2 * LOG_PAGE // 8 + 8))
    # Each overlaps the next, so that wherever a header lies, it lies in one of them.
    marks = {"mark": [written[at : at + PIECE].encode() for at in range(0, len(written) - PIECE, PIECE - 8)]}
    async with house(folder) as ours:
        await ours.on_disk(f"SELECT pg_logical_emit_message(false, 'x', '{written}')")
        as_written = b"".join(path.read_bytes() for path in (ours.db / "pg_wal").iterdir() if is_log(path))
        assert any(mark not in as_written for mark in marks["mark"])
        assert found(ours.db / "pg_wal", marks).keys() == names(marks)


async def test_a_purge_waits_for_whoever_may_still_see_the_rows(folder: Path) -> None:
    """A rewrite would keep rows for an open snapshot: the purge waits for its end, and says so when it gives up."""
    async with house(folder) as ours:
        canary, *_ = await ours.tell(SECRET, *TEA)
        patterns = await footprint(ours.owner, [canary])
        async with await psycopg.AsyncConnection.connect(ours.owner_dsn) as reader:
            await reader.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
            await reader.execute("SELECT 1")
            await ours.app.memories.forget(canary)
            with pytest.raises(StoreUnavailable, match="1 transactions have been open"):
                await purge(ours.owner_dsn, patience=0.2)
            await ours.on_disk()
            assert "text 0" in found(ours.db, patterns)
            waiting = asyncio.create_task(purge(ours.owner_dsn, patience=20))
            await asyncio.sleep(0.3)
            assert not waiting.done()
            await reader.rollback()
        await waiting
        await ours.refresh()
        await purge(ours.owner_dsn)
        assert found(folder, patterns) == {}


async def test_a_forgotten_user_leaves_no_byte_on_disk(folder: Path) -> None:
    """Nothing of a user's is in any file after a purge; nor is the wrapped key, nor what others' were wrapped in."""
    async with house(folder) as ours:
        mine = await ours.tell(SECRET, *TEA)
        await ours.on_disk("ANALYZE")
        theirs = await ours.tell("Ben likes coffee.", user_id="ben")
        patterns = await footprint(ours.owner, mine) | {"wrapped key": await wrapped_keys(ours.owner)}
        tenant_key = (folder / "keys" / "tenants" / "default.json").read_bytes()
        await ours.on_disk("ANALYZE")
        assert names(patterns) == found(ours.db, patterns).keys()

        await ours.app.memories.forget_user("ana")
        await purge(ours.owner_dsn)
        assert found(folder, patterns) == {}
        assert found(folder, {"tenant key": [tenant_key]}) == {}
        assert (await ours.app.memories.get(theirs[0])).text == "Ben likes coffee."


async def test_the_last_user_leaves_no_sample_behind(folder: Path) -> None:
    """The planner keeps samples of a table that is empty by now, ciphertexts and vectors too: a purge does not."""
    async with house(folder) as ours:
        mine = await ours.tell(SECRET, *TEA)
        patterns = await footprint(ours.owner, mine)
        await ours.on_disk("ANALYZE")
        await ours.app.memories.forget_user("ana")
        await ours.on_disk("VACUUM (FULL, ANALYZE)")
        left = found(ours.db / "base", patterns)
        assert {"text 0", "vector 0"} <= left.keys()
        await purge(ours.owner_dsn)
        assert found(folder, patterns) == {}


async def test_an_old_copy_of_the_database_opens_nothing_with_the_keys_of_today(
    folder: Path, rooms_folder: Path
) -> None:
    """The copy made before a user was forgotten still has the rows; only the key file of that day opens them.

    It opens for nobody: the data keys of the other users lie in it as they were wrapped that day.
    """
    copy, keys = rooms_folder / new_id(), rooms_folder / new_id()
    async with house(folder) as ours:
        (secret, *_) = await ours.tell(SECRET, *TEA)
        await ours.tell("Ben likes coffee.", user_id="ben")
        patterns = await footprint(ours.owner, [secret])
    await asyncio.to_thread(copied, folder, copy)
    await asyncio.to_thread(shutil.copytree, folder / "keys", keys)
    async with house(folder) as ours:
        await ours.app.memories.forget_user("ana")
    assert found(copy / "db", patterns)

    async with house(copy, keys_dir=folder / "keys") as old:
        for attempt in (
            old.app.memories.get(secret),
            old.app.memories.list(user_id="ana"),
            old.app.memories.list(user_id="ben"),
            old.app.summaries.list(user_id="ana"),
            old.app.recall.search("green tea", user_id="ana"),
        ):
            with pytest.raises(Undecryptable):
                await attempt
    async with house(copy, keys_dir=keys) as old:
        assert (await old.app.memories.get(secret)).text == SECRET


async def test_a_restored_copy_with_its_own_keys_is_cleaned_before_it_serves(folder: Path, rooms_folder: Path) -> None:
    """With the key file of that day it is the forgotten-log of today that guards: the user is forgotten again."""
    copy, keys = rooms_folder / new_id(), rooms_folder / new_id()
    async with house(folder) as ours:
        (secret, *_) = await ours.tell(SECRET, *TEA)
        (kept,) = await ours.tell("Ben likes coffee.", user_id="ben")
        patterns = await footprint(ours.owner, [secret])
    await asyncio.to_thread(copied, folder, copy)
    await asyncio.to_thread(shutil.copytree, folder / "keys", keys)
    async with house(folder) as ours:
        await ours.app.memories.forget_user("ana")

    async with house(copy, keys_dir=keys, forgotten_dir=folder / "forgotten") as restored:
        assert (await restored.app.memories.list(user_id="ana")).rows == ()
        assert (await restored.app.memories.get(kept)).text == "Ben likes coffee."
        await purge(restored.owner_dsn)
        assert found(copy, patterns) == {}


def copied(source: Path, target: Path) -> None:
    """The database of a data folder, with its owners and rights, and nothing else of it."""
    target.mkdir(mode=0o755)
    shutil.copystat(source, target)
    subprocess.run(["cp", "-a", source / "db", target / "db"], check=True)
