"""Lists as parameters of statements: written at once, and the same for the database as psycopg writes them."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg import DataError
from psycopg.adapt import AdaptersMap, PyFormat, Transformer

from precis.database.sending import write_lists_at_once

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), max_size=6)
NUMBERS = st.lists(st.integers(-(2**70), 2**70) | st.integers(-40_000, 40_000), max_size=6)


class Connection:
    """As much of a connection as adapts values."""

    connection = None

    def __init__(self) -> None:
        self.adapters = AdaptersMap(psycopg.adapters)


def written(values: list[Any], *, at_once: bool) -> tuple[int, Any]:
    """The type of a list, and what the database reads of it."""
    connection: Any = Connection()
    if at_once:
        write_lists_at_once(connection)
    transformer = Transformer(connection)
    (text,) = transformer.dump_sequence([values], [PyFormat.AUTO])
    oid = (transformer.types or (0,))[0]
    return oid, None if text is None else Transformer().get_loader(oid or 1009, psycopg.pq.Format.TEXT).load(
        bytes(text)
    )


@given(TEXTS | NUMBERS)
@example(["", " ", "NULL", "null", "{}", ",", '"', "\\", '\\"', "a b", "\u2003", "é"])
@example([2**15 - 1, -(2**15)])
@example([2**15])
@example([-(2**15) - 1])
@example([2**31 - 1, -(2**31)])
@example([-(2**31) - 1])
@example([2**63 - 1, -(2**63)])
@example([2**63])
def test_a_list_is_the_same_for_the_database(values: list[Any]) -> None:
    """Whatever is in it: its type, and its items."""
    assert written(values, at_once=False) == written(values, at_once=True)


def test_every_other_list_is_left_to_psycopg() -> None:
    """Truth values, holes and lists of lists."""
    lists: list[list[Any]] = [[True, False], ["a", None], [None], [[1, 2], [3, 4]], [1.5], []]
    for values in lists:
        assert written(values, at_once=False) == written(values, at_once=True)


@pytest.mark.parametrize("values", [["\0"], ["a", "b\0c"], ["\0", "\0"]])
def test_a_text_that_no_column_holds_is_refused(values: list[str]) -> None:
    """As psycopg refuses it, which the caller is told of in words."""
    with pytest.raises(DataError, match="NUL"):
        written(values, at_once=True)
