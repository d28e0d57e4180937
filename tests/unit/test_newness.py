"""Items with and without a date: which of them is newer, and which days they speak of."""

from __future__ import annotations

from datetime import UTC, datetime

from precis.language.dating.resolving import date_keys, dated
from precis.makers import Item, newness


def _item(text: str, day: int | None) -> Item:
    when = None if day is None else datetime(2024, 5, day, tzinfo=UTC)
    return Item(text=text, source_ids=(text,), created_at=when)


def test_what_is_newer_goes_by_date() -> None:
    """Whatever the order of the list; items of one moment are as new as each other."""
    assert newness([_item("a", 9), _item("b", 3), _item("c", 9)]) == [1, 0, 1]


def test_what_is_newer_goes_by_place_where_a_date_is_absent() -> None:
    """A date beside an item without one says nothing of which of them is newer."""
    assert newness([_item("a", 9), _item("b", None), _item("c", 3)]) == [0, 1, 2]
    assert newness([]) == []


def test_a_text_of_no_known_day_names_none() -> None:
    """Neither in words nor in what it may bear out."""
    item = _item("Yesterday the kiln broke, and on Friday it will be mended.", None)
    assert item.day is None
    assert dated(item.text, item.day) == item.text
    assert date_keys(item.text, item.day) == set()
    assert {"#8", "#2024"} <= date_keys(item.text, _item("x", 9).day)
