"""Moving in from files and from a PostgresStore, and what every move promises: nothing twice, nothing silently."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import pytest_asyncio
from langgraph.store.postgres.aio import AsyncPostgresStore
from moving_rooms import move, options, reasons
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from precis.agents.langgraph_store import PrecisStore
from precis.app import App
from precis.app.redis.long_term import Recorded
from precis.bootstrap import Runtime
from precis.embedded.server import running
from precis.errors import ConfigurationError, InvalidInput, StoreUnavailable
from precis.ids import new_id
from precis.moving import arrivals
from precis.moving.arrivals import Kind, origin_of
from precis.moving.chats import ChatGPT, Claude
from precis.moving.hindsight import Hindsight
from precis.moving.langgraph import LangGraphStore
from precis.moving.notes import Notes

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Listed:
    """An origin that shows what a test lists."""

    def __init__(self, *shown: arrivals.Arrival) -> None:
        self.total: int | None = len(shown)
        self._shown = shown

    async def arrivals(self) -> AsyncGenerator[arrivals.Arrival, None]:
        """Each of them."""
        for arrival in self._shown:
            yield arrival


def facts(*texts: str, **fields: Any) -> list[arrivals.Arrival]:
    """Memories of one person."""
    return [
        arrivals.memory(f"fact {number}", {"text": text, "user_id": "ida", **fields})
        for number, text in enumerate(texts)
    ]


# --- what every move promises ---


async def test_one_that_cannot_be_written_does_not_keep_the_others(app: App) -> None:
    """Whatever is wrong with it, and wherever in the batch it stands."""
    later = options().now + timedelta(days=400)
    shown = [
        *facts("Ida keeps a heron diary.", "Ida moved to Lund."),
        arrivals.memory("later", {"text": "From then.", "user_id": "ida", "created_at": later}),
        arrivals.memory("long", {"text": "x" * 200_001, "user_id": "ida"}),
        arrivals.memory("blank", {"text": " ", "user_id": "ida"}),
        *facts("Ida keeps a heron diary."),
    ]
    report = await move(app, Listed(*shown))
    assert (4, 2, 2, 2) == (
        report.memories.shown, report.memories.written, report.memories.refused, report.in_precis
    )  # fmt: skip
    assert 3 == report.refused
    assert 1 == reasons(report)["shown a second time under one id"]
    assert 5 == sum(reasons(report).values()) + report.memories.written - 1
    again = await move(app, Listed(*shown))
    assert (0, 2, 3) == (again.memories.written, again.memories.already_there, again.refused)
    dry = await move(app, Listed(*shown), dry_run=True)
    assert (again.memories, again.refused) == (dry.memories, dry.refused)


async def test_a_text_that_differs_here_stays_and_is_named(app: App) -> None:
    """A move never overwrites what somebody corrected since."""
    await move(app, Listed(*facts("Ida moved to Lund.")))
    await app.memories.edit("fact 0", {"text": "Ida moved to Malmö."})
    report = await move(app, Listed(*facts("Ida moved to Lund.")))
    assert [1] == [count for reason, count in reasons(report).items() if "another text" in reason]
    assert "Ida moved to Malmö." == (await app.memories.get("fact 0")).text
    assert 0 == report.refused


async def test_what_lies_under_another_user_is_named(app: App, tmp_path: Path) -> None:
    """An export that was moved to the wrong person first is not counted as there for the right one."""
    message = {"uuid": "m", "sender": "human", "text": "I keep owls."}
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([{"uuid": "k", "chat_messages": [message]}]))
    await move(app, origin_of(Kind.CLAUDE, str(file), options(user_id="ida")))
    report = await move(app, origin_of(Kind.CLAUDE, str(file), options(user_id="olga")))
    assert (0, 0, 1) == (report.memories.written, report.memories.already_there, report.refused)
    assert [1] == [count for reason, count in reasons(report).items() if "under another user" in reason]


async def test_what_a_memory_replaces_comes_first(app: App) -> None:
    """The older text leaves recall and stays for dates before; where it cannot be moved, the newer one still is."""
    older, newer = facts("Ida lives in Lund.", "Ida lives in Malmö.", created_at=options().now)
    assert isinstance(newer, Recorded)
    newer = Recorded(memory=newer.memory.model_copy(update={"supersedes": ("fact 0",)}))
    orphan = arrivals.memory("orphan", {"text": "Ida rows.", "user_id": "ida", "supersedes": ("nowhere",)})
    report = await move(app, Listed(older, newer, orphan))
    assert (3, 0) == (report.memories.written, report.refused), reasons(report)
    found = await app.recall.search("Where does Ida live?", user_id="ida")
    assert ["fact 1"] == [result.memory.id for result in found if result.memory.id.startswith("fact")]


# --- a LangGraph PostgresStore ---


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def postgres(runtime: Runtime, rooms_folder: Path) -> AsyncIterator[str]:
    """The way into a database with the tables of LangGraph's own store."""
    del runtime
    name = f"langgraph_{new_id().replace('-', '')}"
    async with (
        running(rooms_folder / "shared") as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        await owner.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        url = make_conninfo(server.owner_dsn, dbname=name)
        async with AsyncPostgresStore.from_conn_string(url) as store:
            await store.setup()
            for number in range(7):
                value = {"text": f"Alma met {number} otters.", "n": [number]}
                await store.aput(("alma", "facts"), f"k{number}", value)
            await store.aput(("memories", "bo"), "home", {"where": "Umeå"})
            await store.aput(("alma", "facts"), "big", {"text": "Much beside it.", "rest": "y" * 50_000})
            await store.aput(("alma", "gone"), "old", {"text": "Gone by now."}, ttl=0.0001)
        yield url
        await owner.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


async def test_a_postgres_store_is_a_precis_store_afterwards(postgres: str, app: App) -> None:
    """Each item is read by namespace and key as before, with its value and its date; who it is of, its label says."""
    later = options(now=options().now + timedelta(seconds=1))  # what lives for a moment has expired
    report = await move(app, LangGraphStore(postgres, later))
    assert 1 == reasons(report)["expired in the store"]
    assert (9, 9, 0) == (report.memories.shown, report.memories.written, report.refused), reasons(report)
    store = PrecisStore(app)
    for number in range(7):
        item = await store.aget(("alma", "facts"), f"k{number}")
        assert item is not None
        assert {"text": f"Alma met {number} otters.", "n": [number]} == item.value
    large = await store.aget(("alma", "facts"), "big")
    assert large is not None
    assert 50_000 == len(large.value["rest"])
    assert 8 == len((await app.memories.list(user_id="alma")).rows)
    again = await move(app, LangGraphStore(postgres, options()))
    assert (0, 9) == (again.memories.written, again.memories.already_there)


async def test_the_last_label_may_name_the_user(postgres: str, app: App) -> None:
    """Namespaces that end with the user."""
    await move(app, LangGraphStore(postgres, options(user_label=-1)))
    assert ["bo"] == [memory.scope.user_id for memory in (await app.memories.list(namespace="memories.bo")).rows]


async def test_a_database_without_a_store_is_refused(postgres: str, app: App) -> None:
    """So is an address where none is, and what is no address."""
    with pytest.raises(InvalidInput, match="no table called store"):
        await move(app, LangGraphStore(make_conninfo(postgres, dbname="postgres"), options()))
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await move(app, LangGraphStore("postgresql://nobody@127.0.0.1:1/nothing", options()))
    with pytest.raises(InvalidInput, match="URL"):
        LangGraphStore("store.db", options())
    with pytest.raises(InvalidInput, match="label"):
        LangGraphStore(postgres, options(user_label=0))


# --- files ---


async def test_chats_become_dated_memories_of_the_person(app: App, tmp_path: Path) -> None:
    """With who speaks, and the conversation as the session; what the assistant said comes when asked for."""
    nodes: dict[str, Any] = {"root": {"message": None, "parent": None, "children": ["a"]}}
    for number, (name, parent) in enumerate((("a", "root"), ("b", "a"), ("c", "b"))):
        nodes[name] = {"parent": parent, "message": {
            "id": name, "author": {"role": ("user", "assistant")[number % 2]}, "create_time": 1_714_000_000 + number,
            "content": {"content_type": "text", "parts": [f"Line {number} about sloops."]},
        }}  # fmt: skip
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([{"id": "talk", "title": "Sloops", "mapping": nodes, "current_node": "c"}]))
    report = await move(app, ChatGPT(str(file), options(user_id="ida")))
    assert (2, 2) == (report.memories.written, report.in_precis)
    report = await move(app, ChatGPT(str(file), options(user_id="ida", assistant=True)))
    assert (1, 2) == (report.memories.written, report.memories.already_there)
    rows = sorted((await app.memories.list(session_id="talk")).rows, key=lambda memory: memory.created_at)
    assert ["ida", "ChatGPT", "ida"] == [memory.speaker for memory in rows]
    assert ["2024-04-24"] * 3 == [memory.created_at.date().isoformat() for memory in rows]
    assert {"ida"} == {memory.scope.user_id for memory in rows}


async def test_what_lies_beside_the_conversations_is_counted(app: App, tmp_path: Path) -> None:
    """What Claude keeps of a person, and its projects, do not stay behind in silence."""
    beside = {
        "memories.json": [{"conversations_memory": "Ida sails."}],
        "projects.json": [{"uuid": "p"}, {"uuid": "q"}],
    }
    said = {"uuid": "m", "sender": "human", "text": "I keep owls."}
    with ZipFile(tmp_path / "data.zip", "w") as file:
        for name, rows in {"conversations.json": [{"uuid": "k", "chat_messages": [said]}], **beside}.items():
            file.writestr(name, json.dumps(rows))
    report = await move(app, Claude(str(tmp_path / "data.zip"), options(user_id="ida")), dry_run=True)
    assert (1, [1, 2]) == (report.memories.written, list(reasons(report).values()))


async def test_notes_move_once_wherever_their_file_lies(app: App, tmp_path: Path) -> None:
    """What dates and says them makes their ids: a renamed folder changes nothing, a new line is one memory more."""
    folder = tmp_path / "journal"
    folder.mkdir()
    (folder / "2024-05-07.md").write_text("- Met Sára at the locks.\n- Met Sára at the locks.\n- Rain.\n")
    assert 3 == (await move(app, Notes(str(folder), options(user_id="ida")))).memories.written
    folder = folder.rename(tmp_path / "old journal")
    with (folder / "2024-05-07.md").open("a") as file:
        file.write("- Thunder.\n")
    report = await move(app, Notes(str(folder), options(user_id="ida")))
    assert (1, 3) == (report.memories.written, report.memories.already_there)


HINDSIGHT: dict[str, Any] = {
    "manifest.json": {"schema_version": 1, "source_bank_id": "vera", "fact_count": 3, "archive_type": "bank"},
    "documents/000000.json": {
        "id": "talks/7", "original_text": "…", "retain_params": None, "tags": ["sea"],
        "created_at": "2024-06-01T10:00:00Z",
        "chunks": [{"chunk_index": 0, "chunk_text": "…"}],
        "facts": [
            {"text": "Vera sails a sloop.", "source_id": "s1", "fact_type": "world", "context": "a talk",
             "mentioned_at": "2024-06-02T10:00:00Z", "entities": ["Vera"], "tags": ["boats"], "metadata": {"a": "b"}},
            {"text": "Vera sails a sloop.", "fact_type": "world", "mentioned_at": None},
            {"text": "Vera crossed to Gotland.", "fact_type": "experience", "occurred_start": "2024-05-30T00:00:00Z"},
            {"text": "", "fact_type": "world"},
        ],
    },
    "documents/000001.json": {"id": "empty", "facts": []},
    "observations.json": [{"text": "Vera likes the sea.", "source_id": "o1"}],
    "mental_models.json": [{"id": "m1"}],
    "directives.json": [{"id": "d"}],
}  # fmt: skip


def archive(folder: Path, **changes: Any) -> Path:
    """A transfer archive of a bank."""
    path = folder / "bank.zip"
    with ZipFile(path, "w") as file:
        for name, content in (HINDSIGHT | changes).items():
            file.writestr(name, json.dumps(content))
    return path


async def test_the_facts_of_a_hindsight_bank_move(app: App, tmp_path: Path) -> None:
    """With their dates, entities and tags, under the bank as the user; what was derived from them is counted."""
    report = await move(app, Hindsight(str(archive(tmp_path)), options()))
    assert (3, 1) == (report.memories.written, report.refused), reasons(report)
    assert 1 == reasons(report)["derived from facts: an observation"]
    assert 1 == reasons(report)["a document of which Hindsight has no fact"]
    rows = {memory.text: memory for memory in (await app.memories.list(user_id="vera")).rows}
    assert {
        "Vera sails a sloop.": ("semantic", "2024-06-0"),
        "Vera crossed to Gotland.": ("episodic", "2024-05-3"),
    } == {text: (memory.memory_type.value, memory.created_at.isoformat()[:9]) for text, memory in rows.items()}
    assert 3 == (await move(app, Hindsight(str(archive(tmp_path)), options()))).memories.already_there


@pytest.mark.parametrize(
    ("kind", "content", "reason"),
    [
        (Kind.HINDSIGHT, b"PK", "manifest.json"),
        (Kind.CHATGPT, b"{}", "no JSON list"),
        (Kind.CHATGPT, b'[{"chat_messages": []}]', "--from claude"),
        (Kind.CLAUDE, b'[{"mapping": {}}]', "--from chatgpt"),
        (Kind.CLAUDE, b'[{"chat_messages": [', "ends within element 1"),
        (Kind.CLAUDE, b'[{"a": nope}, {"b": 1, "padding": "................................"}]', "bad JSON"),
        (Kind.CLAUDE, b"[\xff\xfe]", "UTF-8"),
        (Kind.MEM0, b"[1]", "configuration"),
    ],
)
async def test_a_file_of_another_kind_is_refused(
    app: App, tmp_path: Path, kind: Kind, content: bytes, reason: str
) -> None:
    """With what is wrong and what to do."""
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=reason):
        await move(app, origin_of(kind, str(path), options(user_id="ida")))


async def test_an_archive_of_another_version_is_refused(app: App, tmp_path: Path) -> None:
    """Guessing at its layout could lose facts."""
    path = archive(tmp_path, **{"manifest.json": {"schema_version": 2}})
    with pytest.raises(InvalidInput, match="version 2"):
        await move(app, Hindsight(str(path), options()))


async def test_without_mem0_it_says_what_to_install(app: App, tmp_path: Path) -> None:
    """mem0 is not among what precis needs."""
    (tmp_path / "mem0.json").write_text("{}")
    with pytest.raises(ConfigurationError, match="pip install mem0ai"):
        await move(app, origin_of(Kind.MEM0, str(tmp_path / "mem0.json"), options()))


async def test_who_it_is_of_has_to_be_said_where_no_place_says_it(tmp_path: Path) -> None:
    """Before anything is opened."""
    kinds: Sequence[Kind] = (Kind.CHATGPT, Kind.CLAUDE, Kind.MARKDOWN)
    for kind in kinds:
        with pytest.raises(InvalidInput, match="--user-id"):
            origin_of(kind, str(tmp_path), options())
        with pytest.raises(InvalidInput, match="no such file"):
            origin_of(kind, str(tmp_path / "nowhere"), options(user_id="ida"))
