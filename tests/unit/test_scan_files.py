"""The search in files counts what lies across two chunks once, and outlives a file that is cut while it is read."""

from __future__ import annotations

import random
from pathlib import Path
from typing import IO, Any

import pytest

from precis.store.forgotten import scan_files
from precis.store.forgotten.scan_files import look_for_bytes, look_for_words


def hits(folder: Path, *patterns: bytes) -> int:
    """How many patterns are in the files of a folder."""
    (looked,) = look_for_bytes(folder, {"kind": patterns}, where="files")
    return looked.hits


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64])
def test_wherever_a_chunk_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """As one search in the whole would find it, at every place and with every length."""
    monkeypatch.setattr(scan_files, "_CHUNK", chunk)
    chance = random.Random(chunk)  # noqa: S311 - letters, no secrets
    for at in range(40):
        content = bytes(chance.choice(b"ab\0") for _ in range(60))
        patterns = [bytes(chance.choice(b"ab\0") for _ in range(length)) for length in (1, 2, 3, 7)]
        (tmp_path / "file").write_bytes(content)
        assert hits(tmp_path, *patterns) == sum(pattern in content for pattern in patterns), at
        with (tmp_path / "file").open("rb") as file:
            times = scan_files._times(file, [b"aab", b"a\0b"])
        assert (content.count(b"aab"), content.count(b"a\0b")) == (times[b"aab"], times[b"a\0b"])


def test_a_file_that_is_cut_meanwhile(tmp_path: Path) -> None:
    """PostgreSQL cuts files of tables that it rewrites: a mapped one would end the process."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100_000)
    with path.open("rb") as file:
        path.write_bytes(b"")
        assert scan_files._times(file, [b"x"]) == {}


def test_each_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many patterns are looked for: evidence of a user is hundreds, and a database gigabytes."""
    (tmp_path / "below").mkdir()
    for name in ("first", "below/second", "below/empty"):
        (tmp_path / name).write_bytes(b"" if name.endswith("empty") else b"one two")
    opened: list[str] = []
    plain = Path.open

    def counted(path: Path, mode: str) -> IO[Any]:
        opened.append(path.name)
        return plain(path, mode)

    monkeypatch.setattr(Path, "open", counted)
    rows, words = look_for_bytes(tmp_path, {"rows": [b"one", b"six"], "words": [b"two"]}, where="files")
    assert ["second", "first"] == opened
    assert (2, 1, ("below/second", "first")) == (rows.read, rows.hits, rows.places)
    assert (2, 1) == (words.read, words.hits)


@pytest.mark.parametrize("word", ["8213", "27150", "62.5", "4c1d"])
def test_a_short_figure_is_not_looked_for_in_files_and_the_answer_says_so(tmp_path: Path, word: str) -> None:
    """Any file holds it by chance; a word beside it, and a longer number, are looked for."""
    (tmp_path / "file").write_text(f"canary {word} 07700900456", encoding="utf-8")
    alone, beside, longer = (
        look_for_words(tmp_path, words, where="files") for words in ([word], [word, "canary"], ["07700900456"])
    )
    assert (alone.hits, alone.read, "1 short figures" in alone.note) == (0, 0, True)
    assert (beside.hits, beside.places, bool(beside.note)) == (1, ("file",), True)
    assert (longer.hits, longer.note) == (1, "")
    assert look_for_words(tmp_path, ["decaf"], where="files").note == ""
