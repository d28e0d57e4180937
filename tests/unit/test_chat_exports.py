"""The data exports of ChatGPT and Claude: every shape they come in, and large ones in little memory."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from precis.app.redis.long_term import Recorded
from precis.errors import InvalidInput
from precis.ids import system_clock
from precis.moving.arrivals import Arrival, Kind, LeftOut, MoveOptions, Origin, origin_of
from precis.moving.chat_exports import elements

pytestmark = pytest.mark.asyncio


async def read(kind: Kind, path: Path, **wishes: Any) -> list[Arrival]:
    """All that an export shows."""
    options = MoveOptions(now=system_clock(), user_id="tove", **wishes)
    origin: Origin = origin_of(kind, str(path), options)
    return [arrival async for arrival in origin.arrivals()]


def texts(arrivals: list[Arrival]) -> list[str]:
    """Of those that move."""
    return [arrival.memory.text for arrival in arrivals if isinstance(arrival, Recorded)]


def reasons(arrivals: list[Arrival]) -> dict[str, str]:
    """Why the others do not, by id."""
    return {arrival.id: arrival.reason for arrival in arrivals if isinstance(arrival, LeftOut)}


def node(id_: str, parent: str | None, text: Any = "…", role: str = "user", **message: Any) -> dict[str, Any]:
    """A node of ChatGPT's tree."""
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    full = {"id": id_, "author": {"role": role}, "create_time": 1_700_000_000.5, "content": content, **message}
    return {"id": id_, "parent": parent, "children": [], "message": full}


def tree(*nodes: dict[str, Any], **chat: Any) -> dict[str, Any]:
    """A conversation of ChatGPT."""
    root: dict[str, Any] = {"id": "root", "parent": None, "children": [], "message": None}
    mapping = {each["id"]: each for each in (root, *nodes)}
    return {"title": "A talk", "create_time": 1_700_000_000, "mapping": mapping, "conversation_id": "c1", **chat}


def saved(folder: Path, chats: Any, name: str = "conversations.json") -> Path:
    """As it lies in an export."""
    path = folder / name
    path.write_text(json.dumps(chats))
    return path


async def test_the_branch_that_stood_is_followed(tmp_path: Path) -> None:
    """From the end to the beginning; what was edited or made anew is counted."""
    chat = tree(
        node("a", "root", "I row on Sundays."), node("b1", "a", "Nice", "assistant"),
        node("c-old", "b1", "I swim."), node("c", "b1", "I swim in the Siljan."), current_node="c",
    )  # fmt: skip
    arrivals = await read(Kind.CHATGPT, saved(tmp_path, [chat]))
    assert ["I row on Sundays.", "I swim in the Siljan."] == texts(arrivals)
    assert "branch" in reasons(arrivals)["c-old"]
    assert "--assistant" in reasons(arrivals)["b1"]


async def test_without_an_end_the_latest_message_is_one(tmp_path: Path) -> None:
    """Older exports, and those of damaged conversations."""
    chat = tree(
        node("a", "root", "First."), node("b", "a", "Last.", create_time=1_800_000_000), node("x", "a", "Other.")
    )
    for end in (None, "nowhere", 7):
        arrivals = await read(Kind.CHATGPT, saved(tmp_path, [chat | {"current_node": end}]))
        assert ["First.", "Last."] == texts(arrivals)


async def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    """Each message once."""
    chat = tree(node("a", "b", "One."), node("b", "a", "Two."), current_node="b")
    assert ["One.", "Two."] == texts(await read(Kind.CHATGPT, saved(tmp_path, [chat])))


async def test_what_no_person_said_stays_behind(tmp_path: Path) -> None:
    """System, tools, thoughts, custom instructions, hidden messages and images, each by its reason."""
    nodes = [
        node("system", "root", "You are helpful.", "system"),
        node("custom", "system", {"content_type": "user_editable_context", "user_profile": "I am Tove."}),
        node("image", "custom", {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset"}]}),
        node("call", "image", {"content_type": "code", "text": "search()"}, "assistant", recipient="browser"),
        node("plugin", "call", "{}", "assistant", recipient="bio"),
        node("result", "plugin", {"content_type": "execution_output", "text": "3"}, "tool"),
        node("thought", "result", {"content_type": "thoughts", "thoughts": [{"content": "Hm"}]}, "assistant"),
        node("hidden", "thought", "Not shown.", metadata={"is_visually_hidden_from_conversation": True}),
        node("empty", "hidden", ""),
        node("none", "empty", {"content_type": "text", "parts": None}),
        node("odd", "none", "x", author=None),
        node("voice", "odd", {"content_type": "multimodal_text", "parts": [
            {"content_type": "audio_transcription", "text": "I sold my kayak."}, {"content_type": "audio_asset"},
            "To Göran.", None,
        ]}),
    ]  # fmt: skip
    arrivals = await read(Kind.CHATGPT, saved(tmp_path, [tree(*nodes, current_node="voice")]), assistant=True)
    assert ["I sold my kayak.\nTo Göran."] == texts(arrivals)
    assert {each["id"] for each in nodes} - {"voice"} == reasons(arrivals).keys()


async def test_dates_are_those_of_the_messages(tmp_path: Path) -> None:
    """One without a date follows the one before it; a number that is no date is none."""
    chat = tree(
        node("a", "root", "A"), node("b", "a", "B", create_time=None), node("c", "b", "C", create_time=1e18),
        current_node="c",
    )  # fmt: skip
    rows = [row.memory for row in await read(Kind.CHATGPT, saved(tmp_path, [chat])) if isinstance(row, Recorded)]
    assert [0.5, 1.5, 2.5] == [row.created_at.timestamp() - 1_700_000_000 for row in rows if row.created_at]
    assert {"c1"} == {row.session_id for row in rows}


async def test_halves_of_characters_and_null_characters_are_mended(tmp_path: Path) -> None:
    """Exports cut emoji in two; the words around them stay."""
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([tree(node("a", "root", "Tea \ud83c and\0 rusks 🍵"), current_node="a")]))
    assert ["Tea \ufffd and rusks 🍵"] == texts(await read(Kind.CHATGPT, path))


async def test_what_is_no_conversation_is_named(tmp_path: Path) -> None:
    """And the others are read."""
    chats: list[Any] = [None, [], {"title": "x"}, {"mapping": []}, tree(node("a", "root", "Fine."), current_node="a")]
    arrivals = await read(Kind.CHATGPT, saved(tmp_path, chats))
    assert ["Fine."] == texts(arrivals)
    assert 4 == len(reasons(arrivals))


@pytest.mark.parametrize("shape", ["file", "folder", "zip", "deep zip", "parts"])
async def test_it_may_be_a_file_a_folder_or_a_zip(tmp_path: Path, shape: str) -> None:
    """As it was downloaded, or unpacked; large ones come in numbered parts."""
    chats = [tree(node(name, "root", f"Said {name}."), current_node=name) for name in "ab"]
    saved(tmp_path, chats[:1], "conversations-000.json" if shape == "parts" else "conversations.json")
    saved(tmp_path, {"no": "list"}, "user.json")
    if shape == "parts":
        saved(tmp_path, chats[1:], "conversations-001.json")
    path = {"file": tmp_path / "conversations.json"}.get(shape, tmp_path)
    if "zip" in shape:
        with ZipFile(tmp_path / "export.zip", "w") as archive:
            inside = "data/conversations.json" if shape == "deep zip" else "conversations.json"
            archive.write(tmp_path / "conversations.json", inside)
        path = tmp_path / "export.zip"
    assert (["Said a.", "Said b."] if shape == "parts" else ["Said a."]) == texts(await read(Kind.CHATGPT, path))


async def test_a_zip_without_conversations_is_refused(tmp_path: Path) -> None:
    """It says what is missing."""
    with ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "nothing")
    with pytest.raises(InvalidInput, match="conversations"):
        await read(Kind.CLAUDE, tmp_path / "other.zip")


def said(id_: str, text: str, sender: str = "human", **message: Any) -> dict[str, Any]:
    """A message of Claude's export."""
    content = [{"type": "text", "text": text}]
    return {
        "uuid": id_,
        "text": text,
        "content": content,
        "sender": sender,
        "created_at": "2024-08-01T10:00:00Z",
    } | message


def talk(*messages: Any, **chat: Any) -> dict[str, Any]:
    """A conversation of Claude."""
    return {
        "uuid": "t1",
        "name": "A talk",
        "created_at": "2024-08-01T09:00:00Z",
        "chat_messages": list(messages),
        **chat,
    }


async def test_claude_has_a_list_with_blocks(tmp_path: Path) -> None:
    """Text blocks are words; thoughts and tools are none; an older export has the text alone."""
    messages = [
        said("a", "I knit."),
        said("b", "Lovely.", "assistant"),
        said("c", "", content=[{"type": "text", "text": "I knit socks."}, {"type": "tool_use", "input": {}},
                               {"type": "text", "text": "From wool."}, {"type": "thinking", "thinking": "Hm"}, 3]),
        {"uuid": "d", "text": "Old form.", "sender": "human"},
        said("e", "", content=[{"type": "tool_result", "content": []}]),
        said("f", "Read this.", attachments=[{"file_name": "a.txt", "extracted_content": "…"}]),
        said("g", "?", "system"),
        "no message",
    ]  # fmt: skip
    arrivals = await read(Kind.CLAUDE, saved(tmp_path, [talk(*messages)]))
    assert ["I knit.", "I knit socks.\nFrom wool.", "Old form.", "Read this."] == texts(arrivals)
    assert {"b", "e", "f", "g"} == reasons(arrivals).keys()
    rows = [row.memory for row in arrivals if isinstance(row, Recorded)]
    assert ("tove", "t1", "A talk") == (rows[0].user_id, rows[0].session_id, rows[0].metadata["title"])
    assert "2024-08-01T10:00:01" == (rows[2].created_at or system_clock()).isoformat()[:19]


async def test_claude_may_have_branches(tmp_path: Path) -> None:
    """Where messages name their parents, the branch of the last one stands."""
    root = "00000000-0000-4000-8000-000000000000"
    messages = [
        said("a", "Hello.", parent_message_uuid=root), said("b", "I weave.", parent_message_uuid="a"),
        said("c", "I weave linen.", parent_message_uuid="a"),
    ]  # fmt: skip
    assert ["Hello.", "I weave linen."] == texts(await read(Kind.CLAUDE, saved(tmp_path, [talk(*messages)])))
    chat = talk(*messages, current_leaf_message_uuid="b")
    assert ["Hello.", "I weave."] == texts(await read(Kind.CLAUDE, saved(tmp_path, [chat])))


async def test_ids_are_the_same_at_each_reading(tmp_path: Path) -> None:
    """Also of messages that have none."""
    path = saved(tmp_path, [talk({"text": "No id.", "sender": "human"}, {"text": "No id.", "sender": "human"})])
    first = [row.id for row in await read(Kind.CLAUDE, path) if isinstance(row, Recorded)]
    second = [row.id for row in await read(Kind.CLAUDE, path) if isinstance(row, Recorded)]
    assert first == second
    assert 2 == len(set(first))


async def test_a_large_export_is_read_in_little_memory(tmp_path: Path) -> None:
    """A .zip of 24 MB of conversations is read a few hundred kilobytes at a time."""
    filler = "I keep a log of the lighthouse. " * 1250
    with (
        ZipFile(tmp_path / "export.zip", "w", ZIP_DEFLATED) as archive,
        archive.open("conversations.json", "w") as file,
    ):
        for number in range(300):
            nodes = [node(f"m{number}-{at}", f"m{number}-{at - 1}" if at else "root", filler) for at in range(2)]
            chat = tree(*nodes, current_node=f"m{number}-1", conversation_id=f"c{number}")
            file.write((b"[" if number == 0 else b",\n") + json.dumps(chat).encode())
        file.write(b"]")
    origin = origin_of(Kind.CHATGPT, str(tmp_path / "export.zip"), MoveOptions(now=system_clock(), user_id="tove"))
    tracemalloc.start()
    count = 0
    async for arrival in origin.arrivals():
        count += isinstance(arrival, Recorded)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 600 == count
    assert peak < 6 << 20


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 18])
async def test_elements_are_the_same_however_the_list_is_cut(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """A piece may end within a name, a number, an escape or a character."""
    values: list[Any] = [{'ä\n"': "🍵", "n": [1.5e3, -2, None, True]}, [], "x,]", 12345, {"deep": {"a": {}}}]
    monkeypatch.setattr("precis.moving.chat_exports._PIECE", size)
    for written in (json.dumps(values), json.dumps(values, ensure_ascii=False, indent=3)):
        assert values == list(elements(io.BytesIO(b"\xef\xbb\xbf" + written.encode("utf-8")), "list"))
