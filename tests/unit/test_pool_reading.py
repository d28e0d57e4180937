"""What other stores write about a memory, read as one thing."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.sources.reading import as_moment, fields_of, like, read_flag, read_ids, read_word, spelled
from precis.sources.settling import composed

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-31T12:00:00", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00+00:00", "2026-01-31 12:00:00",
        " 2026-01-31T13:00:00+01:00 ", 1769860800, 1769860800.0, 1769860800000, "1769860800", "1769860800000", NOON,
        NOON.replace(tzinfo=None),
    ],
)  # fmt: skip
def test_moments(value: Any) -> None:
    """Each is the same moment, aware."""
    assert as_moment(value) == NOON


@pytest.mark.parametrize(
    "value",
    [
        None, "", "yesterday", True, [], {}, "nan", "inf", 1e300, float("nan"), "0000-00-00",
        "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    ],
)  # fmt: skip
def test_what_is_no_moment(value: Any) -> None:
    """Nothing is guessed, and nothing is raised."""
    assert as_moment(value) is None


@given(st.text(max_size=30))
def test_any_text_is_a_moment_or_none(text: str) -> None:
    """Whatever a store holds."""
    found = as_moment(text)
    assert found is None or found.tzinfo is not None


@pytest.mark.parametrize(
    ("example", "written"),
    [
        ("2026", NOON.isoformat()),
        (None, NOON.isoformat()),
        (17, 1769860800),
        (1.7e12, 1769860800000.0),
        (True, NOON.isoformat()),
    ],
)
def test_a_moment_in_the_form_of_the_store(example: Any, written: Any) -> None:
    """So that its owner can compare it with the others."""
    assert (written, type(written)) == (like(example, NOON), type(like(example, NOON)))


def test_spellings() -> None:
    """The first that is there; an empty one is none."""
    assert spelled({"userId": "a", "user": "b"}, "user_id") == "userId"
    assert spelled({"user_id": None, "user": "b"}, "user_id") == "user"
    assert (read_word({"user": 7}, "user_id"), read_word({}, "user_id")) == ("7", None)


@pytest.mark.parametrize(
    ("value", "flag"), [(True, True), (1, True), ("true", True), ("0", False), (None, False), ("no", False)]
)
def test_flags(value: Any, flag: bool) -> None:
    """As stores without booleans write them."""
    assert read_flag({"is_summary": value}, "is_summary") is flag


@pytest.mark.parametrize("value", [["a", "b"], ("a", "b"), '["a", "b"]', "a, b", "a,b,"])
def test_lists_of_ids(value: Any) -> None:
    """As a list, as JSON, or with commas."""
    assert read_ids({"summarizedMemoryIds": value}, "summarized_memory_ids") == ("a", "b")


def test_objects_are_read_like_mappings() -> None:
    """A row may be either."""
    row = SimpleNamespace(id=3, created_at="2026")
    assert (3, None, {"id", "created_at"}) == (fields_of(row)["id"], fields_of(row).get("text"), set(fields_of(row)))
    assert len(fields_of(row)) == 2


@given(
    st.lists(st.tuples(st.text(alphabet="ab .", min_size=1, max_size=300), st.tuples(st.integers(0, 9))), max_size=40)
)
def test_statements_are_found_again(pieces: list[tuple[str, tuple[int]]]) -> None:
    """Each stretch of the composed text is the statement, whatever the paragraphs; taking some out keeps the others."""
    text, stretches = composed(pieces)
    assert [(text[one.starts_at : one.ends_at], one.sources) for one in stretches] == pieces
    left, again = composed((text[one.starts_at : one.ends_at], one.sources) for one in stretches[::2])
    assert [left[one.starts_at : one.ends_at] for one in again] == [piece for piece, _ in pieces[::2]]
