"""The tables of words are read by one loader, which refuses what is absent, empty or listed twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from precis.language import tables

_TABLE = """
words = '''moss fern
reed'''
twice = "moss fern moss"
nothing = " "
count = 3
patterns = '''ferns?; mos{1,2}es;
a  reed'''
[families]
fern = "plant"
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table of its own beside none of the others."""
    (tmp_path / "bog.toml").write_text(_TABLE, encoding="utf-8")
    monkeypatch.setattr(tables, "_FOLDER", tmp_path)
    tables._file.cache_clear()
    return "bog"


def test_words_phrases_and_sections_are_read_in_their_order(table: str) -> None:
    """Over line ends, too; white space within a phrase is one space."""
    assert tables.words(f"{table}.words") == ("moss", "fern", "reed")
    assert tables.phrases(f"{table}.patterns") == ("ferns?", "mos{1,2}es", "a reed")
    assert tables.choices(f"{table}.patterns") == "ferns?|mos{1,2}es|a reed"
    assert tables.section(f"{table}.families") == {"fern": "plant"}


@pytest.mark.parametrize(
    ("key", "complaint"),
    [("twice", "lists twice: moss"), ("nothing", "is empty"), ("count", "is no text"), ("families", "is no text")],
)
def test_a_table_that_is_wrong_is_refused(table: str, key: str, complaint: str) -> None:
    """The message names the file, the key and what is wrong."""
    with pytest.raises(ValueError, match=f"{table}.{key} {complaint}"):
        tables.words(f"{table}.{key}")


def test_what_no_table_has_is_refused(table: str) -> None:
    """A misspelled key does not read as an empty list."""
    with pytest.raises(LookupError, match=r"bog\.wrods: bog\.toml has no wrods"):
        tables.words(f"{table}.wrods")
    with pytest.raises(ValueError, match="no section of texts"):
        tables.section(f"{table}.words")


def test_alternatives_keep_their_order_and_their_meaning() -> None:
    """The beginning of a word, looked for once for several, still belongs to those alone that ask for it."""
    patterns = [r"\bfern", r"\b(?:moss|reed)", r"\bbog|sedge", "[|]rush", r"\bheath[|]", r"\bfernery"]
    assert tables.any_of(patterns) == r"\b(?:fern|(?:moss|reed))|\bbog|sedge|[|]rush|\b(?:heath[|]|fernery)"
    plain, joined = "|".join(patterns), tables.any_of(patterns)
    for text in ("a fernery", "amoss", "peatsedge", "quagbog", "heath|rush", "|rush", "wild reed moss"):
        assert [match.span() for match in re.finditer(plain, text)] == [
            match.span() for match in re.finditer(joined, text)
        ]
