"""A settings file that cannot be read is one line that says where, quotes no value, and is a wrong call."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_room import one_line, warm_precis


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"model: [gpt\n sesame", "no YAML at line 2"),
        (b"model: 'sesame\n", "no YAML at line"),
        (b"\xff\xfe\x00sesame", "not text"),
        (b"sesame", "`name: value`"),
        (b"- sesame\n", "`name: value`"),
        (b"open_sesame_door: 3\n", "setting open_sesame_door: nothing reads it: correct its name"),
        (b"max_text_chars: sesame\n", "max_text_chars"),
        (b"port: 1\nhost: sesame\nport: 2\n", "line 3, column 1: the name port stands twice"),
        (b"prices:\n  m: {a: 1, a: 2}\n", "line 2, column 13: the name a stands twice"),
    ],
    ids=[
        "a list that does not end",
        "a text that does not end",
        "bytes",
        "a word",
        "a list",
        "a name",
        "a value",
        "twice",
        "twice below",
    ],
)
def test_a_malformed_file_is_one_line(tmp_path: Path, content: bytes, why: str) -> None:
    """Whatever is wrong with it."""
    file = tmp_path / "precis.yaml"
    file.write_bytes(content)
    done = warm_precis("plan", "--data-dir", tmp_path / "data", PRECIS_CONFIG=str(file))
    assert 2 == done.returncode
    message = one_line(done)
    assert why in message
    assert " sesame" not in message.replace(str(file), "")
    assert not (tmp_path / "data").exists()
