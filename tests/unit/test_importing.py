"""Files of memories: what each layout yields, and what a broken file is told."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from precis.app.importing import count, read
from precis.errors import InvalidInput

MEMORIES = [
    {"id": "a", "text": "Alice moved to Oslo.", "created_at": "2026-03-01T10:00:00Z"},
    {"id": "b", "text": "Le café ferme à 18 h.", "metadata": {"speaker": "Bo"}, "topics": ["café"]},
]


def _file(folder: Path, content: str | bytes, name: str = "memories.json") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _refusal(path: Path) -> str:
    with pytest.raises(InvalidInput) as caught:
        list(read(path))
    return str(caught.value)


def _sample(**changes: Any) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Happy new year!"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ada", "dia_id": "D2:1", "text": "Look at this."},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "Nice!", "blip_caption": "a red kite"},
        ],
        "session_11_date_time": "3:00 pm on 2 January, 2024",
    }
    return {"sample_id": "talk-1", "conversation": conversation | changes, "qa": []}


LAYOUTS = {
    "lines": "\n".join(json.dumps(memory) for memory in MEMORIES),
    "lines with blank lines": "\n\n".join(json.dumps(memory) for memory in MEMORIES) + "\n\n",
    "lines with Windows endings": "\r\n".join(json.dumps(memory) for memory in MEMORIES) + "\r\n",
    "lines after a byte order mark": b"\xef\xbb\xbf" + "\n".join(json.dumps(m) for m in MEMORIES).encode(),
    "list": json.dumps(MEMORIES, ensure_ascii=False),
    "indented list": json.dumps(MEMORIES, indent=2),
    "envelope on one line": json.dumps({"memories": MEMORIES}),
    "indented envelope": json.dumps({"memories": MEMORIES}, indent=2),
}


@pytest.mark.parametrize("content", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_layout_yields_the_memories_as_they_were_written(tmp_path: Path, content: str | bytes) -> None:
    """The layout makes no difference to what is read, nor to the count."""
    path = _file(tmp_path, content)
    assert list(read(path)) == MEMORIES
    assert count(path) == 2


def test_one_line_is_one_memory(tmp_path: Path) -> None:
    """A file of a single object is JSON lines of length one."""
    path = _file(tmp_path, json.dumps(MEMORIES[0]))
    assert list(read(path)) == MEMORIES[:1]


def test_one_memory_may_be_written_over_several_lines(tmp_path: Path) -> None:
    """An indented object is one document, not broken JSON lines."""
    path = _file(tmp_path, json.dumps(MEMORIES[0], indent=4))
    assert list(read(path)) == MEMORIES[:1]


def test_a_memory_that_has_a_field_named_memories_is_still_a_memory(tmp_path: Path) -> None:
    """What has a text is a memory, whatever else it holds."""
    memory = {"text": "Two rows.", "memories": 2}
    assert list(read(_file(tmp_path, json.dumps(memory)))) == [memory]


def test_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    """The first memories of a long file arrive although its last line is broken."""
    lines = [json.dumps({"id": str(n), "text": f"Fact {n}."}) for n in range(5000)]
    path = _file(tmp_path, "\n".join([*lines, "{broken"]))
    assert [item["id"] for item in itertools.islice(read(path), 3)] == ["0", "1", "2"]
    assert count(path) == 5001


def test_conversations_become_one_memory_a_turn(tmp_path: Path) -> None:
    """Sessions in numeric order, a second between turns, captions in the text, one user a conversation."""
    path = _file(tmp_path, json.dumps([_sample()]))
    first, second, third = read(path)
    assert first == {
        "id": "talk-1:D2:1",
        "text": "Look at this.",
        "user_id": "talk-1",
        "session_id": "session_2",
        "memory_type": "message",
        "created_at": "2023-05-08T13:56:00Z",
        "metadata": {"speaker": "Ada"},
    }
    assert (second["text"], second["created_at"]) == ("Nice! [shares a red kite]", "2023-05-08T13:56:01Z")
    assert (third["session_id"], third["created_at"]) == ("session_10", "2024-01-01T00:05:00Z")
    assert count(path) == 3


def test_a_turn_without_words_is_what_it_shares(tmp_path: Path) -> None:
    """A picture alone is a turn too."""
    turn = {"speaker": "Ada", "dia_id": "D2:1", "text": "", "blip_caption": "a boat"}
    path = _file(tmp_path, json.dumps([_sample(session_2=[turn], session_10=[])]))
    assert [item["text"] for item in read(path)] == ["[shares a boat]"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("12:00 pm on 29 February, 2024", "2024-02-29T12:00:00Z"),
        ("12:30 am on 3 Sep 2022", "2022-09-03T00:30:00Z"),
        ("9:05 PM on 31 December, 2021", "2021-12-31T21:05:00Z"),
    ],
)
def test_session_dates_are_read_whatever_the_locale(tmp_path: Path, written: str, expected: str) -> None:
    """Noon, midnight, short months and capitals are understood."""
    path = _file(tmp_path, json.dumps([_sample(session_2_date_time=written)]))
    assert next(read(path))["created_at"] == expected


LINE = json.dumps(MEMORIES[0])
REFUSED = {
    "empty": ("", "the file is empty"),
    "blank": ("\n \n", "the file is empty"),
    "empty list": ("[]", "the list is empty"),
    "empty envelope": ('{"memories": []}', "the list is empty"),
    "comma-separated": ("id,text\n1,hello\n", "line 1 starts with 'id,text'"),
    "broken line": (f"{LINE}\n{LINE}\n" + '{"text": "x",}', "bad JSON at line 3, column 1"),
    "unclosed line": (f"{LINE}\n" + '{"text": "x"' + f"\n{LINE}\n", "bad JSON at line 2, column 13"),
    "two on a line": (f"{LINE} {LINE}", "bad JSON at line 1"),
    "broken list": ('[\n{"text": "x"}\n{"text": "y"}\n]', "bad JSON at line 2, column 14"),
    "cut off": (f"{LINE}\n" + '{"text": "never en', "bad JSON at line 2"),
    "not a number": ('{"text": "x", "importance": NaN}', "NaN is not a JSON number"),
    "a number too long": ('{"text": "x", "importance": ' + "9" * 5000 + "}", "bad JSON at line 1"),
    "a name twice among very many": (
        '{"text": "x", "metadata": {' + ", ".join(f'"n{at % 199_999}": 1' for at in range(200_000)) + "}}",
        "line 1: the name n0 stands twice in one object",
    ),
    "a name twice": (f'{LINE}\n{{"text": "x", "text": "y"}}', "line 2: the name text stands twice in one object"),
    "half a pair": (f'{LINE}\n{{"text": "\\ud83d"}}', "line 2 holds half of a surrogate pair"),
    "too deep": ('{"text": "x", "metadata": ' + "[" * 200_000, "line 1 is nested too deeply"),
    "a list on a line": (f"{LINE}\n[1, 2]", "line 2 is a list, not an object"),
    "a text in a list": ('["hello"]', "item 1 is a text, not an object"),
    "no text": (
        f'{LINE}\n\n{{"content": "hello", "id": "c"}}',
        "line 3 has no text; fields found: content, id",
    ),
    "blank text": ('{"text": "  "}', "line 1 has an empty text"),
    "numeric text": ('[{"text": "a"}, {"text": 5}]', "item 2 has a text that is a number"),
    "unknown layout": ('{\n"rows": []\n}', "item 1 has no text; fields found: rows"),
}


@pytest.mark.parametrize(("content", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_a_broken_file_is_refused_with_its_name_the_place_and_the_reason(
    tmp_path: Path, content: str, expected: str
) -> None:
    """Whoever has to mend the file learns where to look."""
    path = _file(tmp_path, content)
    message = _refusal(path)
    assert expected in message
    assert str(path) in message


def test_invalid_utf8_is_named_by_its_byte(tmp_path: Path) -> None:
    """The offset counts from the start of the file, a byte order mark included."""
    path = _file(tmp_path, b"\xef\xbb\xbf" + LINE.encode() + b'\n{"text": "caf\xe9"}\n')
    at = 3 + len(LINE.encode()) + 1 + len(b'{"text": "caf')
    assert f"invalid UTF-8 at byte {at} (line 2)" in _refusal(path)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-be"])
def test_another_coding_is_named(tmp_path: Path, coding: str) -> None:
    """A file of two bytes a character says so, and shows no letters that nobody wrote."""
    mark = b"\xfe\xff" if coding == "utf-16-be" else b""
    assert "the file is UTF-16; save it as UTF-8" in _refusal(_file(tmp_path, mark + LINE.encode(coding)))


def test_the_field_of_a_refused_item_is_named(tmp_path: Path) -> None:
    """Callers can point at the field as they do for a request."""
    with pytest.raises(InvalidInput) as caught:
        list(read(_file(tmp_path, '{"memories": [{"text": "a"}, {"id": "b"}]}')))
    assert caught.value.field == "memories.1.text"


@pytest.mark.parametrize("operation", [lambda path: list(read(path)), count])
def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path, operation: Any) -> None:
    """Both are told apart from a broken file by the reason of the system."""
    with pytest.raises(InvalidInput, match="No such file"):
        operation(tmp_path / "nowhere.jsonl")
    with pytest.raises(InvalidInput, match="cannot be read"):
        operation(tmp_path)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"session_2_date_time": "8 May 2023"}, "session_2 has the date '8 May 2023'"),
        ({"session_2_date_time": "1:00 pm on 31 June, 2023"}, "no day of the calendar"),
        ({"session_2_date_time": "1:00 pm on 3 Smarch, 2023"}, "no day of the calendar"),
        ({"session_2_date_time": None}, "session_2 has the date None"),
        ({"session_2": "hello"}, "session_2 is a text, not a list"),
        ({"session_2": ["hello"]}, "session_2, turn 1 is a text"),
        ({"session_2": [{"speaker": "Ada", "text": "x"}]}, "turn 1 has no dia_id"),
        ({"session_2": [{"text": "x"}]}, "turn 1 has no speaker and no dia_id"),
        ({"session_2": [{"speaker": "Ada", "dia_id": "D2:1"}]}, "turn 1 has an empty text"),
    ],
)
def test_a_broken_conversation_is_refused_by_session_and_turn(
    tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    """Nothing of a conversation is guessed or left out silently."""
    message = _refusal(_file(tmp_path, json.dumps([_sample(**changes)])))
    assert expected in message
    assert "talk-1" in message


def test_a_conversation_needs_an_id_and_a_session(tmp_path: Path) -> None:
    """The id says whose memories these are; without a session there are none."""
    nameless = {"conversation": _sample()["conversation"]}
    assert 'item 1 is a conversation without "sample_id"' in _refusal(_file(tmp_path, json.dumps([nameless])))
    hollow = {"sample_id": "talk-2", "conversation": {"speaker_a": "Ada"}}
    assert "talk-2 has no" in _refusal(_file(tmp_path, json.dumps([hollow])))


def test_the_count_of_a_broken_document_is_unknown(tmp_path: Path) -> None:
    """A progress bar goes without a total; the read says what is wrong."""
    assert count(_file(tmp_path, '[{"text": "x"},')) is None
